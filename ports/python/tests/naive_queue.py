"""Chapter 6 once more, read aloud: lists that are scanned for each thing, to hold the queue against.

It shares no code with the port, takes the steps of a scenario that makes sense, with instants in milliseconds, and
gives the trace as tuples. It notices when the trace depends on which of several consumers got a message (Q-4).
"""

from setting import milliseconds, waits


class Choice(Exception):
    pass


class NaiveQueue:
    def __init__(self, max_attempts, initial, multiplier, cap, max_age, ttl, timeout):
        self.max_attempts, self.max_age = max_attempts, max_age
        self.ttl = milliseconds(ttl) or None
        self.timeout = milliseconds(timeout) or None
        self.waits = waits(initial, multiplier, cap, max_attempts)
        self.now, self.tick, self.trace = 0, 0, []
        self.messages, self.consumers = [], {}

    def order(self):
        self.tick += 1
        return self.tick

    def tell(self, *event):
        self.trace.append((self.now, *event))

    def find(self, name):
        return next((m for m in self.messages if m["name"] == name), None)

    def those(self, state, order, due=None):
        found = [m for m in self.messages if m["state"] == state and (due is None or m[due] in range(self.now + 1))]
        return sorted(found, key=lambda m: m[order])

    def instants(self):
        for m in self.messages:
            if m["state"] == "leased" and self.timeout is not None:
                yield m["lease_end"]
            if m["state"] == "delayed":
                yield m["until"]
            if m["state"] in ("ready", "delayed") and self.ttl is not None:
                yield m["clock"] + self.ttl

    def pass_time(self, until):
        while True:
            due = min(self.instants(), default=until + 1)
            if due > until:
                self.now = until
                return
            self.now = due
            self.happen()

    def happen(self):
        while self.one_thing():
            pass

    def one_thing(self):
        if self.timeout is not None:
            for m in self.those("leased", "delivered", due="lease_end"):
                self.fail(m, "ack timeout")
                return True
        for m in self.those("delayed", "became_delayed", due="until"):
            self.ready(m)
            return True
        for m in self.those("ready", "became_ready"):
            if self.with_room():
                self.deliver(m, self.with_room())
                return True
        if self.ttl is not None:
            waiting = [m for m in self.messages if m["state"] in ("ready", "delayed")]
            for m in sorted(waiting, key=lambda m: m["clock_order"]):
                if m["clock"] + self.ttl <= self.now:
                    self.die(m, "ttl_expired")
                    return True
        return False

    def with_room(self):
        found = []
        for name, (_, prefetch) in self.consumers.items():
            holds = sum(m["state"] == "leased" and m["consumer"] == name for m in self.messages)
            if prefetch is None or holds < prefetch:
                found.append(name)
        if len(found) > 1:
            raise Choice
        return found[0] if found else None

    def ready(self, m):
        m.update(state="ready", became_ready=self.order())
        self.tell("ready", m["name"])

    def start_clock(self, m):
        m.update(clock=self.now, clock_order=self.order())

    def deliver(self, m, consumer):
        m["attempts"] += 1
        m["deliveries"] += 1
        m.update(state="leased", consumer=consumer, delivered=self.order(), lease_end=self.now + (self.timeout or 0))
        self.tell("delivered", m["name"], m["attempts"], consumer)
        mode = self.consumers[consumer][0]
        if mode == "ack":
            self.settle(m)
        elif mode != "hold":
            self.fail(m, mode["fail"])

    def settle(self, m):
        m["state"] = "gone"
        self.tell("acked", m["name"], m["attempts"])

    def fail(self, m, error):
        m["error"] = error
        self.tell("failed", m["name"], m["attempts"], error)
        if m["attempts"] >= self.max_attempts:
            self.die(m, "max_attempts")
        elif self.max_age and self.now - m["born"] >= self.max_age:
            self.die(m, "max_message_age")
        else:
            self.start_clock(m)
            wait = milliseconds(self.waits[m["attempts"] - 1])
            if wait == 0:
                self.ready(m)
            else:
                m.update(state="delayed", until=self.now + wait, became_delayed=self.order())
                self.tell("delayed", m["name"], m["until"])

    def die(self, m, reason):
        m.update(state="dead", reason=reason, died=self.order(), died_at=self.now)
        self.tell("dead", m["name"], reason, m["error"], m["attempts"])

    def come_in(self, m):
        m.update(attempts=0, error=None, born=self.now)
        self.start_clock(m)
        self.ready(m)

    def take(self, at, do, message=None, consumer=None, on_message="hold", prefetch=None, delivery=None, error=None):
        self.pass_time(at)
        m = self.find(message)
        code = None
        if do == "put":
            self.messages.append({"name": message, "deliveries": 0})
            self.come_in(self.messages[-1])
        elif do == "add_consumer":
            if consumer in self.consumers:
                code = "duplicate_consumer"
            else:
                self.consumers[consumer] = (on_message, prefetch)
        elif do == "remove_consumer":
            if consumer not in self.consumers:
                code = "unknown_consumer"
            else:
                del self.consumers[consumer]
                for held in self.those("leased", "delivered"):
                    if held["consumer"] == consumer:
                        self.fail(held, "consumer removed")
        elif do in ("ack", "nack"):
            if m is None or m["state"] != "leased" or delivery not in (None, m["deliveries"]):
                code = "unknown_delivery"
            elif do == "ack":
                self.settle(m)
            else:
                self.fail(m, error)
        elif do == "replay":
            if m is None or m["state"] != "dead":
                code = "not_dead"
            else:
                self.come_in(m)
        elif do == "stats":
            self.tell("stats", *(len(self.those(s, "name")) for s in ("ready", "delayed", "leased", "dead")))
        elif do == "dead_letters":
            letters = self.those("dead", "died")
            self.tell(
                "dead_letters", [(m["name"], m["reason"], m["error"], m["attempts"], m["died_at"]) for m in letters]
            )
        if code:
            self.tell("refused", do, message or consumer, code)
        self.happen()
