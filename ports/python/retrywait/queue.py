"""The work queue: leases, retries, dead letters and the use-by clock, in the time of a clock.

Instants are whole milliseconds of the clock, durations are seconds (Q-32).
"""

from __future__ import annotations

import logging
import math
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .bounds import milliseconds, seconds
from .clock import FakeClock, Timer
from .errors import (
    DuplicateConsumer,
    DuplicateMessage,
    InvalidArgument,
    NotDead,
    UnknownConsumer,
    UnknownDelivery,
)
from .events import TTL_EXPIRED, Acked, Dead, Delayed, Delivered, Event, Failed, Ready
from .policy import GiveUp, RetryPolicy
from .timetable import Timetable

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())


@dataclass(frozen=True)
class Stats:
    """How many messages are in each state (Q-29)."""

    ready: int
    delayed: int
    leased: int
    dead: int


class Delivery:
    """One delivery of a message, and the lease that its consumer holds until it is settled."""

    __slots__ = ("attempt", "number", "_record", "_consumer", "_queue")

    def __init__(self, record: _Record, consumer: _Consumer, queue: WorkQueue) -> None:
        self.attempt = record.attempts  #: from 1, and again from 1 after a replay (Q-5)
        self.number = record.deliveries  #: from 1, and never again (Q-10)
        self._record = record
        self._consumer = consumer
        self._queue = queue

    @property
    def message(self) -> str:
        return self._record.message

    @property
    def consumer(self) -> str:
        return self._consumer.name

    @property
    def is_live(self) -> bool:
        """Whether it can still be settled: it was not yet, and has not failed."""
        return self._record.lease is self

    def ack(self) -> None:
        """The work is done (Q-8)."""
        self._queue._ack(self)

    def nack(self, error: str | None = None) -> None:
        """The attempt has failed (Q-9)."""
        self._queue._nack(self, error)


