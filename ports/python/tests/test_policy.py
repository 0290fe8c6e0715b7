"""Chapters 1 to 4: the policy, its waits, when it gives up, and jitter."""

import dataclasses
import doctest
import math
import os
import pickle
import random
import subprocess
import sys
import tracemalloc
import unittest
from collections import Counter
from fractions import Fraction
from itertools import islice
from unittest import mock

from setting import HERE, README, product, rounded, waits

from retrywait import HORIZON, GiveUp, InvalidArgument, InvalidPolicy, RetryPolicy

LAST = 2147483647
JUST_BELOW_1 = 1.0 - 2.0**-53
JUST_ABOVE_1 = 1.0 + 2.0**-52
TINIEST = 5e-324


class Building(unittest.TestCase):
    def refused(self, field, make):
        with self.assertRaises(InvalidPolicy) as caught:
            make()
        self.assertEqual(caught.exception.field, field)
        return caught.exception

    def test_defaults(self):
        """(P-1)"""
        self.assertEqual(
            dataclasses.astuple(RetryPolicy()),
            (1, 0.0, 2.0, 0.0, 0.0, 0.0),
        )

    def test_both_ends_of_every_range_are_legal(self):
        for field, ends in {
            "max_attempts": (1, LAST),
            "initial_delay": (0.0, 4294967296.0),
            "multiplier": (1.0, 1.7976931348623157e308),
            "max_delay": (0.0, 4294967296.0),
            "jitter_factor": (0.0, 1.0),
            "max_message_age": (0.0, 4294967296.0),
        }.items():
            for value in ends:
                with self.subTest(field=field, value=value):
                    self.assertEqual(getattr(RetryPolicy(**{field: value}), field), value)

    def test_what_lies_outside_is_refused(self):
        """(P-9)"""
        no_number = [math.nan, math.inf, -math.inf, None, "1", True, False, [], 1j, 10**400, -(10**400)]
        for field, outside in {
            "max_attempts": [0, -1, LAST + 1, 2**63, -(2**63), 2.0, 2.5],
            "initial_delay": [-TINIEST, 4294967296.000001],
            "multiplier": [JUST_BELOW_1, 0, 0.5, -2.0],
            "max_delay": [-1, 2**32 + 1],
            "jitter_factor": [-TINIEST, JUST_ABOVE_1, 2],
            "max_message_age": [-0.5, 1e300],
        }.items():
            for value in outside + no_number:
                with self.subTest(field=field, value=value):
                    self.refused(field, lambda: RetryPolicy(**{field: value}))

    def test_the_first_offending_field_is_named(self):
        """(P-10)"""
        fields = [field.name for field in dataclasses.fields(RetryPolicy)]
        for first in range(len(fields)):
            with self.subTest(first=fields[first]):
                self.refused(fields[first], lambda: RetryPolicy(**{field: math.nan for field in fields[first:]}))

    def test_integers_become_floats_and_negative_zero_positive(self):
        """(P-3, P-7)"""
        policy = RetryPolicy(2, initial_delay=3, multiplier=2, max_delay=-0.0, jitter_factor=1, max_message_age=-0.0)
        self.assertEqual(repr(dataclasses.astuple(policy)), "(2, 3.0, 2.0, 0.0, 1.0, 0.0)")

    def test_the_message_says_what_was_found_and_what_was_needed(self):
        refusal = self.refused("multiplier", lambda: RetryPolicy(multiplier=0.5))
        self.assertEqual(str(refusal), "multiplier is 0.5, but must be a finite number of 1 or more")
        refusal = self.refused("max_attempts", lambda: RetryPolicy(max_attempts=10**5000))
        self.assertTrue(str(refusal).endswith("but must be an integer from 1 to 2147483647"))

    def test_a_refusal_can_be_pickled(self):
        refusal = self.refused("multiplier", lambda: RetryPolicy(multiplier=0.5))
        copy = pickle.loads(pickle.dumps(refusal))
        self.assertEqual((copy.field, str(copy)), ("multiplier", str(refusal)))

    def test_factories(self):
        """(P-12 to P-14)"""
        astuple = dataclasses.astuple
        self.assertEqual(astuple(RetryPolicy.none()), (1, 0.0, 2.0, 0.0, 0.0, 0.0))
        self.assertEqual(astuple(RetryPolicy.fixed(3, 5)), (3, 5.0, 1.0, 0.0, 0.0, 0.0))
        self.assertEqual(astuple(RetryPolicy.exponential(4, 1)), (4, 1.0, 2.0, 0.0, 0.2, 0.0))
        self.assertEqual(astuple(RetryPolicy.exponential(4, 1, 9)), (4, 1.0, 2.0, 9.0, 0.2, 0.0))

    def test_factories_and_copies_refuse_under_the_name_of_the_field(self):
        """(P-16)"""
        policy = RetryPolicy.fixed(3, 5)
        self.refused("initial_delay", lambda: RetryPolicy.fixed(3, -1))
        self.refused("max_attempts", lambda: RetryPolicy.exponential(0, -1, -1))
        self.refused("max_delay", lambda: RetryPolicy.exponential(1, 1, math.nan))
        self.refused("max_message_age", lambda: policy.give_up_after(-1).with_jitter(2))
        self.refused("jitter_factor", lambda: policy.with_jitter(2).give_up_after(-1))

    def test_copies_leave_the_rest_and_the_original_as_they_were(self):
        """(P-15)"""
        policy = RetryPolicy(7, 1.5, 3.0, 100.0, 0.25, 60.0)
        self.assertEqual(dataclasses.astuple(policy.give_up_after(5)), (7, 1.5, 3.0, 100.0, 0.25, 5.0))
        self.assertEqual(dataclasses.astuple(policy.with_jitter(0.5)), (7, 1.5, 3.0, 100.0, 0.5, 60.0))
        self.assertEqual(dataclasses.astuple(policy), (7, 1.5, 3.0, 100.0, 0.25, 60.0))
        with self.assertRaises(dataclasses.FrozenInstanceError):
            policy.multiplier = 1.0


