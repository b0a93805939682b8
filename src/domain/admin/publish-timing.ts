import type { PublishState } from './publish.ts';

/** How long after the last edit the pages are built by themselves. */
export const autoPublishMs = 30_000;

/**
 * Milliseconds until the page should ask for a build by itself; null when there is no need: nothing changed, one is
 * under way, or the last one began after the last change (a build that failed is not tried again and again).
 */
export function autoPublishWait(state: PublishState, now: number): number | null {
  const newest = Date.parse(state.changes[0]?.at ?? '');
  if (!state.configured || state.count === 0 || Number.isNaN(newest) || state.build.state === 'building') return null;
  const began = Date.parse(state.build.startedAt ?? '');
  if (began >= newest) return null;
  // The admin's clock may be wrong: never longer than the whole wait.
  return Math.min(autoPublishMs, Math.max(0, newest + autoPublishMs - now));
}
