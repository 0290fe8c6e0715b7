"""What counts as a number here, and how large one may be."""

from __future__ import annotations

import math

from .errors import InvalidArgument

#: The longest delay in seconds, and the cap where none is set (B-3).
HORIZON = 4294967296.0

#: The largest number of attempts (P-9), and the last attempt that can be asked about (B-1).
MAX_COUNT = 2147483647

#: The most jittered delays that are drawn at once (J-11).
MAX_SAMPLES = 1_000_000


def is_count(value: object) -> bool:
    """Whether ``value`` is an integer from 1 to MAX_COUNT. ``True`` is no integer here."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_COUNT


def real(value: object) -> float:
    """``value`` as a float, with a negative zero made positive (P-7).

    What is no number at all becomes NaN, which like it is outside every range (P-9), so that a caller has one
    comparison to make and not two.
    """
    if isinstance(value, float):
        return float(value) + 0.0  # -0.0 + 0.0 is 0.0
    if isinstance(value, int) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:  # an int beyond binary64
            return math.inf if value > 0 else -math.inf
    return math.nan


def seconds(name: str, value: object) -> float:
    """``value`` as a duration, refused under ``name`` when it is none."""
    number = real(value)
    if not 0.0 <= number <= HORIZON:
        raise InvalidArgument(name, value, f"a number of seconds from 0 to {HORIZON:.0f}")
    return number


def milliseconds(duration: float) -> int:
    """``duration``, in seconds, in whole milliseconds, halves rounded up (L-2, Q-32).

    Not with round(), which takes halves to even, nor with floor(x + 0.5), whose sum is itself rounded. The
    difference below is exact.
    """
    product = duration * 1000.0
    whole = math.floor(product)
    return whole + 1 if product - whole >= 0.5 else whole
