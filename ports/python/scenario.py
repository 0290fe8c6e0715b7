"""The scenarios of the question ``queue``: steps as calls of a work queue, and what comes of them as the trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrywait import (
    HORIZON,
    Delivery,
    DuplicateConsumer,
    Event,
    FakeClock,
    NotDead,
    RetryPolicy,
    UnknownConsumer,
    UnknownDelivery,
    WorkQueue,
)

Json = dict[str, Any]

CODES: dict[type[Exception], str] = {
    UnknownDelivery: "unknown_delivery",
    NotDead: "not_dead",
    DuplicateConsumer: "duplicate_consumer",
    UnknownConsumer: "unknown_consumer",
}
REFUSALS = tuple(CODES)


class Nonsense(ValueError):
    """A scenario that is no question (Q-33): where it goes wrong, what was found there, and what was needed."""


class Step:
    """One step as it was sent."""

    def __init__(self, index: int, fields: Any) -> None:
        self.place = f"steps[{index}]"
        if not isinstance(fields, dict):
            raise Nonsense(f"{self.place} is {fields!r}, but must be an object")
        self.fields = fields

    def get(self, key: str, legal: Callable[[Any], bool], needed: str, default: Any = None) -> Any:
        value = self.fields.get(key, default)
        if not legal(value):
            found = repr(value) if key in self.fields else "missing"
            raise Nonsense(f"{self.place}.{key} is {found}, but must be {needed}")
        return value

    def name(self, key: str) -> str:
        name: str = self.get(key, lambda value: is_text(value) and value != "", "a text that is not empty")
        return name

    def count(self, key: str) -> int | None:
        count: int | None = self.get(key, is_count_or_null, "an integer of 1 or more, or null")
        return count

    def at(self) -> int:
        """In milliseconds (Q-32)."""
        at: float = self.get("at", is_instant, f"a whole number of milliseconds, in seconds, from 0 to {HORIZON:.0f}")
        return round(at * 1000)

    def on_message(self) -> Callable[[Delivery], object] | None:
        mode = self.get("on_message", is_mode, 'one of "hold", "ack" and {"fail": text}', default="hold")
        return MODES[mode] if isinstance(mode, str) else failing(mode["fail"])


class Scenario:
    """A queue, its clock, and the trace of what has happened (Q-30)."""

    def __init__(self, policy: RetryPolicy, message_ttl: float, ack_timeout: float) -> None:
        self.clock = FakeClock()
        self.queue = WorkQueue(
            policy, self.clock, message_ttl=message_ttl, ack_timeout=ack_timeout, listener=self.heard
        )
        self.names: set[str] = set()  # of all messages, those that are gone included
        self.trace: list[Json] = []

    def take(self, step: Step) -> None:
        """Let time pass up to the step, and do what it says."""
        at = step.at()
        if at < self.clock.now:
            raise Nonsense(f"{step.place}.at is {at / 1000}, but must be at least the {self.clock.now / 1000} before")
        do = step.get("do", lambda do: is_text(do) and do in DO, "one of " + ", ".join(DO))
        self.clock.advance_to(at)
        try:
            DO[do](self, step)
        except REFUSALS as refusal:
            of_whom = "consumer" if "consumer" in do else "message"
            self.tell("refused", {"do": do, of_whom: step.name(of_whom), "code": CODES[type(refusal)]})

    def put(self, step: Step) -> None:
        name = step.name("message")
        if name in self.names:
            raise Nonsense(f"{step.place}.message is {name!r}, but must be a name not used before")
        self.names.add(name)
        self.queue.put(name)

    def add_consumer(self, step: Step) -> None:
        self.queue.add_consumer(step.name("consumer"), step.on_message(), step.count("prefetch"))

    def remove_consumer(self, step: Step) -> None:
        self.queue.remove_consumer(step.name("consumer"))

    def ack(self, step: Step) -> None:
        self.queue.ack(step.name("message"), step.count("delivery"))

    def nack(self, step: Step) -> None:
        error = step.get("error", is_text_or_null, "a text or null")
        self.queue.nack(step.name("message"), step.count("delivery"), error)

    def replay(self, step: Step) -> None:
        self.queue.replay(step.name("message"))

    def stats(self, step: Step) -> None:
        self.tell("stats", vars(self.queue.stats()))

    def dead_letters(self, step: Step) -> None:
        self.tell("dead_letters", {"messages": [in_seconds(vars(letter)) for letter in self.queue.dead_letters()]})

    def wait(self, step: Step) -> None:
        pass

    def heard(self, event: Event) -> None:
        """What the library tells is what the wire does, but for the unit of time."""
        self.tell(type(event).__name__.lower(), in_seconds(vars(event)))

    def tell(self, event: str, fields: Json) -> None:
        self.trace.append({"at": self.clock.now / 1000, "event": event, **fields})


DO: dict[str, Callable[[Scenario, Step], None]] = {
    step.__name__: step
    for step in (
        Scenario.put,
        Scenario.add_consumer,
        Scenario.remove_consumer,
        Scenario.ack,
        Scenario.nack,
        Scenario.replay,
        Scenario.stats,
        Scenario.dead_letters,
        Scenario.wait,
    )
}


def in_seconds(fields: Json) -> Json:
    """The fields of an event, its instants in the seconds of the wire (Q-32)."""
    return {key: value / 1000 if key in ("at", "until") else value for key, value in fields.items()}


def failing(text: str) -> Callable[[Delivery], object]:
    def on_message(delivery: Delivery) -> None:
        raise RuntimeError(text)

    return on_message


MODES = {"hold": None, "ack": Delivery.ack}


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_text_or_null(value: Any) -> bool:
    return value is None or is_text(value)


def is_count_or_null(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 1)


def is_instant(value: Any) -> bool:
    """Whether a whole number of milliseconds leads back to the number of seconds."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= HORIZON and round(value * 1000) / 1000 == value


def is_mode(value: Any) -> bool:
    return is_text(value.get("fail")) if isinstance(value, dict) else is_text(value) and value in MODES


def trace(policy: RetryPolicy, message_ttl: float, ack_timeout: float, steps: Any) -> list[Json]:
    """What happens when these steps are taken, event by event."""
    scenario = Scenario(policy, message_ttl, ack_timeout)
    if not isinstance(steps, list):
        raise Nonsense(f"steps is {steps!r}, but must be a list")
    for index, fields in enumerate(steps):
        scenario.take(Step(index, fields))
    return scenario.trace
