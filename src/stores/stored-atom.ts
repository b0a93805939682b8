import { atom, onMount, type WritableAtom } from 'nanostores';
import { localTexts } from '#services/storage/browser-storage.ts';

/**
 * Reads a text of the browser's storage when its store gets a listener, and again when another tab changes it, or when the page is
 * restored from the bfcache, because it missed all events.
 */
export function followStorage<T>($store: WritableAtom<T>, key: string, read: () => void): void {
  onMount($store, () => {
    if (typeof window === 'undefined') return;
    read();
    const follow = (event: StorageEvent): void => {
      if (event.key === key || event.key === null) read();
    };
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) read();
    };
    const page = window;
    page.addEventListener('storage', follow);
    page.addEventListener('pageshow', comeBack);
    return () => {
      page.removeEventListener('storage', follow);
      page.removeEventListener('pageshow', comeBack);
    };
  });
}

/**
 * A store whose value is a text of the browser's storage (`followStorage`). `decode` takes any text; a value for which `encode` returns undefined is removed.
 */
export function storedAtom<T>(
  key: string,
  initial: T,
  { encode, decode }: { encode: (value: T) => string | undefined; decode: (text: string) => T },
): WritableAtom<T> {
  const $store = atom(initial);
  const show = $store.set.bind($store);
  const read = (): void => {
    const text = localTexts.getItem(key);
    show(text === null ? initial : decode(text));
  };
  $store.set = (value) => {
    const text = encode(value);
    if (text === undefined) localTexts.removeItem(key);
    else localTexts.setItem(key, text);
    show(value);
  };
  followStorage($store, key, read);
  return $store;
}
