package dev.samewait.retry;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Something that happened in a {@link WorkQueue}. All times count from the start. An error may be null: no text. */
public sealed interface Event {
    Duration at();

    record Ready(Duration at, String message) implements Event {}

    record Delivered(Duration at, String message, int attempt, String consumer) implements Event {}

    record Acked(Duration at, String message, int attempt) implements Event {}

    record Failed(Duration at, String message, int attempt, String error) implements Event {}

    record Delayed(Duration at, String message, Duration until) implements Event {}

    record Dead(Duration at, String message, Reason reason, String error, int attempts) implements Event {}

    /** A step that was refused. {@code name} is a consumer's or a message's, as {@link Refusal#isAboutConsumer} says. */
    record Refused(Duration at, String action, String name, Refusal code) implements Event {}

    record Stats(Duration at, int ready, int delayed, int leased, int dead) implements Event {}

    /** The dead messages in the order of their deaths, each as the event of its death. */
    record DeadLetters(Duration at, List<Dead> messages) implements Event {}

    /** Why a step was refused. */
    enum Refusal {
        UNKNOWN_DELIVERY,
        NOT_DEAD,
        DUPLICATE_CONSUMER,
        UNKNOWN_CONSUMER;

        public boolean isAboutConsumer() {
            return this == DUPLICATE_CONSUMER || this == UNKNOWN_CONSUMER;
        }

        /** The code the family knows it by. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
