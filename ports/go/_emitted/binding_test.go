package samewait

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"samewait.example/go/internal/seconds"
	"samewait.example/go/retry"
)

// binding puts the questions of the tests that `samewait emit go --resolution 1ns` makes to package retry. With IGNORE_CAP
// in the environment it leaves the cap out, to show that the tests notice.
var binding Binding = library{ignoreCap: os.Getenv("IGNORE_CAP") != ""}

type library struct{ ignoreCap bool }

// rejected turns the library's refusals into those of the tests.
func rejected(err error) error {
	var refusal *retry.Error
	if errors.As(err, &refusal) {
		return &Rejected{string(refusal.Code), refusal.Field}
	}
	return err
}

func (l library) made(p Policy) (retry.Policy, error) {
	maxDelay := seconds.Duration(p.MaxDelay)
	if l.ignoreCap {
		maxDelay = 0
	}
	return retry.New(retry.Options{
		MaxAttempts:   int(p.MaxAttempts),
		InitialDelay:  seconds.Duration(p.InitialDelay),
		Multiplier:    p.Multiplier,
		MaxDelay:      maxDelay,
		JitterFactor:  p.JitterFactor,
		MaxMessageAge: seconds.Duration(p.MaxMessageAge),
	})
}

func (l library) factory(m Make) (retry.Policy, error) {
	attempts, delay := int(m.Policy.MaxAttempts), seconds.Duration(m.Policy.InitialDelay)
	switch m.Factory {
	case "none":
		return retry.None(), nil
	case "fixed":
		return retry.Fixed(attempts, delay)
	case "exponential":
		return retry.Exponential(attempts, delay, seconds.Duration(m.Policy.MaxDelay))
	}
	return l.made(m.Policy)
}

func (l library) Policy(m Make, then []Copy) (Policy, error) {
	p, err := l.factory(m)
	for _, c := range then {
		switch {
		case err != nil:
		case c.Change == "give_up_after":
			p, err = p.GiveUpAfter(seconds.Duration(c.Value))
		default:
			p, err = p.WithJitter(c.Value)
		}
	}
	if err != nil {
		return Policy{}, rejected(err)
	}
	o := p.Options()
	return Policy{
		MaxAttempts:   int64(o.MaxAttempts),
		InitialDelay:  seconds.Of(o.InitialDelay),
		Multiplier:    o.Multiplier,
		MaxDelay:      seconds.Of(o.MaxDelay),
		JitterFactor:  o.JitterFactor,
		MaxMessageAge: seconds.Of(o.MaxMessageAge),
	}, nil
}

func (l library) Schedule(p Policy) ([]Delay, error) {
	made, err := l.made(p)
	if err != nil {
		return nil, rejected(err)
	}
	delays := []Delay{}
	for s := made.Schedule(); s.Next(); {
		delays = append(delays, Delay(s.Delay()))
	}
	return delays, nil
}

func (l library) Backoff(p Policy, attempt int64) (Delay, error) {
	made, err := l.made(p)
	if err != nil {
		return 0, rejected(err)
	}
	delay, err := made.Backoff(int(attempt))
	return Delay(delay), rejected(err)
}

func (l library) NextDelay(p Policy, attempt int64, messageAge *float64) (Next, error) {
	made, err := l.made(p)
	if err != nil {
		return Next{}, rejected(err)
	}
	var age *time.Duration
	if messageAge != nil {
		d := seconds.Duration(*messageAge)
		age = &d
	}
	next, err := made.NextDelay(int(attempt), age)
	return Next{Delay: Delay(next.Delay), GiveUp: string(next.GiveUp)}, rejected(err)
}

func (l library) Jitter(p Policy, delay, draw float64) (Delay, error) {
	made, err := l.made(p)
	if err != nil {
		return 0, rejected(err)
	}
	jittered, err := made.Jittered(seconds.Duration(delay), draw)
	return Delay(jittered), rejected(err)
}

func (l library) ladder(p Policy, queue, exchange string, threshold float64) (retry.Ladder, error) {
	made, err := l.made(p)
	if err != nil {
		return retry.Ladder{}, err
	}
	return made.Ladder(queue, exchange, seconds.Duration(threshold))
}

// object is a JSON object of an answer.
type object = map[string]any

func (l library) Ladder(p Policy, queue, exchange string, threshold float64) (any, error) {
	ladder, err := l.ladder(p, queue, exchange, threshold)
	if err != nil {
		return nil, rejected(err)
	}
	rungs := []object{}
	for _, r := range ladder.Rungs() {
		rungs = append(rungs, object{"name": r.Name, "ttl_ms": r.TTL.Milliseconds(), "arguments": r.Arguments})
	}
	return rungs, nil
}

