/*
 * Validators of untrusted values for what browse pages carry: cart, session and product rows; import it as `v`. Zod
 * validates everything else; in a browser it would weigh more than all of these pages' own code.
 */

/** Why a value is refused; the message names the field, as in 'items.0.price: Not a number'. */
export class ValidationError extends Error {
  override name = 'ValidationError';
  readonly reason: string;
  readonly path: string;

  constructor(reason: string, path = '') {
    super(path === '' ? reason : `${path}: ${reason}`);
    this.reason = reason;
    this.path = path;
  }
}

/** Returns the value in its type or throws ValidationError. */
export type Validator<T> = (value: unknown) => T;

function validateAt<T>(key: string | number, validator: Validator<T>, value: unknown): T {
  try {
    return validator(value);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const { reason, path } = error;
    throw new ValidationError(reason, path === '' ? String(key) : `${String(key)}.${path}`);
  }
}

export const string: Validator<string> = (value) => {
  if (typeof value === 'string') return value;
  throw new ValidationError('Not a text');
};

export const nonEmptyString: Validator<string> = (value) => {
  const text = string(value);
  if (text !== '') return text;
  throw new ValidationError('Empty');
};

export const number: Validator<number> = (value) => {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new ValidationError('Not a number');
};

/** 0, 1, 2, … */
export const nonNegativeInt: Validator<number> = (value) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new ValidationError('Not a count');
};

/** A date, '2026-12-05', as a day of `calendar-day.ts`. */
export const calendarDay: Validator<number> = (value) =>
  number(Date.parse(`${string(value)}T00:00:00Z`));

/** Replaces undefined and null with `fallback`. */
export function withDefault<T, F>(validator: Validator<T>, fallback: F): Validator<T | F> {
  return (value) => (value === undefined || value === null ? fallback : validator(value));
}

/** Replaces what the validator refuses with `fallback`. */
export function orElse<T, F>(validator: Validator<T>, fallback: F): Validator<T | F> {
  return (value) => {
    try {
      return validator(value);
    } catch {
      return fallback;
    }
  };
}

export function array<T>(validator: Validator<T>): Validator<T[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new ValidationError('Not a list');
    return value.map((entry, index) => validateAt(index, validator, entry));
  };
}

/** An object with the fields of `shape`; other fields are left out, and so are those whose validator returns undefined. */
export function object<R extends Readonly<Record<string, Validator<unknown>>>>(
  shape: R,
): Validator<{ [K in keyof R]: ReturnType<R[K]> }> {
  const fields = Object.entries(shape);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ValidationError('Not an object');
    const given = value as Readonly<Record<string, unknown>>;
    const read: Record<string, unknown> = {};
    for (const [key, validator] of fields) {
      const field = validateAt(key, validator, given[key]);
      if (field !== undefined) read[key] = field;
    }
    return read as { [K in keyof R]: ReturnType<R[K]> };
  };
}
