import { atom, onMount } from 'nanostores';
import type { Today } from '../domain/admin/today.ts';
import { setAfterChange } from '../services/admin/api.ts';
import { AdminError } from '../services/admin/admin-error.ts';
import { fetchToday } from '../services/admin/today.ts';
import { onAdminSignOut } from './admin-session.ts';
import { createPoll } from './poll.ts';

export interface TodayState {
  /** The last response, shown while the next one loads or fails. Null until the first. */
  today: Today | null;
  /** Increases with every change of today, the orders or the inbox; lists refetch. */
  changes: number;
  /** Why it could not be fetched, as a sentence. */
  error: string | null;
  loading: boolean;
  /** The moment (ms since the epoch) of what is shown, when it could not be refreshed for a while; else null. */
  staleSince: number | null;
}

const unread: TodayState = {
  today: null,
  changes: 0,
  error: null,
  loading: true,
  staleSince: null,
};

/** The tasks that need the admin's attention. Polls every few seconds while shown, and refetches after each change made here. */
export const $today = atom<TodayState>(unread);

/** Poll interval (ms): with the response time, an open page is at most ten seconds behind. */
const pollMs = 8_000;
/** A single failed request is no news; the next one follows in `pollMs`. */
const staleMs = 30_000;
let version: string | null = null;
let answeredAt = 0;

const poll = createPoll({
  request: () => fetchToday(version),
  onData: (answer) => {
    const before = $today.get();
    const { today } = answer;
    const changed = today !== null && version !== null ? 1 : 0;
    version = answer.version;
    answeredAt = Date.now();
    const isShown = before.error === null && !before.loading && before.staleSince === null;
    if (today === null && isShown) return;
    $today.set({
      today: today ?? before.today,
      changes: before.changes + changed,
      error: null,
      loading: false,
      staleSince: null,
    });
  },
  onError: (problem) => {
    const before = $today.get();
    const isStale = before.today !== null && Date.now() - answeredAt >= staleMs;
    const staleSince = isStale ? answeredAt : null;
    // A failed background refetch leaves the shown data; the next one follows.
    if (!before.loading) {
      if (staleSince !== before.staleSince) $today.set({ ...before, staleSince });
      return;
    }
    const error =
      problem instanceof AdminError
        ? problem.message
        : 'Something went wrong. Nothing is lost; try again.';
    $today.set({ ...before, error, loading: false, staleSince });
  },
  next: () => ({ ms: pollMs }),
});

/** Refetches now, at the admin's press. */
export function reloadToday(): void {
  $today.set({ ...$today.get(), loading: true });
  void poll.send();
}

function clear(): void {
  poll.drop();
  version = null;
  $today.set(unread);
}
onAdminSignOut(clear);

onMount($today, () => {
  if (typeof window === 'undefined') return;
  const stop = poll.start();
  setAfterChange(() => void poll.send());
  return () => {
    stop();
    setAfterChange(null);
    clear();
  };
});
