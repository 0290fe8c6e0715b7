"""Chapter 6: the work queue and its clock. The expected events are derived by hand."""

import contextlib
import io
import logging
import math
import pickle
import random
import sys
import unittest

import setting  # noqa: F401  (where the library lies)

from retrywait import (
    HORIZON,
    Dead,
    Delivery,
    DuplicateConsumer,
    DuplicateMessage,
    FakeClock,
    InvalidArgument,
    NotDead,
    Ready,
    RetryPolicy,
    Stats,
    UnknownConsumer,
    UnknownDelivery,
    WorkQueue,
)
from retrywait.timetable import Timetable

ONCE_A_SECOND = RetryPolicy.fixed(3, 1.0)
AT_ONCE = RetryPolicy.fixed(3, 0.0)


def failing(text):
    def on_message(delivery):
        raise RuntimeError(text)

    return on_message


class QueueCase(unittest.TestCase):
    def make(self, policy=ONCE_A_SECOND, **limits):
        self.clock = FakeClock()
        self.seen = []
        self.queue = WorkQueue(policy, self.clock, **limits, listener=self.seen.append)
        return self.queue

    def at(self, instant):
        """The queue, at this instant."""
        self.clock.advance_to(instant)
        return self.queue

    def happened(self, *expected):
        """What has happened since it was last asked for: (at, what, message, ...)."""
        found = [(event.at, type(event).__name__.lower(), *list(vars(event).values())[1:]) for event in self.seen]
        self.seen.clear()
        self.assertEqual(found, list(expected))

    def stands(self, ready=0, delayed=0, leased=0, dead=0):
        self.assertEqual(self.queue.stats(), Stats(ready, delayed, leased, dead))


class Limits(QueueCase):
    def test_both_ends_are_legal(self):
        """(Q-31)"""
        for limit in (0, 0.0, -0.0, HORIZON, 4294967296):
            self.make(message_ttl=limit, ack_timeout=limit)

    def test_what_lies_outside_is_refused_in_order(self):
        for bad in (-1e-9, 4294967296.000001, math.nan, math.inf, None, "1", True):
            for limits, field in (
                ({"message_ttl": bad}, "message_ttl"),
                ({"ack_timeout": bad}, "ack_timeout"),
                ({"ack_timeout": bad, "message_ttl": bad}, "message_ttl"),
            ):
                with self.subTest(limits), self.assertRaises(InvalidArgument) as caught:
                    self.make(**limits)
                self.assertEqual(caught.exception.field, field)

    def test_a_prefetch_is_one_or_more(self):
        for bad in (0, -1, 1.0, True, "1"):
            with self.subTest(bad), self.assertRaises(InvalidArgument) as caught:
                self.make().add_consumer("c", prefetch=bad)
            self.assertEqual(caught.exception.field, "prefetch")
        self.queue.add_consumer("c")  # the name was not taken

    def test_none_at_0(self):
        self.make()
        self.queue.put("a")
        self.queue.put("b")
        self.queue.add_consumer("c", prefetch=1)
        self.clock.advance(10**15)
        self.stands(ready=1, leased=1)


