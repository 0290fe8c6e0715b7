package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"samewait.example/go/internal/seconds"
	"samewait.example/go/retry"
)

// queue plays a scenario (chapter 6). One that makes no sense ends in an error at the step where it makes none.
func queue(o *object) (any, error) {
	ttl, timeout, steps := duration(o, "message_ttl"), duration(o, "ack_timeout"), list(o, "steps")
	p, err := readPolicy(o, "policy")
	if err != nil {
		return nil, err
	}
	trace := []value{}
	q, err := retry.NewQueue(p, retry.QueueOptions{
		MessageTTL: ttl,
		AckTimeout: timeout,
		Observe:    func(e retry.Event) { trace = append(trace, event(e)) },
	})
	if err != nil {
		return nil, err
	}
	for i, raw := range steps {
		step := parse(raw)
		at, do := instant(step), text(step, "do")
		if step.err == nil {
			step.err = q.Advance(at)
		}
		if step.err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, step.err)
		}
		about, err := take(q, do, step)
		var refusal retry.Refusal
		switch {
		case errors.As(err, &refusal):
			about["event"], about["do"], about["code"] = "refused", do, string(refusal)
		case err != nil:
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		if about["event"] != nil { // the step has an answer of its own
			about["at"] = seconds.Of(at)
			trace = append(trace, about)
		}
	}
	return value{"trace": trace}, nil
}

// take takes one step. It gives the answer to a step that asks, and otherwise what the step is about.
func take(q *retry.Queue, do string, step *object) (value, error) {
	subject := "message"
	var operate func(name string) error
	switch do {
	case "put":
		operate = q.Put
	case "replay":
		operate = q.Replay
	case "ack":
		delivery := count(step, "delivery")
		operate = func(name string) error { return q.Ack(name, delivery) }
	case "nack":
		delivery := count(step, "delivery")
		var failure *string
		if step.present("error") {
			s := text(step, "error")
			failure = &s
		}
		operate = func(name string) error { return q.Nack(name, delivery, failure) }
	case "add_consumer":
		subject = "consumer"
		prefetch, handler := count(step, "prefetch"), onMessage(step)
		operate = func(name string) error { return q.AddConsumer(name, prefetch, handler) }
	case "remove_consumer":
		subject = "consumer"
		operate = q.RemoveConsumer

	case "stats":
		s := q.Stats()
		return value{"event": do, "ready": s.Ready, "delayed": s.Delayed, "leased": s.Leased, "dead": s.Dead}, nil
	case "dead_letters":
		letters := []value{}
		for _, d := range q.DeadLetters() {
			letters = append(letters, value{
				"message": d.Message, "reason": d.Reason, "error": d.Error, "attempts": d.Attempts, "at": seconds.Of(d.At),
			})
		}
		return value{"event": do, "messages": letters}, nil
	case "wait":
		return nil, nil
	default:
		return nil, fmt.Errorf("no step %q is known here", do)
	}

	name := text(step, subject)
	if step.err != nil {
		return nil, step.err
	}
	if name == "" {
		return nil, fmt.Errorf("the %s has no name", subject)
	}
	return value{subject: name}, operate(name)
}

// instant reads the time of a step, a whole number of milliseconds. The binary64 nearest to one may lie some nanoseconds off
// it, so it is looked for among the milliseconds.
func instant(step *object) time.Duration {
	s := number(step, "at")
	if step.err != nil {
		return 0
	}
	millis := math.Round(s * 1000)
	if !(s >= 0 && s <= seconds.Of(retry.Horizon) && millis/1000 == s) {
		step.err = fmt.Errorf("at: %v is not a whole number of milliseconds from 0 to the horizon", s)
		return 0
	}
	return time.Duration(millis) * time.Millisecond
}

// count reads an integer from 1 that may be left out, or null: 0 then, which the library takes in the same sense.
func count(step *object, key string) int {
	if !step.present(key) {
		return 0
	}
	n := integer(step, key)
	if n < 1 && step.err == nil {
		step.err = fmt.Errorf("%s: %d is less than 1", key, n)
	}
	return n
}

func onMessage(step *object) retry.Handler {
	outcome := retry.Hold
	if _, given := step.fields["on_message"]; given {
		outcome = read(step, "on_message", func(raw json.RawMessage) (retry.Outcome, error) {
			switch word, _ := decode[string](raw); word {
			case "hold":
				return retry.Hold, nil
			case "ack":
				return retry.Ack, nil
			}
			failing := parse(raw)
			failure := text(failing, "fail")
			return retry.Fail(failure), failing.err
		})
	}
	return func(string, int) retry.Outcome { return outcome }
}

// event writes an event as the trace has it: times in seconds, and only the keys of its kind.
func event(e retry.Event) value {
	v := value{"at": seconds.Of(e.At), "event": e.Kind, "message": e.Message}
	switch e.Kind {
	case retry.Delivered:
		v["attempt"], v["consumer"] = e.Attempts, e.Consumer
	case retry.Acked:
		v["attempt"] = e.Attempts
	case retry.Failed:
		v["attempt"], v["error"] = e.Attempts, e.Error
	case retry.Delayed:
		v["until"] = seconds.Of(e.Until)
	case retry.Dead:
		v["reason"], v["error"], v["attempts"] = e.Reason, e.Error, e.Attempts
	}
	return v
}