func (l library) RungFor(p Policy, queue, exchange string, threshold, delay float64) (string, error) {
	ladder, err := l.ladder(p, queue, exchange, threshold)
	if err != nil {
		return "", rejected(err)
	}
	name, err := ladder.RungFor(seconds.Duration(delay))
	return name, rejected(err)
}

func (l library) Queue(p Policy, messageTTL, ackTimeout float64, steps []json.RawMessage) (any, error) {
	made, err := l.made(p)
	if err != nil {
		return nil, rejected(err)
	}
	trace := []object{}
	q, err := retry.NewQueue(made, retry.QueueOptions{
		MessageTTL: seconds.Duration(messageTTL),
		AckTimeout: seconds.Duration(ackTimeout),
		Observe:    func(e retry.Event) { trace = append(trace, told(e)) },
	})
	if err != nil {
		return nil, rejected(err)
	}
	for _, raw := range steps {
		var s step
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, err
		}
		at := time.Duration(math.Round(s.At*1000)) * time.Millisecond
		if err := q.Advance(at); err != nil {
			return nil, err
		}
		answer, err := s.take(q)
		var refusal retry.Refusal
		switch {
		case errors.As(err, &refusal):
			answer = object{"event": "refused", "do": s.Do, "code": string(refusal)}
			if s.Consumer != "" {
				answer["consumer"] = s.Consumer
			} else {
				answer["message"] = s.Message
			}
		case err != nil:
			return nil, err
		}
		if answer != nil {
			answer["at"] = seconds.Of(at)
			trace = append(trace, answer)
		}
	}
	return trace, nil
}

// A step is what is done to a queue; prefetch and delivery are 0 where they are left out, which the library takes so.
type step struct {
	At        float64 `json:"at"`
	Do        string  `json:"do"`
	Message   string  `json:"message"`
	Consumer  string  `json:"consumer"`
	OnMessage handler `json:"on_message"`
	Prefetch  int     `json:"prefetch"`
	Delivery  int     `json:"delivery"`
	Error     *string `json:"error"`
}

// A handler is "hold", "ack" or {"fail": text}.
type handler struct{ outcome retry.Outcome }

func (h *handler) UnmarshalJSON(text []byte) error {
	if bytes.Equal(text, []byte(`"ack"`)) {
		h.outcome = retry.Ack
		return nil
	}
	if bytes.Equal(text, []byte(`"hold"`)) {
		h.outcome = retry.Hold
		return nil
	}
	var failing struct{ Fail string }
	err := json.Unmarshal(text, &failing)
	h.outcome = retry.Fail(failing.Fail)
	return err
}

// take takes the step, and gives the answer where it asks for one.
func (s step) take(q *retry.Queue) (object, error) {
	switch s.Do {
	case "put":
		return nil, q.Put(s.Message)
	case "ack":
		return nil, q.Ack(s.Message, s.Delivery)
	case "nack":
		return nil, q.Nack(s.Message, s.Delivery, s.Error)
	case "replay":
		return nil, q.Replay(s.Message)
	case "add_consumer":
		outcome := s.OnMessage.outcome
		return nil, q.AddConsumer(s.Consumer, s.Prefetch, func(string, int) retry.Outcome { return outcome })
	case "remove_consumer":
		return nil, q.RemoveConsumer(s.Consumer)
	case "stats":
		n := q.Stats()
		return object{"event": s.Do, "ready": n.Ready, "delayed": n.Delayed, "leased": n.Leased, "dead": n.Dead}, nil
	case "dead_letters":
		letters := []object{}
		for _, d := range q.DeadLetters() {
			letters = append(letters, object{
				"message": d.Message, "reason": d.Reason, "error": d.Error, "attempts": d.Attempts, "at": seconds.Of(d.At),
			})
		}
		return object{"event": s.Do, "messages": letters}, nil
	case "wait":
		return nil, nil
	}
	return nil, fmt.Errorf("no step %q is known here", s.Do)
}

// told gives an event as the trace has it.
func told(e retry.Event) object {
	o := object{"at": seconds.Of(e.At), "event": e.Kind, "message": e.Message}
	switch e.Kind {
	case retry.Delivered:
		o["attempt"], o["consumer"] = e.Attempts, e.Consumer
	case retry.Acked:
		o["attempt"] = e.Attempts
	case retry.Failed:
		o["attempt"], o["error"] = e.Attempts, e.Error
	case retry.Delayed:
		o["until"] = seconds.Of(e.Until)
	case retry.Dead:
		o["reason"], o["error"], o["attempts"] = e.Reason, e.Error, e.Attempts
	}
	return o
}
