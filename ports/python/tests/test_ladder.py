"""Chapter 5: the rungs of a ladder, and the rung for a delay."""

import math
import random
import unittest

from setting import milliseconds, waits

from retrywait import HORIZON, InvalidArgument, RetryPolicy, Rung, RungTooLong, ladder, rung_for

LAST = 2147483647


def ttls(policy, threshold=30.0):
    return [rung.ttl_ms for rung in ladder(policy, "q", "x", threshold)]


class Ladder(unittest.TestCase):
    def test_the_example_of_the_chapter(self):
        (rung,) = ladder(RetryPolicy.exponential(11, 0.1, 3600), "orders", "retries")
        self.assertEqual(rung.name, "orders.retry.51200ms")
        self.assertEqual(
            rung.arguments,
            {"x-message-ttl": 51200, "x-dead-letter-exchange": "retries", "x-dead-letter-routing-key": "orders"},
        )

    def test_labels(self):
        """(L-5)"""
        for ttl, label in {
            1: "1ms",
            500: "500ms",
            1000: "1s",
            33750: "33750ms",
            51200: "51200ms",
            60000: "1m",
            90000: "90s",
            5400000: "90m",
            7200000: "2h",
            86400000: "24h",
            315360000000: "87600h",
        }.items():
            self.assertEqual(Rung("q", "", ttl).name, f"q.retry.{label}")

    def test_rounding(self):
        """(L-2): halves away from zero"""
        for delay, ttl in (
            (0.0025, 3),  # to even it would be 2
            (0.0015, 2),
            (0.0005, 1),
            (4294967.2965, 4294967297),
            (0.001, 1),
            (33.75, 33750),
        ):
            with self.subTest(delay=delay):
                self.assertEqual(milliseconds(delay), ttl)
                self.assertEqual(ttls(RetryPolicy.fixed(2, delay), 1e-9), [ttl])

    def test_just_below_half_a_millisecond_there_is_no_rung(self):
        """(L-3)"""
        delay = 0.0004999999999999999  # the neighbour of 0.0005
        self.assertEqual(milliseconds(delay), 0)
        self.assertEqual(ttls(RetryPolicy.fixed(2, delay), 1e-9), [])

    def test_against_exact_arithmetic(self):
        """(L-1, L-2, L-7)"""
        draw = random.Random(5)
        for _ in range(300):
            initial, multiplier, cap = draw.uniform(0, 40), draw.uniform(1, 1.5), draw.choice([0.0, 100.0])
            threshold = draw.choice([0.0, 1e-6, 30.0, draw.uniform(0, 90)])
            expected = {}
            for delay in waits(initial, multiplier, cap, 20):
                if threshold > 0 and delay > 0 and delay >= threshold and milliseconds(delay) > 0:
                    expected[milliseconds(delay)] = None
            self.assertEqual(ttls(RetryPolicy(21, initial, multiplier, cap), threshold), list(expected))

    def test_the_threshold_belongs_to_the_broker(self):
        """(L-1)"""
        policy = RetryPolicy(4, 15.0)
        self.assertEqual(ttls(policy), [30000, 60000])
        self.assertEqual(ttls(policy, 30.000000000000004), [60000])
        self.assertEqual(ttls(policy, 0), [])
        self.assertEqual(ttls(policy, -0.0), [])
        self.assertEqual(ttls(RetryPolicy.fixed(9, 0), 5e-324), [])

    def test_one_rung_for_each_ttl(self):
        """(L-7)"""
        self.assertEqual(ttls(RetryPolicy.fixed(50, 60)), [60000])
        self.assertEqual(ttls(RetryPolicy(4, 30.0001, 1.000001)), [30000])  # 30000.1, 30000.13 and 30000.16 ms

    def test_two_thousand_million_attempts_are_quick(self):
        self.assertEqual(ttls(RetryPolicy(LAST, 20.0, 2.0, 100.0)), [40000, 80000, 100000])
        self.assertEqual(ttls(RetryPolicy.fixed(LAST, 60)), [60000])
        self.assertEqual(rung_for(RetryPolicy.fixed(LAST, 60), "q", 30), "q.retry.1m")

    def test_the_longest_rung(self):
        """(L-4)"""
        self.assertEqual(ttls(RetryPolicy.fixed(2, 315360000)), [315360000000])
        self.assertEqual(ttls(RetryPolicy.fixed(2, 315360000.0004)), [315360000000])
        too_long = RetryPolicy.fixed(2, 315360000.001)
        with self.assertRaises(RungTooLong) as caught:
            ladder(too_long, "q")
        self.assertIn("315360000001 ms is needed", str(caught.exception))
        self.assertEqual(ttls(too_long, 0.0), [])
        self.assertEqual(ttls(too_long, 315360001.0), [])
        self.assertEqual(ttls(RetryPolicy.fixed(1, HORIZON)), [])

    def test_arguments_are_judged_in_order(self):
        """(L-12)"""
        too_long = RetryPolicy.fixed(2, HORIZON)
        for queue, threshold, delay, field in (
            ("", -1, -1, "queue"),
            (None, -1, -1, "queue"),
            ("q", -1, -1, "threshold"),
            ("q", math.nan, -1, "threshold"),
            ("q", 4294967296.000001, -1, "threshold"),
        ):
            with self.subTest(queue=queue, threshold=threshold, delay=delay):
                with self.assertRaises(InvalidArgument) as caught:
                    rung_for(too_long, queue, delay, "", threshold)
                self.assertEqual(caught.exception.field, field)
                with self.assertRaises(InvalidArgument) as caught:
                    ladder(too_long, queue, "", threshold)
                self.assertEqual(caught.exception.field, field)
        for delay in (1.0, -1.0, math.inf):
            with self.subTest(delay=delay), self.assertRaises(RungTooLong):
                rung_for(too_long, "q", delay)
        for delay in (-1.0, math.inf):
            with self.subTest(delay=delay), self.assertRaises(InvalidArgument) as caught:
                rung_for(RetryPolicy.fixed(2, 60.0), "q", delay)
            self.assertEqual(caught.exception.field, "delay")


class RungFor(unittest.TestCase):
    policy = RetryPolicy(4, 30.0)  # rungs of 30, 60 and 120 seconds

    def test_the_rung_found(self):
        """(L-10, L-11)"""
        for delay, rung in (
            (0, None),
            (29.999, None),
            (30, "q.retry.30s"),
            (30.0004, "q.retry.30s"),
            (30.0005, "q.retry.1m"),
            (60, "q.retry.1m"),
            (60.001, "q.retry.2m"),
            (121, "q.retry.2m"),
            (HORIZON, "q.retry.2m"),
        ):
            with self.subTest(delay=delay):
                self.assertEqual(rung_for(self.policy, "q", delay), rung)

    def test_no_rung_no_name(self):
        self.assertIsNone(rung_for(RetryPolicy.none(), "q", 60))
        self.assertIsNone(rung_for(self.policy, "q", 60, threshold=0))
        self.assertIsNone(rung_for(RetryPolicy.fixed(2, 1), "q", 0.0004, threshold=1e-9))  # its ttl_ms is 0
        self.assertEqual(rung_for(RetryPolicy.fixed(2, 1), "q", 0.0005, threshold=1e-9), "q.retry.1s")

    def test_every_delay_of_a_schedule_finds_its_own_rung(self):
        policy = RetryPolicy(12, 30.00049, 1.37)
        rungs = ladder(policy, "q")
        self.assertEqual([rung_for(policy, "q", delay) for delay in policy.schedule()], [rung.name for rung in rungs])


if __name__ == "__main__":
    unittest.main()
