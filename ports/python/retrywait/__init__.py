"""retrywait: when to try a failed message again, and when to stop.

A policy is six numbers; a message that fails in one language waits exactly as long when it fails in another,
because every delay is defined to the last bit. The clauses cited as (B-4) and the like are those of the samewait
specification.
"""

from .bounds import HORIZON, MAX_COUNT
from .errors import InvalidArgument, InvalidPolicy, RungTooLong
from .ladder import DEFAULT_THRESHOLD, MAX_TTL_MS, Rung, ladder, rung_for
from .policy import GiveUp, RetryPolicy

__version__ = "1.0.0"

__all__ = [
    "DEFAULT_THRESHOLD",
    "GiveUp",
    "HORIZON",
    "InvalidArgument",
    "InvalidPolicy",
    "MAX_COUNT",
    "MAX_TTL_MS",
    "RetryPolicy",
    "Rung",
    "RungTooLong",
    "ladder",
    "rung_for",
]