class Delivering(QueueCase):
    def test_the_longest_ready_comes_first(self):
        """(Q-2, Q-3)"""
        self.make()
        for name in "bac":
            self.queue.put(name)
        self.queue.add_consumer("w")
        self.happened(
            (0, "ready", "b"),
            (0, "ready", "a"),
            (0, "ready", "c"),
            (0, "delivered", "b", 1, "w"),
            (0, "delivered", "a", 1, "w"),
            (0, "delivered", "c", 1, "w"),
        )

    def test_a_prefetch_is_a_limit_of_leases(self):
        """(Q-4)"""
        self.make()
        self.queue.add_consumer("w", prefetch=2)
        for name in "abcd":
            self.queue.put(name)
        self.stands(ready=2, leased=2)
        self.seen.clear()
        self.queue.ack("b")
        self.happened((0, "acked", "b", 1), (0, "delivered", "c", 1, "w"))
        self.queue.nack("a")
        self.happened((0, "failed", "a", 1, None), (0, "delayed", "a", 1000), (0, "delivered", "d", 1, "w"))

    def test_all_consumers_with_room_get_their_share(self):
        self.make()
        self.queue.add_consumer("v", Delivery.ack)
        self.queue.add_consumer("w", Delivery.ack)
        self.queue.add_consumer("full", prefetch=1)
        for number in range(9):
            self.queue.put(f"{number}")
        who = [event.consumer for event in self.seen if hasattr(event, "consumer")]
        self.assertEqual({name: who.count(name) for name in who}, {"v": 4, "w": 4, "full": 1})

    def test_a_handler_settles_before_anything_else_is_delivered(self):
        """(Q-7)"""
        self.make(AT_ONCE)
        self.queue.put("a")
        self.queue.put("b")
        self.queue.add_consumer("w", Delivery.ack)
        self.happened(
            (0, "ready", "a"),
            (0, "ready", "b"),
            (0, "delivered", "a", 1, "w"),
            (0, "acked", "a", 1),
            (0, "delivered", "b", 1, "w"),
            (0, "acked", "b", 1),
        )
        self.stands()

    def test_a_failing_handler(self):
        """(Q-7, Q-15): each goes behind the other, until both are dead"""
        self.make(RetryPolicy.fixed(2, 0.0))
        self.queue.put("a")
        self.queue.put("b")
        self.seen.clear()
        self.queue.add_consumer("w", failing("broken"))
        self.happened(
            (0, "delivered", "a", 1, "w"),
            (0, "failed", "a", 1, "broken"),
            (0, "ready", "a"),
            (0, "delivered", "b", 1, "w"),
            (0, "failed", "b", 1, "broken"),
            (0, "ready", "b"),
            (0, "delivered", "a", 2, "w"),
            (0, "failed", "a", 2, "broken"),
            (0, "dead", "a", "max_attempts", "broken", 2),
            (0, "delivered", "b", 2, "w"),
            (0, "failed", "b", 2, "broken"),
            (0, "dead", "b", "max_attempts", "broken", 2),
        )

    def test_a_handler_may_do_anything_to_the_queue(self):
        self.make(AT_ONCE)

        def on_message(delivery):
            if delivery.message == "first":
                self.queue.put("second")  # is delivered when this delivery is done with
                self.stands(ready=1, leased=1)
                delivery.nack("")
                self.assertFalse(delivery.is_live)
                raise RuntimeError("too late to matter")
            self.queue.remove_consumer("w")

        self.queue.add_consumer("w", on_message, prefetch=1)
        self.queue.put("first")
        self.happened(
            (0, "ready", "first"),
            (0, "delivered", "first", 1, "w"),
            (0, "ready", "second"),
            (0, "failed", "first", 1, ""),
            (0, "ready", "first"),
            (0, "delivered", "second", 1, "w"),
            (0, "failed", "second", 1, "consumer removed"),
            (0, "ready", "second"),
        )
        self.stands(ready=2)

    def test_a_failing_handler_is_logged(self):
        self.make()
        self.queue.add_consumer("w", failing("broken"))
        with self.assertLogs("retrywait", logging.WARNING) as logs:
            self.queue.put("a")
        self.assertIn("RuntimeError: broken", logs.output[0])
        with contextlib.redirect_stderr(io.StringIO()) as shown:  # and not shown to who has not asked for it
            self.queue.put("b")
        self.assertEqual(shown.getvalue(), "")

    def test_what_a_delivery_says_of_itself(self):
        """(Q-10): the number counts on after a replay"""
        self.make(RetryPolicy.none())
        held = []
        self.queue.add_consumer("w", held.append)
        self.queue.put("a")
        held[0].nack("no")
        self.queue.replay("a")
        said = [(d.message, d.consumer, d.attempt, d.number, d.is_live) for d in held]
        self.assertEqual(said, [("a", "w", 1, 1, False), ("a", "w", 1, 2, True)])
        held[1].ack()
        self.stands()


