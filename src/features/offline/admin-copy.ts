import { noAnswer } from '#services/admin/admin-error.ts';
import { request } from '#services/connection.ts';
import { timeLimit } from '#services/time-limit.ts';
import { $adminSession, onLogoutPressed } from '#stores/admin-session.ts';

/** The cache that the worker answers from. */
const copies = 'admin-copy';

const isLoggedIn = (): boolean => $adminSession.get() === 'logged-in';
/** Some private windows have no caches. */
const hasCaches = (): boolean => 'caches' in window;

async function forgetCopy(): Promise<void> {
  if (hasCaches()) await caches.delete(copies);
}

// A session ends with a logout, here or in another tab, or at the server. The press of *Logout* alone ends the copy: without a
// connection nothing else would.
const forget = (): void => void forgetCopy().catch(() => undefined);
onLogoutPressed(forget);
$adminSession.listen(() => {
  if (!isLoggedIn()) forget();
});

/**
 * Stores the page that the worker answers with while there is no connection. Returns whether there is one; throws AdminError without an
 * answer.
 */
export async function storeCopy(): Promise<boolean> {
  if (!hasCaches()) return false;
  let answer: Response;
  try {
    answer = await request('/api/admin/offline', {
      credentials: 'same-origin',
      signal: timeLimit(30_000),
    });
  } catch (error) {
    throw noAnswer(error);
  }
  if (answer.status === 401) await forgetCopy();
  if (!answer.ok || !isLoggedIn()) return false;
  const cache = await caches.open(copies);
  await cache.put('/admin', answer);
  // The admin may have logged out while it was written.
  if (!isLoggedIn()) await forgetCopy();
  return isLoggedIn();
}
