"""What is due when."""

from __future__ import annotations

import math
from collections.abc import Hashable
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Generic, TypeVar

Item = TypeVar("Item", bound=Hashable)


class Timetable(Generic[Item]):
    """Items by the instant at which they are due; those of one instant in the order in which they were added.

    An item that is taken out leaves its entry in the heap, to be dropped when it comes up or when such entries are
    the majority. So no operation looks at all items, and no entry outlives its item for long.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Item]] = []  # due, serial number, item
        self._serials: dict[Item, int] = {}  # of the one entry of each item that counts
        self._next_serial = count()

    def __len__(self) -> int:
        return len(self._serials)

    @property
    def first(self) -> float:
        """The instant at which something is due next, infinite when nothing is."""
        self._drop_stale()
        return self._heap[0][0] if self._heap else math.inf

    def add(self, due: int, item: Item) -> None:
        """Enter an item that is not entered."""
        serial = next(self._next_serial)
        self._serials[item] = serial
        heappush(self._heap, (due, serial, item))

    def discard(self, item: Item) -> None:
        """Take an item out, if it is in."""
        if self._serials.pop(item, None) is not None and len(self._heap) > 2 * len(self._serials) + 8:
            self._heap = [entry for entry in self._heap if self._counts(entry)]
            heapify(self._heap)

    def pop_due(self, now: int) -> Item | None:
        """Take out the first item that is due by now, if there is one."""
        if self.first > now:
            return None
        _, _, item = heappop(self._heap)
        del self._serials[item]
        return item

    def _counts(self, entry: tuple[int, int, Item]) -> bool:
        _, serial, item = entry
        return self._serials.get(item) == serial

    def _drop_stale(self) -> None:
        while self._heap and not self._counts(self._heap[0]):
            heappop(self._heap)
