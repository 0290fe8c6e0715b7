package dev.samewait.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
    private static final RetryPolicy THREE = RetryPolicy.exponential(3, seconds(1));
    private static final OnMessage HOLD = new OnMessage.Hold();

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    private static WorkQueue queue(RetryPolicy policy, long ttl, long timeout) {
        return new WorkQueue(policy, seconds(ttl), seconds(timeout));
    }

    @Test
    void milk() {
        WorkQueue queue = queue(THREE, 5, 0);
        queue.put("milk");
        queue.advanceTo(seconds(4));
        queue.addConsumer("c", HOLD);
        queue.removeConsumer("c");
        queue.advanceTo(seconds(8));
        assertEquals(new Event.Stats(seconds(8), 1, 0, 0, 0), queue.stats());
        queue.advanceTo(seconds(10));
        Event.Dead death = new Event.Dead(seconds(9), "milk", Reason.TTL_EXPIRED, "consumer removed", 1);
        assertEquals(List.of(death), queue.deadLetters().messages());
        assertEquals(
                List.of(
                        new Event.Ready(seconds(0), "milk"),
                        new Event.Delivered(seconds(4), "milk", 1, "c"),
                        new Event.Failed(seconds(4), "milk", 1, "consumer removed"),
                        new Event.Delayed(seconds(4), "milk", seconds(5)),
                        new Event.Ready(seconds(5), "milk"),
                        new Event.Stats(seconds(8), 1, 0, 0, 0),
                        death,
                        new Event.DeadLetters(seconds(10), List.of(death))),
                queue.trace());
    }

    @Test
    void aLeaseThatEndsNowIsOver() {
        WorkQueue queue = queue(THREE, 0, 30);
        queue.addConsumer("c", HOLD);
        queue.put("a");
        queue.advanceTo(seconds(30));
        queue.ack("a");
        assertEquals(
                List.of(
                        new Event.Ready(seconds(0), "a"),
                        new Event.Delivered(seconds(0), "a", 1, "c"),
                        new Event.Failed(seconds(30), "a", 1, "ack timeout"),
                        new Event.Delayed(seconds(30), "a", seconds(31)),
                        new Event.Refused(seconds(30), "ack", "a", Event.Refusal.UNKNOWN_DELIVERY)),
                queue.trace());
    }

    @Test
    void failsUntilItsAttemptsAreUsedUpAndStartsAfreshByReplay() {
        WorkQueue queue = queue(THREE, 0, 0);
        queue.addConsumer("c", new OnMessage.Fail("boom"));
        queue.put("a");
        queue.advanceTo(seconds(3)); // attempts at 0, 1 and 3 s
        Event.Dead death = new Event.Dead(seconds(3), "a", Reason.MAX_ATTEMPTS, "boom", 3);
        assertEquals(List.of(death), queue.deadLetters().messages());
        queue.replay("a");
        queue.replay("a");
        List<Event> trace = queue.trace();
        assertEquals(
                List.of(
                        new Event.Ready(seconds(3), "a"),
                        new Event.Delivered(seconds(3), "a", 1, "c"),
                        new Event.Failed(seconds(3), "a", 1, "boom"),
                        new Event.Delayed(seconds(3), "a", seconds(4)),
                        new Event.Refused(seconds(3), "replay", "a", Event.Refusal.NOT_DEAD)),
                trace.subList(trace.size() - 5, trace.size()));
    }

    @Test
    void deliveriesAreCountedAcrossReplays() {
        WorkQueue queue = queue(RetryPolicy.none(), 0, 0);
        queue.addConsumer("c", HOLD);
        queue.put("a");
        queue.nack("a", null);
        queue.replay("a");
        queue.ack("a", 1);
        queue.ack("a", 2);
        List<Event> trace = queue.trace();
        assertEquals(new Event.Refused(seconds(0), "ack", "a", Event.Refusal.UNKNOWN_DELIVERY), trace.get(6));
        assertEquals(new Event.Acked(seconds(0), "a", 1), trace.get(7));
    }

    @Test
    void prefetchBoundsTheLeases() {
        WorkQueue queue = queue(THREE, 0, 0);
        queue.addConsumer("c", HOLD, 1);
        queue.put("a");
        queue.put("b");
        assertEquals(new Event.Stats(seconds(0), 1, 0, 1, 0), queue.stats());
        queue.ack("a");
        assertEquals(new Event.Stats(seconds(0), 0, 0, 1, 0), queue.stats());
    }

    @Test
    void theAgeCountsFromThePut() {
        WorkQueue queue = queue(RetryPolicy.fixed(9, seconds(4)).giveUpAfter(seconds(8)), 0, 0);
        queue.addConsumer("c", new OnMessage.Fail("boom"));
        queue.put("a");
        queue.advanceTo(seconds(60)); // fails at 0, 4 and 8 s
        assertEquals(
                List.of(new Event.Dead(seconds(8), "a", Reason.MAX_MESSAGE_AGE, "boom", 3)),
                queue.deadLetters().messages());
    }

    @Test
    void theTtlDoesNotRunWhileLeased() {
        WorkQueue queue = queue(THREE, 2, 0);
        queue.addConsumer("c", HOLD);
        queue.put("a");
        queue.advanceTo(seconds(60));
        queue.ack("a");
        assertEquals(new Event.Stats(seconds(60), 0, 0, 0, 0), queue.stats());
    }

    @Test
    void namesOfConsumersMayBeUsedAgain() {
        WorkQueue queue = queue(THREE, 0, 0);
        queue.removeConsumer("c");
        queue.addConsumer("c", HOLD);
        queue.addConsumer("c", HOLD);
        queue.removeConsumer("c");
        queue.addConsumer("c", HOLD);
        assertEquals(
                List.of(
                        new Event.Refused(seconds(0), "remove_consumer", "c", Event.Refusal.UNKNOWN_CONSUMER),
                        new Event.Refused(seconds(0), "add_consumer", "c", Event.Refusal.DUPLICATE_CONSUMER)),
                queue.trace());
    }

    @Test
    void whatMakesNoSenseThrows() {
        WorkQueue queue = queue(THREE, 0, 0);
        queue.advanceTo(seconds(1));
        queue.put("a");
        assertThrows(IllegalArgumentException.class, () -> queue.put("a"));
        assertThrows(IllegalArgumentException.class, () -> queue.put(""));
        assertThrows(IllegalArgumentException.class, () -> queue.addConsumer("c", HOLD, 0));
        assertThrows(IllegalArgumentException.class, () -> queue.advanceTo(seconds(0)));
        assertThrows(IllegalArgumentException.class, () -> queue.advanceTo(Duration.ofNanos(1_000_000_001)));
    }
}
