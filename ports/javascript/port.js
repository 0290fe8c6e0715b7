// The adapter between the samewait kit and this library: a question a line in, an answer a line out (chapter 8).

import { readFileSync } from 'node:fs';
import { play } from './scenario.js';
import { Ladder, RejectedError, RetryPolicy } from './src/index.js';
import { LONGEST_LIST, integer, list, number, text } from './wire.js';

const { name, version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

// A Map, because an object would also answer to `constructor` and its like.
const QUESTIONS = new Map(
  Object.entries({ policy, schedule, backoff, next_delay, jitter, jitter_samples, ladder, rung_for, queue }),
);

const HELLO = {
  protocol: 1,
  name,
  version,
  language: `JavaScript (Node.js ${process.versions.node})`,
  features: [...QUESTIONS.keys()],
  resolution: 'exact',
};

QUESTIONS.set('hello', () => HELLO);

function policy({ make, then }) {
  const made = list(then).reduce((from, copy) => {
    if ('give_up_after' in copy) return from.giveUpAfter(number(copy.give_up_after));
    if ('with_jitter' in copy) return from.withJitter(number(copy.with_jitter));
    throw new Error('unknown copy');
  }, makePolicy(make));
  return {
    policy: {
      max_attempts: made.maxAttempts,
      initial_delay: made.initialDelay,
      multiplier: made.multiplier,
      max_delay: made.maxDelay,
      jitter_factor: made.jitterFactor,
      max_message_age: made.maxMessageAge,
    },
  };
}

function makePolicy({ fields, none, fixed, exponential }) {
  if (fields) return readPolicy(fields);
  if (none) return RetryPolicy.none();
  if (fixed) return RetryPolicy.fixed(integer(fixed.max_attempts), number(fixed.delay));
  if (exponential) {
    const { max_attempts, initial_delay, max_delay } = exponential;
    return RetryPolicy.exponential(integer(max_attempts), number(initial_delay), number(max_delay));
  }
  throw new Error('unknown way to make a policy');
}

function readPolicy(fields) {
  return new RetryPolicy({
    maxAttempts: integer(fields.max_attempts),
    initialDelay: number(fields.initial_delay),
    multiplier: number(fields.multiplier),
    maxDelay: number(fields.max_delay),
    jitterFactor: number(fields.jitter_factor),
    maxMessageAge: number(fields.max_message_age),
  });
}

function schedule(request) {
  const asked = readPolicy(request.policy);
  if (asked.maxAttempts > LONGEST_LIST) throw new Error('the schedule is too long for one line');
  return { delays: [...asked.schedule()] };
}

function backoff(request) {
  return { delay: readPolicy(request.policy).backoff(integer(request.attempt)) };
}

function next_delay(request) {
  const age = request.message_age === null ? null : number(request.message_age);
  const { giveUp, delay } = readPolicy(request.policy).nextDelay(integer(request.attempt), age);
  return giveUp ? { give_up: giveUp } : { delay };
}

function jitter(request) {
  return { delay: readPolicy(request.policy).jittered(number(request.delay), number(request.draw)) };
}

function jitter_samples(request) {
  return { delays: readPolicy(request.policy).jitterSamples(number(request.delay), integer(request.count)) };
}

function ladder(request) {
  const { rungs } = readLadder(request);
  return { rungs: rungs.map((rung) => ({ name: rung.name, ttl_ms: rung.ttlMs, arguments: rung.arguments })) };
}

function rung_for(request) {
  return { rung: readLadder(request).rungFor(number(request.delay)) };
}

function readLadder(request) {
  return new Ladder(readPolicy(request.policy), {
    queue: text(request.queue),
    exchange: text(request.exchange),
    threshold: number(request.threshold),
  });
}

function queue(request) {
  const policy = readPolicy(request.policy);
  return { trace: play(policy, number(request.message_ttl), number(request.ack_timeout), list(request.steps)) };
}

// A `prefetch` may be 2^63 - 1 and may not be 2^63, and both read as the same JavaScript number. So a long one
// is made a text before it is read. (Within a text the name's closing quote is escaped: nothing is found there.)
const LONG_COUNT = /("(?:prefetch|delivery)"\s*:\s*)(\d{16,})(?=\s*[,}])/g;
function answer(line) {
  let id = null;
  try {
    const request = JSON.parse(line.replace(LONG_COUNT, '$1"$2"'));
    id = request.id ?? null;
    const question = QUESTIONS.get(request.ask);
    if (!question) return { id, unsupported: `this port does not know the question ${JSON.stringify(request.ask)}` };
    return { id, value: question(request) };
  } catch (error) {
    if (error instanceof RejectedError) return { id, rejected: { code: error.code, field: snakeCase(error.field) } };
    return { id, error: String(error) };
  }
}

// `undefined` (a code without a field) stays so, and JSON.stringify leaves it out.
function snakeCase(field) {
  return field?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function answerAll(lines) {
  const asked = lines.filter((line) => line.trim() !== '');
  if (asked.length > 0) process.stdout.write(asked.map((line) => `${JSON.stringify(answer(line))}\n`).join(''));
}

// All the lines that a chunk completes are answered at once and written together, so that nothing is held back while no
// more comes (W-3). Lines end in LF alone: node:readline would also end them at U+2028, which JSON leaves in texts.
process.stdin.setEncoding('utf8'); // puts characters together that chunks have torn apart
let begun = '';
for await (const chunk of process.stdin) {
  const end = chunk.lastIndexOf('\n') + 1;
  if (end > 0) {
    answerAll((begun + chunk.slice(0, end)).split('\n'));
    begun = '';
  }
  begun += chunk.slice(end);
}
answerAll([begun]);
// No process.exit: it would lose what a pipe has not taken yet. Node ends by itself once everything is written.
