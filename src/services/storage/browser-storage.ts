/** Texts of the browser by key. No access throws. */
export interface BrowserStorage {
  getItem: (key: string) => string | null;
  /** A text that the browser refuses (storage is full, blocked or missing) lasts as long as this page; the one before stays stored. */
  setItem: (key: string, text: string) => void;
  removeItem: (key: string) => void;
  /** Whether what was set last outlives this page. */
  outlivesPage: (key: string) => boolean;
}

function guard(storage: () => Storage): BrowserStorage {
  /** What the page knows better than the storage, which refused it; null for a text that is gone. */
  const refused = new Map<string, string | null>();
  return {
    getItem(key) {
      const known = refused.get(key);
      if (known !== undefined) return known;
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    setItem(key, text) {
      try {
        storage().setItem(key, text);
        refused.delete(key);
      } catch {
        refused.set(key, text);
      }
    },
    removeItem(key) {
      try {
        storage().removeItem(key);
        refused.delete(key);
      } catch {
        refused.set(key, null);
      }
    },
    outlivesPage: (key) => (refused.get(key) ?? null) === null,
  };
}

/*
 * The only two users of the browser's own storage (the linter refuses others). Cookies are no way out where it refuses: the shop's
 * privacy policy promises none, and a browser that blocks the one blocks the other.
 */

/** What all tabs share, from visit to visit. */
export const localTexts = guard(() => localStorage);
/** What one tab has until it is closed. */
export const tabTexts = guard(() => sessionStorage);

/** Whether this browser keeps a session, some 4,000 letters, for the next page. False when storage is full, blocked or missing. */
export function keepsSessions(): boolean {
  const key = 'kasavu:probe';
  localTexts.setItem(key, ' '.repeat(4_000));
  const kept = localTexts.outlivesPage(key);
  localTexts.removeItem(key);
  return kept;
}
