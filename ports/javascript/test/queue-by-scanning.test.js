// The queue against a second one that is slow and plain: it walks through every millisecond and looks at every message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, RefusedError, RetryPolicy, WorkQueue } from '../src/index.js';

const HANDLERS = {
  hold: () => {},
  ack: (delivery) => delivery.ack(),
  fail: (delivery) => delivery.nack('failed'),
};

class ScanningQueue {
  trace = [];
  messages = [];
  now = 0;
  order = 0;
  consumer = null; // one at a time, so that nothing depends on a choice

  constructor(policy, ttl, ackTimeout) {
    Object.assign(this, { policy, ttl, ackTimeout });
  }

  note(event, message, detail = null) {
    this.trace.push([this.now, event, message, detail]);
  }

  refuse(code) {
    this.note('refused', null, code);
  }

  /** The one in this state that comes first by this key and, if it is limited, is due by now. */
  first(states, key, due = () => this.now) {
    return this.messages
      .filter((m) => states.includes(m.state) && due(m) <= this.now)
      .sort((a, b) => due(a) - due(b) || a[key] - b[key])[0];
  }

  advanceTo(time) {
    for (; this.now < time; this.now++) this.settle();
    this.settle();
  }

  settle() {
    while (this.happens());
  }

  happens() {
    const ended = this.ackTimeout && this.first(['leased'], 'leasedOrder', (m) => m.leasedAt + this.ackTimeout);
    if (ended) return this.fail(ended, 'ack timeout');
    const back = this.first(['delayed'], 'delayedOrder', (m) => m.until);
    if (back) return this.ready(back);
    const next = this.first(['ready'], 'readyOrder');
    const held = this.messages.filter((m) => m.state === 'leased').length;
    if (next && this.consumer && held < this.consumer.prefetch) return this.deliver(next);
    const stale = this.ttl && this.first(['ready', 'delayed'], 'ttlOrder', (m) => m.ttlStart + this.ttl);
    if (stale) return this.die(stale, 'ttl_expired');
    return false;
  }

  ready(m) {
    m.state = 'ready';
    m.readyOrder = this.order++;
    this.note('ready', m.name);
    return true;
  }

  startTtl(m) {
    m.ttlStart = this.now;
    m.ttlOrder = this.order++;
  }

  enter(m) {
    Object.assign(m, { attempts: 0, error: null, born: this.now });
    this.startTtl(m);
    this.ready(m);
  }

  deliver(m) {
    m.state = 'leased';
    m.attempts++;
    m.deliveries++;
    m.leasedAt = this.now;
    m.leasedOrder = this.order++;
    this.note('delivered', m.name, m.attempts);
    if (this.consumer.kind === 'ack') this.acked(m);
    if (this.consumer.kind === 'fail') this.fail(m, 'failed');
    return true;
  }

  acked(m) {
    m.state = 'gone';
    this.note('acked', m.name, m.attempts);
  }

  fail(m, error) {
    m.error = error;
    this.note('failed', m.name, error);
    const { giveUp, delay } = this.policy.nextDelay(m.attempts, (this.now - m.born) / 1000);
    if (giveUp) return this.die(m, giveUp);
    this.startTtl(m);
    if (delay === 0) return this.ready(m);
    m.state = 'delayed';
    m.until = this.now + Math.round(delay * 1000);
    m.delayedOrder = this.order++;
    this.note('delayed', m.name, m.until);
    return true;
  }

  die(m, reason) {
    m.state = 'dead';
    m.deadOrder = this.order++;
    this.note('dead', m.name, [reason, m.error, m.attempts].join());
    return true;
  }

  step({ what, name, delivery, kind, prefetch }) {
    const m = this.messages.find((one) => one.name === name);
    const live = m?.state === 'leased' && (delivery === null || delivery === m.deliveries);
    if (what === 'put') {
      this.messages.push({ name, deliveries: 0 });
      this.enter(this.messages.at(-1));
    } else if (what === 'add') {
      this.consumer = { kind, prefetch: prefetch ?? Infinity };
    } else if (what === 'remove') {
      this.consumer = null;
      const held = this.messages.filter((one) => one.state === 'leased').sort((a, b) => a.leasedOrder - b.leasedOrder);
      for (const one of held) this.fail(one, 'consumer removed');
    } else if (what === 'replay') {
      if (m?.state === 'dead') this.enter(m);
      else this.refuse('not_dead');
    } else if (!live) {
      this.refuse('unknown_delivery');
    } else if (what === 'ack') {
      this.acked(m);
    } else {
      this.fail(m, null);
    }
    this.settle();
  }
}

