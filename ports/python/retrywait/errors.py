"""What the library refuses. Each error says what it found and what it needed."""

from __future__ import annotations


class _Refused(ValueError):
    """A value outside its legal range, and the name of the field or argument that held it."""

    # All three go to ValueError as they are, and the message is made on demand: so the error survives pickling,
    # on its way out of a worker process.
    def __init__(self, field: str, found: object, needed: str) -> None:
        super().__init__(field, found, needed)
        self.field = field
        self.found = found
        self.needed = needed

    def __str__(self) -> str:
        return f"{self.field} is {_shown(self.found)}, but must be {self.needed}"


class InvalidPolicy(_Refused):
    """A policy that cannot be built (P-9); ``field`` is its first offending field (P-10)."""


class InvalidArgument(_Refused):
    """An argument, named by ``field``, that a question cannot be asked with (B-2, N-1, J-7, J-11, L-12)."""


class RungTooLong(ValueError):
    """A ladder with a rung that no broker would hold (L-4)."""

    def __init__(self, ttl_ms: int, limit_ms: int) -> None:
        super().__init__(ttl_ms, limit_ms)
        self.ttl_ms = ttl_ms
        self.limit_ms = limit_ms

    def __str__(self) -> str:
        return f"a rung of {self.ttl_ms} ms is needed, but a broker holds messages for at most {self.limit_ms} ms"


class DuplicateMessage(ValueError):
    """A message was put under the name of one that is still in the queue (Q-1)."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return f"there is a message {self.message!r} already"


class UnknownDelivery(LookupError):
    """A delivery that cannot be settled, for its lease is not live (Q-10); without a number, the latest one."""

    def __init__(self, message: str, delivery: int | None) -> None:
        super().__init__(message, delivery)
        self.message = message
        self.delivery = delivery

    def __str__(self) -> str:
        which = "latest delivery" if self.delivery is None else f"delivery {self.delivery}"
        return f"the {which} of message {self.message!r} is not leased: it was settled, it failed, or there was none"


class NotDead(LookupError):
    """A message that cannot be replayed, for it is not dead (Q-23)."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return f"there is no dead message {self.message!r}"


class DuplicateConsumer(ValueError):
    """A consumer was added under a name that is in use (Q-24)."""

    def __init__(self, consumer: str) -> None:
        super().__init__(consumer)
        self.consumer = consumer

    def __str__(self) -> str:
        return f"there is a consumer {self.consumer!r} already"


class UnknownConsumer(LookupError):
    """A consumer that cannot be removed, for there is none of that name (Q-24)."""

    def __init__(self, consumer: str) -> None:
        super().__init__(consumer)
        self.consumer = consumer

    def __str__(self) -> str:
        return f"there is no consumer {self.consumer!r}"


def _shown(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # Python declines to write out an int of thousands of digits
        return f"an integer of {value.bit_length()} bits" if isinstance(value, int) else f"a {type(value).__name__}"
