"""Chapter 6 on the wire: steps, traces, refusals, and scenarios that make no sense."""

import random
import unittest

from naive_queue import Choice, NaiveQueue

import scenario
from retrywait import InvalidArgument, RetryPolicy


def put(at, message):
    return {"at": at, "do": "put", "message": message}


def add(at, consumer="w", **more):
    return {"at": at, "do": "add_consumer", "consumer": consumer, **more}


def step(at, do, message=None, **more):
    return {"at": at, "do": do, **({} if message is None else {"message": message}), **more}


class ScenarioCase(unittest.TestCase):
    policy = RetryPolicy.fixed(2, 1.0)

    def traces(self, steps, *expected, message_ttl=0.0, ack_timeout=0.0):
        self.assertEqual(scenario.trace(self.policy, message_ttl, ack_timeout, steps), list(expected))


class Traces(ScenarioCase):
    def test_every_event(self):
        """(Q-30)"""
        self.traces(
            [
                put(0, "a"),
                add(0.1),
                step(0.2, "nack", "a", error="e"),
                step(0.2, "stats"),
                step(1.3, "nack", "a", delivery=2, error=None),
                step(1.4, "dead_letters"),
                step(1.5, "replay", "a"),
                step(1.6, "ack", "a"),
                step(1.7, "dead_letters"),
            ],
            {"at": 0.0, "event": "ready", "message": "a"},
            {"at": 0.1, "event": "delivered", "message": "a", "attempt": 1, "consumer": "w"},
            {"at": 0.2, "event": "failed", "message": "a", "attempt": 1, "error": "e"},
            {"at": 0.2, "event": "delayed", "message": "a", "until": 1.2},
            {"at": 0.2, "event": "stats", "ready": 0, "delayed": 1, "leased": 0, "dead": 0},
            {"at": 1.2, "event": "ready", "message": "a"},
            {"at": 1.2, "event": "delivered", "message": "a", "attempt": 2, "consumer": "w"},
            {"at": 1.3, "event": "failed", "message": "a", "attempt": 2, "error": None},
            {"at": 1.3, "event": "dead", "message": "a", "reason": "max_attempts", "error": None, "attempts": 2},
            {
                "at": 1.4,
                "event": "dead_letters",
                "messages": [{"message": "a", "reason": "max_attempts", "error": None, "attempts": 2, "at": 1.3}],
            },
            {"at": 1.5, "event": "ready", "message": "a"},
            {"at": 1.5, "event": "delivered", "message": "a", "attempt": 1, "consumer": "w"},
            {"at": 1.6, "event": "acked", "message": "a", "attempt": 1},
            {"at": 1.7, "event": "dead_letters", "messages": []},
        )

    def test_every_refusal(self):
        """(Q-10, Q-23, Q-24)"""
        self.traces(
            [
                add(1),
                add(1, on_message="ack"),
                step(2, "remove_consumer", consumer="v"),
                put(3, "a"),
                step(3, "ack", "a", delivery=2),
                step(3, "nack", "b", error="e"),
                step(3, "replay", "a"),
            ],
            {"at": 1.0, "event": "refused", "do": "add_consumer", "consumer": "w", "code": "duplicate_consumer"},
            {"at": 2.0, "event": "refused", "do": "remove_consumer", "consumer": "v", "code": "unknown_consumer"},
            {"at": 3.0, "event": "ready", "message": "a"},
            {"at": 3.0, "event": "delivered", "message": "a", "attempt": 1, "consumer": "w"},
            {"at": 3.0, "event": "refused", "do": "ack", "message": "a", "code": "unknown_delivery"},
            {"at": 3.0, "event": "refused", "do": "nack", "message": "b", "code": "unknown_delivery"},
            {"at": 3.0, "event": "refused", "do": "replay", "message": "a", "code": "not_dead"},
        )

    def test_the_modes_of_a_consumer(self):
        """(Q-7); keys that are not known are ignored (W-1)"""
        for mode, after in (
            ({}, []),
            ({"on_message": "hold", "prefetch": None}, []),
            ({"on_message": "ack"}, [{"event": "acked", "message": "a", "attempt": 1}]),
            (
                {"on_message": {"fail": "", "loudly": True}, "mood": "bad"},
                [
                    {"event": "failed", "message": "a", "attempt": 1, "error": ""},
                    {"event": "delayed", "message": "a", "until": 1.0},
                ],
            ),
        ):
            self.traces(
                [add(0, **mode), put(0, "a")],
                {"at": 0.0, "event": "ready", "message": "a"},
                {"at": 0.0, "event": "delivered", "message": "a", "attempt": 1, "consumer": "w"},
                *({"at": 0.0, **event} for event in after),
            )

    def test_time_stands_still_at_the_last_step(self):
        """(Q-28): what is due then has happened, and nothing after it"""
        ready = [{"at": 0.0, "event": "ready", "message": name} for name in "ab"]
        for last, dead in ((0.999, []), (1.0, "ab"), (500, "ab")):
            self.traces(
                [put(0, "a"), put(0, "b"), step(last, "wait")],
                *ready,
                *(
                    {"at": 1.0, "event": "dead", "message": name, "reason": "ttl_expired", "error": None, "attempts": 0}
                    for name in dead
                ),
                message_ttl=1.0,
            )

    def test_no_step_no_event(self):
        self.traces([])

    def test_instants_that_are_equal_in_milliseconds_are_one(self):
        """(Q-32): 0.1 and the delay of 0.2 make 0.3, where the TTL of 0.2 ends too"""
        self.policy = RetryPolicy.fixed(2, 0.2)
        self.traces(
            [put(0.1, "a"), add(0.1), step(0.1, "nack", "a"), step(0.3, "stats")],
            {"at": 0.1, "event": "ready", "message": "a"},
            {"at": 0.1, "event": "delivered", "message": "a", "attempt": 1, "consumer": "w"},
            {"at": 0.1, "event": "failed", "message": "a", "attempt": 1, "error": None},
            {"at": 0.1, "event": "delayed", "message": "a", "until": 0.3},
            {"at": 0.3, "event": "ready", "message": "a"},
            {"at": 0.3, "event": "delivered", "message": "a", "attempt": 2, "consumer": "w"},
            {"at": 0.3, "event": "stats", "ready": 0, "delayed": 0, "leased": 1, "dead": 0},
            message_ttl=0.2,
        )

    def test_every_millisecond_is_itself(self):
        """(Q-32): 1001 of them are 1.001 s, which times 1000 is a little less"""
        instants = [count / 1000 for count in range(5000)]
        self.traces(
            [step(at, "stats") for at in instants],
            *({"at": at, "event": "stats", "ready": 0, "delayed": 0, "leased": 0, "dead": 0} for at in instants),
        )

    def test_the_end_of_time(self):
        end = 4294967296
        self.traces(
            [put(0, "a"), step(end, "wait"), step(end, "stats")],
            {"at": 0.0, "event": "ready", "message": "a"},
            {"at": end, "event": "dead", "message": "a", "reason": "ttl_expired", "error": None, "attempts": 0},
            {"at": end, "event": "stats", "ready": 0, "delayed": 0, "leased": 0, "dead": 1},
            message_ttl=end,
        )


