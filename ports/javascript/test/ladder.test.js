import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HORIZON, Ladder, RetryPolicy } from '../src/index.js';
import { toMilliseconds } from '../src/limits.js';

const names = (policy, options) => new Ladder(policy, { queue: 'q', ...options }).rungs.map(({ name }) => name);

test('milliseconds are the nearest, halves up (L-2)', () => {
  assert.equal(toMilliseconds(0.0005), 1);
  assert.equal(toMilliseconds(0.00049999999999999994), 0); // times 1000 this is just below a half
  assert.equal(toMilliseconds(0.0025), 3); // not to the even one
  assert.equal(Math.round(0.49999999999999994), 0);
  assert.equal(Math.round(2 ** 52 - 0.5), 2 ** 52);
  assert.equal(Math.round(2 ** 52 + 1), 2 ** 52 + 1);
  assert.equal(toMilliseconds(HORIZON), 4294967296000);
});

test('a label has the largest unit that divides the TTL (L-5)', () => {
  const label = (seconds) => names(RetryPolicy.fixed(2, seconds), { threshold: 0.001 })[0].slice('q.retry.'.length);
  const labels = {
    0.5: '500ms',
    1: '1s',
    33.75: '33750ms',
    51.2: '51200ms',
    60: '1m',
    90: '90s',
    5400: '90m',
    7200: '2h',
    86400: '24h',
  };
  for (const [seconds, expected] of Object.entries(labels)) assert.equal(label(Number(seconds)), expected);
});

test('a rung holds what the broker needs to know (L-8)', () => {
  const ladder = new Ladder(RetryPolicy.exponential(11, 0.1, 3600), { queue: 'orders', exchange: 'back' });
  assert.deepEqual(ladder.rungs, [
    {
      name: 'orders.retry.51200ms',
      ttlMs: 51200,
      arguments: {
        'x-message-ttl': 51200,
        'x-dead-letter-exchange': 'back',
        'x-dead-letter-routing-key': 'orders',
      },
    },
  ]);
});

test('one rung for each TTL, none for a TTL of 0, none at a threshold of 0 (L-1, L-3, L-7)', () => {
  const policy = new RetryPolicy({ maxAttempts: 9, initialDelay: 0.0003, multiplier: 1.5, maxDelay: 0.002 });
  // 0.3, 0.45, 0.675, 1.0125, 1.51875, 2 and 2 ms
  assert.deepEqual(names(policy, { threshold: 1e-9 }), ['q.retry.1ms', 'q.retry.2ms']);
  assert.deepEqual(names(policy, { threshold: 0 }), []);
});

test('the ladder of a policy with very many attempts is built at once', () => {
  assert.deepEqual(names(RetryPolicy.exponential(2147483647, 15, 60)), ['q.retry.30s', 'q.retry.1m']);
  assert.deepEqual(names(RetryPolicy.fixed(2147483647, 30)), ['q.retry.30s']);
});

test('a rung beyond 3650 days makes the ladder rejected, when the broker would hold it (L-4)', () => {
  const days = (number) => RetryPolicy.fixed(2, number * 86400);
  assert.deepEqual(names(days(3650)), ['q.retry.87600h']);
  assert.throws(() => names(days(3651)), { name: 'RungTooLongError', code: 'rung_too_long' });
  assert.deepEqual(names(days(3651), { threshold: 0 }), []);
});

test('a delay finds the next longer rung, else the longest (L-10, L-11)', () => {
  const ladder = new Ladder(RetryPolicy.exponential(6, 15), { queue: 'q', threshold: 20 }); // 15, 30, 60, 120, 240
  assert.equal(ladder.rungFor(19.999), null);
  assert.equal(ladder.rungFor(20), 'q.retry.30s');
  assert.equal(ladder.rungFor(30), 'q.retry.30s');
  assert.equal(ladder.rungFor(30.0004), 'q.retry.30s');
  assert.equal(ladder.rungFor(30.0005), 'q.retry.1m');
  assert.equal(ladder.rungFor(240), 'q.retry.4m');
  assert.equal(ladder.rungFor(HORIZON), 'q.retry.4m');
  assert.equal(new Ladder(RetryPolicy.none(), { queue: 'q' }).rungFor(40), null);
  assert.equal(new Ladder(RetryPolicy.fixed(2, 5), { queue: 'q', threshold: 1e-9 }).rungFor(0.0004), null);
});

test('arguments are judged in their order (L-12)', () => {
  const tooLong = RetryPolicy.fixed(2, HORIZON);
  assert.throws(() => new Ladder(tooLong, { queue: '', threshold: -1 }), { code: 'invalid_argument', field: 'queue' });
  assert.throws(() => new Ladder(tooLong, { queue: 'q', threshold: -1 }), { field: 'threshold' });
  assert.throws(() => new Ladder(RetryPolicy.none(), { queue: 'q' }).rungFor(NaN), { field: 'delay' });
});
