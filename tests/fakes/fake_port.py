#!/usr/bin/env python3
"""Ports with one defect each, for the tests of the runner.

    python3 tests/fakes/fake_port.py DEFECT [WORD...]

Every fake answers like the Python port of this repository, but for its defect, and a defect shows at the same request in
every run. Where one is bound to a certain question, that is any with attempt 13. Further words are there for the tests
to find the process by; the first may be the path of a file to keep a count in.
"""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable, NoReturn

DEFECTS = {
    # None.
    "honest": "Answers everything rightly.",
    "reversed": "Answers the requests that arrive together in reverse order, which is legal.",
    "late-answers": "Thinks for 50 ms before each answer, which is legal.",
    "windows-lines": "Ends its lines with carriage return and line feed, which is legal.",
    # Wrong answers.
    "wrong-answer": "Gives every wait as 42 seconds.",
    "one-ulp-off": "Gives every wait as the next longer double.",
    "off-by-one": "Counts re-runs instead of deliveries, so that every attempt is taken for the next one.",
    "negative-zero": "Gives a wait of 0 as -0.0.",
    "rejects-nothing": "Answers illegal input with a wait of 1 second.",
    "wrong-refusal": "Blames the first field of the policy whatever it refuses.",
    "error-answers": "Answers each question of `backoff` with an error of its own.",
    "escape-codes": "Answers attempt 13 with an error text that clears the screen, and has such a name.",
    "nan-as-null": "Gives the wait after attempt 13 as null.",
    "nan": "Gives the wait after attempt 13 as NaN, which is not JSON.",
    # Broken lines.
    "garbage-line": "Writes a line of debugging before the answer to its sixth request.",
    "garbage-on-case": "Writes a line of debugging before the answer to attempt 13.",
    "garbage-always": "Writes a line of debugging before each answer.",
    "not-utf8": "Answers attempt 13 with an error in Latin-1.",
    "blank-line": "Writes an empty line after the answer to attempt 13.",
    "byte-order-mark": "Starts its output with a byte order mark.",
    "unknown-id": "Answers attempt 13 under an id that is not its own.",
    "number-id": "Answers attempt 13 with the id as a number.",
    "duplicate-answer": "Answers attempt 13 twice.",
    "duplicate-at-end": "Answers its last request again when its input ends.",
    "extra-key": "Answers attempt 13 with a key that no answer has.",
    "two-bodies": "Answers attempt 13 with a value and an error.",
    "null-bodies": "Answers attempt 13 with a value, and the other three as null.",
    "no-body": "Answers attempt 13 with an id alone.",
    "value-null": "Answers attempt 13 with a value of null.",
    "flood-line": "Answers attempt 13 with a line that does not end.",
    "flood-lines": "Answers attempt 13 with lines without end.",
    "flood-stderr": "Writes a megabyte to standard error before each answer, which is legal.",
    # Silence.
    "hang": "Answers nothing, and does not end with its input.",
    "hang-on-case": "Answers nothing more from attempt 13 on, and does not end with its input.",
    "hang-with-grandchild": "Starts a process that holds its pipes open and sleeps, and does the same from attempt 13 on.",
    "hang-at-end": "Does not end with its input.",
    "waits-for-the-end": "Reads all of its input before it answers anything.",
    "never-reads": "Reads no request at all.",
    "stops-reading": "Reads no request after its fourth.",
    "slow-drip": "Answers attempt 13 byte by byte, and never ends the line.",
    "only-stderr": "Writes its answers to standard error.",
    "closes-output": "Closes its standard output when asked for attempt 13, and lives on.",
    # Death.
    "exits-at-once": "Ends before it has read anything.",
    "crash-on-kth": "Dies at its tenth request, whatever that is.",
    "crash-on-case": "Dies when asked for attempt 13, and says why on standard error.",
    "crash-by-signal": "Is killed by a signal when asked for attempt 13.",
    "crash-as-rejection": "Dies wherever it would have to refuse its input.",
    "crash-with-grandchild": "Dies when asked for attempt 13; a process that it has started holds its pipes open.",
    "dies-mid-line": "Dies in the middle of the answer to attempt 13.",
    "starts-twice": "Dies when asked for attempt 13, and can't be started more than twice.",
    "exit-code-3": "Ends with exit status 3 when its input ends.",
    "grandchild": "Starts a process that holds its pipes open and sleeps, and then answers everything rightly.",
    # Introductions.
    "no-hello": "Does not support the question `hello`.",
    "hello-protocol": "Speaks version 2 of the protocol.",
    "hello-key": "Does not tell its resolution.",
    "hello-resolution": "Counts in hours.",
    "answers-unknown": "Has an answer to questions that nobody knows.",
    "dies-of-unknown": "Dies of questions that nobody knows.",
    "wrong-easy-answer": "Takes `none()` for two attempts.",
    "rejects-everything": "Refuses every policy.",
    "claims-too-much": "Claims `ladder` and does not support it.",
    "claims-little": "Claims `backoff` alone.",
    "claims-unknown": "Claims a feature that the kit does not know, which is legal.",
    "claims-nothing": "Claims no feature at all.",
    # Resolutions, all but the last of them legal.
    "coarse-1ms": "Counts in milliseconds, rounded down.",
    "coarse-1us": "Counts in microseconds, rounded down.",
    "coarse-100ns": "Counts in units of 100 nanoseconds, rounded down.",
    "coarse-1ns": "Counts in nanoseconds, rounded down.",
    "coarse-text": "Counts in nanoseconds, and gives each count as a text.",
    "one-unit-off": "Counts in milliseconds, rounded down, and one more.",
    # Draws of its own. Only these claim `jitter_samples`; the first two are honest.
    "draws": "Answers everything rightly.",
    "draws-coarse": "Counts in milliseconds, rounded down.",
    "draws-nothing": "Answers the delay itself, whatever the factor is.",
    "draws-upwards": "Makes delays longer only.",
    "draws-milliseconds": "Rounds to milliseconds, and claims exact seconds.",
    "draws-fixed-seed": "Seeds its random numbers with a constant.",
    "draws-too-few": "Leaves out the last sample.",
    "draws-one-outside": "Gives the third sample as twice the delay.",
    "draws-without-a-factor": "Moves delays by a thousandth of a second when the factor is 0.",
    "draws-text": "Gives the third sample as a text.",
    "draws-nan": "Gives the third sample as NaN, which is not JSON.",
    "draws-and-dies": "Dies when asked for samples of 13 seconds.",
    "draws-once": "Dies when asked for samples, unless it is the first process.",
    "draws-once-only": "Does not support `jitter_samples`, unless it is the first process.",
    "draws-and-starts-once": "Can't be started more than once.",
}

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "ports" / "python"))
import port  # noqa: E402

