import { atom, onMount } from 'nanostores';
import type { AdminProduct } from '../domain/admin/products/product-input.ts';
import type { PublishState } from '../domain/admin/publish.ts';
import { AdminError } from '../services/admin/admin-error.ts';
import { requestBuild, fetchPublishState } from '../services/admin/catalogue/publish.ts';

/** Increases with every change that the admin makes here and every build that goes live; lists refetch. */
export const $catalogueVersion = atom(0);

/** A change of one product made on this page: the stored product, or its deletion. */
export type CatalogueEdit = { saved: AdminProduct } | { deleted: string };

/** The latest change. Lists apply it at once and refetch. */
export const $catalogueEdit = atom<CatalogueEdit | null>(null);

export interface Publishing {
  /** Null until it is first read. */
  state: PublishState | null;
  /** Why it could not be fetched or requested, as a sentence. */
  problem: string | null;
  /** A press of 'Publish now' is under way. */
  asking: boolean;
}

/** The state of the built pages. Polls while shown; the server decides when a build is due. */
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
      error instanceof AdminError ? error.message : 'The publishing state could not be loaded.';
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
  // While changes wait, each poll lets the server start a build that is due.
  else if (state.configured && state.count > 0)
    pollTimer = setTimeout(() => void update(() => requestBuild(true)), pollMs.waiting);
  else pollTimer = setTimeout(refresh, pollMs.idle);
}

/** Call after every saved change; lists and the publish bar update. */
export function catalogueEdited(edit: CatalogueEdit | null = null): void {
  $catalogueEdit.set(edit);
  $catalogueVersion.set($catalogueVersion.get() + 1);
  refresh();
}

/** 'Publish now'. A failure is stored in `$publishing`. */
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
