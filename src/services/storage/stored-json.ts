import type { Validator } from '#domain/validate.ts';
import { localTexts, tabTexts } from './browser-storage.ts';

/** A value in browser storage. Storage that is blocked or full keeps it as long as the page. */
export interface StoredJson<T> {
  /** The value, or null when there is none that `validator` takes. */
  read: () => T | null;
  write: (value: T) => void;
  forget: () => void;
  /** Whether what was written last outlives the page. */
  outlivesPage: () => boolean;
}

/** JSON under one key of the tab's storage ('session') or of the browser's ('local'). */
export function storedJson<T>(
  area: 'local' | 'session',
  key: string,
  validator: Validator<T>,
): StoredJson<T> {
  const texts = area === 'local' ? localTexts : tabTexts;
  return {
    read: () => {
      try {
        return validator(JSON.parse(texts.getItem(key) ?? ''));
      } catch {
        return null;
      }
    },
    write: (value) => {
      texts.setItem(key, JSON.stringify(value));
    },
    forget: () => {
      texts.removeItem(key);
    },
    outlivesPage: () => texts.outlivesPage(key),
  };
}
