package retry

import (
	"math"
	"time"

	"samewait.example/go/internal/seconds"
)

// delays walks the delays of a policy from the first. It is the loop of B-4, and the only one: Backoff, Schedule and
// Ladder all walk with it, so that they cannot drift apart (B-10).
type delays struct {
	d, multiplier, ceiling float64
}

func (p Policy) delays() delays {
	return delays{p.initialDelay, p.options.Multiplier, p.ceiling}
}

// current gives the delay in seconds. A product that overflowed is +Inf here, and gives the ceiling (B-7).
func (w *delays) current() float64 {
	return math.Min(w.d, w.ceiling)
}

// advance goes on to the next delay, by one multiplication (B-5). It reports false when this delay, and so every later
// one, is the same: that is what makes attempt 2147483647 as cheap as a small one (B-8).
func (w *delays) advance() bool {
	if w.d >= w.ceiling {
		return false
	}
	product := w.d * w.multiplier
	if product == w.d {
		return false
	}
	w.d = product
	return true
}

// backoff gives the delay after a legal attempt, in seconds.
func (p Policy) backoff(attempt int) float64 {
	walk := p.delays()
	for n := 1; n < attempt && walk.advance(); n++ {
	}
	return walk.current()
}

// Backoff gives the delay after the given attempt has failed, counted from 1, without jitter. It is answered for every
// attempt up to MaxAttempt, whatever the policy's MaxAttempts (B-1).
func (p Policy) Backoff(attempt int) (time.Duration, error) {
	if err := checkCount(InvalidArgument, "attempt", attempt, MaxAttempt); err != nil {
		return 0, err
	}
	return seconds.Duration(p.backoff(attempt)), nil
}

// A Schedule steps through the delays of a policy, one for each retry that it allows (B-9). It takes the same little
// memory whatever their number (B-11):
//
//	for s := policy.Schedule(); s.Next(); {
//		fmt.Println(s.Delay())
//	}
type Schedule struct {
	walk    delays
	left    int
	started bool
}

// Schedule gives the schedule of the policy, before its first delay.
func (p Policy) Schedule() *Schedule {
	return &Schedule{walk: p.delays(), left: p.options.MaxAttempts - 1}
}

// Next goes on to the next delay, and reports whether there is one.
func (s *Schedule) Next() bool {
	if s.left <= 0 {
		return false
	}
	if s.started {
		s.walk.advance()
	}
	s.started = true
	s.left--
	return true
}

// Delay gives the delay that the last Next went to.
func (s *Schedule) Delay() time.Duration {
	return seconds.Duration(s.walk.current())
}

// A Reason says why a message is tried no more.
type Reason string

const (
	AttemptsUsedUp Reason = "max_attempts"    // it had all its attempts
	TooOld         Reason = "max_message_age" // it is too old
	TTLExpired     Reason = "ttl_expired"     // it waited too long in a Queue
)

// Next is what follows a failed attempt: another one after Delay, or none for the reason GiveUp.
type Next struct {
	Delay  time.Duration
	GiveUp Reason // empty when there is another attempt
}

// NextDelay decides what follows after the given attempt has failed. The age is the time since the message was first
// put, or nil when nobody knows; an unknown age is young enough (N-6), and so is a negative one (N-7).
func (p Policy) NextDelay(attempt int, age *time.Duration) (Next, error) {
	if err := checkCount(InvalidArgument, "attempt", attempt, MaxAttempt); err != nil {
		return Next{}, err
	}
	if reason := p.giveUp(attempt, age); reason != "" {
		return Next{GiveUp: reason}, nil
	}
	return Next{Delay: seconds.Duration(p.backoff(attempt))}, nil
}

// giveUp gives the reason to try no more, or none. Attempts come before age (N-5).
//
// Ages are compared in seconds, where a Duration is a single float64 however it came about: far from 0 several counts of
// nanoseconds stand for the same one.
func (p Policy) giveUp(attempt int, age *time.Duration) Reason {
	switch {
	case attempt >= p.options.MaxAttempts:
		return AttemptsUsedUp
	case p.maxMessageAge > 0 && age != nil && seconds.Of(*age) >= p.maxMessageAge:
		return TooOld
	}
	return ""
}
