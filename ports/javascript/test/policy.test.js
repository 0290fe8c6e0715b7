import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  HORIZON,
  InvalidArgumentError,
  InvalidPolicyError,
  MAX_ATTEMPTS,
  MAX_SAMPLES,
  RetryPolicy,
} from '../src/index.js';

const rejects = (make, field) => {
  assert.throws(make, InvalidPolicyError);
  assert.throws(make, { code: 'invalid_policy', field });
};

test('a policy without options has the defaults (P-1)', () => {
  assert.deepEqual({ ...new RetryPolicy() }, {
    maxAttempts: 1,
    initialDelay: 0,
    multiplier: 2,
    maxDelay: 0,
    jitterFactor: 0,
    maxMessageAge: 0,
  });
});

test('both ends of every range are legal, and what is just outside is not (P-9)', () => {
  const above = HORIZON + 2 ** -20; // the next binary64
  const ranges = {
    maxAttempts: [[1, MAX_ATTEMPTS], [0, -1, 2147483648, 4294967297, 1e300, 1.5, '3', NaN, Infinity, null, 3n]],
    initialDelay: [[0, 5e-324, HORIZON], [-5e-324, above, NaN, Infinity, -Infinity, '1', null]],
    multiplier: [[1, Number.MAX_VALUE], [1 - 2 ** -53, 0, -2, NaN, Infinity]],
    maxDelay: [[0, HORIZON], [-1, above, NaN]],
    jitterFactor: [[0, 1], [-0.1, 1 + 2 ** -52, NaN]],
    maxMessageAge: [[0, HORIZON], [-1, above, NaN, Infinity]],
  };
  for (const [field, [legal, illegal]] of Object.entries(ranges)) {
    for (const value of legal) assert.equal(new RetryPolicy({ [field]: value })[field], value);
    for (const value of illegal) rejects(() => new RetryPolicy({ [field]: value }), field);
  }
});

test('the first offending field in the order of the table is named, with what was found (P-10)', () => {
  rejects(() => new RetryPolicy({ maxMessageAge: -1, multiplier: 0, maxDelay: NaN }), 'multiplier');
  assert.throws(() => new RetryPolicy({ multiplier: 0.5 }), {
    message: 'policy field multiplier must be a finite number, 1 or more, not 0.5',
  });
});

test('a negative zero is read as zero (P-7)', () => {
  assert.ok(Object.is(new RetryPolicy({ initialDelay: -0 }).backoff(1), 0));
  assert.ok(Object.is(new RetryPolicy().jittered(-0, 0), 0));
});

test('factories (P-12 to P-14)', () => {
  assert.deepEqual(RetryPolicy.none(), new RetryPolicy());
  assert.deepEqual(RetryPolicy.fixed(3, 7), new RetryPolicy({ maxAttempts: 3, initialDelay: 7, multiplier: 1 }));
  assert.deepEqual(
    RetryPolicy.exponential(4, 1, 9),
    new RetryPolicy({ maxAttempts: 4, initialDelay: 1, maxDelay: 9, jitterFactor: 0.2 }),
  );
  rejects(() => RetryPolicy.fixed(3, -1), 'initialDelay');
});

test('copies change one field, and not the policy they are made from (P-15)', () => {
  const policy = RetryPolicy.exponential(4, 1);
  const copy = policy.giveUpAfter(60).withJitter(0);
  assert.deepEqual({ ...copy }, { ...policy, maxMessageAge: 60, jitterFactor: 0 });
  assert.equal(policy.maxMessageAge, 0);
  assert.throws(() => (policy.maxAttempts = 9), TypeError);
  rejects(() => policy.withJitter(2).giveUpAfter(-1), 'jitterFactor');
});

