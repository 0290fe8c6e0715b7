package retry

import (
	"container/heap"
	"container/list"
	"fmt"
	"math"
	"time"

	"samewait.example/go/internal/seconds"
)

// A Queue plays a work queue with leases, retries and dead letters in virtual time: nothing sleeps, and time passes only
// by Advance. It is meant for tests and simulations, and is not safe for use by several goroutines.
//
// No operation looks at all messages: each costs at most the logarithm of their number, for every event it causes.
type Queue struct {
	policy     Policy
	messageTTL int64 // milliseconds, as all times in here
	ackTimeout int64
	observe    func(Event)
	now        int64

	messages  map[string]*message // every message there ever was: a name is used once
	consumers map[string]*consumer
	room      list.List // of *consumer: those that can take another message

	// Where messages wait. All leases last equally long, and so do all TTL clocks: each list is in the order in which they
	// end. Only delays differ, and need a heap.
	ready   list.List // of *message, as the other lists
	leases  list.List
	clocks  list.List
	dead    list.List
	delayed delayHeap
	delays  uint64 // how many have begun
}

// QueueOptions are the settings of a Queue; the zero value is legal.
type QueueOptions struct {
	MessageTTL time.Duration // how long a message may wait for a consumer; 0: for ever
	AckTimeout time.Duration // how long a consumer may keep a message; 0: for ever
	Observe    func(Event)   // told every event, in order; it must not use the queue. May be nil.
}

// An EventKind says what happened to a message.
type EventKind string

const (
	Ready     EventKind = "ready"
	Delivered EventKind = "delivered"
	Acked     EventKind = "acked"
	Failed    EventKind = "failed"
	Delayed   EventKind = "delayed"
	Dead      EventKind = "dead"
)

// An Event is something that happened to a message.
type Event struct {
	At       time.Duration // since the queue was made, as all instants of a Queue
	Kind     EventKind
	Message  string
	Attempts int           // used so far
	Consumer string        // of Delivered
	Until    time.Duration // of Delayed
	Reason   Reason        // of Dead
	Error    *string       // of Failed and Dead; nil when there is no text
}

// Stats are the numbers of messages in each state.
type Stats struct {
	Ready, Delayed, Leased, Dead int
}

// A DeadLetter is a message that was given up, or that waited too long.
type DeadLetter struct {
	Message  string
	Reason   Reason
	Error    *string // text of its last failure, if that had one
	Attempts int
	At       time.Duration
}

// A Refusal is the error of an operation that cannot be done now. It changes nothing.
type Refusal string

const (
	UnknownDelivery   Refusal = "unknown_delivery" // the lease is not live
	NotDead           Refusal = "not_dead"
	DuplicateConsumer Refusal = "duplicate_consumer"
	UnknownConsumer   Refusal = "unknown_consumer"
)

func (r Refusal) Error() string {
	return "retry: refused: " + string(r)
}

// An Outcome is what a consumer does with a message at the instant of its delivery.
type Outcome struct {
	settled bool
	failure *string
}

var (
	Hold = Outcome{}              // keep the lease, to be settled later
	Ack  = Outcome{settled: true} // done
)

// Fail is the outcome of a handler that failed with this text.
func Fail(text string) Outcome {
	return Outcome{settled: true, failure: &text}
}

// A Handler decides about a message that is delivered. It must not use the queue.
type Handler func(message string, attempt int) Outcome

// Latest stands for the latest delivery of a message, whichever that is.
const Latest = 0

type message struct {
	name       string
	attempts   int
	deliveries int   // in all: never reset, unlike attempts
	born       int64 // when its age is counted from
	err        *string

	place    *list.Element // in ready, leases or dead; nil while delayed, and once gone
	clock    *list.Element // in clocks, while the TTL runs
	clockEnd int64

	consumer *consumer     // nil unless leased
	held     *list.Element // in the leases of the consumer
	leaseEnd int64

	until      int64 // end of the delay
	delay      uint64
	delayIndex int // in delayed

	reason Reason // empty unless dead
	died   int64
}

type consumer struct {
	name     string
	prefetch int
	handler  Handler
	leases   list.List
	room     *list.Element // in Queue.room; nil when there is none
}

// NewQueue makes an empty queue at time 0. The policy's jitter is not used.
func NewQueue(p Policy, o QueueOptions) (*Queue, error) {
	if err := firstOf(
		checkDuration(InvalidArgument, "message_ttl", o.MessageTTL),
		checkDuration(InvalidArgument, "ack_timeout", o.AckTimeout),
	); err != nil {
		return nil, err
	}
	observe := o.Observe
	if observe == nil {
		observe = func(Event) {}
	}
	return &Queue{
		policy:     p,
		messageTTL: millis(seconds.Of(o.MessageTTL)),
		ackTimeout: millis(seconds.Of(o.AckTimeout)),
		observe:    observe,
		messages:   make(map[string]*message),
		consumers:  make(map[string]*consumer),
	}, nil
}

