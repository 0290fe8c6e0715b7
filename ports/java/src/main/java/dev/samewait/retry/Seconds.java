package dev.samewait.retry;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** The edge between {@link Duration} and the binary64 seconds that the family computes in. */
public final class Seconds {
    /** The longest duration a policy may hold, and the cap of last resort: 2^32 seconds. */
    public static final Duration HORIZON = Duration.ofSeconds(1L << 32);

    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    private static final Duration SHORTEST = Duration.ofSeconds(Long.MIN_VALUE);

    private Seconds() {}

    /**
     * The binary64 nearest to the duration. Seconds plus nanoseconds / 1e9 would round twice, and make of 3.715663671 s
     * another number than 3.715663671.
     */
    public static double of(Duration duration) {
        if (duration.getNano() == 0) {
            return duration.getSeconds();
        }
        return BigDecimal.valueOf(duration.getSeconds())
                .add(BigDecimal.valueOf(duration.getNano(), 9))
                .doubleValue();
    }

    /**
     * The whole number of nanoseconds nearest to a number of seconds. What is beyond a Duration, the infinities
     * included, becomes the longest or the shortest one.
     *
     * @throws NumberFormatException if {@code seconds} is NaN
     */
    public static Duration toDuration(double seconds) {
        if (Math.abs(seconds) >= 0x1p63) {
            return seconds > 0 ? LONGEST : SHORTEST;
        }
        BigDecimal rounded = new BigDecimal(seconds).setScale(9, RoundingMode.HALF_EVEN);
        long whole = rounded.longValue();
        return Duration.ofSeconds(whole, rounded.subtract(BigDecimal.valueOf(whole)).unscaledValue().longValue());
    }

    /**
     * Whole milliseconds, as brokers and the queue's clock count them: one multiplication, then halves away from zero
     * (L-2, Q-32). {@link Math#round} takes halves up, which is the same for what is never negative.
     */
    static long toMillis(double seconds) {
        return Math.round(seconds * 1000);
    }

    static boolean isWithinHorizon(Duration duration) {
        return !duration.isNegative() && duration.compareTo(HORIZON) <= 0;
    }

    /** Checks an argument that is a duration from 0 to HORIZON. */
    static void check(String field, Duration duration) {
        if (!isWithinHorizon(duration)) {
            throw new RejectedException.InvalidArgument(field, duration, "0 to " + HORIZON);
        }
    }
}
