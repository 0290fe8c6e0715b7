package seconds

import (
	"math"
	"math/big"
	"math/rand"
	"testing"
	"time"
)

func TestOfIsTheNearestFloat(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for i := 0; i < 20000; i++ {
		d := time.Duration(random.Uint64() >> random.Intn(64))
		want, _ := new(big.Rat).SetFrac64(int64(d), 1e9).Float64()
		if got := Of(d); got != want {
			t.Fatalf("Of(%d) = %v, want %v", d, got, want)
		}
	}
}

// A float64 that is the quotient of a count of nanoseconds comes back as itself, which is what W-17 asks.
func TestRoundTripIsWithinHalfANanosecond(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	half := big.NewRat(500_000_001, 1e18) // with room for the one rounding of fraction*1e9
	for i := 0; i < 20000; i++ {
		s := Of(time.Duration(random.Int63() >> random.Intn(63)))
		d := Duration(s)
		if d == math.MaxInt64 {
			continue
		}
		off := new(big.Rat).SetFrac64(int64(d), 1e9)
		off.Sub(off, new(big.Rat).SetFloat64(s))
		if off.Abs(off).Cmp(half) > 0 {
			t.Fatalf("Duration(%v) = %d is %v s off", s, d, off.FloatString(12))
		}
		if back := Of(d); back != s {
			t.Fatalf("%v became %d and came back as %v", s, d, back)
		}
	}
}

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		s    float64
		want time.Duration
	}{
		{0, 0},
		{math.Copysign(0, -1), 0},
		{0.1, 100 * time.Millisecond},
		{-1.5, -1500 * time.Millisecond},
		{1 << 32, 1 << 32 * time.Second},
		{1 << 33, 1 << 33 * time.Second},
		{math.Nextafter(1<<32, 1e10), 1<<32*time.Second + 954}, // 2^-20 s is 953.67 ns
		{1e10, math.MaxInt64},
		{math.Inf(1), math.MaxInt64},
		{-1e10, math.MinInt64},
		{math.Inf(-1), math.MinInt64},
		{math.NaN(), math.MinInt64},
		{1e-12, 0},
		{-1e-12, -1},
	} {
		if got := Duration(c.s); got != c.want {
			t.Errorf("Duration(%v) = %d, want %d", c.s, got, c.want)
		}
	}
}
