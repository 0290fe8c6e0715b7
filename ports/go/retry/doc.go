// Package retry decides when a message that failed is tried again, and when it is given up, exactly as the other
// libraries of the samewait family do. Clauses such as (B-4) refer to the family's specification.
//
// Durations come in and go out as time.Duration. In between, delays are float64 seconds, multiplied one step at a
// time as the specification says (B-5), and rounded to nanoseconds only when they are answered; so the names and times
// that a broker sees do not depend on the unit of this library (L-9).
package retry