class Settling(QueueCase):
    def test_a_stale_delivery_is_refused_and_nothing_happens(self):
        """(Q-10)"""
        self.make(AT_ONCE)
        held = []
        self.queue.add_consumer("w", held.append)
        self.queue.put("a")
        self.queue.nack("a", 1)
        self.seen.clear()
        for settle in (self.queue.ack, self.queue.nack):
            for delivery in (1, 3, 0, -1):
                with self.assertRaises(UnknownDelivery):
                    settle("a", delivery)
            with self.assertRaises(UnknownDelivery):
                settle("nobody")
        for settle in (held[0].ack, held[0].nack):
            with self.assertRaises(UnknownDelivery):
                settle()
        self.happened()
        self.queue.ack("a", 2)
        self.happened((0, "acked", "a", 2))
        with self.assertRaises(UnknownDelivery):
            self.queue.ack("a")

    def test_delayed_ready_and_dead_messages_have_no_live_delivery(self):
        self.make(RetryPolicy.fixed(2, 1.0))
        self.queue.put("a")
        self.queue.add_consumer("w")
        self.queue.nack("a")
        with self.assertRaises(UnknownDelivery):  # delayed
            self.queue.ack("a")
        self.queue.remove_consumer("w")
        with self.assertRaises(UnknownDelivery):  # ready
            self.at(1000).ack("a")
        self.queue.add_consumer("w")
        self.queue.nack("a")
        with self.assertRaises(UnknownDelivery):  # dead
            self.queue.nack("a")
        self.stands(dead=1)

    def test_an_old_delivery_does_not_settle_a_new_message_of_its_name(self):
        self.make()
        held = []
        self.queue.add_consumer("w", held.append)
        self.queue.put("a")
        self.queue.ack("a")
        self.queue.put("a")
        with self.assertRaises(UnknownDelivery):
            held[0].ack()
        self.stands(leased=1)

    def test_a_lease_runs_out(self):
        """(Q-6, Q-11)"""
        self.make(ack_timeout=0.3)
        self.queue.put("a")
        self.at(100).add_consumer("w")
        self.at(399)
        self.stands(leased=1)
        self.seen.clear()
        self.at(400)
        self.happened((400, "failed", "a", 1, "ack timeout"), (400, "delayed", "a", 1400))

    def test_a_lease_that_ends_now_has_ended(self):
        """(Q-25)"""
        self.make(ack_timeout=1)
        self.queue.put("a")
        self.queue.add_consumer("w")
        with self.assertRaises(UnknownDelivery):
            self.at(1000).ack("a")

    def test_a_settled_lease_does_not_run_out(self):
        self.make(ack_timeout=1.0)
        self.queue.add_consumer("w")
        self.queue.put("a")
        self.queue.put("b")
        self.at(500).nack("a", error="e")  # comes back at 1500, to a lease of its own
        self.seen.clear()
        self.at(2400)
        self.happened(
            (1000, "failed", "b", 1, "ack timeout"),
            (1000, "delayed", "b", 2000),
            (1500, "ready", "a"),
            (1500, "delivered", "a", 2, "w"),
            (2000, "ready", "b"),
            (2000, "delivered", "b", 2, "w"),
        )

    def test_a_removed_consumer(self):
        """(Q-12): in the order of delivery, and only what it holds"""
        self.make(AT_ONCE)
        self.queue.add_consumer("w")
        for name in "abc":
            self.queue.put(name)
        self.queue.nack("a")  # and so it is delivered last
        self.queue.add_consumer("v", prefetch=2)
        self.seen.clear()
        self.queue.remove_consumer("w")
        self.happened(
            (0, "failed", "b", 1, "consumer removed"),
            (0, "ready", "b"),
            (0, "failed", "c", 1, "consumer removed"),
            (0, "ready", "c"),
            (0, "failed", "a", 2, "consumer removed"),
            (0, "ready", "a"),
            (0, "delivered", "b", 2, "v"),
            (0, "delivered", "c", 2, "v"),
        )
        self.queue.put("d")
        self.stands(ready=2, leased=2)

    def test_names_of_consumers(self):
        """(Q-24)"""
        self.make()
        self.queue.add_consumer("w")
        with self.assertRaises(DuplicateConsumer):
            self.queue.add_consumer("w", Delivery.ack)
        with self.assertRaises(UnknownConsumer):
            self.queue.remove_consumer("v")
        self.queue.remove_consumer("w")
        with self.assertRaises(UnknownConsumer):
            self.queue.remove_consumer("w")
        self.queue.add_consumer("w", Delivery.ack)
        self.queue.put("a")
        self.stands()

    def test_names_of_messages(self):
        """(Q-1)"""
        self.make(RetryPolicy.none())
        self.queue.add_consumer("w")
        self.queue.put("a")
        self.queue.put("b")
        self.queue.nack("b")
        for name in "ab":
            with self.assertRaises(DuplicateMessage):
                self.queue.put(name)
        self.stands(leased=1, dead=1)


