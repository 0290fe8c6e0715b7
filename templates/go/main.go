// Puts a library to the test of samewait: questions on standard input, answers on standard output, one JSON object a line.
// The comments 1 to 4 lead from this skeleton to a port of your library.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"runtime"
)

func backoff(r request) (any, error) {
	policy, err := readPolicy(r.object("policy"))
	if err != nil {
		return nil, err
	}
	// 1. Call your library here, in place of the stand-in. Durations are seconds.
	delay, err := policy.backoff(r.integer("attempt"))
	return object{"delay": delay}, err
}

// 2. Next question: schedule. Write the function and add it to the map: hello claims what is there.
//
//	func schedule(r request) (any, error) {
//		policy, err := readPolicy(r.object("policy"))
//		...
//		return object{"delays": policy.Schedule()}, nil
//	}
var questions = map[string]func(request) (any, error){
	"backoff": backoff,
}

func hello() object {
	var features []string
	for name := range questions {
		features = append(features, name)
	}
	// 3. Say who you are. A library that counts in whole units says "1ns" (a time.Duration), "100ns", "1us" or "1ms" in
	// place of "exact", and answers each delay as a whole number of them.
	return object{"protocol": 1, "name": "my-library", "version": "0.0.0", "language": "Go " + runtime.Version()[2:],
		"features": features, "resolution": "exact"}
}

// A rejection says that the library refuses its input. Any other error counts as a failure of the port.
type rejection struct {
	Code  string `json:"code"`
	Field string `json:"field,omitempty"`
}

func (r rejection) Error() string { return r.Code + ": " + r.Field }

// readPolicy reads a policy. Map the fields to your library's own names here, and its errors to rejections.
func readPolicy(r request) (standIn, error) {
	policy := standIn{
		maxAttempts:   r.integer("max_attempts"),
		initialDelay:  r.number("initial_delay"),
		multiplier:    r.number("multiplier"),
		maxDelay:      r.number("max_delay"),
		jitterFactor:  r.number("jitter_factor"),
		maxMessageAge: r.number("max_message_age"),
	}
	return policy, policy.check()
}

// 4. The stand-in: what your library does instead. Delete it once nothing calls it.
type standIn struct {
	maxAttempts                                                     int64
	initialDelay, multiplier, maxDelay, jitterFactor, maxMessageAge float64
}

const (
	horizon = 1 << 32 // seconds
	largest = math.MaxInt32
)

func (p standIn) check() error {
	for _, f := range []struct { // in the order in which faults are reported
		name             string
		value, low, high float64
	}{
		{"max_attempts", float64(p.maxAttempts), 1, largest},
		{"initial_delay", p.initialDelay, 0, horizon},
		{"multiplier", p.multiplier, 1, math.MaxFloat64},
		{"max_delay", p.maxDelay, 0, horizon},
		{"jitter_factor", p.jitterFactor, 0, 1},
		{"max_message_age", p.maxMessageAge, 0, horizon},
	} {
		if !(f.low <= f.value && f.value <= f.high) { // so written, it refuses NaN too
			return rejection{"invalid_policy", f.name}
		}
	}
	return nil
}

func (p standIn) backoff(attempt int64) (float64, error) {
	if attempt < 1 || attempt > largest {
		return 0, rejection{"invalid_argument", "attempt"}
	}
	ceiling := p.maxDelay
	if ceiling == 0 { // no cap
		ceiling = horizon
	}
	delay := p.initialDelay
	for n := int64(1); n < attempt && delay < ceiling; n++ {
		longer := delay * p.multiplier
		if longer == delay { // it will not change any more, however large the attempt
			break
		}
		delay = longer
	}
	return math.Min(delay, ceiling), nil
}

// The wire. There should be no need to change anything below.

type object = map[string]any

// A request is an object that is read key by key, as a struct would take keys in another case for its own. What is missing
// or of another type ends in a panic, which ask turns into an error.
type request map[string]json.RawMessage

func (r request) read(key string, to any) {
	if raw := string(r[key]); raw == "" || raw == "null" {
		panic(key + " is missing")
	}
	if err := json.Unmarshal(r[key], to); err != nil {
		panic(fmt.Errorf("%s: %w", key, err))
	}
}

func (r request) object(key string) (value request) { r.read(key, &value); return }
func (r request) text(key string) (value string)    { r.read(key, &value); return }
func (r request) integer(key string) (value int64)  { r.read(key, &value); return }

// number reads a binary64. JSON has no NaN and no infinities: they come as texts. A negative zero is read as zero.
func (r request) number(key string) (value float64) {
	switch string(r[key]) {
	case `"NaN"`:
		return math.NaN()
	case `"Infinity"`:
		return math.Inf(1)
	case `"-Infinity"`:
		return math.Inf(-1)
	}
	r.read(key, &value)
	return value + 0
}

// ask puts a question to its function. Whatever happens there, the port lives on.
func ask(r request) (key string, value any) {
	defer func() {
		if p := recover(); p != nil {
			key, value = "error", fmt.Sprint(p)
		}
	}()
	name := r.text("ask")
	if name == "hello" {
		return "value", hello()
	}
	question, known := questions[name]
	if !known {
		return "unsupported", fmt.Sprintf("no question %q is known here", name)
	}
	value, err := question(r)
	var refusal rejection
	switch {
	case errors.As(err, &refusal):
		return "rejected", refusal
	case err != nil:
		return "error", err.Error()
	}
	return "value", value
}

// answer gives the line that answers a line. Only what has no id cannot be answered.
func answer(line []byte) []byte {
	var r request
	var id string
	err := json.Unmarshal(line, &r)
	if err != nil || json.Unmarshal(r["id"], &id) != nil {
		log.Printf("no request: %s", line) // people see it
		return nil
	}
	key, value := ask(r)
	text, err := json.Marshal(object{"id": id, key: value})
	if err != nil {
		text, _ = json.Marshal(object{"id": id, "error": err.Error()})
	}
	return append(text, '\n')
}

// A flusher flushes the answers before it waits for more requests.
type flusher struct {
	in  io.Reader
	out *bufio.Writer
}

func (f flusher) Read(p []byte) (int, error) {
	if err := f.out.Flush(); err != nil {
		return 0, err
	}
	return f.in.Read(p)
}

func main() {
	answers := bufio.NewWriterSize(os.Stdout, 1<<16)
	os.Stdout = os.Stderr // what a library prints is no answer
	requests := bufio.NewReaderSize(flusher{os.Stdin, answers}, 1<<16)
	for {
		line, err := requests.ReadBytes('\n')
		if len(line) > 0 {
			answers.Write(answer(line))
		}
		if err != nil { // the end of the input
			answers.Flush()
			return
		}
	}
}
