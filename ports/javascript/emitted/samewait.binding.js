// What the tests that `samewait emit node` makes call: their questions, put to this library.
// With IGNORE_CAP in the environment it leaves the cap out, to show that the tests notice.

import { play } from '../scenario.js';
import { Ladder, RejectedError, RetryPolicy } from '../src/index.js';

/** The library refuses the input. */
export class Rejected extends Error {
  constructor({ code, field, message }) {
    super(message);
    this.code = code;
    this.field = field?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) ?? null;
  }
}

/** The question, with the library's refusals as those of the tests. */
function asked(question) {
  return (...given) => {
    try {
      return question(...given);
    } catch (error) {
      throw error instanceof RejectedError ? new Rejected(error) : error;
    }
  };
}

function made(fields) {
  return new RetryPolicy({
    maxAttempts: fields.max_attempts,
    initialDelay: fields.initial_delay,
    multiplier: fields.multiplier,
    maxDelay: process.env.IGNORE_CAP ? 0 : fields.max_delay,
    jitterFactor: fields.jitter_factor,
    maxMessageAge: fields.max_message_age,
  });
}

const FACTORIES = {
  fields: made,
  none: () => RetryPolicy.none(),
  fixed: ({ max_attempts, delay }) => RetryPolicy.fixed(max_attempts, delay),
  exponential: ({ max_attempts, initial_delay, max_delay }) =>
    RetryPolicy.exponential(max_attempts, initial_delay, max_delay),
};

const COPIES = {
  give_up_after: (policy, age) => policy.giveUpAfter(age),
  with_jitter: (policy, factor) => policy.withJitter(factor),
};

export const policy = asked((make, then) => {
  const [[factory, given]] = Object.entries(make);
  let made = FACTORIES[factory](given);
  for (const [change, value] of then.flatMap(Object.entries)) made = COPIES[change](made, value);
  return {
    max_attempts: made.maxAttempts,
    initial_delay: made.initialDelay,
    multiplier: made.multiplier,
    max_delay: made.maxDelay,
    jitter_factor: made.jitterFactor,
    max_message_age: made.maxMessageAge,
  };
});

export const schedule = asked((policy) => [...made(policy).schedule()]);

export const backoff = asked((policy, attempt) => made(policy).backoff(attempt));

export const next_delay = asked((policy, attempt, age) => {
  const { giveUp, delay } = made(policy).nextDelay(attempt, age);
  return giveUp ?? delay;
});

export const jitter = asked((policy, delay, draw) => made(policy).jittered(delay, draw));

export const ladder = asked((policy, queue, exchange, threshold) => {
  const { rungs } = new Ladder(made(policy), { queue, exchange, threshold });
  return rungs.map((rung) => ({ name: rung.name, ttl_ms: rung.ttlMs, arguments: rung.arguments }));
});

export const rung_for = asked((policy, queue, exchange, threshold, delay) =>
  new Ladder(made(policy), { queue, exchange, threshold }).rungFor(delay),
);

export const queue = asked((policy, messageTtl, ackTimeout, steps) =>
  play(made(policy), messageTtl, ackTimeout, steps),
);
