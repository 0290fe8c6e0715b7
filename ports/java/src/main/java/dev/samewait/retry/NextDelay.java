package dev.samewait.retry;

import java.time.Duration;

/** What to do after a failed attempt. */
public sealed interface NextDelay {
    /** Try again after this delay, which is not jittered (N-4). */
    record Wait(Duration delay) implements NextDelay {}

    /** Don't try again. */
    record GiveUp(Reason reason) implements NextDelay {}
}