class NoQuestion(ScenarioCase):
    """(Q-33)"""

    def test_the_step_what_was_found_and_what_was_needed(self):
        good = [put(1, "a"), add(1), step(1, "ack", "a")]
        name, whole = "a text that is not empty", "an integer of 1 or more, or null"
        instant = "a whole number of milliseconds, in seconds, from 0 to 4294967296"
        do = "one of put, add_consumer, remove_consumer, ack, nack, replay, stats, dead_letters, wait"
        mode = 'one of "hold", "ack" and {"fail": text}'
        for bad, found, needed in (
            (step(0.999, "wait"), ".at is 0.999", "at least the 1.0 before"),
            (step(-1, "wait"), ".at is -1", instant),
            (step(1.0005, "wait"), ".at is 1.0005", instant),
            (step(4294967296.001, "wait"), ".at is 4294967296.001", instant),
            (step(float("inf"), "wait"), ".at is inf", instant),
            (step("NaN", "wait"), ".at is 'NaN'", instant),
            (step(True, "wait"), ".at is True", instant),
            ({"do": "wait"}, ".at is missing", instant),
            (step(1, "fly"), ".do is 'fly'", do),
            (step(1, "take"), ".do is 'take'", do),
            (step(1, None), ".do is None", do),
            (step(1, ["put"]), ".do is ['put']", do),
            ({"at": 1}, ".do is missing", do),
            (put(1, "a"), ".message is 'a'", "a name not used before"),  # though it is gone
            (put(1, ""), ".message is ''", name),
            (put(1, 7), ".message is 7", name),
            (step(1, "put"), ".message is missing", name),
            (step(1, "ack"), ".message is missing", name),
            (step(1, "nack", ""), ".message is ''", name),
            (step(1, "replay"), ".message is missing", name),
            (step(1, "add_consumer"), ".consumer is missing", name),
            (add(1, ""), ".consumer is ''", name),
            (step(1, "remove_consumer", consumer=None), ".consumer is None", name),
            (add(1, prefetch=0), ".prefetch is 0", whole),  # though the name is in use
            (add(1, prefetch=1.0), ".prefetch is 1.0", whole),
            (add(1, prefetch=True), ".prefetch is True", whole),
            (step(1, "ack", "a", delivery=0), ".delivery is 0", whole),
            (step(1, "nack", "a", delivery="1"), ".delivery is '1'", whole),
            (step(1, "nack", "a", error=5), ".error is 5", "a text or null"),
            (add(1, on_message="keep"), ".on_message is 'keep'", mode),
            (add(1, on_message=None), ".on_message is None", mode),
            (add(1, on_message={}), ".on_message is {}", mode),
            (add(1, on_message={"fail": None}), ".on_message is {'fail': None}", mode),
            (add(1, on_message=["ack"]), ".on_message is ['ack']", mode),
            ("wait", " is 'wait'", "an object"),
        ):
            with self.subTest(bad), self.assertRaises(scenario.Nonsense) as caught:
                scenario.trace(self.policy, 0.0, 0.0, [*good, bad, step(9, "wait")])
            self.assertEqual(str(caught.exception), f"steps[3]{found}, but must be {needed}")

    def test_no_list_of_steps(self):
        for steps in (None, {}, "wait"):
            with self.assertRaises(scenario.Nonsense):
                scenario.trace(self.policy, 0.0, 0.0, steps)

    def test_limits_are_judged_before(self):
        """(Q-31)"""
        with self.assertRaises(InvalidArgument):
            scenario.trace(self.policy, -1.0, 0.0, [{}])


