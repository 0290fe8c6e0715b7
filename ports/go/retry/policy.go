package retry

import (
	"math"
	"time"

	"samewait.example/go/internal/seconds"
)

const (
	// Horizon is the longest legal duration, and the cap of a policy that has none (B-3).
	Horizon = 1 << 32 * time.Second

	// MaxAttempt is the highest legal attempt.
	MaxAttempt = math.MaxInt32

	// MaxSamples is the most that JitterSamples gives (J-11).
	MaxSamples = 1_000_000
)

// Options are the fields of a policy. Start from Defaults: 0 is not legal for MaxAttempts and Multiplier, and is not
// taken for "not given".
type Options struct {
	MaxAttempts   int           // deliveries, the first one included
	InitialDelay  time.Duration // 0: retry at once
	Multiplier    float64       // finite, 1 or more
	MaxDelay      time.Duration // 0: no cap
	JitterFactor  float64       // 0 to 1
	MaxMessageAge time.Duration // 0: no age limit
}

// Defaults gives the options of a policy of which nothing is said: one attempt (P-1).
func Defaults() Options {
	return Options{MaxAttempts: 1, Multiplier: 2}
}

// A Policy says when to try again and when to stop. It never changes, and may be shared between goroutines.
// The zero Policy never retries.
type Policy struct {
	options Options

	// In float64 seconds, converted once.
	initialDelay  float64
	ceiling       float64 // B-3
	maxMessageAge float64
}

// New builds a policy. It fails with an *Error that names the first field outside its legal values (P-9, P-10).
func New(o Options) (Policy, error) {
	var multiplier, jitter error
	if !(o.Multiplier >= 1 && o.Multiplier <= math.MaxFloat64) { // the negation catches NaN
		multiplier = &Error{InvalidPolicy, "multiplier", o.Multiplier, "a finite number from 1"}
	}
	if !(o.JitterFactor >= 0 && o.JitterFactor <= 1) {
		jitter = &Error{InvalidPolicy, "jitter_factor", o.JitterFactor, "0 to 1"}
	}
	if err := firstOf(
		checkCount(InvalidPolicy, "max_attempts", o.MaxAttempts, MaxAttempt),
		checkDuration(InvalidPolicy, "initial_delay", o.InitialDelay),
		multiplier,
		checkDuration(InvalidPolicy, "max_delay", o.MaxDelay),
		jitter,
		checkDuration(InvalidPolicy, "max_message_age", o.MaxMessageAge),
	); err != nil {
		return Policy{}, err
	}
	if o.JitterFactor == 0 {
		o.JitterFactor = 0 // also for negative zero (P-7)
	}
	ceiling := Horizon
	if o.MaxDelay > 0 {
		ceiling = o.MaxDelay
	}
	return Policy{
		options:       o,
		initialDelay:  seconds.Of(o.InitialDelay),
		ceiling:       seconds.Of(ceiling),
		maxMessageAge: seconds.Of(o.MaxMessageAge),
	}, nil
}

// None gives the policy that never retries (P-12).
func None() Policy {
	p, err := New(Defaults())
	if err != nil {
		panic(err) // unreachable: the defaults are legal
	}
	return p
}

// Fixed gives a policy with the same delay after every failure (P-13).
func Fixed(maxAttempts int, delay time.Duration) (Policy, error) {
	return New(Options{MaxAttempts: maxAttempts, InitialDelay: delay, Multiplier: 1})
}

// Exponential gives a policy whose delays double up to maxDelay, moved by a fifth to either side by jitter. A maxDelay
// of 0 is no cap (P-14).
func Exponential(maxAttempts int, initialDelay, maxDelay time.Duration) (Policy, error) {
	return New(Options{
		MaxAttempts:  maxAttempts,
		InitialDelay: initialDelay,
		Multiplier:   2,
		MaxDelay:     maxDelay,
		JitterFactor: 0.2,
	})
}

// GiveUpAfter gives a copy with another age limit; 0 is none (P-15).
func (p Policy) GiveUpAfter(age time.Duration) (Policy, error) {
	p.options.MaxMessageAge = age
	return New(p.options)
}

// WithJitter gives a copy with another jitter factor; 0 is no jitter (P-15).
func (p Policy) WithJitter(factor float64) (Policy, error) {
	p.options.JitterFactor = factor
	return New(p.options)
}

// Options gives the fields of the policy, as they were given.
func (p Policy) Options() Options {
	return p.options
}
