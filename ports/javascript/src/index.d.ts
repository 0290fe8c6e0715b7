/** A duration: a number of seconds, from 0 to HORIZON. */
export type Seconds = number;

/** The longest duration: 2^32 seconds. */
export declare const HORIZON: 4294967296;
export declare const MAX_ATTEMPTS: 2147483647;
/** The most jittered delays that are drawn at once. */
export declare const MAX_SAMPLES: 1000000;

export interface RetryPolicyOptions {
  /** Deliveries, the first one included. Default 1: no retry. */
  maxAttempts?: number;
  /** The delay after the first attempt. Default 0: retry at once. */
  initialDelay?: Seconds;
  /** What each delay is multiplied by to give the next one; 1 or more. Default 2. */
  multiplier?: number;
  /** Default 0: no cap. */
  maxDelay?: Seconds;
  /** How far jitter moves a delay to either side, 0 to 1. Default 0: not at all. */
  jitterFactor?: number;
  /** The age at which a message is given up. Default 0: never. */
  maxMessageAge?: Seconds;
}

export type GiveUpReason = 'max_attempts' | 'max_message_age';

export type NextDelay = { delay: Seconds; giveUp?: undefined } | { giveUp: GiveUpReason; delay?: undefined };

/** When to try again and when to stop. Immutable. */
export declare class RetryPolicy {
  readonly maxAttempts: number;
  readonly initialDelay: Seconds;
  readonly multiplier: number;
  readonly maxDelay: Seconds;
  readonly jitterFactor: number;
  readonly maxMessageAge: Seconds;

  /** @throws {InvalidPolicyError} naming the first field that is outside its legal values */
  constructor(options?: RetryPolicyOptions);

  /** One attempt, no retry. */
  static none(): RetryPolicy;
  /** The same delay after every attempt, without jitter. */
  static fixed(maxAttempts: number, delay: Seconds): RetryPolicy;
  /** Doubling delays with a jitter factor of 0.2. */
  static exponential(maxAttempts: number, initialDelay: Seconds, maxDelay?: Seconds): RetryPolicy;

  /** A copy with this age limit. */
  giveUpAfter(age: Seconds): RetryPolicy;
  /** A copy with this jitter factor. */
  withJitter(factor: number): RetryPolicy;

  /** The delay after this attempt has failed, without jitter, and whatever `maxAttempts` says. */
  backoff(attempt: number): Seconds;
  /** The delays between the attempts, `maxAttempts - 1` of them, made one at a time. */
  schedule(): Generator<Seconds, void, undefined>;
  /** What to do when this attempt has failed. The age is in seconds, or null when it is unknown. */
  nextDelay(attempt: number, messageAge?: number | null): NextDelay;
  /** The delay moved to either side by a draw from [0, 1), which is Math.random() when none is given. */
  jittered(delay: Seconds, draw?: number): Seconds;
  /**
   * The delay jittered `count` times, from 1 to MAX_SAMPLES, in the order of the draws. `random` gives numbers from
   * [0, 1); it is Math.random when none is given.
   */
  jitterSamples(delay: Seconds, count: number, random?: () => number): Seconds[];
}

export interface LadderOptions {
  /** The source queue. */
  queue: string;
  /** The exchange that brings messages back. Default '': the broker's default exchange. */
  exchange?: string;
  /** The shortest delay that waits in the broker. Default 30; 0 means that none does. */
  threshold?: Seconds;
}

/** A broker queue that holds messages for one delay. */
export interface Rung {
  readonly name: string;
  readonly ttlMs: number;
  readonly arguments: {
    readonly 'x-message-ttl': number;
    readonly 'x-dead-letter-exchange': string;
    readonly 'x-dead-letter-routing-key': string;
  };
}

/** The broker queues that hold the long waits of one policy for one source queue. Immutable. */
export declare class Ladder {
  readonly queue: string;
  readonly exchange: string;
  /** From the shortest to the longest. */
  readonly rungs: readonly Rung[];

  /**
   * @throws {InvalidArgumentError} for `queue` or `threshold`
   * @throws {RungTooLongError} when the policy needs a rung that no broker accepts
   */
  constructor(policy: RetryPolicy, options: LadderOptions);

  /** The name of the rung to hold a message for this delay, or null when it does not wait in the broker. */
  rungFor(delay: Seconds): string | null;
}

