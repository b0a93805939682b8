import { atom, onMount } from 'nanostores';
import type { PublishState } from '../domain/admin/publish.ts';
import { autoPublishWait } from '../domain/admin/publish-timing.ts';
import { AdminError } from '../services/admin/api.ts';
import { requestBuild, askForBuildOnLeaving, fetchPublishState } from '../services/admin/publish.ts';

/** Rises with every change that the admin made here, and with every build that went live: lists read themselves again. */
export const $catalogueVersion = atom(0);

export interface Publishing {
  /** Null until it is first read. */
  state: PublishState | null;
  /** Why it could not be read or asked for, in words. */
  problem: string | null;
  /** A press of 'Publish now' is under way. */
  asking: boolean;
}

/** How the built pages stand. While it is shown it keeps itself current, and asks for a build some time after the last edit. */
export const $publishing = atom<Publishing>({ state: null, problem: null, asking: false });

const pollMs = { building: 3_000, idle: 60_000 } as const;
let pollTimer: ReturnType<typeof setTimeout> | undefined;
let autoTimer: ReturnType<typeof setTimeout> | undefined;
let shown = false;

async function update(ask: () => Promise<PublishState>): Promise<void> {
  const before = $publishing.get().state?.build.publishedAt;
  try {
    const state = await ask();
    $publishing.set({ state, problem: null, asking: false });
    if (before !== undefined && before !== state.build.publishedAt) $catalogueVersion.set($catalogueVersion.get() + 1);
  } catch (error) {
    const problem = error instanceof AdminError ? error.message : 'How publishing stands could not be read.';
    $publishing.set({ ...$publishing.get(), problem, asking: false });
  }
  plan();
}

function refresh(): void {
  void update(() => fetchPublishState());
}

function plan(): void {
  clearTimeout(pollTimer);
  clearTimeout(autoTimer);
  autoTimer = undefined;
  const { state } = $publishing.get();
  if (!shown || !state) return;
  pollTimer = setTimeout(refresh, state.build.state === 'building' ? pollMs.building : pollMs.idle);
  const wait = autoPublishWait(state, Date.now());
  if (wait !== null) autoTimer = setTimeout(() => void update(() => requestBuild(true)), wait);
}

/** To be called after every saved change: lists and the publish bar follow. */
export function catalogueEdited(): void {
  $catalogueVersion.set($catalogueVersion.get() + 1);
  refresh();
}

/** 'Publish now'. A failure is told in `$publishing`. */
export async function publishNow(): Promise<void> {
  if ($publishing.get().asking) return;
  $publishing.set({ ...$publishing.get(), asking: true, problem: null });
  await update(() => requestBuild(false));
}

onMount($publishing, () => {
  if (typeof window === 'undefined') return;
  shown = true;
  refresh();
  const leave = () => {
    if (autoTimer !== undefined) askForBuildOnLeaving();
  };
  const comeBack = () => {
    if (document.visibilityState === 'visible') refresh();
  };
  window.addEventListener('pagehide', leave);
  document.addEventListener('visibilitychange', comeBack);
  return () => {
    shown = false;
    clearTimeout(pollTimer);
    clearTimeout(autoTimer);
    window.removeEventListener('pagehide', leave);
    document.removeEventListener('visibilitychange', comeBack);
  };
});
