import { atom, onMount } from 'nanostores';
import type { Today } from '../domain/admin/today.ts';
import { setAfterChange } from '../services/admin/api.ts';
import { AdminError } from '../services/admin/admin-error.ts';
import { fetchToday } from '../services/admin/today.ts';

export interface TodayState {
  /** The last response, kept while the next one loads or fails. Null until the first. */
  today: Today | null;
  /** Increases with every change of today, the orders or the inbox; lists refetch. */
  changes: number;
  /** Why it could not be fetched, as a sentence. */
  error: string | null;
  loading: boolean;
}

const unread: TodayState = { today: null, changes: 0, error: null, loading: true };

/** What needs the admin's attention. Polls every few seconds while shown, and refetches after each change made here. */
export const $today = atom<TodayState>(unread);

/** Poll interval (ms): with the response time, an open page is at most ten seconds behind. */
const pollMs = 8_000;
let timer: ReturnType<typeof setTimeout> | undefined;
let shown = false;
let version: string | null = null;
/** The latest request. Responses of earlier ones are ignored. */
let reading = 0;

async function read(): Promise<void> {
  clearTimeout(timer);
  reading += 1;
  const mine = reading;
  try {
    const answer = await fetchToday(version);
    if (mine !== reading) return;
    const before = $today.get();
    const { today } = answer;
    const changed = today !== null && version !== null ? 1 : 0;
    version = answer.version;
    if (today !== null || before.error !== null || before.loading) {
      $today.set({
        today: today ?? before.today,
        changes: before.changes + changed,
        error: null,
        loading: false,
      });
    }
  } catch (problem) {
    if (mine !== reading) return;
    const before = $today.get();
    // A background refetch that fails keeps the shown data; the next one follows.
    if (before.loading) {
      const error =
        problem instanceof AdminError
          ? problem.message
          : 'Something went wrong. Nothing is lost; try again.';
      $today.set({ ...before, error, loading: false });
    }
  }
  // A hidden page does not poll. It refetches when it becomes visible.
  if (shown && document.visibilityState === 'visible')
    timer = setTimeout(() => void read(), pollMs);
}

/** Refetches now, when the admin asks for it. */
export function reloadToday(): void {
  $today.set({ ...$today.get(), loading: true });
  void read();
}

onMount($today, () => {
  if (typeof window === 'undefined') return;
  shown = true;
  void read();
  const comeBack = () => {
    if (document.visibilityState === 'visible') void read();
  };
  setAfterChange(() => void read());
  document.addEventListener('visibilitychange', comeBack);
  return () => {
    shown = false;
    reading += 1;
    version = null;
    clearTimeout(timer);
    setAfterChange(null);
    document.removeEventListener('visibilitychange', comeBack);
    // The next admin to log in must not see it.
    $today.set(unread);
  };
});
