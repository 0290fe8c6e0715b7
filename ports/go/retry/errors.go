package retry

import (
	"fmt"
	"time"
)

// A Code says what kind of input was rejected.
type Code string

const (
	InvalidPolicy   Code = "invalid_policy"   // a field of a policy is outside its legal values
	InvalidArgument Code = "invalid_argument" // an argument is outside its legal values
	RungTooLong     Code = "rung_too_long"    // a ladder needs a rung that no broker accepts
)

// An Error is the rejection of an input.
type Error struct {
	Code   Code
	Field  string // the name in the specification, such as "initial_delay"; empty for RungTooLong
	Found  any
	Needed string
}

func (e *Error) Error() string {
	what := string(e.Code)
	if e.Field != "" {
		what += ": " + e.Field
	}
	return fmt.Sprintf("retry: %s: found %v, needed %s", what, e.Found, e.Needed)
}

func checkCount(code Code, field string, count, most int) error {
	if count < 1 || count > most {
		return &Error{code, field, count, fmt.Sprintf("1 to %d", most)}
	}
	return nil
}

func checkDuration(code Code, field string, d time.Duration) error {
	if d < 0 || d > Horizon {
		return &Error{code, field, d, fmt.Sprintf("0 to %v", Horizon)}
	}
	return nil
}

// firstOf gives the first error there is: what is wrong is reported in the order of the specification (P-10).
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