/** Virtual time in whole milliseconds, given in seconds. Moves when it is told to. */
export declare class FakeClock {
  readonly now: Seconds;
  readonly milliseconds: number;
  /** Lets all that is due until then happen, instant after instant, the last one included. */
  advanceTo(seconds: Seconds): void;
  /** Does this, during which it refuses to be moved. */
  standStill(action: () => void): void;
  /** Calls `run` whenever the time that `nextDue` gives, in milliseconds, has come. */
  follow(follower: { nextDue(): number; run(): void }): void;
}

export interface WorkQueueOptions {
  policy: RetryPolicy;
  /** Queues may share one. */
  clock?: FakeClock;
  /** How long a message may wait for a consumer. Default 0: for ever. */
  messageTtl?: Seconds;
  /** How long a consumer may take to settle a delivery. Default 0: for ever. */
  ackTimeout?: Seconds;
  onEvent?: (event: QueueEvent) => void;
}

/** One delivery of a message, as a consumer's handler gets it. */
export interface Delivery {
  readonly message: string;
  readonly attempt: number;
  ack(): void;
  nack(error?: string | null): void;
}

export interface ConsumerOptions {
  /** May settle the delivery at once, also by throwing. Otherwise, and by default, the message stays leased. */
  onMessage?: (delivery: Delivery) => void;
  /** The most leases to hold at a time. Default null: no limit. */
  prefetch?: number | null;
}

export type DeathReason = GiveUpReason | 'ttl_expired';

export interface DeadLetter {
  message: string;
  reason: DeathReason;
  /** The text of the last failure, if there was one and it had one. */
  error: string | null;
  attempts: number;
  at: Seconds;
}

export interface QueueStats {
  ready: number;
  delayed: number;
  leased: number;
  dead: number;
}

export type QueueEvent = { at: Seconds; message: string } & (
  | { event: 'ready' }
  | { event: 'delivered'; attempt: number; consumer: string }
  | { event: 'acked'; attempt: number }
  | { event: 'failed'; attempt: number; error: string | null }
  | { event: 'delayed'; until: Seconds }
  | { event: 'dead'; reason: DeathReason; error: string | null; attempts: number }
);

/** A work queue in virtual time: leases, retries, a use-by clock and dead letters. */
export declare class WorkQueue {
  readonly clock: FakeClock;

  /** @throws {InvalidArgumentError} for `messageTtl` or `ackTimeout` */
  constructor(options: WorkQueueOptions);

  put(message: string): void;
  /** @throws {RefusedError} `duplicate_consumer` */
  addConsumer(name: string, options?: ConsumerOptions): void;
  /** @throws {RefusedError} `unknown_consumer` */
  removeConsumer(name: string): void;
  /**
   * `delivery` counts the deliveries of the message from 1; null means the latest.
   * @throws {RefusedError} `unknown_delivery`
   */
  ack(message: string, delivery?: number | null): void;
  /** @throws {RefusedError} `unknown_delivery` */
  nack(message: string, options?: { error?: string | null; delivery?: number | null }): void;
  /** @throws {RefusedError} `not_dead` */
  replay(message: string): void;
  stats(): QueueStats;
  deadLetters(): DeadLetter[];
}

/** A value the specification does not allow. */
export declare abstract class RejectedError extends RangeError {
  readonly code: 'invalid_policy' | 'invalid_argument' | 'rung_too_long';
  readonly field?: string;
}

export declare class InvalidPolicyError extends RejectedError {
  readonly code: 'invalid_policy';
  readonly field: keyof RetryPolicyOptions;
  readonly found: unknown;
}

export declare class InvalidArgumentError extends RejectedError {
  readonly code: 'invalid_argument';
  readonly field: 'attempt' | 'messageAge' | 'delay' | 'draw' | 'queue' | 'threshold' | 'messageTtl' | 'ackTimeout';
  readonly found: unknown;
}

export declare class RungTooLongError extends RejectedError {
  readonly code: 'rung_too_long';
  readonly ttlMs: number;
}

/** What a work queue declines to do. It has had no effect. */
export declare class RefusedError extends Error {
  readonly code: 'unknown_delivery' | 'not_dead' | 'duplicate_consumer' | 'unknown_consumer';
}

/** A call of a work queue or clock that makes no sense: a mistake in the calling program. */
export declare class MisuseError extends Error {}
