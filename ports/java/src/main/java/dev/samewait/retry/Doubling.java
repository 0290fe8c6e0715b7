package dev.samewait.retry;

import java.util.function.DoubleConsumer;
import java.util.stream.DoubleStream;

/**
 * The doubling rule (B-4), in binary64 seconds. Backoff, schedule and ladder all step by {@link #next}, so they can't
 * drift apart (B-10).
 */
record Doubling(double initialDelay, double multiplier, double ceiling) {

    /**
     * One step of the rule, or the same product again when the delay will never change any more (B-8). A product that
     * overflows is infinite and so above every ceiling (B-7).
     */
    private double next(double product) {
        return product >= ceiling ? product : product * multiplier;
    }

    /** The ceiling bounds every delay, the first one included (B-6). */
    private double capped(double product) {
        return Math.min(product, ceiling);
    }

    double delay(int attempt) {
        double product = initialDelay;
        for (int n = 1; n < attempt; n++) {
            double next = next(product);
            if (next == product) {
                break;
            }
            product = next;
        }
        return capped(product);
    }

    /** The first {@code count} delays, made one by one as they are asked for (B-11). */
    DoubleStream delays(int count) {
        return DoubleStream.iterate(initialDelay, this::next).limit(count).map(this::capped);
    }

    /** Visits the first {@code count} delays in order, but ends when all the rest would be the same as the last. */
    void forEachChange(int count, DoubleConsumer visitor) {
        double product = initialDelay;
        for (int n = 1; n <= count; n++) {
            visitor.accept(capped(product));
            double next = next(product);
            if (next == product) {
                return;
            }
            product = next;
        }
    }
}
