import { InvalidArgumentError, InvalidPolicyError } from './errors.js';
import { AGE, ATTEMPTS, DRAW, DURATION, FRACTION, HORIZON, MULTIPLIER, SAMPLES, judged } from './limits.js';

/** When to try again and when to stop. Durations are seconds. Immutable. */
export class RetryPolicy {
  constructor({
    maxAttempts = 1,
    initialDelay = 0,
    multiplier = 2,
    maxDelay = 0,
    jitterFactor = 0,
    maxMessageAge = 0,
  } = {}) {
    // In this order: the first offending field is the one that is named (P-10).
    this.maxAttempts = judged(ATTEMPTS, maxAttempts, InvalidPolicyError, 'maxAttempts');
    this.initialDelay = judged(DURATION, initialDelay, InvalidPolicyError, 'initialDelay');
    this.multiplier = judged(MULTIPLIER, multiplier, InvalidPolicyError, 'multiplier');
    this.maxDelay = judged(DURATION, maxDelay, InvalidPolicyError, 'maxDelay');
    this.jitterFactor = judged(FRACTION, jitterFactor, InvalidPolicyError, 'jitterFactor');
    this.maxMessageAge = judged(DURATION, maxMessageAge, InvalidPolicyError, 'maxMessageAge');
    Object.freeze(this);
  }

  /** One attempt, no retry (P-12). */
  static none() {
    return new RetryPolicy();
  }

  /** The same delay after every attempt (P-13). */
  static fixed(maxAttempts, delay) {
    return new RetryPolicy({ maxAttempts, initialDelay: delay, multiplier: 1 });
  }

  /** Doubling delays with a jitter of one fifth (P-14). */
  static exponential(maxAttempts, initialDelay, maxDelay = 0) {
    return new RetryPolicy({ maxAttempts, initialDelay, maxDelay, jitterFactor: 0.2 });
  }

  /** A copy with this age limit (P-15). */
  giveUpAfter(age) {
    return new RetryPolicy({ ...this, maxMessageAge: age });
  }

  /** A copy with this jitter factor (P-15). */
  withJitter(factor) {
    return new RetryPolicy({ ...this, jitterFactor: factor });
  }

  /** The delay after this attempt has failed, whatever `maxAttempts` says (B-1). */
  backoff(attempt) {
    judged(ATTEMPTS, attempt, InvalidArgumentError, 'attempt');
    let delay = this.#firstDelay();
    for (let failed = 1; failed < attempt; failed++) {
      const next = this.#delayAfter(delay);
      if (next === delay) break; // and so would all that follow be (B-8)
      delay = next;
    }
    return delay;
  }

  /** The delays between the attempts, `maxAttempts - 1` of them, one at a time (B-9, B-11). */
  *schedule() {
    let delay = this.#firstDelay();
    for (let failed = 1; failed < this.maxAttempts; failed++) {
      yield delay;
      delay = this.#delayAfter(delay);
    }
  }

  /** What to do when this attempt has failed: `{ delay }`, or `{ giveUp: reason }`. */
  nextDelay(attempt, messageAge = null) {
    judged(ATTEMPTS, attempt, InvalidArgumentError, 'attempt');
    const age = judged(AGE, messageAge, InvalidArgumentError, 'messageAge');
    if (attempt >= this.maxAttempts) return { giveUp: 'max_attempts' };
    // An unknown age is young enough (N-6), and no negative one reaches a limit above 0 (N-7).
    if (this.maxMessageAge > 0 && age !== null && age >= this.maxMessageAge) return { giveUp: 'max_message_age' };
    return { delay: this.backoff(attempt) };
  }

  /** The delay moved to either side by a draw from [0, 1). It may exceed `maxDelay` (J-5). */
  jittered(delay, draw = Math.random()) {
    const centre = judged(DURATION, delay, InvalidArgumentError, 'delay');
    const u = judged(DRAW, draw, InvalidArgumentError, 'draw');
    if (this.jitterFactor === 0 || centre === 0) return centre;
    return centre * (1 + (u * 2 - 1) * this.jitterFactor);
  }

  /**
   * The delay jittered `count` times, in the order of the draws (J-10). No program can seed Math.random: the system does,
   * for every process and worker thread (J-9), unless Node was started with --random-seed.
   */
  jitterSamples(delay, count, random = Math.random) {
    const centre = judged(DURATION, delay, InvalidArgumentError, 'delay');
    const length = judged(SAMPLES, count, InvalidArgumentError, 'count'); // after the delay (J-11)
    return Array.from({ length }, () => this.jittered(centre, random()));
  }

  #firstDelay() {
    return Math.min(this.initialDelay, this.#ceiling());
  }

  // The one step that all delays are made by (B-10): one multiplication (B-5). Cutting each product at the ceiling
  // gives what B-4 gives, as no multiplier is below 1, and makes all reasons to stop the same one, that a step changes
  // nothing: at the ceiling (after an overflow also), at 0, with a multiplier of 1, and where the product rounds to
  // the delay again.
  #delayAfter(delay) {
    return Math.min(delay * this.multiplier, this.#ceiling());
  }

  #ceiling() {
    return this.maxDelay > 0 ? this.maxDelay : HORIZON; // B-3
  }
}
