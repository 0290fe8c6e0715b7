// Values on the wire. What has another type than chapter 8 gives it is the asker's fault, not a rejection (W-1, W-6).

// The kit asks for far shorter lists (W-18). Beyond this length they would only use up the memory.
export const LONGEST_LIST = 1000000;

const NOT_FINITE = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

export function number(value) {
  if (typeof value === 'number') return value;
  if (NOT_FINITE.has(value)) return NOT_FINITE.get(value); // W-9
  throw new Error('a number is missing or is none');
}

// Above 2^53 a JavaScript number is near the integer sent, not equal to it; such an attempt, or count of samples, is out
// of range either way.
export function integer(value) {
  if (Number.isInteger(value)) return value;
  throw new Error('an integer is missing or is none');
}

export function text(value) {
  if (typeof value === 'string') return value;
  throw new Error('a text is missing or is none');
}

export function list(value) {
  if (Array.isArray(value)) return value;
  throw new Error('a list is missing or is none');
}

// The largest `prefetch` there may be.
const LARGEST_COUNT = 9223372036854775807n;

export function count(value) {
  if (value === null || Number.isSafeInteger(value)) return value;
  if (/^\d{16,}$/.test(text(value)) && BigInt(value) <= LARGEST_COUNT) return Number(value);
  throw new Error('a count is too large or is none');
}