// Advance lets time pass until the given instant, a whole number of milliseconds since the queue was made, with all that
// becomes due on the way and at that instant.
func (q *Queue) Advance(to time.Duration) error {
	if to < 0 || to > Horizon || to%time.Millisecond != 0 {
		return fmt.Errorf("retry: %v is not a whole number of milliseconds from 0 to %v", to, Horizon)
	}
	end := to.Milliseconds()
	if end < q.now {
		return fmt.Errorf("retry: time would step back from %v to %v", instant(q.now), to)
	}
	for due := q.nextDue(); due <= end; due = q.nextDue() {
		q.now = due
		q.run()
	}
	q.now = end
	return nil
}

// Put puts in a message, under a name that was never used before.
func (q *Queue) Put(name string) error {
	if name == "" || q.messages[name] != nil {
		return fmt.Errorf("retry: message %q has no name of its own", name)
	}
	m := &message{name: name}
	q.messages[name] = m
	q.enter(m)
	q.run()
	return nil
}

// AddConsumer adds a consumer that takes up to prefetch messages at a time, or any number when prefetch is 0. A name that
// is in use is refused.
func (q *Queue) AddConsumer(name string, prefetch int, handler Handler) error {
	if name == "" || prefetch < 0 || handler == nil {
		return fmt.Errorf("retry: consumer %q needs a name, a prefetch of 0 or more, and a handler", name)
	}
	if q.consumers[name] != nil {
		return DuplicateConsumer
	}
	c := &consumer{name: name, prefetch: prefetch, handler: handler}
	q.consumers[name] = c
	c.room = q.room.PushBack(c)
	q.run()
	return nil
}

// RemoveConsumer removes a consumer: each of its leases fails, in the order of delivery.
func (q *Queue) RemoveConsumer(name string) error {
	c := q.consumers[name]
	if c == nil {
		return UnknownConsumer
	}
	delete(q.consumers, name)
	if c.room != nil {
		q.room.Remove(c.room)
	}
	text := "consumer removed"
	for c.leases.Len() > 0 {
		q.fail(first(&c.leases), &text)
	}
	q.run()
	return nil
}

// Ack settles a delivery of a message, counted from 1 over its whole life, or its Latest. It is refused when the lease of
// that delivery is not live.
func (q *Queue) Ack(name string, delivery int) error {
	m := q.leased(name, delivery)
	if m == nil {
		return UnknownDelivery
	}
	q.ack(m)
	q.run()
	return nil
}

// Nack is Ack for a failure, with a text or nil.
func (q *Queue) Nack(name string, delivery int, text *string) error {
	m := q.leased(name, delivery)
	if m == nil {
		return UnknownDelivery
	}
	q.fail(m, text)
	q.run()
	return nil
}

// Replay puts a dead message back in, as if it were new.
func (q *Queue) Replay(name string) error {
	m := q.messages[name]
	if m == nil || m.reason == "" {
		return NotDead
	}
	q.dead.Remove(m.place)
	m.reason = ""
	q.enter(m)
	q.run()
	return nil
}

// Stats counts the messages in each state.
func (q *Queue) Stats() Stats {
	return Stats{q.ready.Len(), q.delayed.Len(), q.leases.Len(), q.dead.Len()}
}

// DeadLetters lists the dead messages in the order of their deaths.
func (q *Queue) DeadLetters() []DeadLetter {
	letters := make([]DeadLetter, 0, q.dead.Len())
	for e := q.dead.Front(); e != nil; e = e.Next() {
		m := e.Value.(*message)
		letters = append(letters, DeadLetter{m.name, m.reason, m.err, m.attempts, instant(m.died)})
	}
	return letters
}

// run lets everything happen that can happen at this instant, in the order of Q-26.
func (q *Queue) run() {
	for {
		switch {
		case q.leaseEnd() <= q.now:
			text := "ack timeout"
			q.fail(first(&q.leases), &text)
		case q.delayEnd() <= q.now:
			q.makeReady(heap.Pop(&q.delayed).(*message))
		case q.ready.Len() > 0 && q.room.Len() > 0:
			q.deliver(first(&q.ready), q.room.Front().Value.(*consumer))
		case q.clockEnd() <= q.now:
			q.expire(first(&q.clocks))
		default:
			return
		}
	}
}

// never is later than every instant.
const never = math.MaxInt64

func (q *Queue) nextDue() int64 {
	due := q.leaseEnd()
	for _, end := range []int64{q.delayEnd(), q.clockEnd()} {
		if end < due {
			due = end
		}
	}
	return due
}

func (q *Queue) leaseEnd() int64 {
	if q.ackTimeout == 0 || q.leases.Len() == 0 {
		return never
	}
	return first(&q.leases).leaseEnd
}

func (q *Queue) delayEnd() int64 {
	if q.delayed.Len() == 0 {
		return never
	}
	return q.delayed[0].until
}

