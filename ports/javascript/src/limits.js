/** The longest duration, in seconds: 2^32, about 136 years. */
export const HORIZON = 4294967296;

export const MAX_ATTEMPTS = 2147483647;

/** The most jittered delays that are drawn at once (J-11). */
export const MAX_SAMPLES = 1000000;

// Each kind of value: which ones are legal, and how an error says so. Number.isFinite and Number.isInteger take no text
// for a number, and refuse NaN, which every `value < min` lets pass.
export const ATTEMPTS = {
  holds: (value) => Number.isInteger(value) && value >= 1 && value <= MAX_ATTEMPTS,
  needed: `a whole number from 1 to ${MAX_ATTEMPTS}`,
};
export const SAMPLES = {
  holds: (value) => Number.isInteger(value) && value >= 1 && value <= MAX_SAMPLES,
  needed: `a whole number from 1 to ${MAX_SAMPLES}`,
};
export const DURATION = {
  holds: (value) => Number.isFinite(value) && value >= 0 && value <= HORIZON,
  needed: `a number of seconds from 0 to ${HORIZON}`,
};
export const MULTIPLIER = {
  holds: (value) => Number.isFinite(value) && value >= 1,
  needed: 'a finite number, 1 or more',
};
export const FRACTION = {
  holds: (value) => Number.isFinite(value) && value >= 0 && value <= 1,
  needed: 'a number from 0 to 1',
};
export const DRAW = {
  holds: (value) => Number.isFinite(value) && value >= 0 && value < 1,
  needed: 'a number from 0 to just below 1',
};
export const AGE = {
  holds: (value) => value === null || (typeof value === 'number' && !Number.isNaN(value)),
  needed: 'a number of seconds, or null when it is unknown',
};
export const NAME = {
  holds: (value) => typeof value === 'string' && value !== '',
  needed: 'a text that is not empty',
};
export const COUNT = {
  holds: (value) => value === null || (Number.isInteger(value) && value >= 1),
  needed: 'a whole number, 1 or more, or null',
};
export const ERROR_TEXT = {
  holds: (value) => value === null || typeof value === 'string',
  needed: 'a text or null',
};
export const HANDLER = {
  holds: (value) => typeof value === 'function',
  needed: 'a function',
};

/** The value, if it is of this kind, with a negative zero made positive (P-7). Throws a `Rejection` otherwise. */
export function judged(kind, value, Rejection, field) {
  if (!kind.holds(value)) throw new Rejection(field, value, kind.needed);
  return value === 0 ? 0 : value;
}

/**
 * Seconds in whole milliseconds, halves up (L-2, Q-32). Math.round does just that with numbers that are not negative:
 * by ECMAScript it picks the nearest integer and does not go through `x + 0.5`, which is inexact next to a half.
 */
export function toMilliseconds(seconds) {
  return Math.round(seconds * 1000);
}
