import { useSyncExternalStore } from 'react';

function follow(tell: () => void): () => void {
  window.addEventListener('hashchange', tell);
  return () => {
    window.removeEventListener('hashchange', tell);
  };
}

/** The part of the address after `#`, kept current. The page's views are chosen by it. */
export function useHash(): string {
  return useSyncExternalStore(
    follow,
    () => window.location.hash,
    () => '',
  );
}