class Failing(QueueCase):
    def test_the_waits_of_the_policy(self):
        """(Q-13, Q-16): the table of the snooze button, without jitter whatever the policy says"""
        policy = RetryPolicy(max_attempts=6, initial_delay=1, max_delay=10, jitter_factor=1.0)
        self.make(policy)
        self.queue.add_consumer("w", failing("oops"))
        self.queue.put("a")
        self.clock.advance(10**9)
        delivered = [event.at for event in self.seen if hasattr(event, "consumer")]
        self.assertEqual(delivered, [0, 1000, 3000, 7000, 15000, 25000])

    def test_giving_up(self):
        """(Q-14): with the text of this failure, and be it none"""
        self.make(AT_ONCE)
        self.queue.add_consumer("w")
        self.queue.put("a")
        self.queue.nack("a", error="first")
        self.queue.nack("a", error="")
        self.seen.clear()
        self.queue.nack("a")
        self.happened((0, "failed", "a", 3, None), (0, "dead", "a", "max_attempts", None, 3))
        self.assertEqual(self.at(5000).dead_letters(), [Dead(0, "a", "max_attempts", None, 3)])

    def test_the_age_counts_from_the_put(self):
        """(Q-13, Q-20): it is looked at when an attempt has failed, and no retry restarts it"""
        self.make(RetryPolicy.fixed(9, 1.0).give_up_after(2.5))
        self.queue.put("a")
        self.queue.add_consumer("w")
        self.at(1499).nack("a")
        self.clock.advance_to(2499)  # delivered
        self.queue.nack("a")  # 2.499 s old
        self.clock.advance_to(3499)
        self.stands(leased=1)
        self.seen.clear()
        self.queue.nack("a", error="old")
        self.happened((3499, "failed", "a", 3, "old"), (3499, "dead", "a", "max_message_age", "old", 3))

    def test_an_age_equal_to_the_limit_is_old_enough(self):
        """(Q-32): an age of 100 ms is 0.1 s, though 1.0 - 0.9 is less"""
        self.make(RetryPolicy.fixed(9, 1.0).give_up_after(0.1))
        self.at(900).put("a")
        self.queue.add_consumer("w")
        self.seen.clear()
        self.at(1000).nack("a")
        self.happened((1000, "failed", "a", 1, None), (1000, "dead", "a", "max_message_age", None, 1))

    def test_delays_are_whole_milliseconds_halves_up(self):
        """(Q-32)"""
        for delay, until in ((0.0025, 3), (0.0024, 2), (1.0005, 1001), (0.0005, 1)):
            self.make(RetryPolicy.fixed(2, delay))
            self.queue.put("a")
            self.queue.add_consumer("w")
            self.seen.clear()
            self.queue.nack("a")
            self.happened((0, "failed", "a", 1, None), (0, "delayed", "a", until))

    def test_a_delay_that_rounds_to_none_is_none(self):
        """(Q-15, Q-32)"""
        self.make(RetryPolicy.fixed(2, 0.0004))
        self.queue.put("a")
        self.queue.add_consumer("w")
        self.seen.clear()
        self.queue.nack("a")
        self.happened((0, "failed", "a", 1, None), (0, "ready", "a"), (0, "delivered", "a", 2, "w"))


