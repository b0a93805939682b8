import { atom, onMount } from 'nanostores';
import type { AdminProduct } from '../domain/admin/products/product-input.ts';
import type { PublishState } from '../domain/admin/publish.ts';
import { AdminError } from '../services/admin/admin-error.ts';
import { requestBuild, fetchPublishState } from '../services/admin/catalogue/publish.ts';

/** Rises with every change that the admin made here, and with every build that went live: lists read themselves again. */
export const $catalogueVersion = atom(0);

/** A change of one product that was just made here: as it is stored now, or gone. */
export type CatalogueEdit = { saved: AdminProduct } | { deleted: string };

/** The last one. Lists take it over at once, and are read again after it. */
export const $catalogueEdit = atom<CatalogueEdit | null>(null);

export interface Publishing {
  /** Null until it is first read. */
  state: PublishState | null;
  /** Why it could not be read or asked for, in words. */
  problem: string | null;
  /** A press of 'Publish now' is under way. */
  asking: boolean;
}

/** How the built pages stand. While it is shown it keeps itself current; the server decides when a build is due. */
export const $publishing = atom<Publishing>({ state: null, problem: null, asking: false });

const pollMs = { building: 3_000, waiting: 15_000, idle: 60_000 } as const;
let pollTimer: ReturnType<typeof setTimeout> | undefined;
let shown = false;

async function update(ask: () => Promise<PublishState>): Promise<void> {
  const before = $publishing.get().state?.build.publishedAt;
  try {
    const state = await ask();
    $publishing.set({ state, problem: null, asking: false });
    if (before !== undefined && before !== state.build.publishedAt)
      $catalogueVersion.set($catalogueVersion.get() + 1);
  } catch (error) {
    const problem =
      error instanceof AdminError ? error.message : 'How publishing stands could not be read.';
    $publishing.set({ ...$publishing.get(), problem, asking: false });
  }
  plan();
}

function refresh(): void {
  void update(() => fetchPublishState());
}

function plan(): void {
  clearTimeout(pollTimer);
  const { state } = $publishing.get();
  if (!shown || !state) return;
  if (state.build.state === 'building') pollTimer = setTimeout(refresh, pollMs.building);
  // While changes wait, each look offers the server to begin the build, if it is time.
  else if (state.configured && state.count > 0)
    pollTimer = setTimeout(() => void update(() => requestBuild(true)), pollMs.waiting);
  else pollTimer = setTimeout(refresh, pollMs.idle);
}

/** To be called after every saved change, with what it came to: lists and the publish bar follow. */
export function catalogueEdited(edit: CatalogueEdit | null = null): void {
  $catalogueEdit.set(edit);
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
  const comeBack = () => {
    if (document.visibilityState === 'visible') refresh();
  };
  document.addEventListener('visibilitychange', comeBack);
  return () => {
    shown = false;
    clearTimeout(pollTimer);
    document.removeEventListener('visibilitychange', comeBack);
  };
});