func (q *Queue) clockEnd() int64 {
	if q.clocks.Len() == 0 {
		return never
	}
	return first(&q.clocks).clockEnd
}

// enter takes in a message with a clean slate: new, or replayed.
func (q *Queue) enter(m *message) {
	m.attempts, m.err, m.born = 0, nil, q.now
	q.startClock(m)
	q.makeReady(m)
}

func (q *Queue) makeReady(m *message) {
	m.place = q.ready.PushBack(m)
	q.tell(m, Event{Kind: Ready})
}

func (q *Queue) deliver(m *message, c *consumer) {
	q.ready.Remove(m.place)
	q.stopClock(m)
	m.attempts++
	m.deliveries++
	m.consumer, m.leaseEnd = c, q.now+q.ackTimeout
	m.place = q.leases.PushBack(m)
	m.held = c.leases.PushBack(m)
	if c.leases.Len() == c.prefetch {
		q.room.Remove(c.room)
		c.room = nil
	} else {
		q.room.MoveToBack(c.room) // consumers take turns
	}
	q.tell(m, Event{Kind: Delivered, Consumer: c.name})

	switch outcome := c.handler(m.name, m.attempts); {
	case outcome.failure != nil:
		q.fail(m, outcome.failure)
	case outcome.settled:
		q.ack(m)
	}
}

// leased gives the message if that delivery of it has a live lease. Only the latest delivery can have one.
func (q *Queue) leased(name string, delivery int) *message {
	m := q.messages[name]
	if m == nil || m.consumer == nil || delivery != Latest && delivery != m.deliveries {
		return nil
	}
	return m
}

// release ends the lease of a message.
func (q *Queue) release(m *message) {
	c := m.consumer
	q.leases.Remove(m.place)
	c.leases.Remove(m.held)
	m.consumer, m.place, m.held = nil, nil, nil
	if c.room == nil && q.consumers[c.name] == c {
		c.room = q.room.PushBack(c)
	}
}

func (q *Queue) ack(m *message) {
	q.release(m)
	q.tell(m, Event{Kind: Acked})
}

// fail ends a lease by a failure, and does what the policy says then.
func (q *Queue) fail(m *message, text *string) {
	q.release(m)
	m.err = text
	q.tell(m, Event{Kind: Failed, Error: text})

	age := instant(q.now - m.born)
	if reason := q.policy.giveUp(m.attempts, &age); reason != "" {
		q.die(m, reason)
		return
	}
	q.startClock(m)
	delay := millis(q.policy.backoff(m.attempts))
	if delay == 0 {
		q.makeReady(m)
		return
	}
	q.delays++
	m.until, m.delay = q.now+delay, q.delays
	heap.Push(&q.delayed, m)
	q.tell(m, Event{Kind: Delayed, Until: instant(m.until)})
}

// expire ends a message that waited, ready or delayed, until its TTL ran out.
func (q *Queue) expire(m *message) {
	q.stopClock(m)
	if m.place != nil {
		q.ready.Remove(m.place)
	} else {
		heap.Remove(&q.delayed, m.delayIndex)
	}
	q.die(m, TTLExpired)
}

func (q *Queue) die(m *message, reason Reason) {
	m.reason, m.died = reason, q.now
	m.place = q.dead.PushBack(m)
	q.tell(m, Event{Kind: Dead, Reason: reason, Error: m.err})
}

func (q *Queue) startClock(m *message) {
	if q.messageTTL > 0 {
		m.clockEnd = q.now + q.messageTTL
		m.clock = q.clocks.PushBack(m)
	}
}

func (q *Queue) stopClock(m *message) {
	if m.clock != nil {
		q.clocks.Remove(m.clock)
		m.clock = nil
	}
}

// tell reports an event of a message, with what all events have.
func (q *Queue) tell(m *message, e Event) {
	e.At, e.Message, e.Attempts = instant(q.now), m.name, m.attempts
	q.observe(e)
}

func first(l *list.List) *message {
	return l.Front().Value.(*message)
}

// instant gives a time in milliseconds as a Duration. All of them are at most twice Horizon, and fit.
func instant(millis int64) time.Duration {
	return time.Duration(millis) * time.Millisecond
}

// delayHeap has the delay that ends first on top; of several, the one that began first.
type delayHeap []*message

func (h delayHeap) Len() int { return len(h) }

func (h delayHeap) Less(i, j int) bool {
	if h[i].until != h[j].until {
		return h[i].until < h[j].until
	}
	return h[i].delay < h[j].delay
}

func (h delayHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].delayIndex, h[j].delayIndex = i, j
}

func (h *delayHeap) Push(x any) {
	m := x.(*message)
	m.place, m.delayIndex = nil, len(*h)
	*h = append(*h, m)
}

func (h *delayHeap) Pop() any {
	last := len(*h) - 1
	m := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return m
}
