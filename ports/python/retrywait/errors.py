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
    """An argument, named by ``field``, that a question cannot be asked with (B-2, N-1, J-7, L-12)."""


class RungTooLong(ValueError):
    """A ladder with a rung that no broker would hold (L-4)."""

    def __init__(self, ttl_ms: int, limit_ms: int) -> None:
        super().__init__(ttl_ms, limit_ms)
        self.ttl_ms = ttl_ms
        self.limit_ms = limit_ms

    def __str__(self) -> str:
        return f"a rung of {self.ttl_ms} ms is needed, but a broker holds messages for at most {self.limit_ms} ms"


def _shown(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # Python declines to write out an int of thousands of digits
        return f"an integer of {value.bit_length()} bits" if isinstance(value, int) else f"a {type(value).__name__}"
