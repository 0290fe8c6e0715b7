#!/usr/bin/env python3
"""Puts a library to the test of samewait: questions on standard input, answers on standard output, one JSON object a line.

The comments 1 to 4 lead from this skeleton to a port of your library.
"""

import json
import math
import sys
import traceback

# import my_library


def backoff(request):
    # 1. Call your library here, in place of the stand-in. Durations are seconds.
    policy = policy_of(request["policy"])
    return {"delay": stand_in_backoff(policy, integer(request["attempt"]))}


# 2. Next question: schedule. Write the function and add it to QUESTIONS: `hello` claims what is there.
#
# def schedule(request):
#     return {"delays": list(my_library.schedule(policy_of(request["policy"])))}

QUESTIONS = {"backoff": backoff}


def hello(request):
    # 3. Say who you are. A library that counts in whole units says "1ns", "100ns", "1us" or "1ms" in place of "exact",
    #    and answers each delay as a whole number of them.
    return {
        "protocol": 1,
        "name": "my-library",
        "version": "0.0.0",
        "language": "Python {}.{}.{}".format(*sys.version_info),
        "features": list(QUESTIONS),
        "resolution": "exact",
    }


class Rejected(Exception):
    """The library refuses its input. Anything else that is raised counts as a failure of the port."""

    def __init__(self, code, field=None):
        super().__init__(code, field)
        self.rejection = {"code": code, "field": field} if field else {"code": code}


def policy_of(fields):
    """The policy of a request. Map the fields to your library's own names here, and its refusals to Rejected."""
    return stand_in_policy(
        {
            "max_attempts": integer(fields["max_attempts"]),
            "initial_delay": number(fields["initial_delay"]),
            "multiplier": number(fields["multiplier"]),
            "max_delay": number(fields["max_delay"]),
            "jitter_factor": number(fields["jitter_factor"]),
            "max_message_age": number(fields["max_message_age"]),
        }
    )


def number(value):
    """A binary64. JSON has no NaN and no infinities: they come as texts. A negative zero is read as zero."""
    if isinstance(value, str):
        return {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}[value]
    return float(value) + 0.0


def integer(value):
    if type(value) is not int:
        raise TypeError(f"an integer is due, not {value!r}")
    return value


# 4. The stand-in: what your library does instead. Delete it once nothing calls it.

HORIZON = 2.0**32  # seconds
LARGEST = 2**31 - 1
LEGAL = {  # in the order in which faults are reported
    "max_attempts": (1, LARGEST),
    "initial_delay": (0.0, HORIZON),
    "multiplier": (1.0, sys.float_info.max),
    "max_delay": (0.0, HORIZON),
    "jitter_factor": (0.0, 1.0),
    "max_message_age": (0.0, HORIZON),
}


def stand_in_policy(policy):
    for field, (low, high) in LEGAL.items():
        if not low <= policy[field] <= high:  # so written, it refuses NaN too
            raise Rejected("invalid_policy", field)
    return policy


def stand_in_backoff(policy, attempt):
    if not 1 <= attempt <= LARGEST:
        raise Rejected("invalid_argument", "attempt")
    ceiling = policy["max_delay"] or HORIZON  # 0 means no cap
    delay = policy["initial_delay"]
    for _ in range(attempt - 1):
        longer = delay * policy["multiplier"]
        if delay >= ceiling or longer == delay:  # it will not change any more, however large the attempt
            break
        delay = longer
    return min(delay, ceiling)


# The wire. There should be no need to change anything below.


def outcome(request):
    ask = request["ask"]
    question = hello if ask == "hello" else QUESTIONS.get(ask)
    if question is None:
        return {"unsupported": f"no question {ask!r} is known here"}
    try:
        return {"value": question(request)}
    except Rejected as refusal:
        return {"rejected": refusal.rejection}


def answer(line):
    """The line that answers a line. Only what has no id cannot be answered."""
    request_id = None
    try:
        request = json.loads(line.decode())
        request_id = request["id"]
        text = json.dumps({"id": request_id, **outcome(request)}, allow_nan=False)
    except Exception as failure:
        traceback.print_exc()  # people see it
        if request_id is None:
            return b""
        text = json.dumps({"id": request_id, "error": f"{type(failure).__name__}: {failure}"})
    return text.encode() + b"\n"


def serve(requests, answers):
    """Answers all that has arrived, flushes, and only then waits for more, until the input ends."""
    rest = b""
    while chunk := requests.read1(65536):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            answers.write(answer(line))
        answers.flush()
    if rest:
        answers.write(answer(rest))
        answers.flush()


if __name__ == "__main__":
    sys.stdout, answers = sys.stderr, sys.stdout.buffer  # what a library prints is no answer
    serve(sys.stdin.buffer, answers)