Json = dict[str, Any]
OUTPUT = sys.stdout.fileno()
FEATURES = ["policy", "schedule", "backoff", "next_delay", "jitter", "ladder", "rung_for"]
FEATURES_WITH_DRAWS = [*FEATURES, "jitter_samples"]
UNITS = {"1ms": 10**3, "1us": 10**6, "100ns": 10**7, "1ns": 10**9}


@dataclass(frozen=True)
class Exchange:
    """A request, and the answer that is due."""

    number: int  #: of the request in its process; that of `hello` is 1
    request: Json
    reply: Json

    @property
    def ask(self) -> str:
        return self.request["ask"]

    @property
    def is_thirteenth(self) -> bool:
        return self.request.get("attempt") == 13

    def line(self) -> bytes:
        return json.dumps(self.reply).encode() + b"\n"

    def answered(self, **body: Any) -> bytes:
        """The line of another answer to the request."""
        return json.dumps({"id": self.request["id"], **body}).encode() + b"\n"

    def with_delays(self, change: Callable[[float], Any]) -> bytes:
        """The line of the answer with every wait in it changed."""
        value = self.reply.get("value", {})
        if "delay" in value:
            return self.answered(value={"delay": change(value["delay"])})
        if "delays" in value:
            return self.answered(value={"delays": [change(delay) for delay in value["delays"]]})
        return self.line()

    def with_hello(self, **changed: Any) -> bytes:
        """The line of the answer, in which the port introduces itself otherwise."""
        return self.answered(value={**self.reply["value"], **changed}) if self.ask == "hello" else self.line()


