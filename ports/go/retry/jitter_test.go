package retry

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestJittered(t *testing.T) {
	p := must(None().WithJitter(0.2))
	for _, c := range []struct {
		delay time.Duration
		draw  float64
		want  time.Duration
	}{
		{10 * s, 0, 8 * s},
		{10 * s, 0.5, 10 * s},
		{10 * s, 0.75, 11 * s},
		{0, 0.1, 0},
	} {
		if got := must(p.Jittered(c.delay, c.draw)); got != c.want {
			t.Errorf("Jittered(%v, %v) = %v, want %v", c.delay, c.draw, got, c.want)
		}
	}

	// The most that jitter can give is 2^32 * (2 - 2^-52) s: it fits a Duration, 2^-20 s (953.7 ns) below 2^33 s.
	full := must(None().WithJitter(1))
	if got := must(full.Jittered(Horizon, math.Nextafter(1, 0))); got != 2*Horizon-954 {
		t.Errorf("full jitter gave %d", got)
	}

	for _, c := range []struct {
		delay time.Duration
		draw  float64
		want  string
	}{
		{-1, 2, "invalid_argument/delay"},
		{Horizon + 1, 0, "invalid_argument/delay"},
		{0, 1, "invalid_argument/draw"},
		{0, -0.1, "invalid_argument/draw"},
		{0, math.NaN(), "invalid_argument/draw"},
	} {
		if _, err := None().Jittered(c.delay, c.draw); fault(err) != c.want {
			t.Errorf("Jittered(%v, %v): %v", c.delay, c.draw, err)
		}
	}
}

func TestJitterSpreads(t *testing.T) {
	p := must(None().WithJitter(0.2))
	low, high := Horizon, time.Duration(0)
	for i := 0; i < 1000; i++ {
		d := must(p.Jitter(10 * s))
		if d < 8*s || d > 12*s {
			t.Fatalf("%v is out of reach", d)
		}
		if d < low {
			low = d
		}
		if d > high {
			high = d
		}
	}
	if low > 9*s || high < 11*s { // by chance once in 10^125
		t.Errorf("all of 1000 between %v and %v", low, high)
	}
}

// J-9: a draw is 0 at least, stays below 1, and is read from the whole of the entropy.
func TestUniform(t *testing.T) {
	for _, c := range []struct {
		entropy string
		want    float64
	}{
		{"\x00\x00\x00\x00\x00\x00\x00\x00", 0},
		{"\xff\x07\x00\x00\x00\x00\x00\x00", 0}, // the eleven bits that a float64 has no room for
		{"\x00\x08\x00\x00\x00\x00\x00\x00", 0x1p-53},
		{"\x00\x00\x00\x00\x00\x00\x00\x80", 0.5},
		{"\xff\xff\xff\xff\xff\xff\xff\xff", 1 - 0x1p-53},
	} {
		if got := must(uniform(bytes.NewReader([]byte(c.entropy)))); got != c.want {
			t.Errorf("uniform(%q) = %v, want %v", c.entropy, got, c.want)
		}
	}
	if _, err := uniform(bytes.NewReader(make([]byte, 7))); err != io.ErrUnexpectedEOF {
		t.Errorf("too little entropy: %v", err)
	}
}

// J-10: each sample has a draw of its own, in the order of the draws.
func TestJitterSamplesInOrder(t *testing.T) {
	p := must(None().WithJitter(0.2))
	var entropy []byte
	for _, first := range []byte{0xc0, 0, 0x80} { // draws of 0.75, 0 and 0.5
		entropy = append(entropy, 0, 0, 0, 0, 0, 0, 0, first)
	}
	got := must(p.jitterSamples(bytes.NewReader(entropy), 10*s, 3))
	if want := []time.Duration{11 * s, 8 * s, 10 * s}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := p.jitterSamples(bytes.NewReader(entropy), 10*s, 4); err == nil {
		t.Error("a draw was made of no entropy")
	}
}

// 1000 are due in each of ten parts, with a standard deviation of 30.
func TestJitterSamplesSpread(t *testing.T) {
	p := must(None().WithJitter(0.5))
	samples := must(p.JitterSamples(10*s, 10000))
	var parts [11]int
	for _, d := range samples {
		if d < 5*s || d > 15*s {
			t.Fatalf("%v is out of reach", d)
		}
		parts[(d-5*s)/s]++
	}
	for _, count := range parts[:10] {
		if count < 800 || count > 1200 {
			t.Fatalf("unevenly spread: %v", parts)
		}
	}
}

func TestJitterSamplesWithoutJitter(t *testing.T) {
	for _, c := range []struct {
		factor float64
		delay  time.Duration
	}{{0, 7 * s}, {1, 0}, {0, Horizon - 1}} { // which is no float64
		for _, d := range must(must(None().WithJitter(c.factor)).JitterSamples(c.delay, 3)) {
			if d != c.delay {
				t.Errorf("factor %v: %v became %v", c.factor, c.delay, d)
			}
		}
	}
}

// J-11, with a factor of 0 as well.
func TestJitterSamplesRejections(t *testing.T) {
	for _, c := range []struct {
		delay time.Duration
		count int
		want  string
	}{
		{-1, 0, "invalid_argument/delay"},
		{Horizon + 1, 1, "invalid_argument/delay"},
		{0, 0, "invalid_argument/count"},
		{s, -1, "invalid_argument/count"},
		{s, 1_000_001, "invalid_argument/count"},
		{s, math.MinInt, "invalid_argument/count"},
		{s, math.MaxInt, "invalid_argument/count"},
	} {
		if _, err := None().JitterSamples(c.delay, c.count); fault(err) != c.want {
			t.Errorf("JitterSamples(%v, %d): %v, want %s", c.delay, c.count, err, c.want)
		}
	}
	for _, count := range []int{1, 1_000_000} {
		if got := must(None().JitterSamples(Horizon, count)); len(got) != count {
			t.Errorf("%d samples, want %d", len(got), count)
		}
	}
}

// J-9: the test runs itself twice more, for nothing within one process can show a fixed seed.
func TestProcessesDrawDifferently(t *testing.T) {
	if os.Getenv("PRINT_JITTER_SAMPLES") != "" {
		fmt.Println("samples", must(must(None().WithJitter(1)).JitterSamples(s, 3)))
		return
	}
	run := func() string {
		command := exec.Command(os.Args[0], "-test.run=^TestProcessesDrawDifferently$")
		command.Env = append(os.Environ(), "PRINT_JITTER_SAMPLES=1")
		output, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		drawn, _, _ := strings.Cut(string(output), "\n")
		return drawn
	}
	first, second := run(), run()
	if !strings.HasPrefix(first, "samples [") || first == second {
		t.Errorf("drew %s and %s", first, second)
	}
}