class UseBy(QueueCase):
    def test_who_waits_too_long_dies_at_its_instant(self):
        """(Q-18)"""
        self.make(message_ttl=5)
        self.queue.put("a")
        self.at(4999)
        self.stands(ready=1)
        self.at(7000)
        self.stands(dead=1)
        self.happened((0, "ready", "a"), (5000, "dead", "a", "ttl_expired", None, 0))

    def test_the_dead_are_not_delivered(self):
        self.make(message_ttl=1)
        self.queue.put("a")
        self.queue.put("b")
        self.at(500).put("c")
        self.at(1000).add_consumer("w")
        self.stands(leased=1, dead=2)

    def test_a_retry_starts_it_again_and_the_end_of_a_delay_does_not(self):
        """(Q-17)"""
        self.make(message_ttl=1.5)
        self.queue.put("a")
        self.queue.add_consumer("w")
        self.at(9000).nack("a", error="e")  # it does not run while leased
        self.queue.remove_consumer("w")
        self.at(10499)
        self.stands(ready=1)
        self.seen.clear()
        self.at(10500)
        self.happened((10500, "dead", "a", "ttl_expired", "e", 1))

    def test_a_lease_may_outlast_it(self):
        """(Q-19)"""
        self.make(message_ttl=1)
        self.queue.put("a")
        self.at(999).add_consumer("w")
        self.at(5000).ack("a")
        self.stands()

    def test_who_is_delayed_beyond_it_dies_delayed_and_is_not_woken(self):
        """(Q-18)"""
        self.make(RetryPolicy.fixed(3, 10.0), message_ttl=4)
        self.queue.put("a")
        self.queue.add_consumer("w")
        self.at(1000).nack("a", error="e")
        self.seen.clear()
        self.at(6000)
        self.stands(dead=1)
        self.queue.replay("a")  # leased at once
        self.at(20000)
        self.stands(leased=1)
        self.happened(
            (5000, "dead", "a", "ttl_expired", "e", 1), (6000, "ready", "a"), (6000, "delivered", "a", 1, "w")
        )

    def test_the_text_is_that_of_the_last_failure(self):
        """(Q-18)"""
        self.make(AT_ONCE, message_ttl=4)
        self.queue.put("a")
        self.queue.add_consumer("w")
        self.queue.nack("a", error="e")
        self.queue.nack("a")
        self.queue.remove_consumer("w")
        self.assertEqual(self.queue.dead_letters()[0].error, "consumer removed")
        self.queue.replay("a")
        self.at(4000)
        self.assertEqual(self.queue.dead_letters(), [Dead(4000, "a", "ttl_expired", None, 0)])


class Replaying(QueueCase):
    def test_only_the_dead_are_replayed(self):
        """(Q-23)"""
        self.make(RetryPolicy.fixed(2, 1.0))
        self.queue.put("a")
        for _ in ("ready", "leased", "delayed", "gone"):
            for name in ("a", "nobody"):
                with self.assertRaises(NotDead):
                    self.queue.replay(name)
            if self.queue.stats().ready:
                self.queue.add_consumer("w")
            elif self.queue.stats().leased:
                self.queue.nack("a")
            elif self.queue.stats().delayed:
                self.at(1000).ack("a")
        self.stands()

    def test_everything_starts_afresh(self):
        """(Q-22)"""
        self.make(RetryPolicy.fixed(2, 1.0).give_up_after(3), message_ttl=10)
        self.queue.put("a")
        self.queue.add_consumer("w", prefetch=1)
        self.at(3000).nack("a", error="old")
        self.assertEqual(self.queue.dead_letters(), [Dead(3000, "a", "max_message_age", "old", 1)])
        self.at(8000).put("b")
        self.queue.put("c")
        self.seen.clear()
        self.queue.replay("a")  # behind c
        self.assertEqual(self.queue.dead_letters(), [])
        self.queue.ack("b")
        self.queue.ack("c")
        self.at(10999).nack("a")  # attempt 1 again, 2.999 s old
        self.happened(
            (8000, "ready", "a"),
            (8000, "acked", "b", 1),
            (8000, "delivered", "c", 1, "w"),
            (8000, "acked", "c", 1),
            (8000, "delivered", "a", 1, "w"),
            (10999, "failed", "a", 1, None),
            (10999, "delayed", "a", 11999),
        )
        self.queue.remove_consumer("w")
        self.at(20999)  # 10 s after the failure
        self.stands(dead=1)
        self.queue.replay("a")
        self.at(30998)
        self.stands(ready=1)
        self.at(30999)
        self.assertEqual(self.queue.dead_letters(), [Dead(30999, "a", "ttl_expired", None, 0)])

    def test_dead_letters_are_in_the_order_of_their_deaths(self):
        """(Q-21)"""
        self.make(RetryPolicy.none())
        self.queue.add_consumer("w")
        for name in "abc":
            self.queue.put(name)
        for name in "cab":
            self.queue.nack(name)
        self.assertEqual([letter.message for letter in self.queue.dead_letters()], ["c", "a", "b"])
        self.queue.replay("c")
        self.queue.nack("c")
        self.clock.advance(10**12)
        self.assertEqual([letter.message for letter in self.queue.dead_letters()], ["a", "b", "c"])


