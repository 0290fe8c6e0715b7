import { Agenda } from './agenda.js';
import { FakeClock } from './clock.js';
import { InvalidArgumentError, MisuseError, RefusedError } from './errors.js';
import { COUNT, DURATION, ERROR_TEXT, HANDLER, NAME, judged, toMilliseconds } from './limits.js';
import { Line } from './line.js';
import { RetryPolicy } from './policy.js';

/** A work queue in virtual time: leases, retries, a use-by clock and dead letters (chapter 6). Nothing sleeps. */
export class WorkQueue {
  #policy;
  #clock;
  #ttl;
  #ackTimeout;
  #onEvent;

  #messages = new Map(); // by name, for good: a name is used once
  #consumers = new Map(); // by name
  #count = { ready: 0, delayed: 0, leased: 0, dead: 0, gone: 0 };

  // Leases last equally long, and so do TTL clocks: those that started first end first, and a line keeps them in order.
  // Only delays differ, and need an agenda.
  #leases = new Line();
  #delays = new Agenda();
  #ready = new Line();
  #idle = new Line(); // consumers that have room
  #ttlClocks = new Line();
  #dead = new Set(); // in the order of death
  #settling = false;

  constructor({ policy, clock = new FakeClock(), messageTtl = 0, ackTimeout = 0, onEvent = () => {} }) {
    if (!(policy instanceof RetryPolicy)) throw new TypeError('policy must be a RetryPolicy');
    this.#policy = policy;
    this.#clock = clock;
    this.#ttl = toMilliseconds(judged(DURATION, messageTtl, InvalidArgumentError, 'messageTtl'));
    this.#ackTimeout = toMilliseconds(judged(DURATION, ackTimeout, InvalidArgumentError, 'ackTimeout'));
    this.#onEvent = onEvent;
    clock.follow({
      nextDue: () => {
        const leaseEnds = this.#leases.first?.ends ?? Infinity;
        const expires = this.#ttlClocks.first?.expires ?? Infinity;
        return Math.min(leaseEnds, this.#delays.nextDue, expires);
      },
      run: () => this.#settle(),
    });
  }

  get clock() {
    return this.#clock;
  }

  /** How many messages are in each state. */
  stats() {
    const { ready, delayed, leased, dead } = this.#count;
    return { ready, delayed, leased, dead };
  }

  /** The dead messages in the order of their deaths. */
  deadLetters() {
    return Array.from(this.#dead, ({ name, reason, error, attempts, died }) => ({
      message: name,
      reason,
      error,
      attempts,
      at: died / 1000,
    }));
  }

  /** Puts a new message behind all that are ready. */
  put(name) {
    judged(NAME, name, MisuseError, 'the name of a message');
    if (this.#messages.has(name)) throw new MisuseError('the name of a message', name, 'one that was not used before');
    const message = {
      name,
      state: null,
      attempts: 0,
      error: null, // of the last failure
      deliveries: 0, // never reset
      born: 0, // when its age began
      place: null, // in the line of the ready
      ttlClock: null, // its place in the line of the running TTL clocks
      expires: Infinity,
      lease: null, // the live one
      reason: null, // of its death
      died: null,
    };
    this.#messages.set(name, message);
    this.#enterAfresh(message);
    this.#settle();
  }

  /**
   * Adds a consumer. Each message is handed to `onMessage`, which may settle it there and then, by throwing
   * also; otherwise it stays leased.
   */
  addConsumer(name, { onMessage = () => {}, prefetch = null } = {}) {
    judged(NAME, name, MisuseError, 'the name of a consumer');
    judged(HANDLER, onMessage, MisuseError, 'onMessage');
    judged(COUNT, prefetch, MisuseError, 'prefetch');
    if (this.#consumers.has(name)) throw new RefusedError('duplicate_consumer', `there is a consumer ${name} already`);
    const consumer = {
      name,
      onMessage,
      prefetch: prefetch ?? Infinity,
      leases: new Set(), // in the order of delivery
      place: null, // in the line of the idle
      removed: false,
    };
    this.#consumers.set(name, consumer);
    this.#seat(consumer);
    this.#settle();
  }

  /** Removes a consumer; each of its leases fails. */
  removeConsumer(name) {
    judged(NAME, name, MisuseError, 'the name of a consumer');
    const consumer = this.#consumers.get(name);
    if (!consumer) throw new RefusedError('unknown_consumer', `there is no consumer ${name}`);
    this.#consumers.delete(name);
    consumer.removed = true;
    this.#seat(consumer);
    for (const lease of consumer.leases) this.#fail(lease, 'consumer removed');
    this.#settle();
  }

  /** Removes a leased message for good. `delivery` tells which delivery of it is meant; null means the latest. */
  ack(name, delivery = null) {
    this.#ack(this.#liveLease(name, delivery));
    this.#settle();
  }

  /** Reports a leased message as failed. */
  nack(name, { error = null, delivery = null } = {}) {
    judged(ERROR_TEXT, error, MisuseError, 'error');
    this.#fail(this.#liveLease(name, delivery), error);
    this.#settle();
  }

  /** Puts a dead message in again, as if it were new. */
  replay(name) {
    judged(NAME, name, MisuseError, 'the name of a message');
    const message = this.#messages.get(name);
    if (message?.state !== 'dead') throw new RefusedError('not_dead', `there is no dead message ${name}`);
    this.#dead.delete(message);
    this.#enterAfresh(message);
    this.#settle();
  }

  // Lets everything happen that is possible or due at this instant, in the order of Q-26. What a handler does within it
  // is followed up here as well, not in a loop of its own.
  #settle() {
    if (this.#settling) return;
    this.#settling = true;
    try {
      this.#clock.standStill(() => {
        while (this.#nextHappens());
      });
    } finally {
      this.#settling = false;
    }
  }

  #nextHappens() {
    const now = this.#clock.milliseconds;
    if (this.#leases.first?.ends <= now) this.#fail(this.#leases.first, 'ack timeout');
    else if (this.#delays.nextDue <= now) this.#makeReady(this.#delays.take());
    else if (this.#ready.first && this.#idle.first) this.#deliver(this.#ready.first, this.#idle.first);
    else if (this.#ttlClocks.first?.expires <= now) this.#expire(this.#ttlClocks.first);
    else return false;
    return true;
  }

  #enterAfresh(message) {
    message.attempts = 0;
    message.error = null;
    message.born = this.#clock.milliseconds;
    this.#startTtlClock(message);
    this.#makeReady(message);
  }

  #makeReady(message) {
    this.#move(message, 'ready');
    message.place = this.#ready.join(message);
    this.#emit('ready', { message: message.name });
  }

  #deliver(message, consumer) {
    this.#ready.leave(message.place);
    this.#stopTtlClock(message);
    this.#move(message, 'leased');
    message.attempts++;
    message.deliveries++;
    const lease = {
      message,
      consumer,
      delivery: message.deliveries,
      ends: this.#ackTimeout > 0 ? this.#clock.milliseconds + this.#ackTimeout : Infinity,
      place: null,
    };
    lease.place = this.#leases.join(lease);
    message.lease = lease;
    consumer.leases.add(lease);
    this.#seat(consumer);
    this.#emit('delivered', { message: message.name, attempt: message.attempts, consumer: consumer.name });
    this.#handle(lease);
  }

  #handle(lease) {
    const { message, consumer } = lease;
    try {
      consumer.onMessage({
        message: message.name,
        attempt: message.attempts,
        ack: () => this.ack(message.name, lease.delivery),
        nack: (error = null) => this.nack(message.name, { error, delivery: lease.delivery }),
      });
    } catch (error) {
      // A handler that throws has failed, unless it had settled the message before: then this is a mistake to be seen.
      if (message.lease !== lease) throw error;
      this.#fail(lease, String(error?.message ?? error));
    }
  }

  // The live lease of a delivery. There is one lease at a time, so that the latest delivery has it or none.
  #liveLease(name, delivery) {
    judged(NAME, name, MisuseError, 'the name of a message');
    judged(COUNT, delivery, MisuseError, 'delivery');
    const lease = this.#messages.get(name)?.lease;
    if (!lease || (delivery !== null && lease.delivery !== delivery)) {
      const which = delivery === null ? 'the latest delivery' : `delivery ${delivery}`;
      throw new RefusedError('unknown_delivery', `${which} of message ${name} is not leased`);
    }
    return lease;
  }

  #ack(lease) {
    const { message } = lease;
    this.#end(lease);
    this.#move(message, 'gone');
    this.#emit('acked', { message: message.name, attempt: message.attempts });
  }

  #fail(lease, error) {
    const { message } = lease;
    const now = this.#clock.milliseconds;
    this.#end(lease);
    message.error = error;
    this.#emit('failed', { message: message.name, attempt: message.attempts, error });

    const { giveUp, delay } = this.#policy.nextDelay(message.attempts, (now - message.born) / 1000);
    if (giveUp) return this.#bury(message, giveUp);
    this.#startTtlClock(message);
    const wait = toMilliseconds(delay);
    if (wait === 0) return this.#makeReady(message);
    this.#move(message, 'delayed');
    // Nothing but time reaches a delayed message. When its TTL runs out before the delay is over, the delay never ends.
    if (now + wait <= message.expires) this.#delays.enter(now + wait, message);
    this.#emit('delayed', { message: message.name, until: (now + wait) / 1000 });
  }

  #end(lease) {
    this.#leases.leave(lease.place);
    lease.message.lease = null;
    lease.consumer.leases.delete(lease);
    this.#seat(lease.consumer);
  }

  #expire(message) {
    if (message.state === 'ready') this.#ready.leave(message.place);
    this.#stopTtlClock(message);
    this.#bury(message, 'ttl_expired');
  }

  #bury(message, reason) {
    this.#move(message, 'dead');
    message.reason = reason;
    message.died = this.#clock.milliseconds;
    this.#dead.add(message);
    this.#emit('dead', { message: message.name, reason, error: message.error, attempts: message.attempts });
  }

  // The TTL clock runs while the message waits, ready or delayed, and only then.
  #startTtlClock(message) {
    if (this.#ttl === 0) return;
    message.expires = this.#clock.milliseconds + this.#ttl;
    message.ttlClock = this.#ttlClocks.join(message);
  }

  #stopTtlClock(message) {
    if (this.#ttl === 0) return;
    message.expires = Infinity;
    this.#ttlClocks.leave(message.ttlClock);
  }

  // Lets a consumer into the line of those with room, or out of it.
  #seat(consumer) {
    const hasRoom = !consumer.removed && consumer.leases.size < consumer.prefetch;
    if (hasRoom && !consumer.place) {
      consumer.place = this.#idle.join(consumer);
    } else if (!hasRoom && consumer.place) {
      this.#idle.leave(consumer.place);
      consumer.place = null;
    }
  }

  #move(message, state) {
    if (message.state) this.#count[message.state]--;
    this.#count[state]++;
    message.state = state;
  }

  #emit(event, details) {
    this.#onEvent({ at: this.#clock.now, event, ...details });
  }
}
