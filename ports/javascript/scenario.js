// The scenarios of the question `queue` (chapter 6): steps as calls of a work queue, and what comes of them as the trace.

import { FakeClock, RefusedError, WorkQueue } from './src/index.js';
import { LONGEST_LIST, count, number, text } from './wire.js';

/** The trace of these steps, taken by a queue of its own. */
export function play(policy, messageTtl, ackTimeout, steps) {
  const trace = [];
  const record = (event) => {
    if (trace.length === LONGEST_LIST) throw new Error('the trace is too long for one line');
    trace.push(event);
  };
  const clock = new FakeClock();
  const tested = new WorkQueue({
    policy,
    clock,
    messageTtl,
    ackTimeout,
    onEvent: record,
  });
  for (const step of steps) {
    clock.advanceTo(number(step.at));
    try {
      const answer = takeStep(tested, step);
      if (answer) record({ at: clock.now, event: step.do, ...answer });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const about = step.do.endsWith('consumer') ? { consumer: step.consumer } : { message: step.message };
      record({ at: clock.now, event: 'refused', do: step.do, ...about, code: error.code });
    }
  }
  return trace;
}

function takeStep(tested, step) {
  const { message, consumer, on_message = 'hold', prefetch = null, delivery = null, error = null } = step;
  switch (step.do) {
    case 'put':
      return tested.put(message);
    case 'add_consumer':
      return tested.addConsumer(consumer, { onMessage: handler(on_message), prefetch: count(prefetch) });
    case 'remove_consumer':
      return tested.removeConsumer(consumer);
    case 'ack':
      return tested.ack(message, count(delivery));
    case 'nack':
      return tested.nack(message, { error, delivery: count(delivery) });
    case 'replay':
      return tested.replay(message);
    case 'stats':
      return tested.stats();
    case 'dead_letters':
      return { messages: tested.deadLetters() };
    case 'wait':
      return undefined;
    default:
      throw new Error('unknown step');
  }
}

function handler(onMessage) {
  if (onMessage === 'hold') return () => {};
  if (onMessage === 'ack') return (delivery) => delivery.ack();
  const failure = text(onMessage.fail);
  return (delivery) => delivery.nack(failure);
}