class OneInstant(QueueCase):
    """(Q-26): a lease, else a delay, else a delivery, else a TTL"""

    def test_leases_end_before_delays_and_both_before_deliveries(self):
        self.make(RetryPolicy(max_attempts=9, initial_delay=2.0, multiplier=1.0), ack_timeout=3)
        self.queue.add_consumer("w")
        for name in "abc":
            self.queue.put(name)
        self.at(1000).nack("c")  # delayed until 3000, when the leases of a and b end
        self.seen.clear()
        self.at(3000)
        self.happened(
            (3000, "failed", "a", 1, "ack timeout"),
            (3000, "delayed", "a", 5000),
            (3000, "failed", "b", 1, "ack timeout"),
            (3000, "delayed", "b", 5000),
            (3000, "ready", "c"),
            (3000, "delivered", "c", 2, "w"),
        )

    def test_a_lease_of_no_millisecond_has_no_end(self):
        """(Q-6, Q-32): what rounds to 0 means none"""
        self.make(RetryPolicy.fixed(2, 0.0), ack_timeout=0.0004)
        self.queue.put("a")
        self.queue.add_consumer("w")
        self.seen.clear()
        self.at(1000)
        self.happened()

    def test_a_ttl_of_no_millisecond_never_runs_out(self):
        """(Q-17, Q-32)"""
        self.make(RetryPolicy.none(), message_ttl=0.0004)
        self.queue.put("a")
        self.seen.clear()
        self.at(1000)
        self.happened()

    def test_a_failure_without_delay_follows_who_was_ready(self):
        """(Q-15)"""
        self.make(AT_ONCE, ack_timeout=1)
        self.queue.add_consumer("w", prefetch=2)
        for name in "abcd":
            self.queue.put(name)
        self.seen.clear()
        self.at(1000)
        self.happened(
            (1000, "failed", "a", 1, "ack timeout"),
            (1000, "ready", "a"),
            (1000, "failed", "b", 1, "ack timeout"),
            (1000, "ready", "b"),
            (1000, "delivered", "c", 1, "w"),
            (1000, "delivered", "d", 1, "w"),
        )

    def test_delays_end_in_the_order_in_which_they_began(self):
        # b is delayed before a, for 2 s, and a for 1 s a second later: both until 3000.
        self.make(RetryPolicy(max_attempts=9, initial_delay=1.0))
        self.queue.add_consumer("w")
        self.queue.put("b")
        self.queue.put("a")
        self.queue.nack("b")
        self.at(1000).nack("b")
        self.at(2000).nack("a")
        self.seen.clear()
        self.at(3000)
        self.happened(
            (3000, "ready", "b"),
            (3000, "ready", "a"),
            (3000, "delivered", "b", 3, "w"),
            (3000, "delivered", "a", 2, "w"),
        )

    def test_a_delay_and_a_ttl_end_together(self):
        """With room it is delivered, without it dies."""
        for prefetch, end in (
            (None, (1000, "delivered", "a", 2, "w")),
            (1, (1000, "dead", "a", "ttl_expired", "e", 1)),
        ):
            self.make(ONCE_A_SECOND, message_ttl=1)
            self.queue.put("a")
            self.queue.put("b")
            self.queue.add_consumer("w", prefetch=prefetch)
            self.queue.nack("a", error="e")
            self.seen.clear()
            self.at(1000)
            self.happened((1000, "ready", "a"), end)

    def test_a_lease_that_ends_makes_room_in_time(self):
        """(Q-26): b's TTL ends together with a's lease, and it is delivered"""
        self.make(ack_timeout=2, message_ttl=1)
        self.queue.add_consumer("w", prefetch=1)
        self.queue.put("a")
        self.at(1000).put("b")
        self.queue.put("c")
        self.seen.clear()
        self.at(2000)
        self.happened(
            (2000, "failed", "a", 1, "ack timeout"),
            (2000, "delayed", "a", 3000),
            (2000, "delivered", "b", 1, "w"),
            (2000, "dead", "c", "ttl_expired", None, 0),
        )

    def test_ttls_run_out_in_the_order_in_which_they_started(self):
        self.make(AT_ONCE, message_ttl=1)
        self.queue.put("a")
        self.queue.put("b")
        self.queue.put("c")
        self.queue.add_consumer("w", prefetch=1)
        self.queue.remove_consumer("w")  # a comes back, behind b and c
        self.at(1000)
        self.assertEqual([letter.message for letter in self.queue.dead_letters()], ["b", "c", "a"])

    def test_a_ttl_that_ends_now_has_ended(self):
        """(Q-25)"""
        self.make(message_ttl=1)
        self.queue.put("a")
        self.at(1000).add_consumer("w")
        self.stands(dead=1)

    def test_what_a_step_makes_possible_happens_before_the_next(self):
        """(Q-27)"""
        self.make(ONCE_A_SECOND)
        self.queue.add_consumer("w")
        self.queue.put("a")
        self.queue.remove_consumer("w")  # it had been delivered
        self.stands(delayed=1)

    def test_a_step_of_a_timer_comes_after_what_is_due(self):
        """(Q-25), though the clock calls the timer first"""
        self.make(AT_ONCE, ack_timeout=1)
        self.clock.call_at(1000, lambda: self.queue.ack("a"))
        self.queue.put("a")
        self.queue.add_consumer("w")
        self.seen.clear()
        self.at(1000)  # the ack is one of the second delivery
        self.happened(
            (1000, "failed", "a", 1, "ack timeout"),
            (1000, "ready", "a"),
            (1000, "delivered", "a", 2, "w"),
            (1000, "acked", "a", 2),
        )