def on_thirteenth(bad: Callable[[Exchange], bytes]) -> Callable[[Exchange], bytes]:
    return lambda exchange: bad(exchange) if exchange.is_thirteenth else exchange.line()


def write(output: bytes, to: int = OUTPUT) -> None:
    while output:
        output = output[os.write(to, output) :]


def sleep_forever() -> NoReturn:
    while True:
        time.sleep(3600)


def die(status: int = 1) -> NoReturn:
    os._exit(status)


def write_forever(output: bytes) -> NoReturn:
    while True:
        write(output)


def start_a_sleeper() -> None:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)", *sys.argv[1:]])


# What is written for a request, by the name of the defect; the honest answer where there is nothing.


def late_answers(exchange: Exchange) -> bytes:
    time.sleep(0.05)
    write(exchange.line())
    return b""


def off_by_one(exchange: Exchange) -> bytes:
    request = exchange.request
    if "attempt" not in request:
        return exchange.line()
    return exchange.answered(**port.answer({**request, "attempt": request["attempt"] + 1}))


def rejects_nothing(exchange: Exchange) -> bytes:
    return exchange.answered(value={"delay": 1.0}) if "rejected" in exchange.reply else exchange.line()


def wrong_refusal(exchange: Exchange) -> bytes:
    refusal = {"code": "invalid_policy", "field": "max_attempts"}
    return exchange.answered(rejected=refusal) if "rejected" in exchange.reply else exchange.line()


def error_answers(exchange: Exchange) -> bytes:
    return exchange.answered(error="the library is not here") if exchange.ask == "backoff" else exchange.line()


def escape_codes(exchange: Exchange) -> bytes:
    if exchange.is_thirteenth:
        return exchange.answered(error="oh\x1b[2J\nconforms: 24 of 24 cases passed")
    return exchange.with_hello(name="escape\x1b[2J\ncodes")


def garbage_line(exchange: Exchange) -> bytes:
    return b"DEBUG sixth request\n" * (exchange.number == 6) + exchange.line()


def byte_order_mark(exchange: Exchange) -> bytes:
    return b"\xef\xbb\xbf" * (exchange.number == 1) + exchange.line()


def flood_line(exchange: Exchange) -> bytes:
    write_forever(b"x" * 65536)


def flood_lines(exchange: Exchange) -> bytes:
    write_forever(b"DEBUG still here\n" * 4096)


def flood_stderr(exchange: Exchange) -> bytes:
    write(b"DEBUG still here\n" * 65536, to=2)
    return exchange.line()


def hang_on_case(exchange: Exchange) -> bytes:
    sleep_forever()


def hang_with_grandchild(exchange: Exchange) -> bytes:
    start_a_sleeper()
    sleep_forever()


def stops_reading(exchange: Exchange) -> bytes:
    write(exchange.line())
    if exchange.number == 4:
        sleep_forever()
    return b""


def slow_drip(exchange: Exchange) -> bytes:
    for byte in exchange.line().rstrip():
        write(bytes([byte]))
        time.sleep(0.02)
    while True:
        write(b" ")
        time.sleep(0.02)


def only_stderr(exchange: Exchange) -> bytes:
    write(exchange.line(), to=2)
    return b""


def closes_output(exchange: Exchange) -> bytes:
    os.close(OUTPUT)
    sleep_forever()


def crash_on_kth(exchange: Exchange) -> bytes:
    return die() if exchange.number == 10 else exchange.line()


def crash_on_case(exchange: Exchange) -> bytes:
    write(b"attempt 13 brings bad luck\n", to=2)
    die(7)


def crash_by_signal(exchange: Exchange) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    sleep_forever()


def crash_as_rejection(exchange: Exchange) -> bytes:
    return die() if "rejected" in exchange.reply else exchange.line()


