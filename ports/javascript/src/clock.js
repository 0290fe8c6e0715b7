import { MisuseError } from './errors.js';
import { DURATION, judged, toMilliseconds } from './limits.js';

/**
 * Virtual time: it stands still until it is told to move. It is counted in whole milliseconds, so that instants which
 * are equal are found equal.
 */
export class FakeClock {
  #milliseconds = 0;
  #followers = [];
  #stands = false;

  /** Seconds since the start. */
  get now() {
    return this.#milliseconds / 1000;
  }

  get milliseconds() {
    return this.#milliseconds;
  }

  /** Lets all that is due until then happen, instant after instant, the last one included. */
  advanceTo(seconds) {
    if (this.#stands) throw new MisuseError('the clock', 'moved by a handler', 'left alone until the handler is done');
    const target = wholeMilliseconds(seconds);
    if (target < this.#milliseconds) throw new MisuseError('a time', seconds, `at or after the present, ${this.now} s`);
    for (;;) {
      const next = this.#followers.reduce((a, b) => (b.nextDue() < a.nextDue() ? b : a), NOTHING_DUE);
      if (next.nextDue() > target) break;
      this.#milliseconds = next.nextDue();
      next.run();
    }
    this.#milliseconds = target;
  }

  /** Does this, during which it refuses to be moved. */
  standStill(action) {
    const before = this.#stands;
    this.#stands = true;
    try {
      action();
    } finally {
      this.#stands = before;
    }
  }

  /** From now on, calls `run` whenever the time that `nextDue` gives (in milliseconds) has come. */
  follow(follower) {
    this.#followers.push(follower);
  }
}

const NOTHING_DUE = { nextDue: () => Infinity };

function wholeMilliseconds(seconds) {
  const milliseconds = toMilliseconds(judged(DURATION, seconds, MisuseError, 'a time'));
  // 1.001 * 1000 is no integer in binary64; that 1001 / 1000 is 1.001 again tells a whole number of milliseconds.
  if (milliseconds / 1000 !== seconds) throw new MisuseError('a time', seconds, 'a whole number of milliseconds');
  return milliseconds;
}
