package dev.samewait.retry;

import java.util.Locale;

/** Why no further attempt will be made. */
public enum Reason {
    MAX_ATTEMPTS,
    MAX_MESSAGE_AGE,
    /** The message waited too long for a consumer: known to a {@link WorkQueue} only, never the answer of a policy. */
    TTL_EXPIRED;

    /** The name the family knows it by. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