test('the trace is that of a queue which looks at everything all the time', () => {
  const random = numbersFrom(20240229);
  const pick = (...choices) => choices[random(choices.length)];
  let events = 0;
  for (let round = 0; round < 600; round++) {
    const policy = new RetryPolicy({
      maxAttempts: 1 + random(6),
      initialDelay: pick(0, 0.001, 0.002, 0.005),
      multiplier: pick(1, 2, 3),
      maxDelay: pick(0, 0.007),
      maxMessageAge: pick(0, 0, 0.02),
    });
    const ttl = pick(0, 2, 5, 9);
    const ackTimeout = pick(0, 1, 2, 6);
    const slow = new ScanningQueue(policy, ttl, ackTimeout);
    const trace = [];
    const clock = new FakeClock();
    const note = (event, message, detail = null) => trace.push([clock.milliseconds, event, message, detail]);
    const queue = new WorkQueue({
      policy,
      clock,
      messageTtl: ttl / 1000,
      ackTimeout: ackTimeout / 1000,
      onEvent: ({ event, message, attempt, error, until, reason, attempts }) => {
        if (event === 'ready') note(event, message);
        else if (event === 'failed') note(event, message, error);
        else if (event === 'delayed') note(event, message, Math.round(until * 1000));
        else if (event === 'dead') note(event, message, [reason, error, attempts].join());
        else note(event, message, attempt);
      },
    });

    let put = 0;
    for (let steps = 0; steps < 40; steps++) {
      const time = clock.milliseconds + random(4);
      clock.advanceTo(time / 1000);
      slow.advanceTo(time);
      const name = `m${random(put + 1)}`;
      const delivery = pick(null, null, 1, 2, 3);
      switch (pick('put', 'put', 'consumer', 'ack', 'nack', 'replay')) {
        case 'put':
          slow.step({ what: 'put', name: `m${put}` });
          queue.put(`m${put++}`);
          break;
        case 'consumer':
          if (slow.consumer) {
            slow.step({ what: 'remove' });
            queue.removeConsumer('c');
          } else {
            const kind = pick('hold', 'hold', 'ack', 'fail');
            const prefetch = pick(null, 1, 2);
            slow.step({ what: 'add', kind, prefetch });
            queue.addConsumer('c', { onMessage: HANDLERS[kind], prefetch });
          }
          break;
        case 'ack':
          slow.step({ what: 'ack', name, delivery });
          unlessRefused(() => queue.ack(name, delivery), note);
          break;
        case 'nack':
          slow.step({ what: 'nack', name, delivery });
          unlessRefused(() => queue.nack(name, { delivery }), note);
          break;
        default:
          slow.step({ what: 'replay', name });
          unlessRefused(() => queue.replay(name), note);
      }
    }
    assert.deepEqual(trace, slow.trace, `round ${round}`);
    const count = (state) => slow.messages.filter((m) => m.state === state).length;
    assert.deepEqual(queue.stats(), {
      ready: count('ready'),
      delayed: count('delayed'),
      leased: count('leased'),
      dead: count('dead'),
    });
    const dead = slow.messages.filter((m) => m.state === 'dead').sort((a, b) => a.deadOrder - b.deadOrder);
    assert.deepEqual(queue.deadLetters().map(({ message }) => message), dead.map((m) => m.name));
    events += trace.length;
  }
  assert.ok(events > 20000, `only ${events} events`);
});

function unlessRefused(action, note) {
  try {
    action();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    note('refused', null, error.code);
  }
}

/** Whole numbers below a limit, the same ones each time. */
function numbersFrom(seed) {
  let state = seed;
  return (limit) => {
    state = (state * 48271) % 2147483647;
    return state % limit;
  };
}
