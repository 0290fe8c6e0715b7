package dev.samewait.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.samewait.retry.RejectedException.InvalidArgument;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class JitterSamplesTest {
    private static final Duration TEN = Duration.ofSeconds(10);
    private static final RetryPolicy HALF = RetryPolicy.none().withJitter(0.5);

    /**
     * What another process draws, for {@link #freshProcessesDrawDifferently}. It does so in a new thread, and the main thread has
     * drawn before: a generator that the main thread got and kept would not be seeded for the new one.
     */
    public static void main(String[] args) throws InterruptedException {
        HALF.jittered(TEN);
        Thread thread = new Thread(() -> System.out.print(HALF.jitterSamples(TEN, 3)));
        thread.start();
        thread.join();
    }

    /** A generator that draws these. */
    private static RandomGenerator drawing(Double... draws) {
        Iterator<Double> next = List.of(draws).iterator();
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                throw new AssertionError("a draw is a nextDouble");
            }

            @Override
            public double nextDouble() {
                return next.next();
            }
        };
    }

    @Test
    void eachHasADrawOfItsOwnInTheOrderOfTheDraws() {
        assertEquals(
                List.of(Duration.ofMillis(12_500), Duration.ofSeconds(5), TEN),
                HALF.jitterSamples(TEN, 3, drawing(0.75, 0.0, 0.5)));
    }

    @Test
    void theySpreadEvenlyOverBothSides() {
        List<Duration> samples = HALF.jitterSamples(TEN, 10_000);
        assertEquals(10_000, samples.size());
        int[] parts = new int[11]; // the last one for exactly 15 s, to which the highest draws round
        for (Duration sample : samples) {
            parts[(int) sample.minusSeconds(5).toSeconds()]++; // and out of bounds for what is out of reach
        }
        // 1000 are due in each, with a standard deviation of 30.
        assertTrue(Arrays.stream(parts, 0, 10).allMatch(n -> n > 800 && n < 1200), () -> Arrays.toString(parts));
    }

    @Test
    void withoutJitterTheyAreTheDelay() {
        Duration unround = Seconds.HORIZON.minusNanos(1); // which no double is
        assertEquals(List.of(unround, unround), RetryPolicy.none().jitterSamples(unround, 2));
        assertEquals(List.of(Duration.ZERO, Duration.ZERO), HALF.jitterSamples(Duration.ZERO, 2));
    }

    @Test
    void bothEndsOfTheCountAreLegal() {
        assertEquals(1, HALF.jitterSamples(TEN, 1).size());
        assertEquals(1_000_000, RetryPolicy.none().jitterSamples(TEN, 1_000_000).size());
    }

    @Test
    void theDelayIsJudgedBeforeTheCount() {
        RetryPolicy unjittered = RetryPolicy.none();
        assertRejects("delay", unjittered, Duration.ofNanos(-1), 0);
        assertRejects("delay", unjittered, Seconds.HORIZON.plusNanos(1), 1);
        for (int count : new int[] {0, -1, 1_000_001, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertRejects("count", unjittered, Duration.ZERO, count);
        }
    }

    private static void assertRejects(String field, RetryPolicy policy, Duration delay, int count) {
        InvalidArgument rejection = assertThrows(InvalidArgument.class, () -> policy.jitterSamples(delay, count));
        assertEquals(field, rejection.field().orElseThrow());
    }

    @Test
    void freshProcessesDrawDifferently() throws IOException {
        String first = drawnByAnother();
        assertTrue(first.matches("\\[PT[^,]+, PT[^,]+, PT[^,]+\\]"), first);
        assertNotEquals(first, drawnByAnother());
    }

    private static String drawnByAnother() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = System.getProperty("java.class.path");
        Process process = new ProcessBuilder(java, "-cp", classes, JitterSamplesTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new String(process.getInputStream().readAllBytes());
    }
}