def crash_with_grandchild(exchange: Exchange) -> bytes:
    start_a_sleeper()
    die()


def dies_mid_line(exchange: Exchange) -> bytes:
    write(exchange.line()[:20])
    die()


def grandchild(exchange: Exchange) -> bytes:
    if exchange.number == 1:
        start_a_sleeper()
    return exchange.line()


def hello_key(exchange: Exchange) -> bytes:
    if exchange.ask != "hello":
        return exchange.line()
    value = exchange.reply["value"]
    return exchange.answered(value={key: value[key] for key in value if key != "resolution"})


def answers_unknown(exchange: Exchange) -> bytes:
    return exchange.answered(value={"delay": 1.0}) if "unsupported" in exchange.reply else exchange.line()


def dies_of_unknown(exchange: Exchange) -> bytes:
    return die() if "unsupported" in exchange.reply else exchange.line()


def wrong_easy_answer(exchange: Exchange) -> bytes:
    if exchange.request.get("make") != {"none": {}}:
        return exchange.line()
    return exchange.answered(value={"policy": {**exchange.reply["value"]["policy"], "max_attempts": 2}})


def rejects_everything(exchange: Exchange) -> bytes:
    if exchange.ask not in FEATURES:
        return exchange.line()
    return exchange.answered(rejected={"code": "invalid_policy", "field": "max_attempts"})


def claims_too_much(exchange: Exchange) -> bytes:
    return exchange.answered(unsupported="no broker here") if exchange.ask == "ladder" else exchange.line()


def coarse(resolution: str, change: Callable[[int], Any] = int) -> Callable[[Exchange], bytes]:
    def bad(exchange: Exchange) -> bytes:
        if exchange.ask == "hello":
            return exchange.with_hello(resolution=resolution)
        return exchange.with_delays(lambda delay: change(int(Fraction(delay) * UNITS[resolution])))

    return bad


#: The random numbers of a library, which the operating system seeds.
DRAWS = random.Random()


def jitter_samples(request: Json) -> Json:
    """The answer that is due to a request for samples."""
    one = port.answer({**request, "ask": "jitter", "draw": 0.5})
    if "rejected" in one:
        return one
    if not 1 <= request["count"] <= 1_000_000:
        return {"rejected": {"code": "invalid_argument", "field": "count"}}
    delay, factor = request["delay"], request["policy"]["jitter_factor"]
    return {"value": {"delays": [delay * (1 + (DRAWS.random() * 2 - 1) * factor) for _ in range(request["count"])]}}


def on_samples(bad: Callable[[Exchange], bytes]) -> Callable[[Exchange], bytes]:
    return lambda exchange: bad(exchange) if exchange.ask == "jitter_samples" else exchange.line()


def with_samples(change: Callable[[list[float], float], list[Any]]) -> Callable[[Exchange], bytes]:
    """The line of the answer with all samples changed, where there are some; the delay is given, too."""

    def bad(exchange: Exchange) -> bytes:
        if "value" not in exchange.reply:
            return exchange.line()
        samples = exchange.reply["value"]["delays"]
        return exchange.answered(value={"delays": change(samples, exchange.request["delay"])})

    return on_samples(bad)


def draws_without_a_factor(exchange: Exchange) -> bytes:
    if exchange.request["policy"]["jitter_factor"] > 0 or "value" not in exchange.reply:
        return exchange.line()
    return exchange.with_delays(lambda delay: delay + 0.001 * DRAWS.random())


def draws_and_dies(exchange: Exchange) -> bytes:
    return die(7) if exchange.request["delay"] == 13 else exchange.line()


def draws_once(exchange: Exchange) -> bytes:
    return exchange.line() if started() == 1 else die(7)


def draws_once_only(exchange: Exchange) -> bytes:
    return exchange.line() if started() == 1 else exchange.answered(unsupported="only once")


