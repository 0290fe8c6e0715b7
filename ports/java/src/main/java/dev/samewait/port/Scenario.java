package dev.samewait.port;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.samewait.retry.Event;
import dev.samewait.retry.OnMessage;
import dev.samewait.retry.WorkQueue;
import java.time.Duration;

/** The queue question: plays the steps of a scenario to a {@link WorkQueue} and writes its trace (chapter 6). */
final class Scenario {
    private Scenario() {}

    static JsonObject play(Arguments arguments) {
        WorkQueue queue = new WorkQueue(
                arguments.policy("policy"), arguments.duration("message_ttl"), arguments.duration("ack_timeout"));
        for (JsonElement step : arguments.array("steps")) {
            take(queue, Arguments.of(step));
        }
        JsonArray trace = new JsonArray();
        queue.trace().forEach(event -> trace.add(write(event)));
        JsonObject value = new JsonObject();
        value.add("trace", trace);
        return value;
    }

    private static void take(WorkQueue queue, Arguments step) {
        queue.advanceTo(step.time("at"));
        String action = step.text("do");
        switch (action) {
            case "put" -> queue.put(step.text("message"));
            case "add_consumer" -> queue.addConsumer(
                    step.text("consumer"),
                    step.has("on_message") ? onMessage(step) : new OnMessage.Hold(),
                    step.has("prefetch") ? step.integer("prefetch") : WorkQueue.UNLIMITED);
            case "remove_consumer" -> queue.removeConsumer(step.text("consumer"));
            case "ack" -> {
                if (step.has("delivery")) {
                    queue.ack(step.text("message"), step.integer("delivery"));
                } else {
                    queue.ack(step.text("message"));
                }
            }
            case "nack" -> {
                String error = step.textOrNull("error");
                if (step.has("delivery")) {
                    queue.nack(step.text("message"), step.integer("delivery"), error);
                } else {
                    queue.nack(step.text("message"), error);
                }
            }
            case "replay" -> queue.replay(step.text("message"));
            case "stats" -> queue.stats();
            case "dead_letters" -> queue.deadLetters();
            case "wait" -> {}
            default -> throw new IllegalArgumentException("unknown step " + action);
        }
    }

    private static OnMessage onMessage(Arguments step) {
        if (step.get("on_message").isJsonObject()) {
            return new OnMessage.Fail(step.object("on_message").text("fail"));
        }
        String name = step.text("on_message");
        return switch (name) {
            case "hold" -> new OnMessage.Hold();
            case "ack" -> new OnMessage.Ack();
            default -> throw new IllegalArgumentException("unknown on_message " + name);
        };
    }

    private static JsonObject write(Event event) {
        JsonObject json = new JsonObject();
        json.add("at", seconds(event.at()));
        if (event instanceof Event.Ready ready) {
            json.addProperty("event", "ready");
            json.addProperty("message", ready.message());
        } else if (event instanceof Event.Delivered delivered) {
            json.addProperty("event", "delivered");
            json.addProperty("message", delivered.message());
            json.addProperty("attempt", delivered.attempt());
            json.addProperty("consumer", delivered.consumer());
        } else if (event instanceof Event.Acked acked) {
            json.addProperty("event", "acked");
            json.addProperty("message", acked.message());
            json.addProperty("attempt", acked.attempt());
        } else if (event instanceof Event.Failed failed) {
            json.addProperty("event", "failed");
            json.addProperty("message", failed.message());
            json.addProperty("attempt", failed.attempt());
            json.add("error", textOrNull(failed.error()));
        } else if (event instanceof Event.Delayed delayed) {
            json.addProperty("event", "delayed");
            json.addProperty("message", delayed.message());
            json.add("until", seconds(delayed.until()));
        } else if (event instanceof Event.Dead dead) {
            json.addProperty("event", "dead");
            addDeath(json, dead);
        } else if (event instanceof Event.Refused refused) {
            json.addProperty("event", "refused");
            json.addProperty("do", refused.action());
            json.addProperty(refused.code().isAboutConsumer() ? "consumer" : "message", refused.name());
            json.addProperty("code", refused.code().toString());
        } else if (event instanceof Event.Stats stats) {
            json.addProperty("event", "stats");
            json.addProperty("ready", stats.ready());
            json.addProperty("delayed", stats.delayed());
            json.addProperty("leased", stats.leased());
            json.addProperty("dead", stats.dead());
        } else if (event instanceof Event.DeadLetters letters) {
            json.addProperty("event", "dead_letters");
            JsonArray messages = new JsonArray();
            for (Event.Dead dead : letters.messages()) {
                JsonObject letter = new JsonObject();
                letter.add("at", seconds(dead.at()));
                addDeath(letter, dead);
                messages.add(letter);
            }
            json.add("messages", messages);
        }
        return json;
    }

    /** What the event of a death and a dead letter have in common. */
    private static void addDeath(JsonObject json, Event.Dead dead) {
        json.addProperty("message", dead.message());
        json.addProperty("reason", dead.reason().toString());
        json.add("error", textOrNull(dead.error()));
        json.addProperty("attempts", dead.attempts());
    }

    private static JsonPrimitive seconds(Duration time) {
        return new JsonPrimitive(time.toMillis() / 1000.0);
    }

    private static JsonElement textOrNull(String text) {
        return text == null ? JsonNull.INSTANCE : new JsonPrimitive(text);
    }
}
