package retry

import (
	"errors"
	"math"
	"testing"
	"time"
)

// must is for calls that a test expects to succeed.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// fault gives what an error rejects, as "code/field".
func fault(err error) string {
	var rejected *Error
	if !errors.As(err, &rejected) {
		return "none"
	}
	return string(rejected.Code) + "/" + rejected.Field
}

func with(change func(*Options)) Options {
	o := Defaults()
	change(&o)
	return o
}

func TestNewNamesTheFirstFault(t *testing.T) {
	for _, c := range []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) {}, "none"},
		{func(o *Options) { o.MaxAttempts = 0 }, "invalid_policy/max_attempts"},
		{func(o *Options) { o.MaxAttempts = math.MaxInt32 }, "none"},
		{func(o *Options) { o.InitialDelay = -1 }, "invalid_policy/initial_delay"},
		{func(o *Options) { o.InitialDelay = Horizon }, "none"},
		{func(o *Options) { o.InitialDelay = Horizon + 1 }, "invalid_policy/initial_delay"},
		{func(o *Options) { o.Multiplier = 0 }, "invalid_policy/multiplier"},
		{func(o *Options) { o.Multiplier = math.Nextafter(1, 0) }, "invalid_policy/multiplier"},
		{func(o *Options) { o.Multiplier = math.Inf(1) }, "invalid_policy/multiplier"},
		{func(o *Options) { o.Multiplier = math.NaN() }, "invalid_policy/multiplier"},
		{func(o *Options) { o.MaxDelay = -1 }, "invalid_policy/max_delay"},
		{func(o *Options) { o.InitialDelay, o.MaxDelay = 2, 1 }, "none"}, // P-8
		{func(o *Options) { o.JitterFactor = 1.1 }, "invalid_policy/jitter_factor"},
		{func(o *Options) { o.JitterFactor = math.NaN() }, "invalid_policy/jitter_factor"},
		{func(o *Options) { o.MaxMessageAge = Horizon + 1 }, "invalid_policy/max_message_age"},
		{func(o *Options) { o.MaxMessageAge, o.Multiplier, o.JitterFactor = -1, 0, -1 }, "invalid_policy/multiplier"},
	} {
		o := with(c.change)
		if _, err := New(o); fault(err) != c.want {
			t.Errorf("New(%+v): %s, want %s", o, fault(err), c.want)
		}
	}
}

func TestErrorSaysWhatWasFoundAndNeeded(t *testing.T) {
	_, err := Fixed(0, 0)
	const want = "retry: invalid_policy: max_attempts: found 0, needed 1 to 2147483647"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestFactories(t *testing.T) {
	for _, c := range []struct {
		policy Policy
		want   Options
	}{
		{None(), Options{MaxAttempts: 1, Multiplier: 2}},
		{must(Fixed(3, time.Second)), Options{MaxAttempts: 3, InitialDelay: time.Second, Multiplier: 1}},
		{must(Exponential(3, 1, 2)), Options{MaxAttempts: 3, InitialDelay: 1, Multiplier: 2, MaxDelay: 2, JitterFactor: 0.2}},
	} {
		if got := c.policy.Options(); got != c.want {
			t.Errorf("got %+v, want %+v", got, c.want)
		}
	}
}

func TestCopiesLeaveTheOriginal(t *testing.T) {
	p := None()
	aged := must(p.GiveUpAfter(time.Minute))
	jittery := must(aged.WithJitter(0.5))
	if p != None() {
		t.Error("the original changed")
	}
	if want := with(func(o *Options) { o.MaxMessageAge = time.Minute }); aged.Options() != want {
		t.Errorf("got %+v", aged.Options())
	}
	if want := with(func(o *Options) { o.MaxMessageAge, o.JitterFactor = time.Minute, 0.5 }); jittery.Options() != want {
		t.Errorf("got %+v", jittery.Options())
	}
	if _, err := p.WithJitter(2); fault(err) != "invalid_policy/jitter_factor" {
		t.Error(err)
	}
	if _, err := p.GiveUpAfter(-1); fault(err) != "invalid_policy/max_message_age" {
		t.Error(err)
	}
}

func TestNegativeZeroIsZero(t *testing.T) {
	p := must(None().WithJitter(math.Copysign(0, -1)))
	if math.Signbit(p.Options().JitterFactor) {
		t.Error("the jitter factor is -0 (P-7)")
	}
}