test('delays grow from the initial delay to the cap and stay there (B-4, B-6)', () => {
  const policy = new RetryPolicy({ maxAttempts: 5, initialDelay: 1, maxDelay: 10 });
  assert.deepEqual([...policy.schedule()], [1, 2, 4, 8]);
  assert.equal(policy.backoff(5), 10);
  assert.equal(policy.backoff(5000), 10);
  assert.equal(new RetryPolicy({ initialDelay: 11, maxDelay: 10 }).backoff(1), 10);
  assert.equal(new RetryPolicy({ initialDelay: 1, multiplier: Number.MAX_VALUE }).backoff(3), HORIZON);
  assert.equal(new RetryPolicy({ initialDelay: 0, multiplier: Number.MAX_VALUE }).backoff(3), 0);
});

test('each product is rounded on its own (B-5)', () => {
  assert.equal(new RetryPolicy({ initialDelay: 100, multiplier: 1.15 }).backoff(2), 114.99999999999999);
  assert.equal(new RetryPolicy({ initialDelay: 100, multiplier: 1.1 }).backoff(3), 121.00000000000003);
});

test('delays are those of exact arithmetic, rounded step by step', () => {
  // An oracle of integers: a binary64 is m * 2^e, and so is each rounded product.
  for (const [initialDelay, multiplier] of [[0.1, 1.7], [1, 1.1], [3.3e-5, 1.0000001], [0.30000000000000004, 2.999]]) {
    const policy = new RetryPolicy({ maxAttempts: 60, initialDelay, multiplier });
    let expected = initialDelay;
    for (const delay of policy.schedule()) {
      assert.equal(delay, Math.min(expected, HORIZON));
      expected = exactProduct(expected, multiplier);
    }
  }
});

function exactProduct(a, b) {
  const [ma, ea] = parts(a);
  const [mb, eb] = parts(b);
  const product = ma * mb;
  const excess = BigInt(product.toString(2).length - 53);
  if (excess <= 0n) return Number(product) * 2 ** (ea + eb);
  const kept = product >> excess;
  const rest = product - (kept << excess);
  const half = 1n << (excess - 1n);
  const rounded = rest > half || (rest === half && kept % 2n === 1n) ? kept + 1n : kept;
  return Number(rounded) * 2 ** (ea + eb + Number(excess));
}

function parts(value) {
  let exponent = 0;
  for (; !Number.isInteger(value); value *= 2) exponent--;
  return [BigInt(value), exponent];
}

test('a huge attempt is answered at once when delays no longer change (B-8)', () => {
  const last = (options) => new RetryPolicy({ maxAttempts: MAX_ATTEMPTS, ...options }).backoff(MAX_ATTEMPTS);
  assert.equal(last({ initialDelay: 1, maxDelay: 10 }), 10);
  assert.equal(last({ initialDelay: 7, multiplier: 1 }), 7);
  assert.equal(last({ initialDelay: 0 }), 0);
  assert.equal(last({ initialDelay: 5e-324, multiplier: 1.4 }), 5e-324);
});

test('a schedule is as long as it should be, and takes no memory for it (B-9, B-11)', () => {
  assert.deepEqual([...RetryPolicy.none().schedule()], []);
  assert.deepEqual([...RetryPolicy.fixed(2, 3).schedule()], [3]);
  let count = 0;
  for (const delay of RetryPolicy.fixed(3000001, 3).schedule()) count += delay;
  assert.equal(count, 9000000);
  const endless = RetryPolicy.exponential(MAX_ATTEMPTS, 1).schedule();
  assert.equal(endless.next().value, 1);
  assert.equal(endless.next().value, 2);
});

test('attempts outside 1 to 2147483647 are rejected (B-2)', () => {
  for (const attempt of [0, -1, 2147483648, 4294967297, 9223372036854775807, 1.5, NaN, '1', undefined]) {
    const named = { name: 'InvalidArgumentError', code: 'invalid_argument', field: 'attempt' };
    assert.throws(() => RetryPolicy.none().backoff(attempt), named);
    assert.throws(() => RetryPolicy.none().nextDelay(attempt, NaN), named);
  }
});

