package retry

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"time"

	"samewait.example/go/internal/seconds"
)

// DefaultThreshold is the shortest delay that waits in the broker, where nothing else is said (L-1).
const DefaultThreshold = 30 * time.Second

// maxTTL is the longest time that a broker lets a message wait, in milliseconds: 3650 days (L-4).
const maxTTL = 3650 * 24 * 60 * 60 * 1000

// A Rung is a broker queue that holds messages for one delay, and then returns them to their source queue.
type Rung struct {
	Name      string
	TTL       time.Duration  // a whole number of milliseconds
	Arguments map[string]any // to declare the queue with (L-8)
}

// A Ladder is all the rungs of one policy and one source queue.
type Ladder struct {
	threshold float64
	rungs     []Rung // each longer than the one before it, as delays never shrink
}

// Ladder gives the rungs to declare for a queue. The exchange is the one that returns the messages; the empty text names
// the default exchange. A threshold of 0 keeps every wait out of the broker.
func (p Policy) Ladder(queue, exchange string, threshold time.Duration) (Ladder, error) {
	if queue == "" {
		return Ladder{}, &Error{InvalidArgument, "queue", `""`, "a name"}
	}
	if err := checkDuration(InvalidArgument, "threshold", threshold); err != nil {
		return Ladder{}, err
	}
	l := Ladder{threshold: seconds.Of(threshold)}
	walk := p.delays()
	last := int64(0) // a delay that rounds to 0 ms has no rung (L-3)
	for attempt := 1; attempt < p.options.MaxAttempts; attempt++ {
		delay := walk.current()
		if ttl := millis(delay); l.holds(delay) && ttl != last {
			if ttl > maxTTL {
				found, needed := strconv.FormatInt(ttl, 10)+" ms", fmt.Sprintf("at most %d ms", int64(maxTTL))
				return Ladder{}, &Error{Code: RungTooLong, Found: found, Needed: needed}
			}
			l.rungs = append(l.rungs, rung(queue, exchange, ttl))
			last = ttl
		}
		if !walk.advance() {
			break // every later delay is this one
		}
	}
	return l, nil
}

// Rungs gives the rungs, the shortest first.
func (l Ladder) Rungs() []Rung {
	return append([]Rung(nil), l.rungs...)
}

// RungFor gives the name of the rung that a message with this delay waits in: the shortest that is long enough, else the
// longest (L-11). The name is empty when the delay does not wait in the broker, or when there is no rung.
func (l Ladder) RungFor(delay time.Duration) (string, error) {
	if err := checkDuration(InvalidArgument, "delay", delay); err != nil {
		return "", err
	}
	s := seconds.Of(delay)
	ttl := millis(s)
	if !l.holds(s) || ttl == 0 || len(l.rungs) == 0 {
		return "", nil
	}
	i := sort.Search(len(l.rungs), func(i int) bool { return l.rungs[i].TTL.Milliseconds() >= ttl })
	if i == len(l.rungs) {
		i--
	}
	return l.rungs[i].Name, nil
}

// holds reports whether a delay waits in the broker (L-1).
func (l Ladder) holds(delay float64) bool {
	return l.threshold > 0 && delay > 0 && delay >= l.threshold
}

func rung(queue, exchange string, ttl int64) Rung {
	return Rung{
		Name: queue + ".retry." + label(ttl),
		TTL:  time.Duration(ttl) * time.Millisecond,
		Arguments: map[string]any{
			"x-message-ttl":             ttl,
			"x-dead-letter-exchange":    exchange,
			"x-dead-letter-routing-key": queue,
		},
	}
}

// label writes a time in the largest unit that divides it (L-5).
func label(ttl int64) string {
	for _, unit := range []struct {
		millis int64
		name   string
	}{{3600000, "h"}, {60000, "m"}, {1000, "s"}} {
		if ttl%unit.millis == 0 {
			return strconv.FormatInt(ttl/unit.millis, 10) + unit.name
		}
	}
	return strconv.FormatInt(ttl, 10) + "ms"
}

// millis takes seconds to the nearest whole millisecond, halves away from zero (L-2, Q-32).
func millis(s float64) int64 {
	return int64(math.Round(s * 1000))
}
