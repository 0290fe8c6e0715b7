/** A value the specification does not allow. `code` and `field` tell a program what `message` tells a person. */
export class RejectedError extends RangeError {
  constructor(code, message) {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A policy field outside its legal values (P-9). */
export class InvalidPolicyError extends RejectedError {
  constructor(field, found, needed) {
    super('invalid_policy', `policy field ${field} must be ${needed}, not ${shown(found)}`);
    this.field = field;
    this.found = found;
  }
}

/** An argument outside its legal values. */
export class InvalidArgumentError extends RejectedError {
  constructor(field, found, needed) {
    super('invalid_argument', `${field} must be ${needed}, not ${shown(found)}`);
    this.field = field;
    this.found = found;
  }
}

/** A wait that no broker would hold (L-4). */
export class RungTooLongError extends RejectedError {
  constructor(ttlMs, limit) {
    super('rung_too_long', `a rung must hold messages for at most ${limit} ms, not ${ttlMs} ms`);
    this.ttlMs = ttlMs;
  }
}

/** What a work queue declines to do, for a reason that may well come up in operation. It has had no effect. */
export class RefusedError extends Error {
  constructor(code, message) {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A call of a work queue or clock that makes no sense: a mistake in the calling program. */
export class MisuseError extends Error {
  constructor(what, found, needed) {
    super(`${what} must be ${needed}, not ${shown(found)}`);
    this.name = new.target.name;
  }
}

function shown(value) {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
