"""Chapter 8: the adapter, called as a function and run as a process."""

import contextlib
import io
import json
import subprocess
import sys
import tempfile
import threading
import unittest

from setting import PORT

import port

DEFAULTS = {
    "max_attempts": 1,
    "initial_delay": 0.0,
    "multiplier": 2.0,
    "max_delay": 0.0,
    "jitter_factor": 0.0,
    "max_message_age": 0.0,
}


def policy(**fields):
    return {**DEFAULTS, **fields}


def request(ask, **arguments):
    return json.dumps({"id": "7", "ask": ask, **arguments}).encode()


class Answers(unittest.TestCase):
    def put(self, line):
        """The answer to a line without its id, and what was shown to people."""
        with contextlib.redirect_stderr(io.StringIO()) as shown:
            line = port.respond(line)
        self.assertTrue(line.endswith(b"\n"))
        answer = json.loads(line)
        self.assertEqual(answer.pop("id"), "7")
        return answer, shown.getvalue()

    def answers(self, expected, ask, **arguments):
        self.assertEqual(self.put(request(ask, **arguments)), (expected, ""))

    def rejects(self, code, field, ask, **arguments):
        self.answers({"rejected": {"code": code, "field": field}}, ask, **arguments)

    def test_hello(self):
        """(W-15)"""
        answer, _ = self.put(request("hello", kit="0.1.0", protocol=1))
        value = answer["value"]
        self.assertEqual(set(value), {"protocol", "name", "version", "language", "features", "resolution"})
        self.assertEqual((value["protocol"], value["resolution"]), (1, "exact"))
        self.assertEqual(
            set(value["features"]),
            {"policy", "schedule", "backoff", "next_delay", "jitter", "jitter_samples", "ladder", "rung_for", "queue"},
        )

    def test_policy(self):
        """(W-13)"""
        for make, then, changed in (
            ({"none": {}}, [], {}),
            ({"fields": policy(max_attempts=3, max_delay=-0.0)}, [], {"max_attempts": 3}),
            (
                {"fixed": {"max_attempts": 3, "delay": 5}},
                [],
                {"max_attempts": 3, "initial_delay": 5.0, "multiplier": 1.0},
            ),
            (
                {"exponential": {"max_attempts": 3, "initial_delay": 1.0, "max_delay": 9.0}},
                [{"give_up_after": 60.0}, {"with_jitter": 0.5}, {"give_up_after": 30.0}],
                {
                    "max_attempts": 3,
                    "initial_delay": 1.0,
                    "max_delay": 9.0,
                    "jitter_factor": 0.5,
                    "max_message_age": 30.0,
                },
            ),
        ):
            self.answers({"value": {"policy": policy(**changed)}}, "policy", make=make, then=then)
        fixed = {"fixed": {"max_attempts": 1, "delay": 0.0}}
        self.rejects("invalid_policy", "jitter_factor", "policy", make=fixed, then=[{"with_jitter": "NaN"}])
        fixed = {"fixed": {"max_attempts": 1, "delay": -1}}
        self.rejects("invalid_policy", "initial_delay", "policy", make=fixed, then=[])

    def test_waits(self):
        p = policy(max_attempts=5, initial_delay=1.0)
        self.answers({"value": {"delays": [1.0, 2.0, 4.0, 8.0]}}, "schedule", policy=p)
        self.answers({"value": {"delay": 16.0}}, "backoff", policy=p, attempt=5)
        self.answers({"value": {"delay": 4.0}}, "next_delay", policy=p, attempt=3, message_age=None)
        self.answers({"value": {"give_up": "max_attempts"}}, "next_delay", policy=p, attempt=5, message_age=None)
        p["max_message_age"] = 60.0
        self.answers(
            {"value": {"give_up": "max_message_age"}}, "next_delay", policy=p, attempt=1, message_age="Infinity"
        )
        self.answers({"value": {"delay": 1.0}}, "next_delay", policy=p, attempt=1, message_age="-Infinity")

    def test_jitter(self):
        self.answers({"value": {"delay": 11.0}}, "jitter", policy=policy(jitter_factor=0.2), delay=10, draw=0.75)

    def test_jitter_samples(self):
        self.answers({"value": {"delays": [10.0, 10.0]}}, "jitter_samples", policy=policy(), delay=10, count=2)
        jittery = request("jitter_samples", policy=policy(jitter_factor=0.5), delay=10, count=20)
        first, second = (self.put(jittery)[0]["value"]["delays"] for _ in range(2))
        self.assertEqual((len(first), len(second)), (20, 20))
        self.assertNotEqual(first, second)

    def test_ladder(self):
        p = policy(max_attempts=3, initial_delay=20.0)
        self.answers(
            {
                "value": {
                    "rungs": [
                        {
                            "name": "käse.retry.40s",
                            "ttl_ms": 40000,
                            "arguments": {
                                "x-message-ttl": 40000,
                                "x-dead-letter-exchange": "",
                                "x-dead-letter-routing-key": "käse",
                            },
                        }
                    ]
                }
            },
            "ladder",
            policy=p,
            queue="käse",
            exchange="",
            threshold=30.0,
        )
        arguments = {"policy": p, "queue": "q", "exchange": "", "threshold": 30.0}
        self.answers({"value": {"rung": "q.retry.40s"}}, "rung_for", **arguments, delay=33)
        self.answers({"value": {"rung": None}}, "rung_for", **arguments, delay=3)
        arguments["policy"] = policy(max_attempts=2, initial_delay=4e9)
        self.answers({"rejected": {"code": "rung_too_long"}}, "ladder", **arguments)

    def test_queue(self):
        steps = [{"at": 0.5, "do": "put", "message": "a"}, {"at": 1, "do": "stats"}]
        limits = {"message_ttl": 0.2, "ack_timeout": 0}
        dead = {"at": 0.7, "event": "dead", "message": "a", "reason": "ttl_expired", "error": None, "attempts": 0}
        self.answers(
            {
                "value": {
                    "trace": [
                        {"at": 0.5, "event": "ready", "message": "a"},
                        dead,
                        {"at": 1.0, "event": "stats", "ready": 0, "delayed": 0, "leased": 0, "dead": 1},
                    ]
                }
            },
            "queue",
            policy=policy(),
            **limits,
            steps=steps,
        )
        del steps[0]["message"]
        answer, _ = self.put(request("queue", policy=policy(), **limits, steps=steps))
        self.assertEqual(
            answer, {"error": "Nonsense: steps[0].message is missing, but must be a text that is not empty"}
        )

    def test_a_text_is_a_number_only_where_one_is_due(self):
        """(W-9)"""
        arguments = {"policy": policy(max_attempts=2, initial_delay=60.0), "queue": "NaN", "exchange": "Infinity"}
        answer, _ = self.put(request("ladder", **arguments, threshold=30.0))
        self.assertEqual(answer["value"]["rungs"][0]["name"], "NaN.retry.1m")
        self.assertEqual(answer["value"]["rungs"][0]["arguments"]["x-dead-letter-exchange"], "Infinity")

    def test_rejections_name_the_first_fault(self):
        """(W-14)"""
        bad, good = policy(multiplier=0.5, jitter_factor="NaN"), policy()
        self.rejects("invalid_policy", "multiplier", "schedule", policy=bad)
        self.rejects("invalid_policy", "multiplier", "backoff", policy=bad, attempt=0)
        self.rejects("invalid_policy", "max_attempts", "backoff", policy=policy(max_attempts=-(2**63)), attempt=0)
        self.rejects("invalid_argument", "attempt", "backoff", policy=good, attempt=2**63 - 1)
        self.rejects("invalid_argument", "attempt", "next_delay", policy=good, attempt=0, message_age="NaN")
        self.rejects("invalid_argument", "message_age", "next_delay", policy=good, attempt=9, message_age="NaN")
        self.rejects("invalid_argument", "delay", "jitter", policy=good, delay="Infinity", draw=1)
        self.rejects("invalid_argument", "draw", "jitter", policy=good, delay=0.0, draw="-Infinity")
        self.rejects("invalid_policy", "multiplier", "jitter_samples", policy=bad, delay=-1, count=0)
        self.rejects("invalid_argument", "delay", "jitter_samples", policy=good, delay="NaN", count=0)
        self.rejects("invalid_argument", "count", "jitter_samples", policy=good, delay=1.0, count=0)
        self.rejects("invalid_argument", "count", "jitter_samples", policy=good, delay=1.0, count=2**63 - 1)
        limits = {"message_ttl": "NaN", "ack_timeout": -1}
        self.rejects("invalid_policy", "multiplier", "queue", policy=bad, **limits, steps=[])
        self.rejects("invalid_argument", "message_ttl", "queue", policy=good, **limits, steps=[])
        limits["message_ttl"] = 4294967296
        self.rejects("invalid_argument", "ack_timeout", "queue", policy=good, **limits, steps=[])
        self.rejects("invalid_argument", "queue", "ladder", policy=good, queue="", exchange="", threshold=-1.0)

    def test_an_unknown_question_is_unsupported(self):
        """(W-5)"""
        for ask in ("weather", "Queue", "answer", "__name__", ""):
            answer, _ = self.put(request(ask, policy=policy()))
            self.assertEqual(list(answer), ["unsupported"])
            self.assertIn(repr(ask), answer["unsupported"])

    def test_a_failure_of_the_port_is_no_rejection(self):
        """(W-6, W-7)"""
        for line in (
            b'{"id":"7"}',
            b'{"id":"7","ask":["backoff"]}',
            b'{"id":"7","ask":"backoff"}',
            b'{"id":"7","ask":"backoff","policy":{"max_attempts":1},"attempt":1}',
            b'{"id":"7","ask":"policy","make":{},"then":[]}',
            b'{"id":"7","ask":"policy","make":{"magic":{}},"then":[]}',
            b'{"id":"7","ask":"policy","make":{"none":{}},"then":[{"__init__":1}]}',
        ):
            with self.subTest(line=line):
                answer, shown = self.put(line)
                self.assertEqual(list(answer), ["error"])
                self.assertIn("Traceback", shown)

    def test_an_answer_that_is_no_json_is_an_error(self):
        port.QUESTIONS["broken"] = lambda ask: {"delay": float("nan")}
        self.addCleanup(port.QUESTIONS.pop, "broken")
        answer, _ = self.put(request("broken"))
        self.assertEqual(list(answer), ["error"])

    def test_unknown_keys_are_ignored(self):
        """(W-1)"""
        p = {**policy(initial_delay=3.0), "colour": "blue"}
        self.answers({"value": {"delay": 3.0}}, "backoff", policy=p, attempt=1, mood="good")

    def test_a_line_without_an_id_has_no_answer(self):
        for line in (b"", b"\r", b"nonsense", b"[1]", b"null", b'"7"', b"\xff", b"[" * 100_000, b'{"ask":"hello"}',
                     b'{"id":7,"ask":"hello"}', b'{"id":1e999,"ask":"hello"}', b'{"id":null,"ask":"hello"}',
                     b'{"id":"7","ask":"backoff","attempt":' + b"9" * 5000 + b".}"):  # fmt: skip
            with self.subTest(line=line[:40]), contextlib.redirect_stderr(io.StringIO()) as shown:
                self.assertEqual(port.respond(line), b"")
                self.assertIn("Traceback", shown.getvalue())

    def test_any_text_is_an_id(self):
        for name in ("", "ä\n\u2028", "\ud800", 'a"b\\'):
            line = port.respond(json.dumps({"id": name, "ask": "hello"}).encode())
            self.assertEqual(json.loads(line)["id"], name)
            self.assertEqual(line.count(b"\n"), 1)

    def test_lines_may_arrive_in_pieces(self):
        class Dribble(io.BytesIO):
            def read1(self, size=-1):
                return super().read1(5)

        answers = io.BytesIO()
        asked = request("backoff", policy=policy(initial_delay=3.0), attempt=1)
        port.serve(Dribble(asked + b"\r\n" + asked), answers)  # the last line is not ended
        self.assertEqual(answers.getvalue(), b'{"id":"7","value":{"delay":3.0}}\n' * 2)