test('next delay (chapter 3)', () => {
  const policy = new RetryPolicy({ maxAttempts: 5, initialDelay: 1, maxMessageAge: 60 });
  assert.deepEqual(policy.nextDelay(4), { delay: 8 });
  assert.deepEqual(policy.nextDelay(1, 59.99), { delay: 1 });
  assert.deepEqual(policy.nextDelay(1, 60), { giveUp: 'max_message_age' });
  assert.deepEqual(policy.nextDelay(5, 60), { giveUp: 'max_attempts' });
  assert.deepEqual(policy.nextDelay(1, -3), { delay: 1 });
  assert.deepEqual(policy.nextDelay(1, -Infinity), { delay: 1 });
  assert.deepEqual(policy.nextDelay(1, Infinity), { giveUp: 'max_message_age' });
  assert.deepEqual(policy.giveUpAfter(0).nextDelay(1, Infinity), { delay: 1 });
  assert.throws(() => policy.nextDelay(5, NaN), { code: 'invalid_argument', field: 'messageAge' });
});

test('jitter (chapter 4)', () => {
  const policy = new RetryPolicy({ jitterFactor: 0.2, maxDelay: 10 });
  assert.equal(policy.jittered(10, 0), 8);
  assert.equal(policy.jittered(10, 0.5), 10);
  assert.equal(policy.jittered(10, 0.75), 11); // above the cap (J-5)
  assert.equal(policy.withJitter(0).jittered(10, 0.1), 10);
  assert.equal(policy.withJitter(1).jittered(10, 0), 0);
  for (const delay of [-1, NaN, HORIZON + 1]) {
    assert.throws(() => RetryPolicy.none().jittered(delay, 2), { code: 'invalid_argument', field: 'delay' });
  }
  for (const draw of [-1, NaN, 1, null]) {
    assert.throws(() => RetryPolicy.none().jittered(0, draw), InvalidArgumentError);
  }
  const drawn = Array.from({ length: 1000 }, () => policy.jittered(10));
  assert.ok(drawn.every((delay) => delay >= 8 && delay < 12));
  assert.ok(new Set(drawn).size > 990);
});

test('each sample has a draw of its own, in the order of the draws (J-10)', () => {
  const policy = new RetryPolicy({ jitterFactor: 0.2, maxDelay: 10 });
  const draws = [0.75, 0, 0.5];
  assert.deepEqual(policy.jitterSamples(10, 3, () => draws.shift()), [11, 8, 10]);
  assert.deepEqual(draws, []);
});

test('samples spread evenly over both sides (J-9)', () => {
  const samples = new RetryPolicy({ jitterFactor: 0.5 }).jitterSamples(10, 10000);
  assert.equal(samples.length, 10000);
  assert.ok(samples.every((delay) => delay >= 5 && delay <= 15));
  const parts = Array(10).fill(0);
  for (const delay of samples) parts[Math.floor(delay - 5)]++;
  assert.ok(parts.every((count) => count > 800 && count < 1200), `${parts}`); // 1000 are due, with a deviation of 30
});

test('samples without jitter are the delay (J-3)', () => {
  assert.deepEqual(RetryPolicy.none().jitterSamples(0.1, 3), [0.1, 0.1, 0.1]);
  assert.deepEqual(new RetryPolicy({ jitterFactor: 1 }).jitterSamples(-0, 2), [0, 0]); // deepEqual tells -0 from 0
});

test('the delay of samples is judged before their count (J-11)', () => {
  const policy = RetryPolicy.none();
  assert.equal(policy.jitterSamples(1, 1).length, 1);
  assert.equal(policy.jitterSamples(1, MAX_SAMPLES).length, 1000000);
  for (const delay of [-Number.MIN_VALUE, NaN, HORIZON + 1, '1', undefined]) {
    assert.throws(() => policy.jitterSamples(delay, 0), { code: 'invalid_argument', field: 'delay' });
  }
  for (const count of [0, -1, 1000001, 9223372036854775807, -9223372036854775808, 1.5, NaN, '1', undefined]) {
    assert.throws(() => policy.jitterSamples(0, count), { code: 'invalid_argument', field: 'count' });
  }
});
