package dev.samewait.retry;

import dev.samewait.retry.RejectedException.InvalidArgument;
import dev.samewait.retry.RejectedException.InvalidPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * When to try again, and when to stop.
 *
 * @param maxAttempts deliveries, the first one included: 1 means no retry (P-2)
 * @param initialDelay the wait after the first failure; zero retries at once
 * @param multiplier what each delay is multiplied by to give the next, 1 or more
 * @param maxDelay the cap of every delay; zero means none (P-4)
 * @param jitterFactor the share of a delay that jitter may add or take away, 0 to 1
 * @param maxMessageAge the age at which a message is given up; zero means never (P-5)
 */
public record RetryPolicy(
        int maxAttempts,
        Duration initialDelay,
        double multiplier,
        Duration maxDelay,
        double jitterFactor,
        Duration maxMessageAge) {

    /** The most jittered delays that are drawn at once (J-11). */
    public static final int MAX_SAMPLES = 1_000_000;

    /** Rejects the first field, in the order of the parameters, that is outside its legal values (P-9, P-10). */
    public RetryPolicy {
        require(maxAttempts >= 1, "max_attempts", maxAttempts, "1 to " + Integer.MAX_VALUE);
        requireWithinHorizon("initial_delay", initialDelay);
        // Written so that NaN, which compares like nothing, is refused.
        require(multiplier >= 1 && multiplier <= Double.MAX_VALUE, "multiplier", multiplier, "finite, 1 or more");
        requireWithinHorizon("max_delay", maxDelay);
        require(jitterFactor >= 0 && jitterFactor <= 1, "jitter_factor", jitterFactor, "0 to 1");
        requireWithinHorizon("max_message_age", maxMessageAge);
        jitterFactor += 0.0; // makes a negative zero positive (P-7)
    }

    /** One attempt and no retry (P-12). */
    public static RetryPolicy none() {
        return builder().build();
    }

    /** The same delay after every failure (P-13). */
    public static RetryPolicy fixed(int maxAttempts, Duration delay) {
        return builder().maxAttempts(maxAttempts).initialDelay(delay).multiplier(1).build();
    }

    /** Doubling delays without a cap, and a fifth of jitter (P-14). */
    public static RetryPolicy exponential(int maxAttempts, Duration initialDelay) {
        return exponential(maxAttempts, initialDelay, Duration.ZERO);
    }

    /** Doubling delays up to a cap, and a fifth of jitter (P-14). */
    public static RetryPolicy exponential(int maxAttempts, Duration initialDelay, Duration maxDelay) {
        return builder().maxAttempts(maxAttempts).initialDelay(initialDelay).maxDelay(maxDelay).jitterFactor(0.2).build();
    }

    /** A builder that starts from the defaults (P-1). */
    public static Builder builder() {
        return new Builder();
    }

    /** A copy that gives a message up at this age (P-15). */
    public RetryPolicy giveUpAfter(Duration age) {
        return new RetryPolicy(maxAttempts, initialDelay, multiplier, maxDelay, jitterFactor, age);
    }

    /** A copy with this jitter factor (P-15). */
    public RetryPolicy withJitter(double factor) {
        return new RetryPolicy(maxAttempts, initialDelay, multiplier, maxDelay, factor, maxMessageAge);
    }

    /** The wait after this attempt has failed, without jitter and whatever {@link #maxAttempts} says (B-1). */
    public Duration backoff(int attempt) {
        return Seconds.toDuration(backoffSeconds(attempt));
    }

    /** All waits of a message that never succeeds, in order. They are made one by one, so a long list costs no memory. */
    public Stream<Duration> schedule() {
        return doubling().delays(maxAttempts - 1).mapToObj(Seconds::toDuration);
    }

    /**
     * What to do now that this attempt has failed.
     *
     * @param messageAge the time since the message was first put; null when nobody knows, which counts as young (N-6)
     */
    public NextDelay nextDelay(int attempt, Duration messageAge) {
        requireAttempt(attempt);
        // An age limit is above 0 where there is one, so 0 reaches none: that is what an unknown age must do.
        double age = messageAge == null ? 0 : Seconds.of(messageAge);
        Optional<NextDelay> end = giveUpReason(attempt, age).map(NextDelay.GiveUp::new);
        return end.orElseGet(() -> new NextDelay.Wait(backoff(attempt)));
    }

    /**
     * The delay, moved by jitter that is drawn anew for every call (J-9). The generator is always asked for in the thread
     * that draws: kept in a field, it would not be seeded for other threads, which would all draw what they draw in every
     * other process.
     */
    public Duration jittered(Duration delay) {
        return jittered(delay, ThreadLocalRandom.current().nextDouble());
    }

    /**
     * The delay, moved by jitter. It may exceed {@link #maxDelay}: a cut would bring all that drew high back at once (J-5).
     *
     * @param draw from 0 inclusive, which gives the shortest delay, to 1 exclusive
     */
    public Duration jittered(Duration delay, double draw) {
        Seconds.check("delay", delay);
        if (!(draw >= 0 && draw < 1)) {
            throw new InvalidArgument("draw", draw, "0 or more and below 1");
        }
        if (jitterFactor == 0 || delay.isZero()) {
            return delay;
        }
        // Exactly these operations in this order (J-2). Java never fuses them by itself.
        return Seconds.toDuration(Seconds.of(delay) * (1 + ((draw * 2 - 1) * jitterFactor)));
    }

    /** The delay, jittered {@code count} times with draws as {@link #jittered(Duration)} makes them (J-9, J-10). */
    public List<Duration> jitterSamples(Duration delay, int count) {
        return jitterSamples(delay, count, ThreadLocalRandom.current());
    }

    /**
     * The delay, jittered {@code count} times, in the order of the draws (J-10).
     *
     * @param count from 1 to {@link #MAX_SAMPLES}
     * @param random where the draws come from. A {@code new Random(seed)} is no source for a program that runs twice: with
     *     the same seed, its processes come back together (J-9).
     */
    public List<Duration> jitterSamples(Duration delay, int count, RandomGenerator random) {
        Seconds.check("delay", delay);
        if (count < 1 || count > MAX_SAMPLES) { // after the delay (J-11)
            throw new InvalidArgument("count", count, "1 to " + MAX_SAMPLES);
        }
        return Stream.generate(() -> jittered(delay, random.nextDouble())).limit(count).toList();
    }

    double backoffSeconds(int attempt) {
        requireAttempt(attempt);
        return doubling().delay(attempt);
    }

    /** Why there is no attempt after this one: the attempts first, since they are certain even if the age is not (N-5). */
    Optional<Reason> giveUpReason(int attempt, double ageSeconds) {
        if (attempt >= maxAttempts) {
            return Optional.of(Reason.MAX_ATTEMPTS);
        }
        if (!maxMessageAge.isZero() && ageSeconds >= Seconds.of(maxMessageAge)) {
            return Optional.of(Reason.MAX_MESSAGE_AGE);
        }
        return Optional.empty();
    }

    Doubling doubling() {
        Duration ceiling = maxDelay.isZero() ? Seconds.HORIZON : maxDelay; // (B-3)
        return new Doubling(Seconds.of(initialDelay), multiplier, Seconds.of(ceiling));
    }

    private static void requireAttempt(int attempt) {
        if (attempt < 1) {
            throw new InvalidArgument("attempt", attempt, "1 to " + Integer.MAX_VALUE);
        }
    }

    private static void requireWithinHorizon(String field, Duration found) {
        require(Seconds.isWithinHorizon(found), field, found, "0 to " + Seconds.HORIZON);
    }

    private static void require(boolean legal, String field, Object found, String needed) {
        if (!legal) {
            throw new InvalidPolicy(field, found, needed);
        }
    }

    /** Collects the fields of a policy. What is not given keeps its default. */
    public static final class Builder {
        private int maxAttempts = 1;
        private Duration initialDelay = Duration.ZERO;
        private double multiplier = 2;
        private Duration maxDelay = Duration.ZERO;
        private double jitterFactor = 0;
        private Duration maxMessageAge = Duration.ZERO;

        private Builder() {}

        public Builder maxAttempts(int maxAttempts) {
            this.maxAttempts = maxAttempts;
            return this;
        }

        public Builder initialDelay(Duration initialDelay) {
            this.initialDelay = initialDelay;
            return this;
        }

        public Builder multiplier(double multiplier) {
            this.multiplier = multiplier;
            return this;
        }

        public Builder maxDelay(Duration maxDelay) {
            this.maxDelay = maxDelay;
            return this;
        }

        public Builder jitterFactor(double jitterFactor) {
            this.jitterFactor = jitterFactor;
            return this;
        }

        public Builder maxMessageAge(Duration maxMessageAge) {
            this.maxMessageAge = maxMessageAge;
            return this;
        }

        /** Builds the policy, or rejects it. */
        public RetryPolicy build() {
            return new RetryPolicy(maxAttempts, initialDelay, multiplier, maxDelay, jitterFactor, maxMessageAge);
        }
    }
}