class Clocks(unittest.TestCase):
    def test_timers_are_called_at_their_instants_in_order(self):
        clock, calls = FakeClock(), []
        for name, due in (("c", 20), ("a", 10), ("d", 20), ("e", 31)):
            clock.call_at(due, lambda name=name: calls.append((clock.now, name)))
        clock.call_at(15, lambda: clock.call_at(3, lambda: calls.append((clock.now, "late"))))
        off = clock.call_at(20, lambda: calls.append("off"))
        off.cancel()
        off.cancel()
        clock.advance(30)
        self.assertEqual(calls, [(10, "a"), (15, "late"), (20, "c"), (20, "d")])
        self.assertEqual(clock.now, 30)

    def test_time_is_whole_and_does_not_go_back(self):
        clock = FakeClock()
        clock.advance(5)
        with self.assertRaises(ValueError):
            clock.advance_to(4)
        for no_whole_number in (1.0, "1", None):
            with self.assertRaises(TypeError):
                clock.advance(no_whole_number)
            with self.assertRaises(TypeError):
                clock.call_at(no_whole_number, print)
        self.assertEqual(clock.now, 5)

    def test_a_queue_is_woken_when_it_must_be_and_has_one_timer(self):
        clock, seen = FakeClock(), []
        queue = WorkQueue(RetryPolicy.fixed(9, 1.0), clock, message_ttl=60, ack_timeout=5, listener=seen.append)
        queue.put("a")  # to be woken at 60 s, then at 5 s, then at 1 s
        queue.add_consumer("w")
        queue.nack("a")
        for _ in range(100):
            clock.advance(100)
            self.assertEqual(len(clock._timers), 1)
        ready = [event.at for event in seen if isinstance(event, Ready)]
        self.assertEqual(ready, [0, 1000, 7000])

    def test_queues_share_a_clock(self):
        clock, seen = FakeClock(), []
        slow, fast = (WorkQueue(ONCE_A_SECOND, clock, message_ttl=ttl, listener=seen.append) for ttl in (2, 1))
        slow.put("slow")
        fast.put("fast")
        clock.advance(3000)
        self.assertEqual([event.at for event in seen], [0, 0, 1000, 2000])


