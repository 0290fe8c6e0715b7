import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, MisuseError, RefusedError, RetryPolicy, WorkQueue } from '../src/index.js';

function setUp(policy, options) {
  const trace = [];
  const clock = new FakeClock();
  const onEvent = ({ at, event, message }) => trace.push(`${at} ${event} ${message}`);
  const queue = new WorkQueue({ policy: new RetryPolicy(policy), clock, onEvent, ...options });
  return { queue, clock, trace };
}

test('milk: a failure restarts the use-by clock, and the delay counts (Q-17)', () => {
  const { queue, clock, trace } = setUp({ maxAttempts: 3, initialDelay: 1 }, { messageTtl: 5 });
  queue.put('milk');
  clock.advanceTo(4);
  queue.addConsumer('anna');
  queue.removeConsumer('anna');
  clock.advanceTo(8);
  assert.equal(queue.stats().ready, 1);
  clock.advanceTo(9);
  assert.deepEqual(trace, [
    '0 ready milk',
    '4 delivered milk',
    '4 failed milk',
    '4 delayed milk',
    '5 ready milk',
    '9 dead milk',
  ]);
  assert.deepEqual(queue.deadLetters(), [
    { message: 'milk', reason: 'ttl_expired', error: 'consumer removed', attempts: 1, at: 9 },
  ]);
});

test('a TTL that runs out in a delay ends it; one that ends together with it does not (Q-26)', () => {
  for (const [messageTtl, end] of [[0.999, '0.999 dead m'], [1, '1 delivered m']]) {
    const { queue, clock, trace } = setUp({ maxAttempts: 3, initialDelay: 1 }, { messageTtl });
    queue.addConsumer('c');
    queue.put('m');
    queue.nack('m');
    assert.deepEqual(queue.stats(), { ready: 0, delayed: 1, leased: 0, dead: 0 });
    clock.advanceTo(1);
    assert.equal(trace.at(-1), end);
  }
});

test('a lease that ends now is over before an ack (Q-25), and outlasts the TTL (Q-19)', () => {
  const { queue, clock } = setUp({ maxAttempts: 2 }, { ackTimeout: 3, messageTtl: 1 });
  queue.addConsumer('c', { prefetch: 1 });
  queue.put('m');
  clock.advanceTo(3);
  assert.throws(() => queue.ack('m', 1), { name: 'RefusedError', code: 'unknown_delivery' });
  queue.ack('m', 2);
  assert.deepEqual(queue.stats(), { ready: 0, delayed: 0, leased: 0, dead: 0 });
});

test('handlers settle at the instant of delivery, also by throwing (Q-7)', () => {
  const { queue, trace } = setUp({ maxAttempts: 3 });
  queue.put('a');
  queue.put('b');
  queue.addConsumer('c', {
    onMessage({ message, attempt, ack, nack }) {
      if (message === 'b') ack();
      else if (attempt === 1) nack('no');
      else throw new Error('never');
    },
  });
  assert.deepEqual(trace.slice(2), [
    '0 delivered a',
    '0 failed a',
    '0 ready a',
    '0 delivered b',
    '0 acked b',
    '0 delivered a',
    '0 failed a',
    '0 ready a',
    '0 delivered a',
    '0 failed a',
    '0 dead a',
  ]);
  assert.equal(queue.deadLetters()[0].error, 'never');
});

test('a mistake in a handler that has settled its message is shown, and the queue goes on', () => {
  const { queue } = setUp();
  queue.addConsumer('c', { onMessage: ({ message, ack }) => (ack(), message === 'a' && ack()) });
  assert.throws(() => queue.put('a'), RefusedError);
  queue.put('b');
  assert.deepEqual(queue.stats(), { ready: 0, delayed: 0, leased: 0, dead: 0 });
});

test('a handler may use the queue, but not move its clock', () => {
  const { queue, clock, trace } = setUp();
  queue.addConsumer('c', {
    onMessage({ message, ack }) {
      ack();
      if (message === 'a') queue.put('b');
    },
  });
  queue.put('a');
  assert.deepEqual(trace.slice(-3), ['0 ready b', '0 delivered b', '0 acked b']);
  const other = new WorkQueue({ policy: RetryPolicy.none(), clock });
  other.addConsumer('c', { onMessage: () => clock.advanceTo(99) });
  other.put('x');
  assert.match(other.deadLetters()[0].error, /^the clock must be left alone/);
  clock.advanceTo(99);
});

