package dev.samewait.retry;

import dev.samewait.retry.RejectedException.InvalidArgument;
import dev.samewait.retry.RejectedException.RungTooLong;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** All rungs that one policy needs for one source queue. */
public final class Ladder {
    /** Delays from here on are worth a queue of the broker's (L-1). */
    public static final Duration DEFAULT_THRESHOLD = Duration.ofSeconds(30);

    /** 3650 days, the most a broker accepts (L-4). */
    private static final long MAX_TTL_MILLIS = 315_360_000_000L;

    private final double threshold;

    /** By TTL. No delay is shorter than the one before it, so this is the order of the schedule as well (L-7). */
    private final NavigableMap<Long, Rung> rungs = new TreeMap<>();

    private Ladder(double threshold) {
        this.threshold = threshold;
    }

    /** The ladder for delays from {@link #DEFAULT_THRESHOLD} on. */
    public static Ladder of(RetryPolicy policy, String queue, String exchange) {
        return of(policy, queue, exchange, DEFAULT_THRESHOLD);
    }

    /**
     * The ladder for delays from {@code threshold} on. With a threshold of zero nothing waits in the broker.
     *
     * @param exchange where expired messages go; the empty text names the default exchange (L-13)
     */
    public static Ladder of(RetryPolicy policy, String queue, String exchange, Duration threshold) {
        if (queue.isEmpty()) {
            throw new InvalidArgument("queue", "an empty text", "a name");
        }
        Seconds.check("threshold", threshold);
        Ladder ladder = new Ladder(Seconds.of(threshold));
        policy.doubling().forEachChange(policy.maxAttempts() - 1, delay -> ladder.add(queue, exchange, delay));
        return ladder;
    }

    /** The rungs in the order of the schedule, one for each TTL. */
    public List<Rung> rungs() {
        return List.copyOf(rungs.values());
    }

    /**
     * The rung a message with this delay waits in: the shortest that is long enough, else the longest (L-11). There is
     * none for a delay that does not wait in the broker.
     */
    public Optional<Rung> rungFor(Duration delay) {
        Seconds.check("delay", delay);
        double seconds = Seconds.of(delay);
        long ttl = Seconds.toMillis(seconds);
        if (!waitsInBroker(seconds) || ttl == 0) {
            return Optional.empty();
        }
        Map.Entry<Long, Rung> enough = rungs.ceilingEntry(ttl);
        return Optional.ofNullable(enough != null ? enough : rungs.lastEntry()).map(Map.Entry::getValue);
    }

    private void add(String queue, String exchange, double delay) {
        long ttl = Seconds.toMillis(delay);
        if (!waitsInBroker(delay) || ttl == 0) { // (L-3)
            return;
        }
        if (ttl > MAX_TTL_MILLIS) {
            throw new RungTooLong(ttl, MAX_TTL_MILLIS);
        }
        rungs.putIfAbsent(ttl, new Rung(queue, exchange, ttl));
    }

    private boolean waitsInBroker(double delay) {
        return threshold > 0 && delay > 0 && delay >= threshold; // (L-1)
    }
}
