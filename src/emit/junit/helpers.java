package samewait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SamewaitTest {
    /** Written once, in a class of its own beside this one. */
    private static final Binding BINDING = new SamewaitBinding();

    /**
     * Puts the questions to the library under test, and throws a {@link RejectedException} where the library refuses. Times in
     * arguments, rungs and traces are in seconds.
     */
    interface Binding {
        Policy policy(Make make, List<Copy> then);

        List<NUMBER> schedule(Policy policy);

        NUMBER backoff(Policy policy, long attempt);

        /** A delay, or the reason to give up as a text. The age is null when it is unknown. */
        Object nextDelay(Policy policy, long attempt, Double messageAge);

        NUMBER jitter(Policy policy, double delay, double draw);

        List<Map<String, Object>> ladder(Policy policy, String queue, String exchange, double threshold);

        /** The rung's name, or null. */
        String rungFor(Policy policy, String queue, String exchange, double threshold, double delay);

        List<Map<String, Object>> queue(
                Policy policy, double messageTtl, double ackTimeout, List<Map<String, Object>> steps);
    }

    record Policy(
            long maxAttempts,
            double initialDelay,
            double multiplier,
            double maxDelay,
            double jitterFactor,
            double maxMessageAge) {}

    /** A factory (fields, none, fixed, exponential) and what it is given; the delay of fixed is the initial one. */
    record Make(String factory, Policy policy) {}

    /** A change (give_up_after, with_jitter) and the new value. */
    record Copy(String change, double value) {}

    /** A refused input; the field is null where the code has none. */
    record Rejected(String code, String field) {}

    static final class RejectedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Rejected rejected;

        RejectedException(String code, String field) {
            super(code + " " + field);
            rejected = new Rejected(code, field);
        }
    }

    /** The least and the greatest count that is right. */
    record Counts(long least, long greatest) {}

    /** Doubles are equal when every bit is: -0.0 is not 0.0. */
    private static void check(Object expected, Callable<Object> question) throws Exception {
        Object got = answer(question);
        assertEquals(chosen(expected, got), got);
    }

    private static void checkLines(Object expected, Callable<Object> question) throws Exception {
        assertEquals(expected, plain(answer(question)));
    }

    private static Object answer(Callable<Object> question) throws Exception {
        try {
            return question.call();
        } catch (RejectedException e) {
            return e.rejected;
        }
    }

    /** What is expected, with the count that was got where it is a right one. */
    private static Object chosen(Object expected, Object got) {
        if (expected instanceof Counts counts) {
            boolean isRight = got instanceof Long count && counts.least <= count && count <= counts.greatest;
            return isRight ? got : (Object) counts.least;
        }
        if (expected instanceof List<?> items) {
            List<Object> chosen = new ArrayList<>();
            for (Object item : items) {
                boolean isThere = got instanceof List<?> list && chosen.size() < list.size();
                chosen.add(chosen(item, isThere ? ((List<?>) got).get(chosen.size()) : null));
            }
            return chosen;
        }
        return expected;
    }

    /** Data with all its numbers as doubles. */
    private static Object plain(Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        if (value instanceof List<?> items) {
            List<Object> plain = new ArrayList<>();
            items.forEach(item -> plain.add(plain(item)));
            return plain;
        }
        if (value instanceof Map<?, ?> entries) {
            Map<Object, Object> plain = new LinkedHashMap<>();
            entries.forEach((key, item) -> plain.put(key, plain(item)));
            return plain;
        }
        return value;
    }

    /** The delays on lines: a number of seconds, or the least and the greatest count. */
    private static List<Object> delays(String... blocks) {
        return String.join("", blocks).lines().map(SamewaitTest::delay).toList();
    }

    private static Object delay(String line) {
        String[] numbers = line.split(" ");
        return numbers.length == 1
                ? (Object) Double.valueOf(numbers[0])
                : new Counts(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }

    /** The JSON objects on lines. */
    private static List<Object> lines(String... blocks) {
        return String.join("", blocks).lines().map(line -> new Json(line).value()).toList();
    }

    /** Reads JSON as it is written here. Numbers are doubles. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            return switch (text.charAt(at)) {
                case '{' -> map();
                case '[' -> list();
                case '"' -> string();
                default -> word();
            };
        }

        private Map<String, Object> map() {
            Map<String, Object> map = new LinkedHashMap<>();
            at++;
            while (text.charAt(at) != '}') {
                skip(", ");
                String key = string();
                skip(": ");
                map.put(key, value());
            }
            at++;
            return map;
        }

        private List<Object> list() {
            List<Object> list = new ArrayList<>();
            at++;
            while (text.charAt(at) != ']') {
                skip(", ");
                list.add(value());
            }
            at++;
            return list;
        }

        private void skip(String separator) {
            if (text.startsWith(separator, at)) {
                at += separator.length();
            }
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c == '\\') {
                    at++;
                    c = switch (text.charAt(at)) {
                        case 'n' -> '\n';
                        case 't' -> '\t';
                        case 'r' -> '\r';
                        case 'b' -> '\b';
                        case 'f' -> '\f';
                        case 'u' -> {
                            at += 4;
                            yield (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
                        }
                        default -> text.charAt(at);
                    };
                }
                string.append(c);
            }
            at++;
            return string.toString();
        }

        private Object word() {
            int start = at;
            while (at < text.length() && ",]}".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(start, at);
            return word.equals("null") ? null : (Object) Double.valueOf(word);
        }
    }
