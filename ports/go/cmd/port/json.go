package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"samewait.example/go/internal/seconds"
)

// An object is a JSON object that is read key by key. Unlike a struct's, its keys are exact, so that no unknown key is
// taken for a known one in another case (W-1). It keeps the first error, and what is read after it means nothing.
type object struct {
	fields map[string]json.RawMessage
	err    error
}

func parse(raw []byte) *object {
	o := new(object)
	if err := json.Unmarshal(raw, &o.fields); err != nil {
		o.err = err
	} else if o.fields == nil {
		o.err = errors.New("null is no object")
	}
	return o
}

// present reports whether a key has a value other than null.
func (o *object) present(key string) bool {
	raw, ok := o.fields[key]
	return ok && string(raw) != "null"
}

// read gets a value by a function that converts its JSON text.
func read[T any](o *object, key string, convert func(json.RawMessage) (T, error)) (value T) {
	if o.err != nil {
		return value
	}
	if !o.present(key) {
		o.err = fmt.Errorf("%s is missing", key)
		return value
	}
	value, err := convert(o.fields[key])
	if err != nil {
		o.err = fmt.Errorf("%s: %w", key, err)
	}
	return value
}

func decode[T any](raw json.RawMessage) (value T, err error) {
	err = json.Unmarshal(raw, &value)
	return value, err
}

func text(o *object, key string) string {
	return read(o, key, decode[string])
}

func list(o *object, key string) []json.RawMessage {
	return read(o, key, decode[[]json.RawMessage])
}

func inner(o *object, key string) *object {
	return read(o, key, func(raw json.RawMessage) (*object, error) {
		child := parse(raw)
		return child, child.err
	})
}

func integer(o *object, key string) int {
	return read(o, key, func(raw json.RawMessage) (int, error) { return strconv.Atoi(string(raw)) })
}

// number reads a binary64, or one of the texts for those that JSON has no number for (W-9).
func number(o *object, key string) float64 {
	return read(o, key, func(raw json.RawMessage) (float64, error) {
		if raw[0] != '"' {
			return strconv.ParseFloat(string(raw), 64)
		}
		switch word, _ := decode[string](raw); word {
		case "NaN":
			return math.NaN(), nil
		case "Infinity":
			return math.Inf(1), nil
		case "-Infinity":
			return math.Inf(-1), nil
		}
		return 0, fmt.Errorf("%s is no number", raw)
	})
}

// duration reads seconds. What no Duration can hold becomes one that the library refuses as it would refuse the number.
func duration(o *object, key string) time.Duration {
	return seconds.Duration(number(o, key))
}
