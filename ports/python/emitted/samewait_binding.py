"""What the tests that `samewait emit pytest` makes call: their questions, put to retrywait.

With IGNORE_CAP in the environment it leaves the cap out, to show that the tests notice.
"""

from __future__ import annotations

import os

import retrywait
import scenario
from retrywait import GiveUp, InvalidArgument, InvalidPolicy, RetryPolicy, RungTooLong

CHANGES = {"max_delay": 0.0} if os.environ.get("IGNORE_CAP") else {}


class Rejected(Exception):
    """The library refuses the input."""

    def __init__(self, code, field=None):
        super().__init__(code, field)
        self.code = code
        self.field = field


def question(function):
    """Turns the library's refusals into those of the tests."""

    def asked(*arguments):
        try:
            return function(*arguments)
        except InvalidPolicy as refusal:
            raise Rejected("invalid_policy", refusal.field) from refusal
        except InvalidArgument as refusal:
            raise Rejected("invalid_argument", refusal.field) from refusal
        except RungTooLong as refusal:
            raise Rejected("rung_too_long") from refusal

    return asked


def made(fields):
    return RetryPolicy(**{**fields._asdict(), **CHANGES})


FACTORIES = {
    "fields": made,
    "none": lambda given: RetryPolicy.none(),
    "fixed": lambda given: RetryPolicy.fixed(**given),
    "exponential": lambda given: RetryPolicy.exponential(**given),
}


@question
def policy(make, then):
    ((factory, given),) = make.items()
    policy = FACTORIES[factory](given)
    for step in then:
        ((copy, value),) = step.items()
        policy = getattr(policy, copy)(value)
    fields = ("max_attempts", "initial_delay", "multiplier", "max_delay", "jitter_factor", "max_message_age")
    return {field: getattr(policy, field) for field in fields}


@question
def schedule(policy):
    return list(made(policy).schedule())


@question
def backoff(policy, attempt):
    return made(policy).backoff(attempt)


@question
def next_delay(policy, attempt, message_age):
    wait = made(policy).next_delay(attempt, message_age)
    return wait.value if isinstance(wait, GiveUp) else wait


@question
def jitter(policy, delay, draw):
    return made(policy).jittered(delay, draw)


@question
def ladder(policy, queue, exchange, threshold):
    rungs = retrywait.ladder(made(policy), queue=queue, exchange=exchange, threshold=threshold)
    return [{"name": rung.name, "ttl_ms": rung.ttl_ms, "arguments": rung.arguments} for rung in rungs]


@question
def rung_for(policy, queue, exchange, threshold, delay):
    return retrywait.rung_for(made(policy), queue=queue, exchange=exchange, threshold=threshold, delay=delay)


@question
def queue(policy, message_ttl, ack_timeout, steps):
    return scenario.trace(made(policy), message_ttl=message_ttl, ack_timeout=ack_timeout, steps=steps)
