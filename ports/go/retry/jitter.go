package retry

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"io"
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

// Jitter is Jittered with a draw of its own.
func (p Policy) Jitter(delay time.Duration) (time.Duration, error) {
	draw, err := uniform(rand.Reader)
	if err != nil {
		return 0, err
	}
	return p.Jittered(delay, draw)
}

// JitterSamples gives the delay jittered count times, 1 to MaxSamples of them, in the order of their draws (J-10). Each is
// what Jitter gives, so they show how the waits of an application are spread.
func (p Policy) JitterSamples(delay time.Duration, count int) ([]time.Duration, error) {
	return p.jitterSamples(rand.Reader, delay, count)
}

func (p Policy) jitterSamples(entropy io.Reader, delay time.Duration, count int) ([]time.Duration, error) {
	if err := firstOf( // J-11
		checkDuration(InvalidArgument, "delay", delay),
		checkCount(InvalidArgument, "count", count, MaxSamples),
	); err != nil {
		return nil, err
	}
	entropy = bufio.NewReader(entropy) // one call of the system for hundreds of draws
	samples := make([]time.Duration, count)
	for i := range samples {
		draw, err := uniform(entropy)
		if err != nil {
			return nil, err
		}
		if samples[i], err = p.Jittered(delay, draw); err != nil {
			return nil, err
		}
	}
	return samples, nil
}

// uniform draws from [0, 1). The system's entropy needs no seed, so two processes never share a sequence (J-9). They do
// with the global source of math/rand, which up to Go 1.19 is seeded with 1 unless the program seeds it.
func uniform(entropy io.Reader) (float64, error) {
	var bytes [8]byte
	if _, err := io.ReadFull(entropy, bytes[:]); err != nil {
		return 0, err
	}
	const digits = 53 // of a float64, so that the quotient is exact and stays below 1
	return float64(binary.LittleEndian.Uint64(bytes[:])>>(64-digits)) / (1 << digits), nil
}
