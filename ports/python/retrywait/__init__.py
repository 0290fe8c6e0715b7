"""retrywait: when to try a failed message again, and when to stop.

A policy is six numbers; a message that fails in one language waits exactly as long when it fails in another,
because every delay is defined to the last bit. The clauses cited as (B-4) and the like are those of the samewait
specification.
"""

from .bounds import HORIZON, MAX_COUNT, MAX_SAMPLES
from .clock import FakeClock, Timer
from .errors import (
    DuplicateConsumer,
    DuplicateMessage,
    InvalidArgument,
    InvalidPolicy,
    NotDead,
    RungTooLong,
    UnknownConsumer,
    UnknownDelivery,
)
from .events import TTL_EXPIRED, Acked, Dead, Delayed, Delivered, Event, Failed, Ready
from .ladder import DEFAULT_THRESHOLD, MAX_TTL_MS, Rung, ladder, rung_for
from .policy import GiveUp, RetryPolicy
from .queue import Delivery, Stats, WorkQueue

__version__ = "1.0.0"

__all__ = [
    "Acked",
    "Dead",
    "DEFAULT_THRESHOLD",
    "Delayed",
    "Delivered",
    "Delivery",
    "DuplicateConsumer",
    "DuplicateMessage",
    "Event",
    "Failed",
    "FakeClock",
    "GiveUp",
    "HORIZON",
    "InvalidArgument",
    "InvalidPolicy",
    "ladder",
    "MAX_COUNT",
    "MAX_SAMPLES",
    "MAX_TTL_MS",
    "NotDead",
    "Ready",
    "RetryPolicy",
    "Rung",
    "rung_for",
    "RungTooLong",
    "Stats",
    "Timer",
    "TTL_EXPIRED",
    "UnknownConsumer",
    "UnknownDelivery",
    "WorkQueue",
]
