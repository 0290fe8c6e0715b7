package samewait;

import dev.samewait.retry.Event;
import dev.samewait.retry.Ladder;
import dev.samewait.retry.NextDelay;
import dev.samewait.retry.OnMessage;
import dev.samewait.retry.RejectedException;
import dev.samewait.retry.RetryPolicy;
import dev.samewait.retry.Seconds;
import dev.samewait.retry.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import samewait.SamewaitTest.Copy;
import samewait.SamewaitTest.Make;
import samewait.SamewaitTest.Policy;

/**
 * Puts the questions of the tests that {@code samewait emit junit --resolution 1ns} makes to this library. With IGNORE_CAP in
 * the environment it leaves the cap out, to show that the tests notice.
 */
final class SamewaitBinding implements SamewaitTest.Binding {
    private static final boolean IGNORE_CAP = System.getenv("IGNORE_CAP") != null;

    /** The library's answer, and its refusals as those of the tests. */
    private static <T> T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (RejectedException e) {
            throw new SamewaitTest.RejectedException(e.code(), e.field().orElse(null));
        }
    }

    /** An attempt that no int can hold becomes 0, which is just as illegal. */
    private static int count(long count) {
        return count == (int) count ? (int) count : 0;
    }

    /** What is below 0 stays so, be it ever so near. */
    private static Duration duration(double seconds) {
        Duration nearest = Seconds.toDuration(seconds);
        return seconds < 0 && nearest.isZero() ? Duration.ofNanos(-1) : nearest;
    }

    private static RetryPolicy made(Policy fields) {
        return new RetryPolicy(
                count(fields.maxAttempts()),
                duration(fields.initialDelay()),
                fields.multiplier(),
                IGNORE_CAP ? Duration.ZERO : duration(fields.maxDelay()),
                fields.jitterFactor(),
                duration(fields.maxMessageAge()));
    }

    private static RetryPolicy made(Make make) {
        int attempts = count(make.policy().maxAttempts());
        Duration delay = duration(make.policy().initialDelay());
        return switch (make.factory()) {
            case "none" -> RetryPolicy.none();
            case "fixed" -> RetryPolicy.fixed(attempts, delay);
            case "exponential" -> RetryPolicy.exponential(attempts, delay, duration(make.policy().maxDelay()));
            default -> made(make.policy());
        };
    }

    @Override
    public Policy policy(Make make, List<Copy> then) {
        return ask(() -> {
            RetryPolicy policy = made(make);
            for (Copy copy : then) {
                policy = copy.change().equals("give_up_after")
                        ? policy.giveUpAfter(duration(copy.value()))
                        : policy.withJitter(copy.value());
            }
            return new Policy(
                    policy.maxAttempts(),
                    Seconds.of(policy.initialDelay()),
                    policy.multiplier(),
                    Seconds.of(policy.maxDelay()),
                    policy.jitterFactor(),
                    Seconds.of(policy.maxMessageAge()));
        });
    }

    @Override
    public List<Long> schedule(Policy policy) {
        return ask(() -> made(policy).schedule().map(Duration::toNanos).toList());
    }

    @Override
    public Long backoff(Policy policy, long attempt) {
        return ask(() -> made(policy).backoff(count(attempt)).toNanos());
    }

    @Override
    public Object nextDelay(Policy policy, long attempt, Double messageAge) {
        return ask(() -> {
            NextDelay next = made(policy).nextDelay(count(attempt), messageAge == null ? null : duration(messageAge));
            return next instanceof NextDelay.Wait wait
                    ? wait.delay().toNanos()
                    : ((NextDelay.GiveUp) next).reason().toString();
        });
    }

    @Override
    public Long jitter(Policy policy, double delay, double draw) {
        return ask(() -> made(policy).jittered(duration(delay), draw).toNanos());
    }

    private static Ladder madeLadder(Policy policy, String queue, String exchange, double threshold) {
        return Ladder.of(made(policy), queue, exchange, duration(threshold));
    }

    @Override
    public List<Map<String, Object>> ladder(Policy policy, String queue, String exchange, double threshold) {
        return ask(() -> madeLadder(policy, queue, exchange, threshold).rungs().stream()
                .map(rung -> map("name", rung.name(), "ttl_ms", rung.ttlMillis(), "arguments", rung.arguments()))
                .toList());
    }

    @Override
    public String rungFor(Policy policy, String queue, String exchange, double threshold, double delay) {
        return ask(() -> madeLadder(policy, queue, exchange, threshold)
                .rungFor(duration(delay))
                .map(rung -> rung.name())
                .orElse(null));
    }

    @Override
    public List<Map<String, Object>> queue(
            Policy policy, double messageTtl, double ackTimeout, List<Map<String, Object>> steps) {
        return ask(() -> {
            WorkQueue queue = new WorkQueue(made(policy), duration(messageTtl), duration(ackTimeout));
            steps.forEach(step -> take(queue, step));
            return queue.trace().stream().map(SamewaitBinding::told).toList();
        });
    }

    private static void take(WorkQueue queue, Map<String, Object> step) {
        queue.advanceTo(Duration.ofMillis(Math.round((Double) step.get("at") * 1000)));
        String message = (String) step.get("message");
        String consumer = (String) step.get("consumer");
        Long delivery = step.get("delivery") instanceof Double number ? number.longValue() : null;
        switch ((String) step.get("do")) {
            case "put" -> queue.put(message);
            case "add_consumer" -> queue.addConsumer(
                    consumer,
                    onMessage(step.get("on_message")),
                    step.get("prefetch") instanceof Double prefetch ? prefetch.longValue() : WorkQueue.UNLIMITED);
            case "remove_consumer" -> queue.removeConsumer(consumer);
            case "ack" -> {
                if (delivery == null) {
                    queue.ack(message);
                } else {
                    queue.ack(message, delivery);
                }
            }
            case "nack" -> {
                String error = (String) step.get("error");
                if (delivery == null) {
                    queue.nack(message, error);
                } else {
                    queue.nack(message, delivery, error);
                }
            }
            case "replay" -> queue.replay(message);
            case "stats" -> queue.stats();
            case "dead_letters" -> queue.deadLetters();
            default -> {} // wait
        }
    }

    private static OnMessage onMessage(Object given) {
        if (given instanceof Map<?, ?> failing) {
            return new OnMessage.Fail((String) failing.get("fail"));
        }
        return "ack".equals(given) ? new OnMessage.Ack() : new OnMessage.Hold();
    }

    /** An event as the trace has it. */
    private static Map<String, Object> told(Event event) {
        Map<String, Object> told = map("at", seconds(event.at()));
        if (event instanceof Event.Ready ready) {
            told.putAll(map("event", "ready", "message", ready.message()));
        } else if (event instanceof Event.Delivered delivered) {
            told.putAll(map("event", "delivered", "message", delivered.message()));
            told.putAll(map("attempt", delivered.attempt(), "consumer", delivered.consumer()));
        } else if (event instanceof Event.Acked acked) {
            told.putAll(map("event", "acked", "message", acked.message(), "attempt", acked.attempt()));
        } else if (event instanceof Event.Failed failed) {
            told.putAll(map("event", "failed", "message", failed.message()));
            told.putAll(map("attempt", failed.attempt(), "error", failed.error()));
        } else if (event instanceof Event.Delayed delayed) {
            told.putAll(map("event", "delayed", "message", delayed.message(), "until", seconds(delayed.until())));
        } else if (event instanceof Event.Dead dead) {
            told.put("event", "dead");
            told.putAll(death(dead));
        } else if (event instanceof Event.Refused refused) {
            told.putAll(map("event", "refused", "do", refused.action(), "code", refused.code().toString()));
            told.put(refused.code().isAboutConsumer() ? "consumer" : "message", refused.name());
        } else if (event instanceof Event.Stats stats) {
            told.putAll(map("event", "stats", "ready", stats.ready(), "delayed", stats.delayed()));
            told.putAll(map("leased", stats.leased(), "dead", stats.dead()));
        } else if (event instanceof Event.DeadLetters letters) {
            List<Object> messages = new ArrayList<>();
            for (Event.Dead dead : letters.messages()) {
                Map<String, Object> letter = death(dead);
                letter.put("at", seconds(dead.at()));
                messages.add(letter);
            }
            told.putAll(map("event", "dead_letters", "messages", messages));
        }
        return told;
    }

    private static Map<String, Object> death(Event.Dead dead) {
        Map<String, Object> death = map("message", dead.message(), "reason", dead.reason().toString());
        death.putAll(map("error", dead.error(), "attempts", dead.attempts()));
        return death;
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1000.0;
    }

    /** Names and values in turn; unlike Map.of, it takes null. */
    private static Map<String, Object> map(Object... entries) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }
}
