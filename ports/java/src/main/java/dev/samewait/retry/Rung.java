package dev.samewait.retry;

import java.util.Map;

/** A broker queue that holds messages for one delay and then returns them to their source queue. */
public record Rung(String queue, String exchange, long ttlMillis) {

    /** The name, which for one source queue depends on the TTL alone (L-6). */
    public String name() {
        return queue + ".retry." + label();
    }

    /** The arguments to declare the queue with (L-8). */
    public Map<String, Object> arguments() {
        return Map.of(
                "x-message-ttl", ttlMillis,
                "x-dead-letter-exchange", exchange,
                "x-dead-letter-routing-key", queue);
    }

    /** The TTL in the largest unit that divides it (L-5). There are no days: not every reader's day has 24 hours. */
    private String label() {
        if (ttlMillis % 3_600_000 == 0) {
            return ttlMillis / 3_600_000 + "h";
        }
        if (ttlMillis % 60_000 == 0) {
            return ttlMillis / 60_000 + "m";
        }
        if (ttlMillis % 1000 == 0) {
            return ttlMillis / 1000 + "s";
        }
        return ttlMillis + "ms";
    }
}