test('a replayed message starts afresh, but its deliveries go on (Q-10, Q-22)', () => {
  const { queue, clock } = setUp({ maxAttempts: 1 });
  queue.addConsumer('c');
  queue.put('m');
  queue.nack('m', { error: '' });
  assert.equal(queue.deadLetters()[0].error, '');
  clock.advanceTo(2);
  queue.replay('m');
  assert.throws(() => queue.ack('m', 1), { code: 'unknown_delivery' });
  queue.nack('m', { delivery: 2 });
  assert.deepEqual(queue.deadLetters(), [{ message: 'm', reason: 'max_attempts', error: null, attempts: 1, at: 2 }]);
});

test('instants are compared in whole milliseconds (Q-32)', () => {
  const { queue, clock, trace } = setUp({ maxAttempts: 2, initialDelay: 0.1 });
  queue.addConsumer('c', { prefetch: 1 });
  clock.advanceTo(0.2);
  queue.put('m');
  queue.nack('m');
  clock.advanceTo(0.3);
  assert.equal(trace.at(-1), '0.3 delivered m');
  clock.advanceTo(1.001); // times 1000 no integer
  assert.throws(() => clock.advanceTo(1.0015), MisuseError);
  assert.throws(() => clock.advanceTo(1), MisuseError);
});

test('delays end in the order in which they are due, and of one instant in that in which they began', () => {
  const { queue, clock, trace } = setUp({ maxAttempts: 9, initialDelay: 1 });
  queue.addConsumer('c');
  for (const name of ['a', 'b', 'd']) queue.put(name);
  queue.nack('a'); // until 1
  clock.advanceTo(1);
  queue.nack('a'); // the second failure: until 3
  clock.advanceTo(2);
  queue.nack('d'); // until 3
  queue.nack('b'); // until 3
  clock.advanceTo(3);
  assert.deepEqual(trace.filter((line) => line.startsWith('3 ready')), ['3 ready a', '3 ready d', '3 ready b']);
});

test('what is refused and what makes no sense (Q-23, Q-24, Q-33)', () => {
  const { queue } = setUp();
  queue.addConsumer('NaN');
  assert.throws(() => queue.addConsumer('NaN'), { code: 'duplicate_consumer' });
  assert.throws(() => queue.removeConsumer('c'), { code: 'unknown_consumer' });
  assert.throws(() => queue.ack('__proto__'), { code: 'unknown_delivery' });
  queue.put('__proto__');
  assert.throws(() => queue.replay('__proto__'), { code: 'not_dead' });
  queue.ack('__proto__');
  assert.throws(() => queue.put('__proto__'), MisuseError);
  assert.throws(() => queue.put(''), MisuseError);
  assert.throws(() => queue.ack('m', 0), MisuseError);
  assert.throws(() => queue.addConsumer('d', { prefetch: 0 }), MisuseError);
  assert.throws(() => queue.addConsumer('d', { onMessage: 'hold' }), MisuseError);
});

test('limits are judged in their order; what rounds to 0 is none (Q-31, Q-32)', () => {
  assert.throws(() => setUp({}, { ackTimeout: -1, messageTtl: -1 }), { code: 'invalid_argument', field: 'messageTtl' });
  assert.throws(() => setUp({}, { ackTimeout: NaN }), { code: 'invalid_argument', field: 'ackTimeout' });
  const { queue, clock } = setUp({}, { messageTtl: 0.0004 });
  queue.put('m');
  clock.advanceTo(1000);
  assert.equal(queue.stats().ready, 1);
});

test('a hundred thousand messages take their time in proportion', () => {
  const limits = { messageTtl: 50, ackTimeout: 10 };
  const { queue, clock } = setUp({ maxAttempts: 3, initialDelay: 1 }, { ...limits, onEvent: undefined });
  for (let n = 0; n < 100000; n++) queue.put(`m${n}`);
  queue.addConsumer('c', { prefetch: 50000 });
  clock.advanceTo(20);
  assert.equal(queue.stats().leased, 50000);
  clock.advanceTo(4294967296);
  assert.equal(queue.stats().dead, 100000);
});
