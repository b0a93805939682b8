/**
 * Local storage that falls back to memory where the browser refuses to write (it is full): the cart then lasts as long
 * as the page, instead of a product that cannot be added.
 */
export function safeStorage(storage: Storage): Record<string, string> {
  const refused = new Map<string, string>();
  return new Proxy<Record<string, string>>(
    {},
    {
      has: (_, key) =>
        typeof key === 'string' && (refused.has(key) || storage.getItem(key) !== null),
      get: (_, key) =>
        typeof key === 'string'
          ? (refused.get(key) ?? storage.getItem(key) ?? undefined)
          : undefined,
      set: (_, key, value) => {
        if (typeof key !== 'string') return false;
        try {
          storage.setItem(key, String(value));
          refused.delete(key);
        } catch {
          refused.set(key, String(value));
        }
        return true;
      },
      deleteProperty: (_, key) => {
        if (typeof key === 'string') {
          refused.delete(key);
          storage.removeItem(key);
        }
        return true;
      },
    },
  );
}

/** The browser's local storage, or null where there is none or it is blocked. */
export function localStorageOrNull(): Storage | null {
  try {
    return typeof localStorage === 'undefined' ? null : localStorage;
  } catch {
    return null;
  }
}
