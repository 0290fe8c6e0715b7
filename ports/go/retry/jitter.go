package retry

import (
	"crypto/rand"
	"encoding/binary"
	"time"

	"samewait.example/go/internal/seconds"
)

// Jittered moves a delay to either side, by up to the policy's JitterFactor, as the draw says: 0 shortens it the most,
// 0.5 leaves it, and a draw just below 1 lengthens it the most, also past MaxDelay (J-5).
func (p Policy) Jittered(delay time.Duration, draw float64) (time.Duration, error) {
	if err := checkDuration(InvalidArgument, "delay", delay); err != nil {
		return 0, err
	}
	if !(draw >= 0 && draw < 1) { // the negation catches NaN
		return 0, &Error{InvalidArgument, "draw", draw, "0 or more and less than 1"}
	}
	factor := p.options.JitterFactor
	if factor == 0 || delay == 0 {
		return delay, nil // J-3
	}
	// The conversions keep the compiler from fusing a product with the sum after it (J-2).
	spread := float64(float64(draw*2)-1) * factor
	return seconds.Duration(seconds.Of(delay) * (1 + float64(spread))), nil
}

// Jitter is Jittered with a draw of its own. The draws come from the system's entropy, so two processes never share a
// sequence (J-9), as they would with the unseeded source of math/rand.
func (p Policy) Jitter(delay time.Duration) (time.Duration, error) {
	var bytes [8]byte
	if _, err := rand.Read(bytes[:]); err != nil {
		return 0, err
	}
	const digits = 53 // of a float64, so that the quotient is exact and stays below 1
	draw := float64(binary.LittleEndian.Uint64(bytes[:])>>(64-digits)) / (1 << digits)
	return p.Jittered(delay, draw)
}