class Waiting(unittest.TestCase):
    def test_the_example_of_the_chapter(self):
        policy = RetryPolicy(max_attempts=5, initial_delay=1.0, max_delay=10.0)
        self.assertEqual([policy.backoff(n) for n in (1, 2, 3, 4, 5, 5000)], [1.0, 2.0, 4.0, 8.0, 10.0, 10.0])
        self.assertEqual(list(policy.schedule()), [1.0, 2.0, 4.0, 8.0])

    def test_products_are_rounded_once_each_and_nowhere_else(self):
        """(B-5)"""
        self.assertEqual(RetryPolicy(initial_delay=100.0, multiplier=1.15).backoff(2), 114.99999999999999)
        # 1.1 * 1.1 first, or pow, would give 121.00000000000001.
        self.assertEqual(RetryPolicy(initial_delay=100.0, multiplier=1.1).backoff(3), 121.00000000000003)

    def test_against_exact_arithmetic(self):
        """(B-4, B-10)"""
        draw = random.Random(20)
        for _ in range(150):
            initial = draw.choice([draw.random(), draw.uniform(0, 1e4), TINIEST, 1e-320, 0.0, 3e9])
            multiplier = draw.choice([1.0, JUST_ABOVE_1, 1.4, 1.5, 2.0, draw.uniform(1, 4), 1e200])
            cap = draw.choice([0.0, draw.uniform(0, 50), 1e-310, HORIZON])
            policy = RetryPolicy(30, initial, multiplier, cap)
            with self.subTest(policy=policy):
                expected = waits(initial, multiplier, cap, 30)
                self.assertEqual([policy.backoff(n) for n in range(1, 31)], expected)
                self.assertEqual(list(policy.schedule()), expected[:-1])

    def test_the_cap(self):
        """(P-8, B-3, B-6)"""
        self.assertEqual(list(RetryPolicy(4, 10.0, 2.0, 3.0).schedule()), [3.0, 3.0, 3.0])
        self.assertEqual(list(RetryPolicy(4, 4.0, 2.0, 8.0).schedule()), [4.0, 8.0, 8.0])
        self.assertEqual(RetryPolicy(initial_delay=1.0).backoff(33), 4294967296.0)
        self.assertEqual(RetryPolicy(initial_delay=1.0).backoff(34), 4294967296.0)

    def test_a_product_that_overflows_does_not_show(self):
        """(B-7)"""
        self.assertEqual(RetryPolicy(initial_delay=4e9, multiplier=1.7e308).backoff(2), 4294967296.0)
        self.assertEqual(RetryPolicy(initial_delay=0.0, multiplier=1.7e308).backoff(LAST), 0.0)

    def test_huge_attempts_are_quick_once_the_delay_stays(self):
        """(B-8): by counting through 2^31 attempts, any of these would take minutes."""
        for policy, delay in (
            (RetryPolicy(initial_delay=1.0, max_delay=10.0), 10.0),
            (RetryPolicy(initial_delay=1.0), 4294967296.0),
            (RetryPolicy(initial_delay=7.0, multiplier=1.0), 7.0),
            (RetryPolicy(initial_delay=0.0), 0.0),
            (RetryPolicy(initial_delay=TINIEST, multiplier=1.4), TINIEST),  # 1.4 units of 2^-1074, rounded to 1
        ):
            with self.subTest(policy=policy):
                self.assertEqual(policy.backoff(LAST), delay)

    def test_an_attempt_that_is_none_is_refused(self):
        """(B-2)"""
        for attempt in (0, -1, LAST + 1, 2**63, -(2**63), 1.0, math.nan, None, True, "1"):
            with self.subTest(attempt=attempt), self.assertRaises(InvalidArgument) as caught:
                RetryPolicy().backoff(attempt)
            self.assertEqual(caught.exception.field, "attempt")

    def test_the_schedule_is_empty_without_a_retry(self):
        """(B-9)"""
        self.assertEqual(list(RetryPolicy(1, 5.0).schedule()), [])
        self.assertEqual(list(RetryPolicy(3, 5.0, 2.0, 0.0, 0.9, 0.1).schedule()), [5.0, 10.0])

    def test_the_schedule_takes_no_memory_for_its_length(self):
        """(B-11)"""
        tracemalloc.start()
        try:
            waited = sum(islice(RetryPolicy(LAST, 1.0, 2.0, 4.0).schedule(), 100_000))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        self.assertEqual(waited, 1.0 + 2.0 + 4.0 * 99_998)
        self.assertLess(peak, 20_000)

    def test_distinct_delays_are_the_schedule_without_repetitions(self):
        self.assertEqual(list(RetryPolicy(LAST, 1.0, 2.0, 5.0).distinct_delays()), [1.0, 2.0, 4.0, 5.0])
        self.assertEqual(list(RetryPolicy(LAST, 1.0, 2.0, 4.0).distinct_delays()), [1.0, 2.0, 4.0])
        self.assertEqual(list(RetryPolicy(LAST, 3.0, 1.0).distinct_delays()), [3.0])
        self.assertEqual(list(RetryPolicy(3, 1.0, 2.0, 5.0).distinct_delays()), [1.0, 2.0])
        self.assertEqual(list(RetryPolicy(1, 1.0).distinct_delays()), [])


