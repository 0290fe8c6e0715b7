import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.TypeAdapter;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Puts a library to the test of samewait: questions on standard input, answers on standard output, one JSON object a line.
 * The comments 1 to 4 lead from this skeleton to a port of your library.
 */
public final class Port {
    private static final Map<String, Function<JsonObject, Object>> QUESTIONS = new LinkedHashMap<>();

    static {
        QUESTIONS.put("backoff", Port::backoff);
    }

    static Object backoff(JsonObject request) {
        // 1. Call your library here, in place of the stand-in. Durations are seconds.
        return Map.of("delay", policy(request.getAsJsonObject("policy")).backoff(request.get("attempt").getAsLong()));
    }

    // 2. Next question: schedule. Write the method and put it in QUESTIONS: hello claims what is there.
    //
    // static Object schedule(JsonObject request) {
    //     return Map.of("delays", policy(request.getAsJsonObject("policy")).schedule());
    // }

    static Object hello() {
        // 3. Say who you are. A library that counts in whole units says "1ns" (a Duration), "100ns", "1us" or "1ms" in
        //    place of "exact", and answers each delay as a whole number of them.
        return Map.of(
                "protocol", 1,
                "name", "my-library",
                "version", "0.0.0",
                "language", "Java " + System.getProperty("java.version"),
                "features", List.copyOf(QUESTIONS.keySet()),
                "resolution", "exact");
    }

    /** The library refuses its input. Any other exception counts as a failure of the port. */
    @SuppressWarnings("serial")
    static final class Rejected extends RuntimeException {
        final Map<String, String> rejection = new LinkedHashMap<>();

        Rejected(String code, String field) {
            super(code + ": " + field);
            rejection.put("code", code);
            if (field != null) {
                rejection.put("field", field);
            }
        }
    }

    /** Map the fields to your library's own names here, and its exceptions to Rejected. */
    static StandIn policy(JsonObject fields) {
        return new StandIn(
                fields.get("max_attempts").getAsLong(),
                number(fields, "initial_delay"),
                number(fields, "multiplier"),
                number(fields, "max_delay"),
                number(fields, "jitter_factor"),
                number(fields, "max_message_age"));
    }

    /** A binary64. JSON has no NaN and no infinities: they come as texts. A negative zero is read as zero. */
    static double number(JsonObject fields, String key) {
        return fields.get(key).getAsDouble() + 0.0;
    }

    /** 4. The stand-in: what your library does instead. Delete it once nothing calls it. */
    record StandIn(
            long maxAttempts,
            double initialDelay,
            double multiplier,
            double maxDelay,
            double jitterFactor,
            double maxMessageAge) {
        static final double HORIZON = 0x1p32; // seconds
        static final int LARGEST = Integer.MAX_VALUE;

        StandIn { // in the order in which faults are reported
            check("max_attempts", maxAttempts, 1, LARGEST);
            check("initial_delay", initialDelay, 0, HORIZON);
            check("multiplier", multiplier, 1, Double.MAX_VALUE);
            check("max_delay", maxDelay, 0, HORIZON);
            check("jitter_factor", jitterFactor, 0, 1);
            check("max_message_age", maxMessageAge, 0, HORIZON);
        }

        private static void check(String field, double value, double low, double high) {
            if (!(low <= value && value <= high)) { // so written, it refuses NaN too
                throw new Rejected("invalid_policy", field);
            }
        }

        double backoff(long attempt) {
            if (attempt < 1 || attempt > LARGEST) {
                throw new Rejected("invalid_argument", "attempt");
            }
            double ceiling = maxDelay > 0 ? maxDelay : HORIZON; // 0 means no cap
            double delay = initialDelay;
            for (long n = 1; n < attempt && delay < ceiling; n++) {
                double longer = delay * multiplier;
                if (longer == delay) {
                    break; // it will not change any more, however large the attempt
                }
                delay = longer;
            }
            return Math.min(delay, ceiling);
        }
    }

    // The wire. There should be no need to change anything below.

    private static final Gson GSON = new GsonBuilder().serializeNulls().create();

    /** Gson's own entry points read what is no JSON. The bare adapter does not. */
    private static final TypeAdapter<JsonElement> JSON = GSON.getAdapter(JsonElement.class);

    /** The line that answers a line. Only what has no id cannot be answered. */
    static String answer(String line) {
        String id = null;
        try {
            JsonObject request = JSON.fromJson(line).getAsJsonObject();
            id = request.get("id").getAsString();
            return outcome(id, request);
        } catch (IOException | RuntimeException | StackOverflowError failure) {
            failure.printStackTrace(); // people see it
            return id == null ? "" : line(id, "error", failure.toString());
        }
    }

    private static String outcome(String id, JsonObject request) {
        String ask = request.get("ask").getAsString();
        if (ask.equals("hello")) {
            return line(id, "value", hello());
        }
        if (!QUESTIONS.containsKey(ask)) {
            return line(id, "unsupported", "no question " + ask + " is known here");
        }
        try {
            return line(id, "value", QUESTIONS.get(ask).apply(request));
        } catch (Rejected refusal) {
            return line(id, "rejected", refusal.rejection);
        }
    }

    private static String line(String id, String key, Object value) {
        JsonObject answer = new JsonObject();
        answer.addProperty("id", id);
        answer.add(key, GSON.toJsonTree(value));
        return GSON.toJson(answer) + "\n";
    }

    /** Flushes the answers before it has to wait for requests. */
    private static final class FlushBeforeWaiting extends FilterInputStream {
        private final Writer answers;

        FlushBeforeWaiting(InputStream in, Writer answers) {
            super(in);
            this.answers = answers;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (available() == 0) {
                answers.flush();
            }
            return super.read(buffer, offset, length);
        }
    }

    public static void main(String[] args) throws IOException {
        System.setOut(System.err); // what a library prints is no answer
        try (Writer answers = new BufferedWriter(new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), UTF_8));
                BufferedReader requests = new BufferedReader(
                        new InputStreamReader(new FlushBeforeWaiting(System.in, answers), UTF_8))) {
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                answers.write(answer(line));
            }
        }
    }
}