class Process(unittest.TestCase):
    def test_it_answers_all_and_ends(self):
        """(W-3, W-4), from another directory, among lines that are none"""
        asked = []
        for number in range(5000):
            arguments = {"policy": policy(initial_delay=1.0), "attempt": number % 9 + 1}
            asked.append({"id": str(number), "ask": "backoff", **arguments})
        lines = [json.dumps(ask) for ask in asked]
        lines.insert(1000, "this is no JSON")
        with tempfile.TemporaryDirectory() as elsewhere:
            run = subprocess.run(
                [sys.executable, str(PORT)],
                input="\n".join(lines).encode(),
                capture_output=True,
                cwd=elsewhere,
                timeout=60,
            )
        self.assertEqual(run.returncode, 0)
        self.assertIn(b"JSONDecodeError", run.stderr)
        answers = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual(
            answers, [{"id": str(number), "value": {"delay": 2.0 ** (number % 9)}} for number in range(5000)]
        )

    def test_no_answer_is_held_back_while_the_input_is_idle(self):
        """(W-3)"""
        with subprocess.Popen([sys.executable, str(PORT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            watchdog = threading.Timer(60, process.kill)  # else a port that holds back would hold the test too
            watchdog.start()
            try:
                for count in (1, 3):
                    process.stdin.write((request("hello") + b"\n") * count + b'{"id":')  # and half a line more
                    process.stdin.flush()
                    for _ in range(count):
                        self.assertEqual(json.loads(process.stdout.readline())["id"], "7")
                    process.stdin.write(b'"8","ask":"hello"}\n')
                    process.stdin.flush()
                    self.assertEqual(json.loads(process.stdout.readline())["id"], "8")
                process.stdin.close()
                self.assertEqual(process.stdout.read(), b"")
                self.assertEqual(process.wait(), 0)
            finally:
                watchdog.cancel()


if __name__ == "__main__":
    unittest.main()
