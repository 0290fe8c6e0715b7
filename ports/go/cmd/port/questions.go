package main

import (
	"errors"
	"math"
	"runtime"
	"sort"
	"strings"
	"time"

	"samewait.example/go/internal/seconds"
	"samewait.example/go/retry"
)

// questions are what this port can answer, by name.
var questions map[string]func(*object) (any, error)

func init() { // not in the declaration, because hello lists the questions
	questions = map[string]func(*object) (any, error){
		"hello":          hello,
		"policy":         policy,
		"schedule":       schedule,
		"backoff":        backoff,
		"next_delay":     nextDelay,
		"jitter":         jitter,
		"jitter_samples": jitterSamples,
		"ladder":         ladder,
		"rung_for":       rungFor,
		"queue":          queue,
	}
}

// value is a JSON object of an answer. Every Duration in one is written as a count of nanoseconds, which is the
// resolution that hello declares (W-16).
type value = map[string]any

func hello(*object) (any, error) {
	var features []string
	for name := range questions {
		if name != "hello" {
			features = append(features, name)
		}
	}
	sort.Strings(features)
	return value{
		"protocol":   1,
		"name":       "samewait-go",
		"version":    "0.1.0",
		"language":   "Go " + strings.TrimPrefix(runtime.Version(), "go"),
		"features":   features,
		"resolution": "1ns",
	}, nil
}

// readPolicy builds the POLICY (W-11) under a key.
func readPolicy(o *object, key string) (retry.Policy, error) {
	fields := inner(o, key)
	if o.err != nil {
		return retry.Policy{}, o.err
	}
	options := retry.Options{
		MaxAttempts:   integer(fields, "max_attempts"),
		InitialDelay:  duration(fields, "initial_delay"),
		Multiplier:    number(fields, "multiplier"),
		MaxDelay:      duration(fields, "max_delay"),
		JitterFactor:  number(fields, "jitter_factor"),
		MaxMessageAge: duration(fields, "max_message_age"),
	}
	if fields.err != nil {
		return retry.Policy{}, fields.err
	}
	return retry.New(options)
}

func policy(o *object) (any, error) {
	recipe, copies := inner(o, "make"), list(o, "then")
	if o.err != nil {
		return nil, o.err
	}
	p, err := makePolicy(recipe)
	for _, raw := range copies {
		if err != nil {
			break
		}
		p, err = copyPolicy(p, parse(raw))
	}
	if err != nil {
		return nil, err
	}
	options := p.Options()
	return value{"policy": value{
		"max_attempts":    options.MaxAttempts,
		"initial_delay":   seconds.Of(options.InitialDelay),
		"multiplier":      options.Multiplier,
		"max_delay":       seconds.Of(options.MaxDelay),
		"jitter_factor":   options.JitterFactor,
		"max_message_age": seconds.Of(options.MaxMessageAge),
	}}, nil
}

func makePolicy(o *object) (retry.Policy, error) {
	switch {
	case o.present("fields"):
		return readPolicy(o, "fields")
	case o.present("none"):
		return retry.None(), nil
	case o.present("fixed"):
		fixed := inner(o, "fixed")
		if o.err != nil {
			return retry.Policy{}, o.err
		}
		attempts, delay := integer(fixed, "max_attempts"), duration(fixed, "delay")
		if fixed.err != nil {
			return retry.Policy{}, fixed.err
		}
		return retry.Fixed(attempts, delay)
	case o.present("exponential"):
		exponential := inner(o, "exponential")
		if o.err != nil {
			return retry.Policy{}, o.err
		}
		attempts := integer(exponential, "max_attempts")
		initial, max := duration(exponential, "initial_delay"), duration(exponential, "max_delay")
		if exponential.err != nil {
			return retry.Policy{}, exponential.err
		}
		return retry.Exponential(attempts, initial, max)
	}
	return retry.Policy{}, errors.New("make holds no way to make a policy that is known here")
}

func copyPolicy(p retry.Policy, o *object) (retry.Policy, error) {
	switch {
	case o.present("give_up_after"):
		age := duration(o, "give_up_after")
		if o.err != nil {
			return retry.Policy{}, o.err
		}
		return p.GiveUpAfter(age)
	case o.present("with_jitter"):
		factor := number(o, "with_jitter")
		if o.err != nil {
			return retry.Policy{}, o.err
		}
		return p.WithJitter(factor)
	}
	return retry.Policy{}, errors.New("then holds no copy that is known here")
}

func schedule(o *object) (any, error) {
	p, err := readPolicy(o, "policy")
	if err != nil {
		return nil, err
	}
	delays := []time.Duration{} // answered as [] when empty
	for s := p.Schedule(); s.Next(); {
		delays = append(delays, s.Delay())
	}
	return value{"delays": delays}, nil
}

func backoff(o *object) (any, error) {
	attempt := integer(o, "attempt")
	p, err := readPolicy(o, "policy")
	if err != nil {
		return nil, err
	}
	delay, err := p.Backoff(attempt)
	return value{"delay": delay}, err
}

func nextDelay(o *object) (any, error) {
	attempt := integer(o, "attempt")
	var age *time.Duration
	unordered := false
	if o.present("message_age") {
		s := number(o, "message_age")
		unordered = math.IsNaN(s)
		d := seconds.Duration(s)
		age = &d
	}
	p, err := readPolicy(o, "policy")
	if err != nil {
		return nil, err
	}
	next, err := p.NextDelay(attempt, age)
	switch {
	case err != nil:
		return nil, err
	case unordered: // no Duration can say it: refused here, after the attempt (N-1)
		return nil, &retry.Error{Code: retry.InvalidArgument, Field: "message_age", Found: math.NaN(), Needed: "a number"}
	case next.GiveUp != "":
		return value{"give_up": next.GiveUp}, nil
	}
	return value{"delay": next.Delay}, nil
}

func jitter(o *object) (any, error) {
	delay, draw := duration(o, "delay"), number(o, "draw")
	p, err := readPolicy(o, "policy")
	if err != nil {
		return nil, err
	}
	jittered, err := p.Jittered(delay, draw)
	return value{"delay": jittered}, err
}

func jitterSamples(o *object) (any, error) {
	delay, count := duration(o, "delay"), integer(o, "count")
	p, err := readPolicy(o, "policy")
	if err != nil {
		return nil, err
	}
	delays, err := p.JitterSamples(delay, count)
	return value{"delays": delays}, err
}

func readLadder(o *object) (retry.Ladder, error) {
	queue, exchange, threshold := text(o, "queue"), text(o, "exchange"), duration(o, "threshold")
	p, err := readPolicy(o, "policy")
	if err != nil {
		return retry.Ladder{}, err
	}
	return p.Ladder(queue, exchange, threshold)
}

func ladder(o *object) (any, error) {
	l, err := readLadder(o)
	if err != nil {
		return nil, err
	}
	rungs := []value{}
	for _, r := range l.Rungs() {
		rungs = append(rungs, value{"name": r.Name, "ttl_ms": r.TTL.Milliseconds(), "arguments": r.Arguments})
	}
	return value{"rungs": rungs}, nil
}

func rungFor(o *object) (any, error) {
	delay := duration(o, "delay")
	l, err := readLadder(o)
	if err != nil {
		return nil, err
	}
	name, err := l.RungFor(delay)
	if err != nil || name == "" {
		return value{"rung": nil}, err
	}
	return value{"rung": name}, nil
}