class GivingUp(unittest.TestCase):
    policy = RetryPolicy(5, 1.0, max_message_age=60.0, jitter_factor=0.5)

    def test_the_examples_of_the_chapter(self):
        unlimited = RetryPolicy(5, 1.0)
        for policy, attempt, age, answer in (
            (unlimited, 4, None, 8.0),
            (unlimited, 5, None, GiveUp.MAX_ATTEMPTS),
            (self.policy, 1, 59.99, 1.0),
            (self.policy, 1, 60.0, GiveUp.MAX_MESSAGE_AGE),
            (self.policy, 5, 60.0, GiveUp.MAX_ATTEMPTS),
            (self.policy, 1, -3.0, 1.0),
        ):
            with self.subTest(attempt=attempt, age=age):
                self.assertEqual(policy.next_delay(attempt, age), answer)

    def test_ages_at_the_edges(self):
        """(N-6 to N-8)"""
        for age, answer in (
            (None, 8.0),
            (0, 8.0),
            (-0.0, 8.0),
            (-math.inf, 8.0),
            (-(10**400), 8.0),
            (59.99999999999999, 8.0),  # with the delay added it would be too old
            (math.inf, GiveUp.MAX_MESSAGE_AGE),
            (10**400, GiveUp.MAX_MESSAGE_AGE),
        ):
            with self.subTest(age=age):
                self.assertEqual(self.policy.next_delay(4, age), answer)
        self.assertEqual(RetryPolicy(5, 1.0).next_delay(1, math.inf), 1.0)  # no limit, none reached (P-5)

    def test_arguments_are_judged_first_and_in_order(self):
        """(N-1)"""
        for attempt, field in ((0, "attempt"), (1, "message_age"), (9, "message_age")):
            with self.subTest(attempt=attempt), self.assertRaises(InvalidArgument) as caught:
                self.policy.next_delay(attempt, math.nan)
            self.assertEqual(caught.exception.field, field)


