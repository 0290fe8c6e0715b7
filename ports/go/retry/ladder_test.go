package retry

import (
	"reflect"
	"testing"
	"time"
)

func names(l Ladder) []string {
	var all []string
	for _, r := range l.Rungs() {
		all = append(all, r.Name)
	}
	return all
}

func TestLabel(t *testing.T) {
	for ttl, want := range map[int64]string{
		1: "1ms", 500: "500ms", 1000: "1s", 33750: "33750ms", 51200: "51200ms", 60000: "1m", 90000: "90s",
		5400000: "90m", 7200000: "2h", 86400000: "24h",
	} {
		if got := label(ttl); got != want {
			t.Errorf("label(%d) = %s, want %s", ttl, got, want)
		}
	}
}

func TestLadder(t *testing.T) {
	l := must(must(Exponential(11, 100*ms, time.Hour)).Ladder("orders", "", DefaultThreshold))
	want := []Rung{{
		Name: "orders.retry.51200ms",
		TTL:  51200 * ms,
		Arguments: map[string]any{
			"x-message-ttl":             int64(51200),
			"x-dead-letter-exchange":    "",
			"x-dead-letter-routing-key": "orders",
		},
	}}
	if got := l.Rungs(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}

	// At most 0.4 ms rounds to nothing, 0.8 to 1 ms; 1.6 to 2 ms and so does the cap of 2.4.
	tiny := must(New(Options{MaxAttempts: MaxAttempt, InitialDelay: 100 * time.Microsecond, Multiplier: 2, MaxDelay: 2400 * time.Microsecond}))
	if got := names(must(tiny.Ladder("q", "x", 1))); !reflect.DeepEqual(got, []string{"q.retry.1ms", "q.retry.2ms"}) {
		t.Errorf("got %v", got)
	}
	if got := must(tiny.Ladder("q", "x", 0)).Rungs(); len(got) != 0 {
		t.Errorf("got %v at threshold 0", got)
	}
}

func TestLadderFaults(t *testing.T) {
	const limit = 3650 * 24 * time.Hour
	p := must(Fixed(2, limit))
	long := must(Fixed(2, limit+ms))
	for _, c := range []struct {
		policy    Policy
		queue     string
		threshold time.Duration
		want      string
	}{
		{p, "q", s, "none"},
		{long, "", -1, "invalid_argument/queue"},
		{long, "q", -1, "invalid_argument/threshold"},
		{long, "q", Horizon + 1, "invalid_argument/threshold"},
		{long, "q", s, "rung_too_long/"},
		{long, "q", 0, "none"},
		{long, "q", Horizon, "none"},
	} {
		if _, err := c.policy.Ladder(c.queue, "", c.threshold); fault(err) != c.want {
			t.Errorf("Ladder(%q, %v): %v, want %s", c.queue, c.threshold, err, c.want)
		}
	}
}

func TestRungFor(t *testing.T) {
	l := must(must(Exponential(4, 10*s, 0)).Ladder("q", "", 15*s)) // 20 s and 40 s
	for delay, want := range map[time.Duration]string{
		0:                           "",
		10 * s:                      "",
		15 * s:                      "q.retry.20s",
		20 * s:                      "q.retry.20s",
		20*s + 499999:               "q.retry.20s",
		20*s + 500*time.Millisecond: "q.retry.40s",
		40 * s:                      "q.retry.40s",
		Horizon:                     "q.retry.40s",
	} {
		if got := must(l.RungFor(delay)); got != want {
			t.Errorf("RungFor(%v) = %q, want %q", delay, got, want)
		}
	}
	if got := must(must(None().Ladder("q", "", s)).RungFor(s)); got != "" {
		t.Errorf("a ladder without rungs gave %q", got)
	}
	if _, err := l.RungFor(-1); fault(err) != "invalid_argument/delay" {
		t.Error(err)
	}
}