class AgainstTheNaiveQueue(unittest.TestCase):
    """Scenarios by chance, with everything on a coarse grid of time, so that much falls on one instant."""

    def scenario(self, rng):
        tick = rng.choice((100, 250, 1000))
        grid = [0.0, *(count * tick / 1000 for count in (1, 2, 3, 5)), rng.choice((0.0004, 0.0006))]
        settings = {
            "max_attempts": rng.choice((1, 2, 3, 3, 5)),
            "initial": rng.choice(grid),
            "multiplier": rng.choice((1.0, 2.0, 3.0)),
            "cap": rng.choice(grid),
            "max_age": rng.choice((0, 0, 4 * tick, 9 * tick)),
            "ttl": rng.choice(grid),
            "timeout": rng.choice(grid),
        }
        steps, at, puts = [], 0, 0
        for _ in range(rng.randrange(4, 40)):
            at += rng.choice((0, 0, 0, tick, tick, 2 * tick, 7 * tick))
            message, consumer = f"m{rng.randrange(puts + 1)}", rng.choice("uvww")
            arguments = rng.choice(
                (
                    {"do": "put", "message": f"m{puts}"},
                    {"do": "put", "message": f"m{puts}"},
                    {
                        "do": "add_consumer",
                        "consumer": consumer,
                        "on_message": rng.choice(("hold", "hold", "ack", {"fail": "x"})),
                        "prefetch": rng.choice((None, 1, 1, 2)),
                    },
                    {"do": "remove_consumer", "consumer": consumer},
                    {"do": "ack", "message": message},
                    {"do": "nack", "message": message, "error": rng.choice((None, "", "e"))},
                    {"do": "nack", "message": message},
                    {"do": rng.choice(("ack", "nack")), "message": message, "delivery": rng.randrange(1, 4)},
                    {"do": "replay", "message": message},
                    {"do": "replay", "message": message},
                    {"do": "stats"},
                    {"do": "dead_letters"},
                    {"do": "wait"},
                )
            )
            puts += arguments["do"] == "put"
            steps.append({"at": at, **arguments})
        return settings, steps

    def naive(self, settings, steps):
        queue = NaiveQueue(**settings)
        for taken in steps:
            queue.take(**taken)
        return queue.trace

    def found(self, settings, steps):
        policy = RetryPolicy(
            max_attempts=settings["max_attempts"],
            initial_delay=settings["initial"],
            multiplier=settings["multiplier"],
            max_delay=settings["cap"],
            max_message_age=settings["max_age"] / 1000,
            jitter_factor=0.5,
        )
        wire = [{**taken, "at": taken["at"] / 1000} for taken in steps]
        trace = scenario.trace(policy, settings["ttl"], settings["timeout"], wire)
        return [self.flat(event) for event in trace]

    @classmethod
    def flat(cls, event):
        kept = {key: round(value * 1000) if key in ("at", "until") else value for key, value in event.items()}
        if "messages" in kept:
            kept["messages"] = [(*cls.flat(letter)[1:], cls.flat(letter)[0]) for letter in kept["messages"]]
        return tuple(kept.values())

    def test_many(self):
        rng, compared = random.Random(20), 0
        for _ in range(1500):
            settings, steps = self.scenario(rng)
            try:
                expected = self.naive(settings, steps)
            except Choice:
                continue
            compared += 1
            if self.found(settings, steps) != expected:  # to be shown at its shortest
                while True:
                    end = len(steps) - 1
                    if self.found(settings, steps[:end]) == self.naive(settings, steps[:end]):
                        break
                    steps = steps[:end]
                self.assertEqual(self.found(settings, steps), self.naive(settings, steps), (settings, steps))
        self.assertGreater(compared, 500)


if __name__ == "__main__":
    unittest.main()