class Jitter(unittest.TestCase):
    def test_the_examples_of_the_chapter(self):
        policy = RetryPolicy(jitter_factor=0.2)
        self.assertEqual([policy.jittered(10, u) for u in (0.0, 0.5, 0.75)], [8.0, 10.0, 11.0])

    def test_every_operation_is_rounded_in_its_turn(self):
        """(J-1, J-2)"""
        draw = random.Random(4)
        for _ in range(2000):
            delay, u, factor = draw.uniform(0, 1e5), draw.random(), draw.random()
            twice = product(u, 2.0)
            centred = rounded(Fraction(twice) - 1)
            around_1 = rounded(1 + Fraction(product(centred, factor)))
            self.assertEqual(RetryPolicy(jitter_factor=factor).jittered(delay, u), product(delay, around_1))

    def test_nothing_to_move_and_nothing_to_move_by(self):
        """(J-3)"""
        for u in (0.0, 0.3, JUST_BELOW_1):
            self.assertEqual(RetryPolicy().jittered(0.1, u), 0.1)
            self.assertEqual(repr(RetryPolicy(jitter_factor=1).jittered(-0.0, u)), "0.0")

    def test_it_goes_down_to_0_and_above_the_cap_and_the_horizon(self):
        """(J-4, J-5)"""
        policy = RetryPolicy(jitter_factor=1.0, max_delay=10.0)
        self.assertEqual(repr(policy.jittered(10.0, 0.0)), "0.0")
        self.assertEqual(policy.jittered(10.0, 0.75), 15.0)
        self.assertEqual(policy.jittered(HORIZON, 0.75), 6442450944.0)

    def test_arguments_are_judged_in_order(self):
        """(J-7), with a factor of 0 as well"""
        for delay, u, field in (
            (-1, 2, "delay"),
            (math.nan, math.nan, "delay"),
            (4294967296.000001, 0.5, "delay"),
            (0.0, 1.0, "draw"),
            (0.0, -TINIEST, "draw"),
            (1.0, math.nan, "draw"),
        ):
            with self.subTest(delay=delay, draw=u), self.assertRaises(InvalidArgument) as caught:
                RetryPolicy().jittered(delay, u)
            self.assertEqual(caught.exception.field, field)

    def test_it_draws_on_its_own(self):
        policy = RetryPolicy(jitter_factor=0.2)
        drawn = [policy.jittered(10.0) for _ in range(1000)]
        self.assertTrue(all(8.0 <= delay <= 12.0 for delay in drawn))
        self.assertTrue(min(drawn) < 9.0 and max(drawn) > 11.0)  # missed once in 10^125 runs

    def test_fresh_processes_draw_differently(self):
        """(J-9), even where a program seeds the global generator"""
        program = "import random, retrywait; random.seed(1); print(retrywait.RetryPolicy(jitter_factor=1).jittered(1))"
        drawn = {subprocess.check_output([sys.executable, "-c", program], cwd=HERE) for _ in range(2)}
        self.assertEqual(len(drawn), 2)

    @unittest.skipUnless(hasattr(os, "fork"), "this system cannot fork")
    def test_forked_workers_draw_differently(self):
        """(J-9): a worker is a process too, and inherits all state that its parent has."""
        program = (
            "import os, retrywait; policy = retrywait.RetryPolicy(jitter_factor=1); policy.jittered(1);"
            "worker = os.fork(); worker and os.wait(); print(policy.jitter_samples(1, 3), flush=True)"
        )
        drawn = subprocess.check_output([sys.executable, "-c", program], cwd=HERE).splitlines()
        self.assertEqual((len(drawn), len(set(drawn))), (2, 2))


