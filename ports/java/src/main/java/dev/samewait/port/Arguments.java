package dev.samewait.port;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.samewait.retry.RetryPolicy;
import dev.samewait.retry.Seconds;
import java.math.BigDecimal;
import java.time.Duration;

/** A JSON object, read with the types of chapter 8. What is missing or of another type throws, and so becomes an error. */
record Arguments(JsonObject json) {

    /** A Duration that is refused wherever a number is refused that no Duration can hold. */
    private static final Duration ILLEGAL = Duration.ofSeconds(Long.MIN_VALUE);

    static Arguments of(JsonElement element) {
        // Not getAsJsonObject: its complaint quotes the whole element, and overflows the stack on a deep one.
        if (element instanceof JsonObject object) {
            return new Arguments(object);
        }
        throw new IllegalArgumentException("no JSON object where there should be one");
    }

    boolean has(String key) {
        return json.has(key) && !json.get(key).isJsonNull();
    }

    JsonElement get(String key) {
        JsonElement element = json.get(key);
        if (element == null) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return element;
    }

    Arguments object(String key) {
        return of(get(key));
    }

    JsonArray array(String key) {
        if (get(key) instanceof JsonArray array) {
            return array;
        }
        throw new IllegalArgumentException(key + " is no list");
    }

    String text(String key) {
        if (get(key) instanceof JsonPrimitive text && text.isString()) {
            return text.getAsString();
        }
        throw new IllegalArgumentException(key + " is no text");
    }

    /** A text, or null when it is null or absent. */
    String textOrNull(String key) {
        return has(key) ? text(key) : null;
    }

    double number(String key) {
        if (get(key) instanceof JsonPrimitive primitive) {
            String spelling = primitive.getAsString();
            // Double.parseDouble takes more texts than the three that stand for a number (W-9).
            if (primitive.isNumber() || spelling.matches("NaN|-?Infinity")) {
                return Double.parseDouble(spelling);
            }
        }
        throw new IllegalArgumentException(key + " is no number");
    }

    long integer(String key) {
        if (get(key) instanceof JsonPrimitive number && number.isNumber()) {
            return new BigDecimal(number.getAsString()).longValueExact();
        }
        throw new IllegalArgumentException(key + " is no integer");
    }

    /** A count that the library takes as an int. One that no int can hold becomes 0, which is just as illegal. */
    int count(String key) {
        long count = integer(key);
        return count == (int) count ? (int) count : 0;
    }

    /** The nearest Duration, but what is NaN or below 0 stays out of every range, be it ever so near to 0. */
    Duration duration(String key) {
        double seconds = number(key);
        if (Double.isNaN(seconds)) {
            return ILLEGAL;
        }
        Duration nearest = Seconds.toDuration(seconds);
        return seconds < 0 && nearest.isZero() ? ILLEGAL : nearest;
    }

    /** A whole number of milliseconds, found in milliseconds: at 2^31 s, doubles are some hundred nanoseconds apart. */
    Duration time(String key) {
        double seconds = number(key);
        long millis = Math.round(seconds * 1000);
        if (millis / 1000.0 != seconds) {
            throw new IllegalArgumentException(key + " is no whole number of milliseconds: " + seconds);
        }
        return Duration.ofMillis(millis);
    }

    /** The fields in the order of the table, so that the library sees the first fault first (P-10). */
    RetryPolicy policy(String key) {
        Arguments policy = object(key);
        return new RetryPolicy(
                policy.count("max_attempts"),
                policy.duration("initial_delay"),
                policy.number("multiplier"),
                policy.duration("max_delay"),
                policy.number("jitter_factor"),
                policy.duration("max_message_age"));
    }
}