class WorkQueue:
    """Messages, each of which is retried by ``policy`` until it is acked or dead.

    A message that waits for a consumer for ``message_ttl`` dies (Q-18), a lease ends after ``ack_timeout`` (Q-6); 0
    means that neither ever does. The queue is driven by ``clock``. ``listener`` is told of every event as it
    happens; it looks on, and neither raises anything nor calls the queue.
    """

    def __init__(
        self,
        policy: RetryPolicy,
        clock: FakeClock,
        *,
        message_ttl: float = 0.0,
        ack_timeout: float = 0.0,
        listener: Callable[[Event], object] | None = None,
    ) -> None:
        self._policy = policy
        self._clock = clock
        self._message_ttl = _limit("message_ttl", message_ttl)  # in this order
        self._ack_timeout = _limit("ack_timeout", ack_timeout)
        self._tell = listener or (lambda event: None)

        self._records: dict[str, _Record] = {}
        self._consumers: dict[str, _Consumer] = {}
        self._free: OrderedDict[_Consumer, None] = OrderedDict()  # those with room, each in its turn

        self._ready: OrderedDict[_Record, None] = OrderedDict()  # the longest ready first
        self._delays: Timetable[_Record] = Timetable()  # every delayed message, by the end of its delay
        self._leases: Timetable[Delivery] = Timetable()  # the leases that have an end, by it
        self._ttls: Timetable[_Record] = Timetable()  # the TTL clocks that run
        self._dead: dict[str, Dead] = {}  # in the order of their deaths

        self._alarm: Timer | None = None
        self._in_step = False

    def put(self, message: str) -> None:
        """Add a message, under a name that no message in the queue has (Q-2)."""
        with self._step():
            if message in self._records:
                raise DuplicateMessage(message)
            record = self._records[message] = _Record(message, self._clock.now)
            self._start_ttl(record)
            self._make_ready(record)

    def add_consumer(
        self, consumer: str, on_message: Callable[[Delivery], object] | None = None, prefetch: int | None = None
    ) -> None:
        """Let a consumer take messages, up to ``prefetch`` at a time if that is given (Q-4).

        ``on_message`` is called with each delivery as it is made, and may settle it. If it raises an exception, the
        attempt has failed, with the exception's text (Q-7). Otherwise the lease is kept, to be settled later.
        """
        if prefetch is not None and (isinstance(prefetch, bool) or not isinstance(prefetch, int) or prefetch < 1):
            raise InvalidArgument("prefetch", prefetch, "an integer of 1 or more, or None")
        with self._step():
            if consumer in self._consumers:
                raise DuplicateConsumer(consumer)
            added = self._consumers[consumer] = _Consumer(consumer, on_message, prefetch)
            self._free[added] = None

    def remove_consumer(self, consumer: str) -> None:
        """Take a consumer away; what it holds has failed (Q-12)."""
        with self._step():
            removed = self._consumers.pop(consumer, None)
            if removed is None:
                raise UnknownConsumer(consumer)
            for lease in list(removed.leases):
                self._fail(lease, "consumer removed")
            self._free.pop(removed, None)

    def ack(self, message: str, delivery: int | None = None) -> None:
        """The work on a message is done (Q-8): in its delivery of this number, or in its latest (Q-10)."""
        with self._step():
            self._ack(self._lease(message, delivery))

    def nack(self, message: str, delivery: int | None = None, error: str | None = None) -> None:
        """An attempt at a message has failed (Q-9); which, as for ``ack``."""
        with self._step():
            self._nack(self._lease(message, delivery), error)

    def replay(self, message: str) -> None:
        """Put a dead message back in as if it were new (Q-22)."""
        with self._step():
            if self._dead.pop(message, None) is None:
                raise NotDead(message)
            record = self._records[message]
            record.start_afresh(self._clock.now)
            self._start_ttl(record)
            self._make_ready(record)

    def stats(self) -> Stats:
        """How many messages are in each state now (Q-29)."""
        with self._step():
            return Stats(
                ready=len(self._ready),
                delayed=len(self._delays),
                leased=sum(len(consumer.leases) for consumer in self._consumers.values()),
                dead=len(self._dead),
            )

    def dead_letters(self) -> list[Dead]:
        """The dead messages, in the order of their deaths (Q-21)."""
        with self._step():
            return list(self._dead.values())

    # The order within one instant.

    @contextmanager
    def _step(self) -> Iterator[None]:
        """Around each operation: first happens what is due (Q-25), and afterwards what it has made possible (Q-27).

        Within the operations of an ``on_message`` nothing more happens: they are part of a delivery (Q-7).
        """
        if self._in_step:
            yield
            return
        self._in_step = True
        try:
            self._let_happen()
            yield
            self._let_happen()
        finally:
            self._in_step = False
            self._set_alarm()

    def _let_happen(self) -> None:
        """The first of these that is possible at this instant, again and again (Q-26)."""
        now = self._clock.now
        while True:
            if lease := self._leases.pop_due(now):
                self._fail(lease, "ack timeout")
            elif delayed := self._delays.pop_due(now):
                self._make_ready(delayed)
            elif self._ready and self._free:
                self._deliver(next(iter(self._ready)), next(iter(self._free)))
            elif waiting := self._ttls.pop_due(now):
                self._expire(waiting)
            else:
                return

    def _set_alarm(self) -> None:
        """Have the clock wake the queue when it must be. To be woken too early does no harm."""
        due = min(self._leases.first, self._delays.first, self._ttls.first)
        if self._alarm is not None:
            if self._alarm.due <= due:
                return
            self._alarm.cancel()
        self._alarm = None if due == math.inf else self._clock.call_at(int(due), self._wake)

    def _wake(self) -> None:
        self._alarm = None
        with self._step():
            pass

    # The transitions.

    def _make_ready(self, record: _Record) -> None:
        self._ready[record] = None  # behind all others
        self._tell(Ready(self._clock.now, record.message))

    def _deliver(self, record: _Record, consumer: _Consumer) -> None:
        del self._ready[record]
        self._ttls.discard(record)
        record.attempts += 1
        record.deliveries += 1
        lease = record.lease = Delivery(record, consumer, self)
        consumer.leases[lease] = None
        del self._free[consumer]
        if consumer.has_room:
            self._free[consumer] = None  # as the last in turn
        if self._ack_timeout is not None:
            self._leases.add(self._clock.now + self._ack_timeout, lease)
        self._tell(Delivered(self._clock.now, record.message, record.attempts, consumer.name))
        if consumer.on_message is not None:
            self._hand_over(lease, consumer.on_message)

    def _hand_over(self, lease: Delivery, on_message: Callable[[Delivery], object]) -> None:
        try:
            on_message(lease)
        except Exception as failure:
            _log.warning("consumer %r failed on message %r", lease.consumer, lease.message, exc_info=True)
            if lease.is_live:
                self._fail(lease, str(failure))

    def _ack(self, lease: Delivery) -> None:
        with self._step():
            self._check_live(lease)
            self._end(lease)
            del self._records[lease.message]
            self._tell(Acked(self._clock.now, lease.message, lease.attempt))

    def _nack(self, lease: Delivery, error: str | None) -> None:
        with self._step():
            self._check_live(lease)
            self._fail(lease, error)

    def _fail(self, lease: Delivery, error: str | None) -> None:
        """A failure, and what the policy makes of it (Q-13)."""
        self._end(lease)
        record, now = lease._record, self._clock.now
        record.error = error
        self._tell(Failed(now, record.message, record.attempts, error))
        wait = self._policy.next_delay(record.attempts, (now - record.born) / 1000)
        if isinstance(wait, GiveUp):
            self._bury(record, wait.value)
            return
        self._start_ttl(record)
        delay = milliseconds(wait)  # what rounds to 0 is 0
        if delay == 0:
            self._make_ready(record)
        else:
            until = now + delay
            self._delays.add(until, record)
            self._tell(Delayed(now, record.message, until))

    def _end(self, lease: Delivery) -> None:
        consumer = lease._consumer
        lease._record.lease = None
        del consumer.leases[lease]
        self._free[consumer] = None
        self._leases.discard(lease)

    def _expire(self, record: _Record) -> None:
        self._ready.pop(record, None)  # it is either ready
        self._delays.discard(record)  # or delayed
        self._bury(record, TTL_EXPIRED)

    def _bury(self, record: _Record, reason: str) -> None:
        letter = Dead(self._clock.now, record.message, reason, record.error, record.attempts)
        self._dead[record.message] = letter
        self._tell(letter)

    def _start_ttl(self, record: _Record) -> None:
        if self._message_ttl is not None:
            self._ttls.add(self._clock.now + self._message_ttl, record)

    def _lease(self, message: str, delivery: int | None) -> Delivery:
        """The live lease on a message, which is that of its latest delivery, if it is the one asked for (Q-10)."""
        record = self._records.get(message)
        lease = record.lease if record is not None else None
        if lease is None or delivery not in (None, lease.number):
            raise UnknownDelivery(message, delivery)
        return lease

    @staticmethod
    def _check_live(lease: Delivery) -> None:
        if not lease.is_live:
            raise UnknownDelivery(lease.message, lease.number)


class _Consumer:
    """Someone who takes messages, and what he holds, in the order of delivery."""

    def __init__(self, name: str, on_message: Callable[[Delivery], object] | None, prefetch: int | None) -> None:
        self.name = name
        self.on_message = on_message
        self.prefetch = prefetch
        self.leases: dict[Delivery, None] = {}

    @property
    def has_room(self) -> bool:
        """(Q-4)"""
        return self.prefetch is None or len(self.leases) < self.prefetch


class _Record:
    """What the queue knows of a message. Its state is the collection of the queue that holds it (Q-1)."""

    __slots__ = ("message", "born", "attempts", "error", "deliveries", "lease")

    def __init__(self, message: str, now: int) -> None:
        self.message = message
        self.deliveries = 0  #: in all its life (Q-10)
        self.lease: Delivery | None = None
        self.start_afresh(now)

    def start_afresh(self, now: int) -> None:
        """As if it had been put now (Q-2, Q-22)."""
        self.born = now  #: its age counts from here (Q-20)
        self.attempts = 0
        self.error: str | None = None


def _limit(name: str, value: object) -> int | None:
    """A duration in milliseconds, None for the 0 that means none, also when it is 0 only by rounding (Q-32)."""
    return milliseconds(seconds(name, value)) or None
