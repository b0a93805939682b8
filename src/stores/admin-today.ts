import { atom, onMount } from 'nanostores';
import type { Today } from '../domain/admin/today.ts';
import { setAfterChange } from '../services/admin/api.ts';
import { AdminError } from '../services/admin/admin-error.ts';
import { fetchToday } from '../services/admin/today.ts';

export interface TodayState {
  /** The last answer; it stays while the next one is under way and when that fails. Null until the first. */
  today: Today | null;
  /** Rises with every change of today, of the orders or of the inbox: lists read themselves again. */
  changes: number;
  /** Why it could not be read, in words. */
  error: string | null;
  loading: boolean;
}

const unread: TodayState = { today: null, changes: 0, error: null, loading: true };

/** What waits for the admin. While it is shown it keeps itself current: every few seconds, and after each change made here. */
export const $today = atom<TodayState>(unread);

/** With the answer's own time, what happens in the shop is on an open page within ten seconds. */
const pollMs = 8_000;
let timer: ReturnType<typeof setTimeout> | undefined;
let shown = false;
let version: string | null = null;
/** The reading that counts: a later one makes the answer of an earlier one void. */
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
    // Without being asked, what is there stays: the next reading comes by itself.
    if (before.loading) {
      const error =
        problem instanceof AdminError
          ? problem.message
          : 'Something went wrong. Nothing is lost; try again.';
      $today.set({ ...before, error, loading: false });
    }
  }
  // An unseen page asks nothing; it asks at once when it is seen again.
  if (shown && document.visibilityState === 'visible')
    timer = setTimeout(() => void read(), pollMs);
}

/** Reads it again at once: the admin asks for it. */
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
    // Whoever logs in next sees nothing of it.
    $today.set(unread);
  };
});
