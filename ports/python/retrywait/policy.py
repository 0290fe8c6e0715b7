"""The retry policy: how long to wait after each failed attempt, and when to give up."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice, repeat

from .bounds import HORIZON, MAX_COUNT, MAX_SAMPLES, is_count, real, seconds
from .errors import InvalidArgument, InvalidPolicy

_COUNT = f"an integer from 1 to {MAX_COUNT}"
_SECONDS = (0.0, HORIZON, f"a number of seconds from 0 to {HORIZON:.0f}")

# The legal values of every field but max_attempts, in the order in which they are judged (P-10).
_LEGAL = {
    "initial_delay": _SECONDS,
    "multiplier": (1.0, sys.float_info.max, "a finite number of 1 or more"),
    "max_delay": _SECONDS,
    "jitter_factor": (0.0, 1.0, "a number from 0 to 1"),
    "max_message_age": _SECONDS,
}

# The system's source needs no seed: neither a forked worker nor a program that calls random.seed() can make two
# processes draw the same sequence (J-9). A random.Random() kept here would be copied by a fork, state and all.
_draw = random.SystemRandom().random


class GiveUp(Enum):
    """Why there is no next attempt; the value is the policy field that says so."""

    MAX_ATTEMPTS = "max_attempts"
    MAX_MESSAGE_AGE = "max_message_age"


@dataclass(frozen=True)
class RetryPolicy:
    """Six numbers that decide every wait; durations are in seconds (P-1).

    Illegal values are refused with InvalidPolicy when the policy is built (P-9).
    """

    max_attempts: int = 1  #: deliveries, the first one included (P-2)
    initial_delay: float = 0.0  #: the wait after the first failure
    multiplier: float = 2.0  #: what each further wait is multiplied by
    max_delay: float = 0.0  #: the cap on every wait; 0 means none (P-4)
    jitter_factor: float = 0.0  #: how far jitter moves a wait to either side, from 0 to 1
    max_message_age: float = 0.0  #: no attempt for messages of this age; 0 means no limit (P-5)

    def __post_init__(self) -> None:
        if not is_count(self.max_attempts):
            raise InvalidPolicy("max_attempts", self.max_attempts, _COUNT)
        for field, (low, high, needed) in _LEGAL.items():
            given = getattr(self, field)
            number = real(given)
            if not low <= number <= high:  # so put, NaN is refused too
                raise InvalidPolicy(field, given, needed)
            object.__setattr__(self, field, number)  # an int is kept as a float (P-3), -0.0 as 0.0 (P-7)

    @classmethod
    def none(cls) -> RetryPolicy:
        """One attempt and no retry (P-12)."""
        return cls()

    @classmethod
    def fixed(cls, max_attempts: int, delay: float) -> RetryPolicy:
        """The same wait before every retry, without jitter (P-13)."""
        return cls(max_attempts=max_attempts, initial_delay=delay, multiplier=1.0)

    @classmethod
    def exponential(cls, max_attempts: int, initial_delay: float, max_delay: float = 0.0) -> RetryPolicy:
        """Waits that double up to ``max_delay``, with a jitter of 20 % (P-14)."""
        return cls(
            max_attempts=max_attempts,
            initial_delay=initial_delay,
            multiplier=2.0,
            max_delay=max_delay,
            jitter_factor=0.2,
        )

    def give_up_after(self, age: float) -> RetryPolicy:
        """A copy that retries no message of this age or older (P-15)."""
        return replace(self, max_message_age=age)

    def with_jitter(self, factor: float) -> RetryPolicy:
        """A copy with this jitter factor (P-15)."""
        return replace(self, jitter_factor=factor)

    def backoff(self, attempt: int) -> float:
        """The wait after this attempt has failed, without jitter and whatever ``max_attempts`` says (B-1)."""
        _check_attempt(attempt)
        for delay in islice(self._steps(), attempt):
            pass
        return delay

    def schedule(self) -> Iterator[float]:
        """Every wait of the policy in turn (B-9), one at a time and never all in memory (B-11)."""
        return islice(self._delays(), self.max_attempts - 1)

    def distinct_delays(self) -> Iterator[float]:
        """The schedule without its repetitions: it rises at every step, and ends when the waits stay the same."""
        return islice(self._steps(), self.max_attempts - 1)

    def next_delay(self, attempt: int, message_age: float | None = None) -> float | GiveUp:
        """The wait after this attempt has failed, or why there will be no other.

        ``message_age`` is in seconds since the message was first put, None when nobody knows (N-6). Test the
        answer with ``isinstance(answer, GiveUp)``, for a wait may be 0.0.
        """
        _check_attempt(attempt)
        age = 0.0 if message_age is None else real(message_age)  # at 0 no age limit is reached
        if math.isnan(age):
            raise InvalidArgument("message_age", message_age, "a number of seconds other than NaN, or None")
        if attempt >= self.max_attempts:  # first, also when both limits are used up (N-5)
            return GiveUp.MAX_ATTEMPTS
        if 0.0 < self.max_message_age <= age:  # a negative age is below every limit, as 0 is (N-7)
            return GiveUp.MAX_MESSAGE_AGE
        return self.backoff(attempt)

    def jittered(self, delay: float, draw: float | None = None) -> float:
        """``delay`` moved to either side by up to ``jitter_factor`` of it (J-1).

        ``draw``, from 0 up to but not including 1, says where to; without one the method draws its own (J-9).
        The result may exceed ``max_delay`` (J-5).
        """
        centre = seconds("delay", delay)
        u = _draw() if draw is None else real(draw)
        if not 0.0 <= u < 1.0:
            raise InvalidArgument("draw", draw, "a number from 0 up to but not including 1")
        # With a factor or a delay of 0 this is the delay itself (J-3). Python rounds every operation (J-2).
        return centre * (1.0 + ((u * 2.0 - 1.0) * self.jitter_factor))

    def jitter_samples(self, delay: float, count: int) -> list[float]:
        """``delay`` jittered ``count`` times, from 1 to MAX_SAMPLES, in the order of the draws (J-10).

        Each sample is what ``jittered(delay)`` gives, so that they show how an application's waits are spread.
        """
        centre = seconds("delay", delay)
        if not (is_count(count) and count <= MAX_SAMPLES):
            raise InvalidArgument("count", count, f"an integer from 1 to {MAX_SAMPLES}")  # after the delay (J-11)
        return [self.jittered(centre) for _ in range(count)]

    def _steps(self) -> Iterator[float]:
        """The doubling rule (B-4), attempt by attempt, ending with the delay that all later attempts share."""
        ceiling = self.max_delay or HORIZON  # (B-3)
        delay = self.initial_delay
        while delay < ceiling:
            yield delay
            product = delay * self.multiplier  # at most infinite, which is above every ceiling (B-7)
            if product == delay:  # and so it would be forever (B-8)
                return
            delay = product
        yield ceiling

    def _delays(self) -> Iterator[float]:
        """The same without end: the last delay comes again and again (B-6)."""
        for delay in self._steps():
            yield delay
        yield from repeat(delay)


def _check_attempt(attempt: object) -> None:
    if not is_count(attempt):
        raise InvalidArgument("attempt", attempt, _COUNT)  # (B-2)
