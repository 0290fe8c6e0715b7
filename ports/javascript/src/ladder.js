import { InvalidArgumentError, RungTooLongError } from './errors.js';
import { DURATION, NAME, judged, toMilliseconds } from './limits.js';

/** 3650 days: the longest TTL that a broker accepts, in milliseconds (L-4). */
const LONGEST_TTL = 315360000000;

const UNITS = [
  ['h', 3600000],
  ['m', 60000],
  ['s', 1000],
  ['ms', 1],
];

/** The broker queues that hold the long waits of one policy for one source queue. */
export class Ladder {
  #threshold;

  constructor(policy, { queue, exchange = '', threshold = 30 }) {
    judged(NAME, queue, InvalidArgumentError, 'queue');
    this.#threshold = judged(DURATION, threshold, InvalidArgumentError, 'threshold');
    if (typeof exchange !== 'string') throw new TypeError('exchange must be a text');
    this.queue = queue;
    this.exchange = exchange;
    this.rungs = Object.freeze([...this.#build(policy)]);
    Object.freeze(this);
  }

  /** The name of the rung to hold a message for this delay, or null when it waits elsewhere. */
  rungFor(delay) {
    const wait = judged(DURATION, delay, InvalidArgumentError, 'delay');
    const ttlMs = toMilliseconds(wait);
    if (!this.#waits(wait) || ttlMs === 0) return null;

    // Delays never shrink, so the rungs stand in order of length. Halve to the first that is long enough (L-11).
    let low = 0;
    let high = this.rungs.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.rungs[middle].ttlMs < ttlMs) low = middle + 1;
      else high = middle;
    }
    const rung = this.rungs[low] ?? this.rungs.at(-1);
    return rung?.name ?? null;
  }

  /** Whether a delay is held by the broker at all (L-1). */
  #waits(delay) {
    return this.#threshold > 0 && delay > 0 && delay >= this.#threshold;
  }

  *#build(policy) {
    let longest = 0;
    let previous = null;
    for (const delay of policy.schedule()) {
      if (delay === previous) return; // a delay that comes twice is the last one, however many attempts there are (B-8)
      previous = delay;
      if (!this.#waits(delay)) continue;
      const ttlMs = toMilliseconds(delay);
      if (ttlMs > LONGEST_TTL) throw new RungTooLongError(ttlMs, LONGEST_TTL);
      // Starting from 0, this leaves out the TTL of 0 (L-3) as well as those that are there already (L-7).
      if (ttlMs === longest) continue;
      longest = ttlMs;
      yield this.#rung(ttlMs);
    }
  }

  #rung(ttlMs) {
    const [unit, size] = UNITS.find(([, size]) => ttlMs % size === 0);
    return Object.freeze({
      name: `${this.queue}.retry.${ttlMs / size}${unit}`,
      ttlMs,
      arguments: Object.freeze({
        'x-message-ttl': ttlMs,
        'x-dead-letter-exchange': this.exchange,
        'x-dead-letter-routing-key': this.queue,
      }),
    });
  }
}
