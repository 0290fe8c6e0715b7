package retry

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"testing"
	"time"
)

// A recorder is a queue with the lines of its trace.
type recorder struct {
	*Queue
	lines []string
}

func record(p Policy, o QueueOptions) *recorder {
	r := new(recorder)
	o.Observe = func(e Event) {
		line := fmt.Sprintf("%v %s %s %d", e.At, e.Kind, e.Message, e.Attempts)
		for _, more := range []string{e.Consumer, string(e.Reason)} {
			if more != "" {
				line += " " + more
			}
		}
		if e.Until > 0 {
			line += " until " + e.Until.String()
		}
		if e.Error != nil {
			line += " " + strconv.Quote(*e.Error)
		}
		r.lines = append(r.lines, line)
	}
	r.Queue = must(NewQueue(p, o))
	return r
}

// expect compares the trace since it was last asked for.
func (r *recorder) expect(t *testing.T, want ...string) {
	t.Helper()
	if !reflect.DeepEqual(r.lines, want) {
		t.Errorf("got\n%q\nwant\n%q", r.lines, want)
	}
	r.lines = nil
}

func ok(t *testing.T, errs ...error) {
	t.Helper()
	if err := firstOf(errs...); err != nil {
		t.Error(err)
	}
}

func holding(string, int) Outcome { return Hold }

// The example of chapter 6.
func TestMilk(t *testing.T) {
	q := record(must(New(Options{MaxAttempts: 3, InitialDelay: s, Multiplier: 2})), QueueOptions{MessageTTL: 5 * s})
	ok(t, q.Put("milk"), q.Advance(4*s), q.AddConsumer("c", 0, holding), q.RemoveConsumer("c"), q.Advance(10*s))
	q.expect(t,
		"0s ready milk 0",
		"4s delivered milk 1 c",
		`4s failed milk 1 "consumer removed"`,
		"4s delayed milk 1 until 5s",
		"5s ready milk 1",
		`9s dead milk 1 ttl_expired "consumer removed"`,
	)
	if got, want := q.Stats(), (Stats{Dead: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	ok(t, q.Replay("milk"))
	q.expect(t, "10s ready milk 0")
	ok(t, q.Advance(15*s))
	q.expect(t, "15s dead milk 0 ttl_expired")
	if letters := q.DeadLetters(); len(letters) != 1 || letters[0] != (DeadLetter{"milk", TTLExpired, nil, 0, 15 * s}) {
		t.Errorf("got %+v", letters)
	}
}

func TestLeaseEndsAndDeliveriesAreCounted(t *testing.T) {
	q := record(must(Fixed(3, 0)), QueueOptions{AckTimeout: 2 * s})
	ok(t, q.AddConsumer("c", 1, holding), q.Put("m"), q.Advance(2*s))
	q.expect(t,
		"0s ready m 0", "0s delivered m 1 c",
		`2s failed m 1 "ack timeout"`, "2s ready m 1", "2s delivered m 2 c",
	)
	if err := q.Ack("m", 1); !errors.Is(err, UnknownDelivery) {
		t.Error(err)
	}
	ok(t, q.Ack("m", 2))
	q.expect(t, "2s acked m 2")
	for _, err := range []error{q.Ack("m", Latest), q.Nack("m", Latest, nil), q.Ack("x", Latest)} {
		if err != UnknownDelivery {
			t.Error(err)
		}
	}
	if err := q.Replay("m"); err != NotDead {
		t.Error(err)
	}
}

func TestHandlersSettleAtOnce(t *testing.T) {
	q := record(must(Fixed(2, s)), QueueOptions{})
	ok(t, q.AddConsumer("c", 1, func(name string, attempt int) Outcome {
		if name == "good" {
			return Ack
		}
		return Fail("boom " + strconv.Itoa(attempt))
	}))
	ok(t, q.Put("bad"), q.Put("good"), q.Advance(s))
	q.expect(t,
		"0s ready bad 0", "0s delivered bad 1 c", `0s failed bad 1 "boom 1"`, "0s delayed bad 1 until 1s",
		"0s ready good 0", "0s delivered good 1 c", "0s acked good 1",
		"1s ready bad 1", "1s delivered bad 2 c", `1s failed bad 2 "boom 2"`, `1s dead bad 2 max_attempts "boom 2"`,
	)
}

func TestOrderWithinAnInstant(t *testing.T) {
	// Delay and TTL end together at 3 s: with room the message is delivered, without it dies.
	for _, room := range []bool{true, false} {
		q := record(must(Fixed(5, 2*s)), QueueOptions{MessageTTL: 2 * s})
		ok(t, q.Put("m"), q.Advance(s), q.AddConsumer("c", 0, holding), q.Nack("m", Latest, nil))
		if !room {
			ok(t, q.RemoveConsumer("c"))
		}
		ok(t, q.Advance(3*s))
		last := "3s delivered m 2 c"
		if !room {
			last = "3s dead m 1 ttl_expired"
		}
		q.expect(t, "0s ready m 0", "1s delivered m 1 c", "1s failed m 1", "1s delayed m 1 until 3s", "3s ready m 1", last)
	}
}

func TestPrefetchBoundsLeases(t *testing.T) {
	q := record(must(Fixed(2, 0)), QueueOptions{})
	ok(t, q.AddConsumer("c", 2, holding), q.Put("a"), q.Put("b"), q.Put("c"))
	if got, want := q.Stats(), (Stats{Ready: 1, Leased: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	ok(t, q.Ack("b", Latest))
	if got, want := q.Stats(), (Stats{Leased: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := q.AddConsumer("c", 0, holding); err != DuplicateConsumer {
		t.Error(err)
	}
	if err := q.RemoveConsumer("d"); err != UnknownConsumer {
		t.Error(err)
	}
}

func TestNonsenseIsAnError(t *testing.T) {
	q := record(None(), QueueOptions{})
	ok(t, q.Put("m"), q.Advance(s))
	for _, err := range []error{
		q.Put("m"), q.Put(""), q.Advance(0), q.Advance(s + 1), q.Advance(Horizon + s),
		q.AddConsumer("", 0, holding), q.AddConsumer("c", -1, holding), q.AddConsumer("c", 0, nil),
	} {
		var refusal Refusal
		if err == nil || errors.As(err, &refusal) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := NewQueue(None(), QueueOptions{MessageTTL: -1, AckTimeout: -1}); fault(err) != "invalid_argument/message_ttl" {
		t.Error(err)
	}
	if _, err := NewQueue(None(), QueueOptions{AckTimeout: Horizon + 1}); fault(err) != "invalid_argument/ack_timeout" {
		t.Error(err)
	}
}

// So many messages, all with running clocks and delays, take about a second; a scan of them all for each operation would
// take many minutes.
func TestManyMessages(t *testing.T) {
	const count = 100_000
	q := must(NewQueue(must(Exponential(3, 10*s, 0)), QueueOptions{MessageTTL: time.Hour, AckTimeout: 5 * s}))
	ok(t, q.AddConsumer("c", 0, holding))
	for i := 0; i < count; i++ {
		ok(t, q.Put(strconv.Itoa(i)))
		if i%100 == 0 {
			ok(t, q.Advance(time.Duration(i/100)*ms))
		}
	}
	ok(t, q.Advance(time.Hour))
	if got, want := q.Stats(), (Stats{Dead: count}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
