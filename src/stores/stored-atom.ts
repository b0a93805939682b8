import { atom, onMount, type WritableAtom } from 'nanostores';
import { localTexts } from '../services/storage/browser-storage.ts';

/**
 * A store whose value is a text of the browser's storage: other tabs follow at once, and a page restored from the bfcache when it is
 * shown. `decode` takes any text; a value for which `encode` returns undefined is removed.
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
  return $store;
}
