import { useSyncExternalStore } from 'react';
import { useFetched } from '#islands/admin/shared/fetching/use-fetched.ts';
import { listsKey } from '#islands/admin/shared/fetching/use-pages.ts';
import { storeCopy } from './admin-copy.ts';

/** How often the copy is stored while nothing is reported, in ms: a change of the stock alone is none. */
const refreshMs = 5 * 60_000;

function follow(tell: () => void): () => void {
  window.addEventListener('online', tell);
  window.addEventListener('offline', tell);
  return () => {
    window.removeEventListener('online', tell);
    window.removeEventListener('offline', tell);
  };
}

/** Stores the copy for the time without a connection, after each change in the shop, and then leads to it. */
export function OfflineNotice() {
  const { data: isStored } = useFetched({
    queryKey: [...listsKey, 'offline-copy'],
    queryFn: storeCopy,
    refetchInterval: refreshMs,
  });
  const isOnline = useSyncExternalStore(
    follow,
    () => navigator.onLine,
    () => true,
  );
  if (isOnline || isStored !== true) return null;
  return (
    <p className="notice my-5" role="status">
      You are offline. What is open here stays.{' '}
      <button type="button" className="link py-2.5" onClick={() => window.location.reload()}>
        Read orders to pack and stock
      </button>
    </p>
  );
}
