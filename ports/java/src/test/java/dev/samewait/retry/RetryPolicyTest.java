package dev.samewait.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.samewait.retry.RejectedException.InvalidArgument;
import dev.samewait.retry.RejectedException.InvalidPolicy;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RetryPolicy TO_TEN = RetryPolicy.exponential(5, SECOND, Duration.ofSeconds(10));

    private static List<Duration> seconds(long... seconds) {
        return Arrays.stream(seconds).mapToObj(Duration::ofSeconds).toList();
    }

    private static void assertField(String field, RejectedException rejection) {
        assertEquals(field, rejection.field().orElseThrow());
    }

    @Test
    void defaults() {
        RetryPolicy none = new RetryPolicy(1, Duration.ZERO, 2.0, Duration.ZERO, 0.0, Duration.ZERO);
        assertEquals(none, RetryPolicy.none());
        assertEquals(0, none.schedule().count());
    }

    @Test
    void factories() {
        assertEquals(
                new RetryPolicy(3, SECOND, 1.0, Duration.ZERO, 0.0, Duration.ZERO), RetryPolicy.fixed(3, SECOND));
        assertEquals(
                new RetryPolicy(3, SECOND, 2.0, Duration.ZERO, 0.2, Duration.ZERO), RetryPolicy.exponential(3, SECOND));
    }

    @Test
    void copiesLeaveTheOriginalAlone() {
        RetryPolicy copy = TO_TEN.giveUpAfter(SECOND).withJitter(0.5);
        assertEquals(new RetryPolicy(5, SECOND, 2.0, Duration.ofSeconds(10), 0.5, SECOND), copy);
        assertEquals(0.2, TO_TEN.jitterFactor());
    }

    @Test
    void theFirstOffendingFieldIsNamed() {
        RetryPolicy.Builder builder = RetryPolicy.builder().maxAttempts(0).multiplier(0.5).jitterFactor(Double.NaN);
        InvalidPolicy rejection = assertThrows(InvalidPolicy.class, builder::build);
        assertField("max_attempts", rejection);
        assertEquals("max_attempts: found 0, needed 1 to 2147483647", rejection.getMessage());
        assertField("multiplier", assertThrows(InvalidPolicy.class, builder.maxAttempts(1)::build));
        assertField("jitter_factor", assertThrows(InvalidPolicy.class, builder.multiplier(1)::build));
        assertField("multiplier", assertThrows(InvalidPolicy.class, builder.multiplier(Double.NaN)::build));
        assertField("multiplier", assertThrows(InvalidPolicy.class, builder.multiplier(Double.POSITIVE_INFINITY)::build));
        assertField("initial_delay",
                assertThrows(InvalidPolicy.class, () -> RetryPolicy.fixed(1, Duration.ofNanos(-1))));
        assertField("max_message_age",
                assertThrows(InvalidPolicy.class, () -> TO_TEN.giveUpAfter(Seconds.HORIZON.plusNanos(1))));
    }

    @Test
    void bothEndsAreLegal() {
        RetryPolicy most = new RetryPolicy(
                Integer.MAX_VALUE, Seconds.HORIZON, Double.MAX_VALUE, Seconds.HORIZON, 1.0, Seconds.HORIZON);
        assertEquals(Seconds.HORIZON, most.backoff(Integer.MAX_VALUE));
    }

    @Test
    void negativeZeroIsZero() {
        assertEquals(TO_TEN.withJitter(0.0), TO_TEN.withJitter(-0.0));
    }

    @Test
    void doublesUpToTheCeiling() {
        assertEquals(seconds(1, 2, 4, 8), TO_TEN.schedule().toList());
        assertEquals(Duration.ofSeconds(10), TO_TEN.backoff(5));
        assertEquals(Duration.ofSeconds(10), TO_TEN.backoff(5000));
        assertEquals(seconds(10, 10, 10), RetryPolicy.exponential(4, Duration.ofSeconds(60), Duration.ofSeconds(10))
                .schedule().toList());
    }

    @Test
    void multipliesInBinary64() {
        RetryPolicy policy = RetryPolicy.builder().initialDelay(Duration.ofSeconds(100)).multiplier(1.15).build();
        // The double nearest to 1.15 is a little below it; the product is 114.99999999999998579...
        double expected = new BigDecimal(1.15).multiply(new BigDecimal(100)).doubleValue();
        assertEquals(114.99999999999999, expected);
        assertEquals(expected, policy.backoffSeconds(2));
        assertEquals(Duration.ofSeconds(115), policy.backoff(2)); // nearest nanosecond: 14 femtoseconds away
    }

    @Test
    void hugeAttemptsAreAnsweredAtOnce() {
        Duration instant = Duration.ofNanos(1);
        assertTimeoutPreemptively(Duration.ofMillis(500), () -> {
            assertEquals(Seconds.HORIZON, RetryPolicy.exponential(2, instant).backoff(Integer.MAX_VALUE));
            assertEquals(instant, RetryPolicy.fixed(2, instant).backoff(Integer.MAX_VALUE));
            assertEquals(Duration.ZERO, RetryPolicy.exponential(2, Duration.ZERO).backoff(Integer.MAX_VALUE));
            assertEquals(seconds(1, 2), RetryPolicy.exponential(Integer.MAX_VALUE, SECOND).schedule().limit(2).toList());
        });
        // A subnormal number times a multiplier just above 1 is itself again. No Duration is that short.
        Doubling subnormal = new Doubling(Double.MIN_VALUE, Math.nextUp(1.0), 1);
        assertTimeoutPreemptively(Duration.ofMillis(500),
                () -> assertEquals(Double.MIN_VALUE, subnormal.delay(Integer.MAX_VALUE)));
    }

    @Test
    void attemptsAreCountedFromOne() {
        assertField("attempt", assertThrows(InvalidArgument.class, () -> TO_TEN.backoff(0)));
        assertField("attempt", assertThrows(InvalidArgument.class, () -> TO_TEN.nextDelay(-1, null)));
    }

    @Test
    void nextDelayKnowsBothLimits() {
        RetryPolicy policy = TO_TEN.giveUpAfter(Duration.ofSeconds(60));
        assertEquals(new NextDelay.Wait(Duration.ofSeconds(8)), policy.nextDelay(4, null));
        assertEquals(new NextDelay.Wait(SECOND), policy.nextDelay(1, Duration.ofMillis(59_990)));
        assertEquals(new NextDelay.Wait(SECOND), policy.nextDelay(1, Duration.ofSeconds(-3)));
        assertEquals(new NextDelay.GiveUp(Reason.MAX_MESSAGE_AGE), policy.nextDelay(1, Duration.ofSeconds(60)));
        assertEquals(new NextDelay.GiveUp(Reason.MAX_ATTEMPTS), policy.nextDelay(5, Duration.ofSeconds(60)));
        assertEquals(new NextDelay.Wait(SECOND), TO_TEN.nextDelay(1, Duration.ofSeconds(Long.MAX_VALUE)));
    }

    @Test
    void jitterIsSymmetric() {
        Duration ten = Duration.ofSeconds(10);
        assertEquals(Duration.ofSeconds(8), TO_TEN.jittered(ten, 0.0));
        assertEquals(ten, TO_TEN.jittered(ten, 0.5));
        assertEquals(Duration.ofSeconds(11), TO_TEN.jittered(ten, 0.75)); // above max_delay, and left there
        assertEquals(Duration.ZERO, TO_TEN.jittered(Duration.ZERO, 0.0));
    }

    @Test
    void jitterJudgesTheDelayThenTheDraw() {
        RetryPolicy unjittered = TO_TEN.withJitter(0);
        assertField("delay",
                assertThrows(InvalidArgument.class, () -> unjittered.jittered(Duration.ofNanos(-1), Double.NaN)));
        for (double draw : new double[] {Double.NaN, 1.0, Math.nextDown(0.0)}) {
            assertField("draw", assertThrows(InvalidArgument.class, () -> unjittered.jittered(Duration.ZERO, draw)));
        }
    }

    @Test
    void ownDrawsStayInRangeAndDiffer() {
        List<Duration> drawn = Stream.generate(() -> TO_TEN.jittered(SECOND)).limit(100).toList();
        assertTrue(drawn.stream().allMatch(d -> d.toMillis() >= 800 && d.toMillis() <= 1200));
        assertNotEquals(1, drawn.stream().distinct().count());
    }
}
