// Command port answers the questions of the samewait kit with package retry, one JSON object a line (chapter 8 of the
// specification).
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"samewait.example/go/retry"
)

func main() {
	log.SetFlags(0)
	if err := serve(os.Stdin, os.Stdout); err != nil {
		log.Fatal("port: ", err)
	}
}

// flusher flushes the answers whenever the input has to be waited for: whole blocks of requests are read and answered
// with few system calls, and yet no answer is held back (W-3).
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

func serve(in io.Reader, out io.Writer) error {
	const block = 1 << 16
	answers := bufio.NewWriterSize(out, block)
	requests := bufio.NewReaderSize(flusher{in, answers}, block)
	for {
		line, err := requests.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if len(line) > 0 {
			if a, ok := handle(line); ok {
				answers.Write(append(a, '\n')) // an error stays with the writer until it is flushed
			}
		}
		if err == io.EOF {
			return answers.Flush()
		}
	}
}

// An answer is one line to the kit; exactly one of the fields but the ID is set (W-2).
type answer struct {
	ID          string     `json:"id"`
	Value       any        `json:"value,omitempty"`
	Rejected    *rejection `json:"rejected,omitempty"`
	Unsupported string     `json:"unsupported,omitempty"`
	Error       string     `json:"error,omitempty"`
}

type rejection struct {
	Code  retry.Code `json:"code"`
	Field string     `json:"field,omitempty"`
}

// unsupported is the error of a question that this port does not know.
type unsupported string

func (u unsupported) Error() string {
	return fmt.Sprintf("no question %q is known here", string(u))
}

// handle answers one line. A line without a readable id cannot be answered, and is only logged.
func handle(line []byte) ([]byte, bool) {
	o := parse(line)
	a := answer{ID: text(o, "id")}
	if o.err != nil {
		log.Print("port: ", o.err)
		return nil, false
	}
	value, err := ask(o)
	var rejected *retry.Error
	var unknown unsupported
	switch {
	case err == nil:
		a.Value = value
	case errors.As(err, &rejected):
		a.Rejected = &rejection{rejected.Code, rejected.Field}
	case errors.As(err, &unknown):
		a.Unsupported = err.Error()
	default:
		a.Error = err.Error()
	}
	encoded, err := json.Marshal(a)
	if err != nil {
		encoded, err = json.Marshal(answer{ID: a.ID, Error: err.Error()})
	}
	return encoded, err == nil
}

// ask answers a question. A panic is a failure of the port, and not its end.
func ask(o *object) (value any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	name := text(o, "ask")
	if o.err != nil {
		return nil, o.err
	}
	question, known := questions[name]
	if !known {
		return nil, unsupported(name)
	}
	return question(o)
}