class Samples(unittest.TestCase):
    policy = RetryPolicy(jitter_factor=0.2, max_delay=10.0)

    def test_each_has_a_draw_of_its_own_in_the_order_of_the_draws(self):
        """(J-10)"""
        with mock.patch("retrywait.policy._draw", side_effect=[0.75, 0.0, 0.5]) as draw:
            self.assertEqual(self.policy.jitter_samples(10, 3), [11.0, 8.0, 10.0])
        self.assertEqual(draw.call_count, 3)

    def test_they_spread_evenly_over_both_sides(self):
        """(J-9): 1000 are due in each of ten parts, with a standard deviation of 30."""
        samples = self.policy.jitter_samples(10.0, 10_000)
        self.assertEqual(len(samples), 10_000)
        self.assertTrue(all(8.0 <= delay <= 12.0 for delay in samples))
        parts = Counter(int((delay - 8.0) * 2.5) for delay in samples)
        self.assertTrue(all(800 < parts[part] < 1200 for part in range(10)), parts)

    def test_nothing_to_move_and_nothing_to_move_by(self):
        """(J-3)"""
        self.assertEqual(RetryPolicy().jitter_samples(0.1, 3), [0.1, 0.1, 0.1])
        self.assertEqual(repr(self.policy.jitter_samples(-0.0, 2)), "[0.0, 0.0]")

    def test_both_ends_of_the_count_are_legal(self):
        self.assertEqual(len(self.policy.jitter_samples(1, 1)), 1)
        self.assertEqual(len(self.policy.jitter_samples(1, 1_000_000)), 1_000_000)

    def test_the_delay_is_judged_before_the_count(self):
        """(J-11), with a factor of 0 as well"""
        for delay, count, field in (
            (-TINIEST, 0, "delay"),
            (math.nan, -1, "delay"),
            (4294967296.000001, 1, "delay"),
            (0.0, 0, "count"),
            (HORIZON, 1_000_001, "count"),
            (1.0, -(2**63), "count"),
            (1.0, 2**63 - 1, "count"),
            (1.0, True, "count"),
            (1.0, 2.0, "count"),
        ):
            with self.subTest(delay=delay, count=count), self.assertRaises(InvalidArgument) as caught:
                RetryPolicy().jitter_samples(delay, count)
            self.assertEqual(caught.exception.field, field)


class Readme(unittest.TestCase):
    def test_its_example_works(self):
        failed, tried = doctest.testfile(str(README), module_relative=False)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 3)


if __name__ == "__main__":
    unittest.main()
