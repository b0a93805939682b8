import type { Validator } from '../../domain/validate.ts';

/** A value in browser storage. Blocked, full or unreadable storage behaves like an empty one. */
export interface StoredJson<T> {
  /** The value, or null when there is none that `validator` takes. */
  read: () => T | null;
  write: (value: T) => void;
  forget: () => void;
}

/** JSON under one key of the tab's storage ('session') or of the browser's ('local'). */
export function storedJson<T>(
  area: 'local' | 'session',
  key: string,
  validator: Validator<T>,
): StoredJson<T> {
  const storage = (): Storage => (area === 'local' ? localStorage : sessionStorage);
  const attempt = <R>(work: () => R): R | null => {
    try {
      return work();
    } catch {
      return null;
    }
  };
  return {
    read: () => attempt(() => validator(JSON.parse(storage().getItem(key) ?? ''))),
    write: (value) =>
      void attempt(() => {
        storage().setItem(key, JSON.stringify(value));
      }),
    forget: () =>
      void attempt(() => {
        storage().removeItem(key);
      }),
  };
}
