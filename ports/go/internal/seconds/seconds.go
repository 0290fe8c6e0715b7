// Package seconds converts between time.Duration and binary64 seconds, the unit that the arithmetic of the
// specification is done in.
package seconds

import (
	"math"
	"math/big"
	"time"
)

// exact is the largest count up to which every integer is a float64.
const exact = 1 << 53

// Of gives the float64 nearest to d in seconds, ties to even. Duration.Seconds does not: it adds two rounded numbers.
func Of(d time.Duration) float64 {
	if -exact <= d && d <= exact {
		return float64(d) / 1e9 // both operands are exact, so the quotient is rounded once
	}
	f, _ := new(big.Rat).SetFrac64(int64(d), 1e9).Float64()
	return f
}

// Duration gives the count of nanoseconds nearest to s seconds.
//
// What no Duration can hold becomes the least or the greatest of them, NaN the least: every range that the library
// checks ends well before either, so it refuses them as it would refuse s itself. For the same reason a negative
// number never becomes 0.
func Duration(s float64) time.Duration {
	const limit = math.MaxInt64 / int64(time.Second) // whole seconds that fit
	switch {
	case math.IsNaN(s) || s <= -float64(limit):
		return math.MinInt64
	case s >= float64(limit):
		return math.MaxInt64
	}
	// The fraction of a float64 is exact, while s*1e9 may be hundreds of nanoseconds off.
	whole, fraction := math.Modf(s)
	d := time.Duration(whole)*time.Second + time.Duration(math.Round(fraction*1e9))
	if d == 0 && s < 0 {
		return -1
	}
	return d
}
