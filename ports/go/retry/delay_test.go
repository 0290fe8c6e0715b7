package retry

import (
	"math"
	"math/big"
	"testing"
	"time"
)

const ms, s = time.Millisecond, time.Second

func TestBackoff(t *testing.T) {
	policy := func(initial time.Duration, multiplier float64, max time.Duration) Policy {
		return must(New(Options{MaxAttempts: 5, InitialDelay: initial, Multiplier: multiplier, MaxDelay: max}))
	}
	for _, c := range []struct {
		policy  Policy
		attempt int
		want    time.Duration
	}{
		{policy(s, 2, 10*s), 1, s},
		{policy(s, 2, 10*s), 4, 8 * s},
		{policy(s, 2, 10*s), 5, 10 * s},
		{policy(s, 2, 10*s), 5000, 10 * s},
		{policy(s, 2, 0), 33, Horizon}, // 2^32
		{policy(s, 2, 0), 34, Horizon},
		{policy(20*s, 2, 10*s), 1, 10 * s}, // B-6
		{policy(s, math.MaxFloat64, 0), 3, Horizon},
		{policy(0, math.MaxFloat64, 0), MaxAttempt, 0}, // B-7
		{policy(s, 1, 0), MaxAttempt, s},
		{policy(s, 2, 0), MaxAttempt, Horizon},
		{policy(100*ms, 3, 0), 3, 900 * ms}, // 0.1*3*3 is 0.9000000000000001
		{Policy{}, 7, 0},
	} {
		if got := must(c.policy.Backoff(c.attempt)); got != c.want {
			t.Errorf("%+v: Backoff(%d) = %d, want %d", c.policy.Options(), c.attempt, got, c.want)
		}
	}
	last := MaxAttempt
	for _, attempt := range []int{math.MinInt, -1, 0, last + 1} {
		if _, err := None().Backoff(attempt); fault(err) != "invalid_argument/attempt" {
			t.Errorf("Backoff(%d): %v", attempt, err)
		}
	}
}

// Every step is one multiplication, rounded to the nearest float64 (B-5): an exact product, then rounded, says the same.
func TestBackoffRoundsEachProduct(t *testing.T) {
	p := must(New(Options{MaxAttempts: 100, InitialDelay: 100 * ms, Multiplier: 1.15}))
	want := 0.1
	for attempt := 1; attempt <= 100; attempt++ {
		if got := p.backoff(attempt); got != want {
			t.Fatalf("attempt %d: %v, want %v", attempt, got, want)
		}
		product := new(big.Rat).SetFloat64(want)
		product.Mul(product, new(big.Rat).SetFloat64(1.15))
		want, _ = product.Float64()
	}
}

func TestScheduleIsTheBackoffs(t *testing.T) {
	for _, o := range []Options{
		{MaxAttempts: 1, Multiplier: 2, InitialDelay: s},
		{MaxAttempts: 2, Multiplier: 2, InitialDelay: s},
		{MaxAttempts: 60, Multiplier: 1.7, InitialDelay: 7 * ms, MaxDelay: time.Hour},
		{MaxAttempts: 60, Multiplier: 2, InitialDelay: s},
		{MaxAttempts: 60, Multiplier: 1, InitialDelay: s},
	} {
		p := must(New(o))
		attempt := 0
		for schedule := p.Schedule(); schedule.Next(); {
			attempt++
			if got, want := schedule.Delay(), must(p.Backoff(attempt)); got != want {
				t.Errorf("%+v: delay %d is %v, want %v", o, attempt, got, want)
			}
		}
		if attempt != o.MaxAttempts-1 {
			t.Errorf("%+v: %d delays", o, attempt)
		}
	}
}

func TestNextDelay(t *testing.T) {
	plain := must(New(Options{MaxAttempts: 5, InitialDelay: s, Multiplier: 2}))
	aged := must(plain.GiveUpAfter(60 * s))
	old := must(plain.GiveUpAfter(Horizon))
	age := func(d time.Duration) *time.Duration { return &d }
	for _, c := range []struct {
		policy  Policy
		attempt int
		age     *time.Duration
		want    Next
	}{
		{plain, 4, nil, Next{Delay: 8 * s}},
		{plain, 5, nil, Next{GiveUp: AttemptsUsedUp}},
		{plain, 1, age(math.MaxInt64), Next{Delay: s}},
		{aged, 1, nil, Next{Delay: s}},
		{aged, 1, age(60*s - 1), Next{Delay: s}},
		{aged, 1, age(60 * s), Next{GiveUp: TooOld}},
		{aged, 5, age(60 * s), Next{GiveUp: AttemptsUsedUp}}, // N-5
		{aged, 1, age(-3 * s), Next{Delay: s}},
		{aged, 1, age(math.MinInt64), Next{Delay: s}},
		{old, 1, age(Horizon - 1*s), Next{Delay: s}},
		{old, 1, age(Horizon), Next{GiveUp: TooOld}},
	} {
		if got := must(c.policy.NextDelay(c.attempt, c.age)); got != c.want {
			t.Errorf("NextDelay(%d, %v) = %+v, want %+v", c.attempt, c.age, got, c.want)
		}
	}
	if _, err := None().NextDelay(0, nil); fault(err) != "invalid_argument/attempt" {
		t.Error(err)
	}
}
