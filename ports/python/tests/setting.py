"""Where the library lies, and arithmetic to test it with that shares nothing with it."""

import math
import sys
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
PORT = HERE / "port.py"
README = HERE / "README.md"

sys.path.insert(0, str(HERE))


def rounded(exact: Fraction) -> float:
    """The binary64 nearest to an exact number, ties to even: infinite where binary64 ends."""
    try:
        return exact.numerator / exact.denominator  # Python rounds the quotient of two integers correctly
    except OverflowError:
        return math.inf


def product(a: float, b: float) -> float:
    """a * b, formed exactly and then rounded once (B-5)."""
    return rounded(Fraction(a) * Fraction(b))


def waits(initial: float, multiplier: float, cap: float, count: int) -> "list[float]":
    """The first ``count`` waits by (B-4), each with a walk of its own from the start."""
    ceiling = cap if cap > 0 else 2.0**32
    found = []
    for attempt in range(1, count + 1):
        d = initial
        for _ in range(attempt - 1):
            if d >= ceiling:
                break
            d = product(d, multiplier)
        found.append(min(d, ceiling))
    return found


def milliseconds(delay: float) -> int:
    """(L-2): the product rounded to binary64, then to the nearest integer, halves away from zero."""
    return math.floor(Fraction(product(delay, 1000.0)) + Fraction(1, 2))
