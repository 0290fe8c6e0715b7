import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PORT = fileURLToPath(new URL('../port.js', import.meta.url));
const POLICY = { max_attempts: 5, initial_delay: 1, multiplier: 2, max_delay: 0, jitter_factor: 0, max_message_age: 0 };
const THIRTY = { ...POLICY, initial_delay: 30 };

/** Writes these pieces one after the other, and gives the answers. */
async function ask(...pieces) {
  const port = spawn(process.execPath, [PORT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const output = port.stdout.setEncoding('utf8').toArray();
  for (const piece of pieces) {
    port.stdin.write(piece);
    await new Promise((done) => setTimeout(done, 20));
  }
  port.stdin.end();
  const [status] = await once(port, 'close');
  assert.equal(status, 0);
  return (await output).join('').trimEnd().split('\n').map((line) => JSON.parse(line));
}

const lines = (...requests) => requests.map((request) => `${JSON.stringify(request)}\n`).join('');

test('values, rejections, what is unknown, and errors that it lives on after (W-2, W-5 to W-7)', async () => {
  const answers = await ask(
    lines(
      { id: '1', ask: 'backoff', policy: POLICY, attempt: 3, more: 1 },
      { id: '2', ask: 'backoff', policy: { ...POLICY, multiplier: 'NaN' }, attempt: 3 },
      { id: '3', ask: 'next_delay', policy: POLICY, attempt: 1, message_age: 'NaN' },
      { id: '4', ask: 'constructor' },
      { id: '5', ask: 'backoff', policy: POLICY, attempt: '3' },
      { id: '6', ask: 'backoff' },
      { id: '7', ask: 'ladder', policy: { ...POLICY, initial_delay: 4e9 }, queue: 'NaN', exchange: '', threshold: 30 },
    ) +
      'no JSON\n\n' +
      lines({ id: '8', ask: 'rung_for', policy: THIRTY, queue: 'NaN', exchange: '', threshold: 30, delay: 30 }),
  );
  const kinds = answers.map(({ id, value, rejected, ...other }) => [id, value ?? rejected ?? Object.keys(other)[0]]);
  assert.deepEqual(kinds, [
    ['1', { delay: 4 }],
    ['2', { code: 'invalid_policy', field: 'multiplier' }],
    ['3', { code: 'invalid_argument', field: 'message_age' }],
    ['4', 'unsupported'],
    ['5', 'error'],
    ['6', 'error'],
    ['7', { code: 'rung_too_long' }],
    [null, 'error'],
    ['8', { rung: 'NaN.retry.30s' }],
  ]);
});

test('two processes give other samples, and as many as were asked for (J-9, J-10)', async () => {
  const request = { id: '1', ask: 'jitter_samples', policy: { ...POLICY, jitter_factor: 0.5 }, delay: 10, count: 20 };
  const runs = await Promise.all([ask(lines(request)), ask(lines(request))]);
  const [first, second] = runs.map(([{ value }]) => value.delays);
  assert.equal(first.length, 20);
  assert.equal(second.length, 20);
  assert.notDeepEqual(first, second);
});

test('samples that are refused, in the order of the rejections (J-11)', async () => {
  const samples = (policy, delay, count) =>
    `{"id":"","ask":"jitter_samples","policy":${JSON.stringify(policy)},"delay":${delay},"count":${count}}\n`;
  const answers = await ask(
    samples({ ...POLICY, multiplier: 0 }, -1, 0),
    samples(POLICY, '"NaN"', 0),
    ...['0', '1000001', '9223372036854775807', '-9223372036854775808'].map((count) => samples(POLICY, 1, count)),
    samples(POLICY, 1, '"3"'),
  );
  const fields = answers.map(({ rejected, error }) => (error ? 'error' : rejected.field));
  assert.deepEqual(fields, ['multiplier', 'delay', 'count', 'count', 'count', 'count', 'error']);
});

test('integers beyond 2^53 are out of range (W-10)', async () => {
  const attempts = ['2147483647', '2147483648', '4294967297', '9223372036854775807', '-9223372036854775808'];
  const begun = `{"id":"","ask":"backoff","policy":${JSON.stringify(POLICY)},"attempt":`;
  const answers = await ask(attempts.map((attempt) => `${begun}${attempt}}\n`).join(''));
  assert.deepEqual(answers.shift().value, { delay: 4294967296 });
  for (const { rejected } of answers) assert.deepEqual(rejected, { code: 'invalid_argument', field: 'attempt' });
});

test('a prefetch may be 2^63 - 1 and no more (Q-33)', async () => {
  const request = (prefetch) =>
    `{"id":"","ask":"queue","policy":${JSON.stringify(POLICY)},"message_ttl":0,"ack_timeout":0,` +
    `"steps":[{"at":0,"do":"add_consumer","consumer":"\\"prefetch\\":12345678901234567890","prefetch":${prefetch}}]}\n`;
  const prefetches = ['9223372036854775807', '9223372036854775808', '0'];
  const [legal, illegal, zero] = await ask(prefetches.map(request).join(''));
  assert.deepEqual(legal.value, { trace: [] });
  assert.ok(illegal.error);
  assert.ok(zero.error);
});

test('a queue trace, with a message name of many kinds of characters that arrives byte by byte', async () => {
  const message = '__proto__ \u2028 é 漢 😀';
  const bytes = Buffer.from(
    lines({
      id: 'x',
      ask: 'queue',
      policy: POLICY,
      message_ttl: 0,
      ack_timeout: 0,
      steps: [
        { at: 0.5, do: 'ack', message },
        { at: 0.5, do: 'put', message },
        { at: 1.001, do: 'stats' },
      ],
    }),
  );
  const middle = bytes.indexOf(0xf0); // the first byte of 😀
  const cuts = [0, middle + 1, middle + 2, middle + 3, bytes.length];
  const pieces = cuts.slice(1).map((cut, n) => bytes.subarray(cuts[n], cut));
  const [{ value }] = await ask(...pieces);
  assert.deepEqual(value.trace, [
    { at: 0.5, event: 'refused', do: 'ack', message, code: 'unknown_delivery' },
    { at: 0.5, event: 'ready', message },
    { at: 1.001, event: 'stats', ready: 1, delayed: 0, leased: 0, dead: 0 },
  ]);
});

test('many answers are all written before it ends, the last one to a line without an end', async () => {
  const request = lines({ id: '1', ask: 'schedule', policy: { ...POLICY, max_attempts: 1000, multiplier: 1.01 } });
  const answers = await ask(request.repeat(300) + request.trimEnd());
  assert.equal(answers.length, 301);
  assert.ok(answers.every(({ value }) => value.delays.length === 999));
});
