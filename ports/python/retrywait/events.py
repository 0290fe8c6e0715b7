"""What happens in a queue. Every event is of one message, ``at`` an instant in milliseconds of the queue's clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

#: The reason of a death that no policy decides (Q-18); the others are the values of GiveUp.
TTL_EXPIRED = "ttl_expired"


@dataclass(frozen=True)
class Ready:
    """It waits for a consumer: it was put or replayed, its delay is over, or it failed and has none."""

    at: int
    message: str


@dataclass(frozen=True)
class Delivered:
    """A consumer got it (Q-5)."""

    at: int
    message: str
    attempt: int
    consumer: str


@dataclass(frozen=True)
class Acked:
    """It is done with, and gone (Q-8)."""

    at: int
    message: str
    attempt: int


@dataclass(frozen=True)
class Failed:
    """An attempt failed; what follows from it is the next event (Q-13)."""

    at: int
    message: str
    attempt: int
    error: str | None


@dataclass(frozen=True)
class Delayed:
    """It waits out a retry delay (Q-16)."""

    at: int
    message: str
    until: int


@dataclass(frozen=True)
class Dead:
    """It died, and is a dead letter until it is replayed (Q-14, Q-18, Q-21)."""

    at: int
    message: str
    reason: str  #: "max_attempts", "max_message_age" or "ttl_expired"
    error: str | None  #: of its last failure since it was put or replayed
    attempts: int


Event = Union[Ready, Delivered, Acked, Failed, Delayed, Dead]
