import { atom, onMount } from 'nanostores';
import type { AdminProduct } from '../domain/admin/products/product-input.ts';
import type { PublishState } from '../domain/admin/publish.ts';
import { AdminError } from '../services/admin/admin-error.ts';
import { requestBuild, fetchPublishState } from '../services/admin/catalogue/publish.ts';
import { onAdminSignOut } from './admin-session.ts';
import { createPoll } from './poll.ts';

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

const unread: Publishing = { state: null, problem: null, asking: false };

/** The state of the built pages. Polls while shown; the server decides when a build is due. */
export const $publishing = atom<Publishing>(unread);

const pollMs = { building: 3_000, waiting: 15_000, idle: 60_000 } as const;

const poll = createPoll<PublishState>({
  request: fetchPublishState,
  onData: (state) => {
    const before = $publishing.get().state?.build.publishedAt;
    $publishing.set({ state, problem: null, asking: false });
    if (before !== undefined && before !== state.build.publishedAt)
      $catalogueVersion.set($catalogueVersion.get() + 1);
  },
  onError: (error) => {
    const problem =
      error instanceof AdminError ? error.message : 'The publishing state could not be loaded.';
    $publishing.set({ ...$publishing.get(), problem, asking: false });
  },
  next: () => {
    const { state } = $publishing.get();
    if (state?.build.state === 'building') return { ms: pollMs.building };
    // While changes wait, each poll lets the server start a build that is due.
    if (state?.configured && state.count > 0)
      return { ms: pollMs.waiting, request: () => requestBuild(true) };
    return { ms: pollMs.idle };
  },
});

/** The last press of 'Publish now'. A refetch waits for it, so that its failure is shown. */
let pressed = Promise.resolve();

/** Call after every saved change; lists and the publish bar update. */
export function catalogueEdited(edit: CatalogueEdit | null = null): void {
  $catalogueEdit.set(edit);
  $catalogueVersion.set($catalogueVersion.get() + 1);
  void pressed.then(() => poll.send());
}

/** 'Publish now'. A failure is stored in `$publishing`. */
export async function publishNow(): Promise<void> {
  if ($publishing.get().asking) return;
  $publishing.set({ ...$publishing.get(), asking: true, problem: null });
  pressed = poll.send(() => requestBuild(false));
  await pressed;
}

onAdminSignOut(() => {
  poll.drop();
  $publishing.set(unread);
  $catalogueEdit.set(null);
});

onMount($publishing, () => (typeof window === 'undefined' ? undefined : poll.start()));
