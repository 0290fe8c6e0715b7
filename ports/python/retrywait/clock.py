"""Virtual time: it passes when it is told to, and nothing sleeps."""

from __future__ import annotations

from collections.abc import Callable
from operator import index

from .timetable import Timetable


class Timer:
    """A call that a clock will make when it comes to ``due``."""

    def __init__(self, due: int, callback: Callable[[], object], timers: Timetable[Timer]) -> None:
        self.due = due
        self.callback = callback
        self._timers = timers

    def cancel(self) -> None:
        """Call it off; too late is no error."""
        self._timers.discard(self)


class FakeClock:
    """A clock that stands still until it is moved. It counts whole milliseconds from 0 (Q-32)."""

    def __init__(self) -> None:
        self._now = 0
        self._timers: Timetable[Timer] = Timetable()

    @property
    def now(self) -> int:
        return self._now

    def call_at(self, due: int, callback: Callable[[], object]) -> Timer:
        """Have ``callback`` called at this instant, or, if it is not ahead, as soon as the clock is moved."""
        timer = Timer(max(index(due), self._now), callback, self._timers)
        self._timers.add(timer.due, timer)
        return timer

    def advance(self, milliseconds: int) -> None:
        """Let so much time pass."""
        self.advance_to(self._now + index(milliseconds))

    def advance_to(self, instant: int) -> None:
        """Let time pass until this instant, and everything that is due up to it happen, each at its own."""
        if index(instant) < self._now:
            raise ValueError(f"the clock stands at {self._now} ms and cannot go back to {instant} ms")
        while timer := self._timers.pop_due(instant):
            self._now = timer.due
            timer.callback()
        self._now = instant
