/**
 * Retry policies that wait exactly as long in Java as in every other language of the samewait family.
 *
 * <p>Durations are {@link java.time.Duration}s at the edge and binary64 seconds within, because rung names and delays
 * are only the same everywhere if everybody multiplies the same numbers (P-3, L-9). Clause numbers such as B-4 refer to
 * the samewait specification.
 */
package dev.samewait.retry;
