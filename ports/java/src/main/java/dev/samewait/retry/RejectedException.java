package dev.samewait.retry;

import java.io.Serial;
import java.util.Optional;

/** An input that the specification refuses. The message says which field, what was found and what is needed. */
public abstract sealed class RejectedException extends IllegalArgumentException {
    @Serial private static final long serialVersionUID = 1L;

    private final String code;
    private final String field;

    private RejectedException(String code, String field, String message) {
        super(message);
        this.code = code;
        this.field = field;
    }

    /** The code that all languages of the family share (W-14). */
    public String code() {
        return code;
    }

    /** The offending field, under the name the family knows it by, such as {@code initial_delay}. */
    public Optional<String> field() {
        return Optional.ofNullable(field);
    }

    private static String describe(String field, Object found, String needed) {
        return field + ": found " + found + ", needed " + needed;
    }

    /** A policy with a field outside its legal values (P-9). */
    public static final class InvalidPolicy extends RejectedException {
        @Serial private static final long serialVersionUID = 1L;

        InvalidPolicy(String field, Object found, String needed) {
            super("invalid_policy", field, describe(field, found, needed));
        }
    }

    /** An argument outside its legal values. */
    public static final class InvalidArgument extends RejectedException {
        @Serial private static final long serialVersionUID = 1L;

        public InvalidArgument(String field, Object found, String needed) {
            super("invalid_argument", field, describe(field, found, needed));
        }
    }

    /** A ladder with a rung that no broker accepts (L-4). */
    public static final class RungTooLong extends RejectedException {
        @Serial private static final long serialVersionUID = 1L;

        RungTooLong(long foundMillis, long mostMillis) {
            super("rung_too_long", null, describe("ttl_ms", foundMillis, "at most " + mostMillis));
        }
    }
}
