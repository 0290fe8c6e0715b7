package dev.samewait.retry;

/** What a consumer does with a delivery, at the instant it gets it. */
public sealed interface OnMessage {
    /** Keeps the lease, to settle it later. */
    record Hold() implements OnMessage {}

    /** Acks. */
    record Ack() implements OnMessage {}

    /** Fails with this text. */
    record Fail(String error) implements OnMessage {}
}
