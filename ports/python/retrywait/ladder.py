"""The ladder: queues in which the broker holds the long waits of one policy and one source queue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .bounds import milliseconds, seconds
from .errors import InvalidArgument, RungTooLong
from .policy import RetryPolicy

#: Waits of this many seconds or more are held by the broker, unless a caller says otherwise (L-1).
DEFAULT_THRESHOLD = 30.0

#: 3650 days, the longest time to live that a broker accepts (L-4).
MAX_TTL_MS = 315360000000

_UNITS = (("h", 3600000), ("m", 60000), ("s", 1000), ("ms", 1))


@dataclass(frozen=True)
class Rung:
    """A queue whose messages return to the source queue after ``ttl_ms`` milliseconds."""

    queue: str  #: the source queue
    exchange: str  #: the exchange that returns the messages; the empty text is the default exchange (L-13)
    ttl_ms: int

    @property
    def label(self) -> str:
        """The time to live in the largest unit that divides it exactly (L-5)."""
        return next(f"{self.ttl_ms // size}{unit}" for unit, size in _UNITS if self.ttl_ms % size == 0)

    @property
    def name(self) -> str:
        """The name to declare the queue under (L-6)."""
        return f"{self.queue}.retry.{self.label}"

    @property
    def arguments(self) -> dict[str, int | str]:
        """The arguments to declare the queue with (L-8)."""
        return {
            "x-message-ttl": self.ttl_ms,
            "x-dead-letter-exchange": self.exchange,
            "x-dead-letter-routing-key": self.queue,
        }


def ladder(
    policy: RetryPolicy, queue: str, exchange: str = "", threshold: float = DEFAULT_THRESHOLD
) -> list[Rung]:
    """The rungs to declare for the waits of ``policy`` on ``queue``, shortest first (L-7)."""
    _check_queue(queue)
    return list(_rungs(policy, queue, exchange, seconds("threshold", threshold)))


def rung_for(
    policy: RetryPolicy, queue: str, delay: float, exchange: str = "", threshold: float = DEFAULT_THRESHOLD
) -> str | None:
    """The name of the rung to hold a message in for ``delay`` seconds (L-11), None when no rung is for it (L-10)."""
    _check_queue(queue)
    threshold = seconds("threshold", threshold)
    rungs = list(_rungs(policy, queue, exchange, threshold))  # before the delay, for it may be refused (L-12)
    delay = seconds("delay", delay)
    ttl = milliseconds(delay)
    if not rungs or ttl == 0 or not _waits_in_broker(delay, threshold):
        return None
    return next((rung.name for rung in rungs if rung.ttl_ms >= ttl), rungs[-1].name)


def _rungs(policy: RetryPolicy, queue: str, exchange: str, threshold: float) -> Iterator[Rung]:
    longest = 0
    for delay in policy.distinct_delays():
        if _waits_in_broker(delay, threshold):
            ttl = milliseconds(delay)
            if ttl > MAX_TTL_MS:
                raise RungTooLong(ttl, MAX_TTL_MS)
            if ttl > longest:  # delays only rise, so this leaves out 0 (L-3) and what there is already (L-7)
                longest = ttl
                yield Rung(queue, exchange, ttl)


def _waits_in_broker(delay: float, threshold: float) -> bool:
    """Whether the broker holds this delay (L-1): none at threshold 0, and never a delay of 0."""
    return 0.0 < threshold <= delay


def _check_queue(queue: object) -> None:
    if not isinstance(queue, str) or not queue:
        raise InvalidArgument("queue", queue, "a text that is not empty")