class Timetables(unittest.TestCase):
    def test_against_a_sorted_list(self):
        rng = random.Random(7)
        table, model, serial = Timetable(), {}, 0
        for now in range(3000):
            for _ in range(rng.choice((1, 2, 3, 200 * (now % 100 == 0)))):
                item, serial = rng.randrange(200), serial + 1
                if item in model:
                    model.pop(item, None)
                    table.discard(item)
                else:
                    model[item] = (now + rng.randrange(300), serial)
                    table.add(model[item][0], item)
            self.assertEqual(len(table), len(model))
            self.assertEqual(table.first, min(model.values(), default=(math.inf,))[0])
            if now % 5 == 0:
                due = sorted((item for item in model if model[item][0] <= now), key=model.get)
                self.assertEqual([table.pop_due(now) for _ in [*due, None]], [*due, None])
                for item in due:
                    del model[item]

    def test_what_is_taken_out_does_not_stay(self):
        table = Timetable()
        for number in range(1000):
            table.add(10**9 + number, number)
            table.discard(number)
        self.assertLess(len(table._heap), 20)


class Snoozing(QueueCase):
    """The two programs of the snooze button."""

    def test_the_flaky_job(self):
        policy = RetryPolicy(max_attempts=5, initial_delay=1.0, max_delay=10.0)
        self.assertEqual([policy.backoff(n) for n in range(1, 6)], [1.0, 2.0, 4.0, 8.0, 10.0])
        self.make(policy)
        seen = []
        self.queue.add_consumer("worker", seen.append)
        self.queue.put("flaky job")
        for attempt in (2, 3, 4):
            seen[-1].nack("oops")
            self.clock.advance(20_000)
            self.assertEqual(seen[-1].attempt, attempt)

    def test_the_milk(self):
        self.make(RetryPolicy(max_attempts=3, initial_delay=1.0), message_ttl=5.0)
        self.queue.put("milk")
        self.clock.advance(4000)
        self.queue.add_consumer("worker", [].append)
        self.queue.remove_consumer("worker")
        self.clock.advance(4000)
        self.stands(ready=1)
        self.clock.advance(2000)
        self.stands(dead=1)
        self.assertEqual(self.queue.dead_letters()[0].reason, "ttl_expired")
        self.happened(
            (0, "ready", "milk"),
            (4000, "delivered", "milk", 1, "worker"),
            (4000, "failed", "milk", 1, "consumer removed"),
            (4000, "delayed", "milk", 5000),
            (5000, "ready", "milk"),
            (9000, "dead", "milk", "ttl_expired", "consumer removed", 1),
        )


class Errors(unittest.TestCase):
    def test_they_say_what_was_found(self):
        for error, said in (
            (DuplicateMessage("a"), "there is a message 'a' already"),
            (UnknownDelivery("a", None), "the latest delivery of message 'a' is not leased"),
            (UnknownDelivery("a", 3), "the delivery 3 of message 'a' is not leased"),
            (NotDead("a"), "there is no dead message 'a'"),
            (DuplicateConsumer("w"), "there is a consumer 'w' already"),
            (UnknownConsumer("w"), "there is no consumer 'w'"),
        ):
            self.assertIn(said, str(error))
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(again), vars(again)), (type(error), vars(error)))


class Load(QueueCase):
    def test_no_operation_looks_at_all_messages(self):
        """Four times the messages take about four times the instructions, and not sixteen."""

        def work(count):
            self.make(RetryPolicy.fixed(2, 1.0), message_ttl=60, ack_timeout=1)
            for number in range(count):
                self.queue.put(str(number))
            self.queue.add_consumer("w")
            self.clock.advance(500)
            for number in range(0, count, 2):
                self.queue.ack(str(number))
            self.clock.advance(10_000)
            for letter in self.queue.dead_letters():
                self.queue.replay(letter.message)
            self.queue.remove_consumer("w")
            self.clock.advance(100_000)
            self.stands(dead=count // 2)

        def instructions(count):
            executed = 0

            def trace(frame, event, argument):
                nonlocal executed
                executed += event == "opcode"
                frame.f_trace_opcodes = True
                return trace

            before = sys.gettrace()
            sys.settrace(trace)
            try:
                work(count)
            finally:
                sys.settrace(before)
            return executed

        self.assertLess(instructions(800), 5 * instructions(200))


if __name__ == "__main__":
    unittest.main()
