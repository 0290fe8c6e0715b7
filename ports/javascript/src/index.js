export { FakeClock } from './clock.js';
export {
  InvalidArgumentError,
  InvalidPolicyError,
  MisuseError,
  RefusedError,
  RejectedError,
  RungTooLongError,
} from './errors.js';
export { Ladder } from './ladder.js';
export { HORIZON, MAX_ATTEMPTS, MAX_SAMPLES } from './limits.js';
export { RetryPolicy } from './policy.js';
export { WorkQueue } from './queue.js';
