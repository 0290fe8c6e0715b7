#!/usr/bin/env python3
"""The port of retrywait: questions of the samewait protocol on standard input, answers on standard output.

This is all that it takes to put a library to the test. Whatever is decided here is about the wire (W); what a
policy does is decided in the library.
"""

from __future__ import annotations

import json
import math
import sys
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

import retrywait
import scenario
from retrywait import GiveUp, InvalidArgument, InvalidPolicy, RetryPolicy, RungTooLong

Json = dict[str, Any]

FIELDS = ("max_attempts", "initial_delay", "multiplier", "max_delay", "jitter_factor", "max_message_age")
NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def number(value: Any) -> Any:
    """A number of a request. Only where one is due is the text "NaN" a number (W-9): it may well name a queue."""
    return NOT_FINITE.get(value, value)


def policy_of(fields: Json) -> RetryPolicy:
    return RetryPolicy(**{field: number(fields[field]) for field in FIELDS})


MAKE: dict[str, Callable[[Json], RetryPolicy]] = {
    "fields": policy_of,
    "none": lambda given: RetryPolicy.none(),
    "fixed": lambda given: RetryPolicy.fixed(number(given["max_attempts"]), number(given["delay"])),
    "exponential": lambda given: RetryPolicy.exponential(
        number(given["max_attempts"]), number(given["initial_delay"]), number(given["max_delay"])
    ),
}
THEN = {"give_up_after": RetryPolicy.give_up_after, "with_jitter": RetryPolicy.with_jitter}


def hello(request: Json) -> Json:
    return {
        "protocol": 1,
        "name": "retrywait-python",
        "version": retrywait.__version__,
        "language": "Python {}.{}.{}".format(*sys.version_info),
        "features": [question for question in QUESTIONS if question != "hello"],
        "resolution": "exact",
    }


def policy(request: Json) -> Json:
    ((factory, given),) = request["make"].items()
    made = MAKE[factory](given)
    for step in request["then"]:
        ((copy, value),) = step.items()
        made = THEN[copy](made, number(value))
    return {"policy": {field: getattr(made, field) for field in FIELDS}}


def schedule(request: Json) -> Json:
    return {"delays": list(policy_of(request["policy"]).schedule())}


def backoff(request: Json) -> Json:
    return {"delay": policy_of(request["policy"]).backoff(request["attempt"])}


def next_delay(request: Json) -> Json:
    wait = policy_of(request["policy"]).next_delay(request["attempt"], number(request["message_age"]))
    return {"give_up": wait.value} if isinstance(wait, GiveUp) else {"delay": wait}


def jitter(request: Json) -> Json:
    return {"delay": policy_of(request["policy"]).jittered(number(request["delay"]), number(request["draw"]))}


def jitter_samples(request: Json) -> Json:
    return {"delays": policy_of(request["policy"]).jitter_samples(number(request["delay"]), request["count"])}


def ladder(request: Json) -> Json:
    rungs = retrywait.ladder(
        policy_of(request["policy"]),
        queue=request["queue"],
        exchange=request["exchange"],
        threshold=number(request["threshold"]),
    )
    return {"rungs": [{"name": rung.name, "ttl_ms": rung.ttl_ms, "arguments": rung.arguments} for rung in rungs]}


def rung_for(request: Json) -> Json:
    rung = retrywait.rung_for(
        policy_of(request["policy"]),
        queue=request["queue"],
        exchange=request["exchange"],
        threshold=number(request["threshold"]),
        delay=number(request["delay"]),
    )
    return {"rung": rung}


def queue(request: Json) -> Json:
    trace = scenario.trace(
        policy_of(request["policy"]),
        message_ttl=number(request["message_ttl"]),
        ack_timeout=number(request["ack_timeout"]),
        steps=request["steps"],
    )
    return {"trace": trace}


QUESTIONS: dict[str, Callable[[Json], Json]] = {
    question.__name__: question
    for question in (hello, policy, schedule, backoff, next_delay, jitter, jitter_samples, ladder, rung_for, queue)
}


def answer(request: Json) -> Json:
    """The value that a request asks for, or the refusal of the library, which is an answer too (W-6)."""
    question = QUESTIONS.get(request["ask"])
    if question is None:
        return {"unsupported": f"this port does not know the question {request['ask']!r}"}
    try:
        return {"value": question(request)}
    except InvalidPolicy as refusal:
        return {"rejected": {"code": "invalid_policy", "field": refusal.field}}
    except InvalidArgument as refusal:
        return {"rejected": {"code": "invalid_argument", "field": refusal.field}}
    except RungTooLong:
        return {"rejected": {"code": "rung_too_long"}}


# Made once: json.dumps with options of its own would make an encoder for every call.
encode = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


def respond(line: bytes) -> bytes:
    """The line that answers a line. It is empty when there is no id to answer to; a failure is shown to people."""
    request_id = None
    try:
        request = json.loads(line.decode())
        if not isinstance(request["id"], str):
            raise TypeError(f"the id must be a text, not {request['id']!r}")
        request_id = request["id"]
        response = encode({"id": request_id, **answer(request)})
    except Exception as failure:  # of the port, which lives on (W-7)
        traceback.print_exc()
        if request_id is None:
            return b""
        response = encode({"id": request_id, "error": f"{type(failure).__name__}: {failure}"})
    return response.encode() + b"\n"


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer what has arrived, flush, and only then wait for more, until the input ends (W-3, W-4)."""
    rest = b""
    while chunk := requests.read1(65536):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            answers.write(respond(line))
        answers.flush()
    if rest:  # the last line was not ended
        answers.write(respond(rest))
        answers.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