ANSWERS: dict[str, Callable[[Exchange], bytes]] = {
    "late-answers": late_answers,
    "windows-lines": lambda exchange: exchange.line().replace(b"\n", b"\r\n"),
    "wrong-answer": lambda exchange: exchange.with_delays(lambda delay: 42.0),
    "one-ulp-off": lambda exchange: exchange.with_delays(lambda delay: math.nextafter(delay, math.inf)),
    "off-by-one": off_by_one,
    "negative-zero": lambda exchange: exchange.with_delays(lambda delay: delay or -0.0),
    "rejects-nothing": rejects_nothing,
    "wrong-refusal": wrong_refusal,
    "error-answers": error_answers,
    "escape-codes": escape_codes,
    "nan-as-null": on_thirteenth(lambda exchange: exchange.with_delays(lambda delay: None)),
    "nan": on_thirteenth(lambda exchange: exchange.with_delays(lambda delay: math.nan)),
    "garbage-line": garbage_line,
    "garbage-on-case": on_thirteenth(lambda exchange: b"DEBUG attempt 13\n" + exchange.line()),
    "garbage-always": lambda exchange: b"DEBUG here I am\n" + exchange.line(),
    "not-utf8": on_thirteenth(lambda exchange: exchange.answered(error="caf_").replace(b"_", b"\xe9")),
    "blank-line": on_thirteenth(lambda exchange: exchange.line() + b"\n"),
    "byte-order-mark": byte_order_mark,
    "unknown-id": on_thirteenth(lambda exchange: exchange.answered(**{**exchange.reply, "id": "thirteen"})),
    "number-id": on_thirteenth(lambda exchange: exchange.answered(**{**exchange.reply, "id": 13})),
    "duplicate-answer": on_thirteenth(lambda exchange: exchange.line() * 2),
    "extra-key": on_thirteenth(lambda exchange: exchange.answered(**exchange.reply, took_ms=3)),
    "two-bodies": on_thirteenth(lambda exchange: exchange.answered(**exchange.reply, error="")),
    "null-bodies": on_thirteenth(
        lambda exchange: exchange.answered(**exchange.reply, rejected=None, unsupported=None, error=None)
    ),
    "no-body": on_thirteenth(lambda exchange: exchange.answered()),
    "value-null": on_thirteenth(lambda exchange: exchange.answered(value=None)),
    "flood-line": on_thirteenth(flood_line),
    "flood-lines": on_thirteenth(flood_lines),
    "flood-stderr": flood_stderr,
    "hang-on-case": on_thirteenth(hang_on_case),
    "hang-with-grandchild": on_thirteenth(hang_with_grandchild),
    "stops-reading": stops_reading,
    "slow-drip": on_thirteenth(slow_drip),
    "only-stderr": only_stderr,
    "closes-output": on_thirteenth(closes_output),
    "crash-on-kth": crash_on_kth,
    "crash-on-case": on_thirteenth(crash_on_case),
    "crash-by-signal": on_thirteenth(crash_by_signal),
    "crash-as-rejection": crash_as_rejection,
    "crash-with-grandchild": on_thirteenth(crash_with_grandchild),
    "dies-mid-line": on_thirteenth(dies_mid_line),
    "starts-twice": on_thirteenth(crash_on_case),
    "grandchild": grandchild,
    "no-hello": lambda exchange: exchange.answered(unsupported="what?") if exchange.ask == "hello" else exchange.line(),
    "hello-protocol": lambda exchange: exchange.with_hello(protocol=2),
    "hello-key": hello_key,
    "hello-resolution": lambda exchange: exchange.with_hello(resolution="1h"),
    "answers-unknown": answers_unknown,
    "dies-of-unknown": dies_of_unknown,
    "wrong-easy-answer": wrong_easy_answer,
    "rejects-everything": rejects_everything,
    "claims-too-much": claims_too_much,
    "claims-little": lambda exchange: exchange.with_hello(features=["backoff"]),
    "claims-unknown": lambda exchange: exchange.with_hello(features=[*FEATURES, "teleport"]),
    "claims-nothing": lambda exchange: exchange.with_hello(features=[]),
    "coarse-1ms": coarse("1ms"),
    "coarse-1us": coarse("1us"),
    "coarse-100ns": coarse("100ns"),
    "coarse-1ns": coarse("1ns"),
    "coarse-text": coarse("1ns", str),
    "one-unit-off": coarse("1ms", lambda count: count + 1),
    "draws-coarse": coarse("1ms"),
    "draws-nothing": with_samples(lambda samples, delay: [delay for _ in samples]),
    "draws-upwards": with_samples(lambda samples, delay: [delay + abs(sample - delay) for sample in samples]),
    "draws-milliseconds": with_samples(lambda samples, delay: [round(sample, 3) for sample in samples]),
    "draws-too-few": with_samples(lambda samples, delay: samples[:-1]),
    "draws-one-outside": with_samples(lambda samples, delay: [*samples[:2], 2 * delay, *samples[3:]]),
    "draws-without-a-factor": on_samples(draws_without_a_factor),
    "draws-text": with_samples(lambda samples, delay: [*samples[:2], str(samples[2]), *samples[3:]]),
    "draws-nan": with_samples(lambda samples, delay: [*samples[:2], math.nan, *samples[3:]]),
    "draws-and-dies": on_samples(draws_and_dies),
    "draws-once": on_samples(draws_once),
    "draws-once-only": on_samples(draws_once_only),
}

