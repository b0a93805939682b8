import { onTestFinished, vi } from 'vitest';

/** The parts of a browser that the stores use: storage as text by key, and a window that hears other tabs. */
export interface FakeBrowser {
  /** The storage of this browser. */
  stored: (key: string) => string | null;
  /** Stores text before a page opens, telling nobody. */
  store: (key: string, text: string) => void;
  /** Another tab stores text, or takes it away with null; this page gets the storage event. */
  otherTab: (key: string, text: string | null) => void;
  /** Another tab empties the whole storage: the event has no key. */
  otherTabClears: () => void;
}

/** Puts an empty storage in place of one of the browser's. Returns its texts by key. */
export function stubStorage(name: 'localStorage' | 'sessionStorage'): Map<string, string> {
  const stored = new Map<string, string>();
  vi.stubGlobal(name, {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  });
  return stored;
}

/** Opens a browser for one test; `vi.unstubAllGlobals` closes it. Modules with state must be imported afterwards. */
export function openBrowser(): FakeBrowser {
  const storage: Record<string, string> = {};
  // Methods are not entries: the persistent store asks `name in localStorage`.
  Object.setPrototypeOf(storage, {
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, text: string) => {
      storage[key] = text;
    },
    removeItem: (key: string) => {
      Reflect.deleteProperty(storage, key);
    },
  });
  const heard = new Set<(event: unknown) => void>();
  vi.stubGlobal('localStorage', storage);
  const page = {
    addEventListener: (kind: string, listener: (event: unknown) => void) => {
      if (kind === 'storage') heard.add(listener);
    },
    removeEventListener: (kind: string, listener: (event: unknown) => void) => {
      if (kind === 'storage') heard.delete(listener);
    },
  };
  vi.stubGlobal('window', page);
  // A store leaves the window a second after its last listener. The timers of a closed page do not run.
  const { setTimeout: later } = globalThis;
  vi.stubGlobal('setTimeout', (run: () => void, delayMs?: number) =>
    later(() => {
      if (Reflect.get(globalThis, 'window') === page) run();
    }, delayMs),
  );
  vi.resetModules();
  // Files share a process: the next one gets stores that know no window.
  onTestFinished(() => {
    vi.resetModules();
  });
  const tell = (key: string | null, newValue: string | null) => {
    for (const listener of heard) listener({ key, newValue });
  };
  return {
    stored: (key) => storage[key] ?? null,
    store: (key, text) => {
      storage[key] = text;
    },
    otherTab: (key, text) => {
      if (text === null) Reflect.deleteProperty(storage, key);
      else storage[key] = text;
      tell(key, text);
    },
    otherTabClears: () => {
      for (const key of Object.keys(storage)) Reflect.deleteProperty(storage, key);
      tell(null, null);
    },
  };
}
