package dev.samewait.retry;

import dev.samewait.retry.Event.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A queue with leases, retries and a use-by clock, in virtual time: nothing sleeps, and {@link #advanceTo} moves the clock.
 *
 * <p>Time is counted in whole milliseconds. Whatever a step makes possible or due at its instant has happened
 * when the method returns. A step that can't be done leaves an {@link Event.Refused} in the {@link #trace}; one that
 * makes no sense at all, such as a name put twice, throws.
 */
public final class WorkQueue {
    /** The prefetch of a consumer that always has room. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private final RetryPolicy policy;
    private final long messageTtl;
    private final long ackTimeout;
    private long now = 0;

    private final Map<String, Message> messages = new HashMap<>();
    private final Map<String, Consumer> consumers = new HashMap<>();
    private final List<Event> trace = new ArrayList<>();

    // Every set below is in the order in which its members take their turn, and gives up any of them cheaply. Leases all
    // last equally long, and so do TTL clocks: there the order of insertion is also the order in which they end.
    private final Set<Message> ready = new LinkedHashSet<>();
    private final TreeSet<Message> delayed = new TreeSet<>(Message.BY_END_OF_DELAY);
    private final Set<Lease> leases = new LinkedHashSet<>();
    private final Set<Message> clocks = new LinkedHashSet<>();
    private final Map<Message, Event.Dead> dead = new LinkedHashMap<>();
    private final Set<Consumer> withRoom = new LinkedHashSet<>();
    private long delaysBegun = 0;

    /** An empty queue at time 0. A TTL or a timeout of zero means none. */
    public WorkQueue(RetryPolicy policy, Duration messageTtl, Duration ackTimeout) {
        Seconds.check("message_ttl", messageTtl);
        Seconds.check("ack_timeout", ackTimeout);
        this.policy = policy;
        this.messageTtl = Seconds.toMillis(Seconds.of(messageTtl));
        this.ackTimeout = Seconds.toMillis(Seconds.of(ackTimeout));
    }

    /** Moves the clock to this time since the start. Everything due until then, and at it, happens. */
    public void advanceTo(Duration at) {
        require(Seconds.isWithinHorizon(at) && at.getNano() % 1_000_000 == 0, "no whole number of milliseconds: " + at);
        long target = at.toMillis();
        require(target >= now, "time runs backwards: " + at);
        for (long next = nextDue(); next <= target; next = nextDue()) {
            now = next;
            settle();
        }
        now = target;
    }

    /** Puts a message with a name that was never used before. */
    public void put(String name) {
        requireName(name);
        require(!messages.containsKey(name), "put twice: " + name);
        Message message = new Message(name);
        messages.put(name, message);
        enter(message);
        settle();
    }

    /** Adds a consumer that always has room. */
    public void addConsumer(String name, OnMessage onMessage) {
        addConsumer(name, onMessage, UNLIMITED);
    }

    /** Adds a consumer that holds at most {@code prefetch} leases at a time. */
    public void addConsumer(String name, OnMessage onMessage, long prefetch) {
        requireName(name);
        require(prefetch >= 1, "a prefetch below 1: " + prefetch);
        Consumer consumer = new Consumer(name, onMessage, prefetch);
        if (consumers.putIfAbsent(name, consumer) != null) {
            refuse("add_consumer", name, Refusal.DUPLICATE_CONSUMER);
            return;
        }
        withRoom.add(consumer);
        settle();
    }

    /** Removes a consumer. Each of its leases fails. */
    public void removeConsumer(String name) {
        requireName(name);
        Consumer consumer = consumers.remove(name);
        if (consumer == null) {
            refuse("remove_consumer", name, Refusal.UNKNOWN_CONSUMER);
            return;
        }
        withRoom.remove(consumer);
        for (Lease lease : List.copyOf(consumer.leases)) {
            fail(lease, "consumer removed");
        }
        settle();
    }

    /** Acks the latest delivery of a message. */
    public void ack(String message) {
        ack(message, latestDelivery(message));
    }

    /** Acks one delivery of a message, which must still be leased. */
    public void ack(String message, long delivery) {
        liveLease("ack", message, delivery).ifPresent(lease -> {
            ack(lease);
            settle();
        });
    }

    /** Fails the latest delivery of a message, with a text or null. */
    public void nack(String message, String error) {
        nack(message, latestDelivery(message), error);
    }

    /** Fails one delivery of a message, which must still be leased, with a text or null. */
    public void nack(String message, long delivery, String error) {
        liveLease("nack", message, delivery).ifPresent(lease -> {
            fail(lease, error);
            settle();
        });
    }

    /** Puts a dead message back in, as if it were new. */
    public void replay(String name) {
        requireName(name);
        Message message = messages.get(name);
        if (message == null || dead.remove(message) == null) {
            refuse("replay", name, Refusal.NOT_DEAD);
            return;
        }
        enter(message);
        settle();
    }

    /** How many messages are in which state. */
    public Event.Stats stats() {
        return emit(new Event.Stats(time(now), ready.size(), delayed.size(), leases.size(), dead.size()));
    }

    /** The dead messages in the order of their deaths. */
    public Event.DeadLetters deadLetters() {
        return emit(new Event.DeadLetters(time(now), List.copyOf(dead.values())));
    }

    /** Everything that has happened so far, in order. */
    public List<Event> trace() {
        return Collections.unmodifiableList(trace);
    }

    // ---- What happens by itself

    private long nextDue() {
        long next = Long.MAX_VALUE;
        if (ackTimeout > 0 && !leases.isEmpty()) {
            next = Math.min(next, first(leases).end);
        }
        if (!delayed.isEmpty()) {
            next = Math.min(next, delayed.first().delayedUntil);
        }
        if (!clocks.isEmpty()) {
            next = Math.min(next, first(clocks).clockEnd);
        }
        return next;
    }

    /** Lets everything happen that can happen at this instant. */
    private void settle() {
        while (happen()) {
            // Each event may make others possible that come before the next.
        }
    }

    /** Lets the first thing happen that is possible now, in the order of Q-26. */
    private boolean happen() {
        if (ackTimeout > 0 && !leases.isEmpty() && first(leases).end <= now) {
            fail(first(leases), "ack timeout");
        } else if (!delayed.isEmpty() && delayed.first().delayedUntil <= now) {
            makeReady(delayed.pollFirst());
        } else if (!ready.isEmpty() && !withRoom.isEmpty()) {
            deliver(first(ready), first(withRoom));
        } else if (!clocks.isEmpty() && first(clocks).clockEnd <= now) {
            expire(first(clocks));
        } else {
            return false;
        }
        return true;
    }

    /** A message comes in, or comes back from the dead: nothing of an earlier life counts. */
    private void enter(Message message) {
        message.attempts = 0;
        message.lastError = null;
        message.enteredAt = now;
        startClock(message);
        makeReady(message);
    }

    private void startClock(Message message) {
        if (messageTtl > 0) {
            message.clockEnd = now + messageTtl;
            clocks.add(message);
        }
    }

    private void makeReady(Message message) {
        ready.add(message);
        emit(new Event.Ready(time(now), message.name));
    }

    private void deliver(Message message, Consumer consumer) {
        ready.remove(message);
        clocks.remove(message); // nobody waits for it while it is leased
        message.attempts++;
        message.deliveries++;
        Lease lease = new Lease(message, consumer, now + ackTimeout);
        message.lease = lease;
        leases.add(lease);
        consumer.leases.add(lease);
        if (!consumer.hasRoom()) {
            withRoom.remove(consumer);
        }
        emit(new Event.Delivered(time(now), message.name, message.attempts, consumer.name));
        if (consumer.onMessage instanceof OnMessage.Ack) {
            ack(lease);
        } else if (consumer.onMessage instanceof OnMessage.Fail failing) {
            fail(lease, failing.error());
        }
    }

    private void ack(Lease lease) {
        release(lease);
        emit(new Event.Acked(time(now), lease.message.name, lease.message.attempts));
    }

    private void fail(Lease lease, String error) {
        release(lease);
        Message message = lease.message;
        message.lastError = error;
        emit(new Event.Failed(time(now), message.name, message.attempts, error));

        double age = (now - message.enteredAt) / 1000.0; // one division, never a sum of seconds
        Optional<Reason> end = policy.giveUpReason(message.attempts, age);
        if (end.isPresent()) {
            die(message, end.get());
            return;
        }
        startClock(message); // at the failure, so that the delay counts
        long delay = Seconds.toMillis(policy.backoffSeconds(message.attempts));
        if (delay == 0) {
            makeReady(message);
            return;
        }
        message.delayedUntil = now + delay;
        message.delayOrder = delaysBegun++;
        delayed.add(message);
        emit(new Event.Delayed(time(now), message.name, time(message.delayedUntil)));
    }

    private void expire(Message message) {
        clocks.remove(message);
        if (!ready.remove(message)) {
            delayed.remove(message);
        }
        die(message, Reason.TTL_EXPIRED);
    }

    private void die(Message message, Reason reason) {
        dead.put(message, emit(new Event.Dead(time(now), message.name, reason, message.lastError, message.attempts)));
    }

    private void release(Lease lease) {
        leases.remove(lease);
        lease.message.lease = null;
        lease.consumer.leases.remove(lease);
        if (consumers.get(lease.consumer.name) == lease.consumer) { // a removed one gets no further message
            withRoom.add(lease.consumer);
        }
    }

    // ---- Small things

    private long latestDelivery(String name) {
        Message message = messages.get(name);
        return message == null || message.deliveries == 0 ? 1 : message.deliveries;
    }

    /** The lease of this delivery, or a refusal in the trace if it is not live. */
    private Optional<Lease> liveLease(String action, String name, long delivery) {
        requireName(name);
        require(delivery >= 1, "a delivery below 1: " + delivery);
        Message message = messages.get(name);
        // A message has at most one live lease, and that is its latest delivery.
        if (message == null || message.lease == null || message.deliveries != delivery) {
            refuse(action, name, Refusal.UNKNOWN_DELIVERY);
            return Optional.empty();
        }
        return Optional.of(message.lease);
    }

    private void refuse(String action, String name, Refusal code) {
        emit(new Event.Refused(time(now), action, name, code));
    }

    private <E extends Event> E emit(E event) {
        trace.add(event);
        return event;
    }

    private static Duration time(long millis) {
        return Duration.ofMillis(millis);
    }

    private static <T> T first(Set<T> ordered) {
        return ordered.iterator().next();
    }

    private static void requireName(String name) {
        require(name != null && !name.isEmpty(), "a name is missing or empty");
    }

    private static void require(boolean sensible, String complaint) {
        if (!sensible) {
            throw new IllegalArgumentException(complaint);
        }
    }

    private static final class Message {
        /** The order number is unique, so two messages never compare as equal; among equal ends the first begun comes first. */
        static final Comparator<Message> BY_END_OF_DELAY =
                Comparator.<Message>comparingLong(m -> m.delayedUntil).thenComparingLong(m -> m.delayOrder);

        final String name;
        int attempts;
        long deliveries; // never reset, unlike the attempts
        String lastError;
        long enteredAt;
        long clockEnd;
        long delayedUntil;
        long delayOrder;
        Lease lease;

        Message(String name) {
            this.name = name;
        }
    }

    private static final class Lease {
        final Message message;
        final Consumer consumer;
        final long end;

        Lease(Message message, Consumer consumer, long end) {
            this.message = message;
            this.consumer = consumer;
            this.end = end;
        }
    }

    private static final class Consumer {
        final String name;
        final OnMessage onMessage;
        final long prefetch;
        final Set<Lease> leases = new LinkedHashSet<>();

        Consumer(String name, OnMessage onMessage, long prefetch) {
            this.name = name;
            this.onMessage = onMessage;
            this.prefetch = prefetch;
        }

        boolean hasRoom() {
            return leases.size() < prefetch;
        }
    }
}
