#!/usr/bin/env node
// Puts a library to the test of samewait: questions on standard input, answers on standard output, one JSON object a line.
// The comments 1 to 4 lead from this skeleton to a port of your library.

// import * as myLibrary from './my-library.js';

function backoff(request) {
  // 1. Call your library here, in place of the stand-in. Durations are seconds.
  return { delay: standInBackoff(readPolicy(request.policy), integer(request.attempt)) };
}

// 2. Next question: schedule. Write the function and add it to QUESTIONS: `hello` claims what is there.
//
// function schedule(request) {
//   return { delays: [...myLibrary.schedule(readPolicy(request.policy))] };
// }

const QUESTIONS = { backoff };

function hello() {
  // 3. Say who you are. A library that counts in whole units says '1ns', '100ns', '1us' or '1ms' in place of 'exact',
  //    and answers each delay as a whole number of them.
  return {
    protocol: 1,
    name: 'my-library',
    version: '0.0.0',
    language: `JavaScript (Node.js ${process.versions.node})`,
    features: Object.keys(QUESTIONS),
    resolution: 'exact',
  };
}

/** The library refuses its input. Anything else that is thrown counts as a failure of the port. */
class Rejected extends Error {
  constructor(code, field) {
    super(`${code}: ${field}`);
    this.rejection = { code, field };
  }
}

/** Map the fields to your library's own names here, and its refusals to Rejected. */
function readPolicy(fields) {
  return standInPolicy({
    max_attempts: integer(fields.max_attempts),
    initial_delay: number(fields.initial_delay),
    multiplier: number(fields.multiplier),
    max_delay: number(fields.max_delay),
    jitter_factor: number(fields.jitter_factor),
    max_message_age: number(fields.max_message_age),
  });
}

/** JSON has no NaN and no infinities: they come as texts. A negative zero is read as zero. */
function number(value) {
  if (['NaN', 'Infinity', '-Infinity'].includes(value)) return Number(value);
  if (typeof value === 'number') return value + 0;
  throw new TypeError(`a number is due, not ${JSON.stringify(value)}`);
}

/** Above 2^53 it is only near the integer sent; but then it is out of every range, and so is its neighbour. */
function integer(value) {
  if (Number.isInteger(value)) return value;
  throw new TypeError(`an integer is due, not ${JSON.stringify(value)}`);
}

function text(value) {
  if (typeof value === 'string') return value;
  throw new TypeError(`a text is due, not ${JSON.stringify(value)}`);
}

// 4. The stand-in: what your library does instead. Delete it once nothing calls it.

const HORIZON = 2 ** 32; // seconds
const LARGEST = 2 ** 31 - 1;
const LEGAL = { // in the order in which faults are reported
  max_attempts: [1, LARGEST],
  initial_delay: [0, HORIZON],
  multiplier: [1, Number.MAX_VALUE],
  max_delay: [0, HORIZON],
  jitter_factor: [0, 1],
  max_message_age: [0, HORIZON],
};

function standInPolicy(policy) {
  for (const [field, [low, high]] of Object.entries(LEGAL)) {
    // So written, it refuses NaN too.
    if (!(low <= policy[field] && policy[field] <= high)) throw new Rejected('invalid_policy', field);
  }
  return policy;
}

function standInBackoff(policy, attempt) {
  if (attempt < 1 || attempt > LARGEST) throw new Rejected('invalid_argument', 'attempt');
  const ceiling = policy.max_delay || HORIZON; // 0 means no cap
  let delay = policy.initial_delay;
  for (let n = 1; n < attempt; n++) {
    const longer = delay * policy.multiplier;
    if (delay >= ceiling || longer === delay) break; // it will not change any more, however large the attempt
    delay = longer;
  }
  return Math.min(delay, ceiling);
}

// The wire. There should be no need to change anything below.

function outcome(request) {
  const ask = text(request.ask);
  const question = ask === 'hello' ? hello : Object.hasOwn(QUESTIONS, ask) && QUESTIONS[ask];
  if (!question) return { unsupported: `no question ${ask} is known here` };
  try {
    return { value: question(request) };
  } catch (error) {
    if (error instanceof Rejected) return { rejected: error.rejection };
    throw error;
  }
}

/** JSON.stringify would make a NaN null. */
function finite(key, value) {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${key} is ${value}`);
  return value;
}

/** The line that answers a line. Only what has no id cannot be answered. */
function answer(line) {
  let id;
  try {
    const request = JSON.parse(line);
    id = text(request.id);
    return `${JSON.stringify({ id, ...outcome(request) }, finite)}\n`;
  } catch (error) {
    console.error(error); // people see it
    return id === undefined ? '' : `${JSON.stringify({ id, error: String(error) })}\n`;
  }
}

console.log = console.error; // what a library prints is no answer

// All that has arrived is answered in one write before more is waited for. Lines end in LF alone: node:readline would also
// end them at U+2028, which JSON leaves in texts.
process.stdin.setEncoding('utf8');
let rest = '';
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  if (lines.length > 0) process.stdout.write(lines.map(answer).join(''));
}
if (rest) process.stdout.write(answer(rest));