# What happens before any request is read.


def start() -> None:
    """A line of the file stands for a start."""
    with Path(sys.argv[2]).open("a") as starts:
        starts.write("started\n")


def started() -> int:
    """Which process of the port this is."""
    return len(Path(sys.argv[2]).read_text().splitlines())


def start_at_most(times: int) -> None:
    start()
    if started() > times:
        die()


def wait_for_the_end() -> None:
    """From here on, all of the input is there."""
    requests = sys.stdin.buffer.read()
    read, write_end = os.pipe()
    threading.Thread(target=lambda: (write(requests, write_end), os.close(write_end))).start()
    os.dup2(read, sys.stdin.fileno())


STARTS: dict[str, Callable[[], Any]] = {
    "exits-at-once": lambda: die(0),
    "hang": lambda: (sys.stdin.buffer.read(), sleep_forever()),
    "never-reads": sleep_forever,
    "starts-twice": lambda: start_at_most(2),
    "waits-for-the-end": wait_for_the_end,
    "draws-fixed-seed": lambda: DRAWS.seed(42),
    "draws-once": start,
    "draws-once-only": start,
    "draws-and-starts-once": lambda: start_at_most(1),
}

# What happens when the input has ended, with the last line written.
ENDS: dict[str, Callable[[bytes], Any]] = {
    "duplicate-at-end": write,
    "exit-code-3": lambda last: die(3),
    "hang-at-end": lambda last: sleep_forever(),
}


def serve(defect: str) -> None:
    answer = ANSWERS.get(defect, Exchange.line)
    number, rest, last = 0, b"", b""
    while chunk := os.read(sys.stdin.fileno(), 65536):
        *requests, rest = (rest + chunk).split(b"\n")
        answers = []
        for request in map(json.loads, requests):
            number += 1
            answered = jitter_samples if request["ask"] == "jitter_samples" else port.answer
            reply = {"id": request["id"], **answered(request)}
            if request["ask"] == "hello":
                features = FEATURES_WITH_DRAWS if defect.startswith("draws") else FEATURES
                reply["value"].update(name=defect, version="1", language="Python", features=features)
            last = answer(Exchange(number, request, reply))
            answers.append(last)
        if defect == "reversed":
            answers.reverse()
        write(b"".join(answers))
    ENDS.get(defect, lambda last: None)(last)


def main() -> None:
    if sys.argv[1:] == ["--list"]:
        print("\n".join(DEFECTS))
    elif len(sys.argv) < 2 or sys.argv[1] not in DEFECTS:
        sys.exit("needed a defect, one of: " + ", ".join(DEFECTS))
    else:
        STARTS.get(sys.argv[1], lambda: None)()
        serve(sys.argv[1])


if __name__ == "__main__":
    main()
