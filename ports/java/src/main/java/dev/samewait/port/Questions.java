package dev.samewait.port;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.samewait.retry.Ladder;
import dev.samewait.retry.NextDelay;
import dev.samewait.retry.RejectedException.InvalidArgument;
import dev.samewait.retry.RetryPolicy;
import dev.samewait.retry.Rung;
import dev.samewait.retry.Seconds;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** The questions of the kit, each put to the library. */
final class Questions {
    /** What the port answers besides hello, which is also what it says of itself (W-15). */
    private static final Map<String, Function<Arguments, JsonObject>> FEATURES = new TreeMap<>(Map.of(
            "policy", Questions::policy,
            "schedule", Questions::schedule,
            "backoff", Questions::backoff,
            "next_delay", Questions::nextDelay,
            "jitter", Questions::jitter,
            "jitter_samples", Questions::jitterSamples,
            "ladder", Questions::ladder,
            "rung_for", Questions::rungFor,
            "queue", Scenario::play));

    private Questions() {}

    static JsonObject answer(String ask, Arguments arguments) throws UnsupportedQuestionException {
        if (ask.equals("hello")) {
            return hello();
        }
        Function<Arguments, JsonObject> question = FEATURES.get(ask);
        if (question == null) {
            throw new UnsupportedQuestionException(ask);
        }
        return question.apply(arguments);
    }

    private static JsonObject hello() {
        JsonObject value = new JsonObject();
        value.addProperty("protocol", 1);
        value.addProperty("name", "samewait-java");
        value.addProperty("version", "1.0.0");
        value.addProperty("language", "Java " + Runtime.version().feature());
        JsonArray features = new JsonArray();
        FEATURES.keySet().forEach(features::add);
        value.add("features", features);
        value.addProperty("resolution", "1ns");
        return value;
    }

    private static JsonObject policy(Arguments arguments) {
        RetryPolicy policy = make(arguments.object("make"));
        for (JsonElement step : arguments.array("then")) {
            Arguments copy = Arguments.of(step);
            policy = copy.has("give_up_after")
                    ? policy.giveUpAfter(copy.duration("give_up_after"))
                    : policy.withJitter(copy.number("with_jitter"));
        }
        JsonObject fields = new JsonObject(); // in seconds, whatever the resolution (W-16)
        fields.addProperty("max_attempts", policy.maxAttempts());
        fields.addProperty("initial_delay", Seconds.of(policy.initialDelay()));
        fields.addProperty("multiplier", policy.multiplier());
        fields.addProperty("max_delay", Seconds.of(policy.maxDelay()));
        fields.addProperty("jitter_factor", policy.jitterFactor());
        fields.addProperty("max_message_age", Seconds.of(policy.maxMessageAge()));
        return value("policy", fields);
    }

    private static RetryPolicy make(Arguments make) {
        if (make.has("none")) {
            return RetryPolicy.none();
        }
        if (make.has("fixed")) {
            Arguments fixed = make.object("fixed");
            return RetryPolicy.fixed(fixed.count("max_attempts"), fixed.duration("delay"));
        }
        if (make.has("exponential")) {
            Arguments exponential = make.object("exponential");
            return RetryPolicy.exponential(
                    exponential.count("max_attempts"),
                    exponential.duration("initial_delay"),
                    exponential.duration("max_delay"));
        }
        return make.policy("fields");
    }

    private static JsonObject schedule(Arguments arguments) {
        return delays(arguments.policy("policy").schedule());
    }

    private static JsonObject backoff(Arguments arguments) {
        RetryPolicy policy = arguments.policy("policy");
        return value("delay", nanos(policy.backoff(arguments.count("attempt"))));
    }

    private static JsonObject nextDelay(Arguments arguments) {
        RetryPolicy policy = arguments.policy("policy");
        int attempt = arguments.count("attempt");
        if (arguments.has("message_age") && Double.isNaN(arguments.number("message_age"))) {
            policy.nextDelay(attempt, null); // the attempt is judged before the age (N-1)
            throw new InvalidArgument("message_age", Double.NaN, "a number");
        }
        Duration age = arguments.has("message_age") ? arguments.duration("message_age") : null;
        NextDelay next = policy.nextDelay(attempt, age);
        if (next instanceof NextDelay.Wait wait) {
            return value("delay", nanos(wait.delay()));
        }
        return value("give_up", new JsonPrimitive(((NextDelay.GiveUp) next).reason().toString()));
    }

    private static JsonObject jitter(Arguments arguments) {
        RetryPolicy policy = arguments.policy("policy");
        return value("delay", nanos(policy.jittered(arguments.duration("delay"), arguments.number("draw"))));
    }

    private static JsonObject jitterSamples(Arguments arguments) {
        RetryPolicy policy = arguments.policy("policy");
        return delays(policy.jitterSamples(arguments.duration("delay"), arguments.count("count")).stream());
    }

    private static JsonObject ladder(Arguments arguments) {
        JsonArray rungs = new JsonArray();
        for (Rung rung : buildLadder(arguments).rungs()) {
            JsonObject declared = new JsonObject();
            rung.arguments().forEach((key, argument) -> declared.add(key, argument instanceof Number number
                    ? new JsonPrimitive(number)
                    : new JsonPrimitive((String) argument)));
            JsonObject json = new JsonObject();
            json.addProperty("name", rung.name());
            json.addProperty("ttl_ms", rung.ttlMillis());
            json.add("arguments", declared);
            rungs.add(json);
        }
        return value("rungs", rungs);
    }

    private static JsonObject rungFor(Arguments arguments) {
        return value("rung", buildLadder(arguments)
                .rungFor(arguments.duration("delay"))
                .<JsonElement>map(rung -> new JsonPrimitive(rung.name()))
                .orElse(JsonNull.INSTANCE));
    }

    private static Ladder buildLadder(Arguments arguments) {
        return Ladder.of(
                arguments.policy("policy"),
                arguments.text("queue"),
                arguments.text("exchange"),
                arguments.duration("threshold"));
    }

    private static JsonObject delays(Stream<Duration> durations) {
        JsonArray delays = new JsonArray();
        durations.forEach(delay -> delays.add(nanos(delay)));
        return value("delays", delays);
    }

    /** A delay as a count of the port's unit (W-16). The longest one is below 2^33 s and fits. */
    private static JsonPrimitive nanos(Duration delay) {
        return new JsonPrimitive(delay.toNanos());
    }

    private static JsonObject value(String key, JsonElement element) {
        JsonObject value = new JsonObject();
        value.add(key, element);
        return value;
    }
}
