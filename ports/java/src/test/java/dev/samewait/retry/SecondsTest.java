package dev.samewait.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SecondsTest {
    @Test
    void toSecondsRoundsOnce() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            Duration duration = Duration.ofSeconds(random.nextInt(1 << random.nextInt(31)), random.nextInt(1_000_000_000));
            String decimal = String.format("%d.%09d", duration.getSeconds(), duration.getNano());
            assertEquals(Double.parseDouble(decimal), Seconds.of(duration));
        }
    }

    @Test
    void theObviousFormulaWouldRoundTwice() {
        Duration duration = Duration.ofSeconds(3, 715_663_671);
        assertNotEquals(3.715663671, duration.getSeconds() + duration.getNano() / 1e9);
        assertEquals(3.715663671, Seconds.of(duration));
    }

    @Test
    void toDurationIsNearest() {
        Random random = new Random(2);
        BigDecimal half = new BigDecimal("0.0000000005");
        for (int i = 0; i < 10_000; i++) {
            double seconds = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(15));
            Duration duration = Seconds.toDuration(seconds);
            BigDecimal exact = BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
            assertTrue(exact.subtract(new BigDecimal(seconds)).abs().compareTo(half) <= 0, () -> "" + seconds);
        }
    }

    @Test
    void toDurationSaturates() {
        assertEquals(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), Seconds.toDuration(1e300));
        assertEquals(Duration.ofSeconds(Long.MIN_VALUE), Seconds.toDuration(Double.NEGATIVE_INFINITY));
        assertEquals(Duration.ofNanos(-1), Seconds.toDuration(-1e-9));
        assertEquals(Duration.ZERO, Seconds.toDuration(-0.0));
    }

    @Test
    void millisecondsTakeHalvesUp() {
        assertEquals(1, Seconds.toMillis(0.0005));
        assertEquals(0, Seconds.toMillis(0.0004999999999999999));
        assertEquals(4_294_967_296_000L, Seconds.toMillis(4294967296.0));
    }
}
