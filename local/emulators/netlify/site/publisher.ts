import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { DataFolder } from '#local/data-folder/data-folder.ts';
import { readJson, writeJson } from '#local/data-folder/files.ts';
import { messageOf } from '#local/shared/log.ts';
import { projectRoot } from '#local/shared/settings.ts';
import { hasSite, serveBuild } from './build-folder.ts';
import { readCatalogueVersion } from './catalogue-version.ts';
import { prepareBuild, type PreparedBuild } from './run-build.ts';
import { hashSources } from './source-hash.ts';

const builtSchema = z.object({
  sources: z.string(),
  catalogueVersion: z.int(),
  build: z.string(),
  finishedAt: z.string(),
});

/** The answer of `GET /local/build-hook`. */
export interface PublishState {
  state: 'idle' | 'building' | 'published' | 'failed';
  /** ISO 8601; null before the first build. */
  finishedAt: string | null;
  message: string;
}

/** A build begins or has ended; `build` is its id. */
export interface BuildEvent {
  build: string;
  phase: 'building' | 'succeeded' | 'failed';
  /** Why it failed; null otherwise. */
  error: string | null;
}

export interface Publisher {
  state: () => PublishState;
  /** Whether there is a site to serve. */
  hasSite: () => Promise<boolean>;
  /** Loads a build process early when the last build is older than the sources. */
  prepare: () => Promise<void>;
  /** Builds unless the last build would come out the same; calls `onBuild` first. Returns whether it built. Throws when it fails. */
  publishIfChanged: (onBuild?: () => void) => Promise<boolean>;
  /** Builds soon, once for many calls. After a failure the old site stays, and `state` has the error. */
  requestPublish: () => void;
  /** Called after each swap. */
  onPublished: (listener: () => void) => void;
  /** Called when a build begins and when it ends. */
  onBuildEvent: (listener: (event: BuildEvent) => void) => void;
}

/*
 * The folder is inside the project: Astro puts the intermediate files of a folder outside into one place that all builds share, and
 * two builds at a time take them from each other.
 */
const draftsDir = join(projectRoot, '.astro', 'drafts');
// Several edits in a row are one build.
const quietMs = 250;

/** Builds the site into the data folder and swaps what is served in one step. `env` holds the public variables. */
export function createPublisher(folder: DataFolder, env: Record<string, string>): Publisher {
  const listeners: (() => void)[] = [];
  const eventListeners: ((event: BuildEvent) => void)[] = [];
  let state: PublishState = { state: 'idle', finishedAt: null, message: '' };
  let requested = false;
  let building: Promise<void> | null = null;
  let prepared: PreparedBuild | null = null;

  const emit = (event: BuildEvent): void => {
    for (const listener of eventListeners) listener(event);
  };
  const newDraft = async (): Promise<PreparedBuild> =>
    prepareBuild(
      join(draftsDir, `${String(process.pid)}-${String(Date.now())}`),
      folder.astroCache,
      env,
    );

  async function publish(): Promise<void> {
    state = { ...state, state: 'building', message: '' };
    const build = `build-${String(Date.now())}`;
    emit({ build, phase: 'building', error: null });
    try {
      await buildAndSwap(build);
    } catch (error) {
      state = { state: 'failed', finishedAt: new Date().toISOString(), message: messageOf(error) };
      emit({ build, phase: 'failed', error: messageOf(error) });
      throw error;
    }
    emit({ build, phase: 'succeeded', error: null });
    for (const listener of listeners) listener();
  }

  async function buildAndSwap(build: string): Promise<void> {
    const draft = prepared ?? (await newDraft());
    prepared = null;
    try {
      // Read before the build, so that a change during it triggers another build.
      const [sources, catalogueVersion] = await Promise.all([
        hashSources(projectRoot, env),
        readCatalogueVersion(env),
      ]);
      await draft.run();
      await cp(draft.outDir, join(folder.builds, build), { recursive: true });
      await serveBuild(folder, build);
      const finishedAt = new Date().toISOString();
      await writeJson(folder.built, { sources, catalogueVersion, build, finishedAt });
      state = { state: 'published', finishedAt, message: '' };
    } finally {
      await rm(draft.outDir, { recursive: true, force: true });
    }
  }

  async function publishWhileRequested(): Promise<void> {
    while (requested) {
      prepared ??= await newDraft();
      await new Promise((resolve) => setTimeout(resolve, quietMs).unref());
      requested = false;
      // The error is in `state` and has been logged.
      await publish().catch(() => undefined);
    }
    building = null;
  }

  return {
    state: () => state,
    hasSite: async () => hasSite(folder),
    async prepare() {
      const last = await readJson(folder.built, builtSchema);
      if (last?.sources !== (await hashSources(projectRoot, env))) prepared ??= await newDraft();
    },
    async publishIfChanged(onBuild) {
      const last = await readJson(folder.built, builtSchema);
      const isSame =
        last?.sources === (await hashSources(projectRoot, env)) &&
        last.catalogueVersion === (await readCatalogueVersion(env)) &&
        (await hasSite(folder));
      if (isSame) state = { state: 'published', finishedAt: last.finishedAt, message: '' };
      else {
        onBuild?.();
        await publish();
      }
      return !isSame;
    },
    requestPublish() {
      requested = true;
      state = { ...state, state: 'building', message: '' };
      building ??= publishWhileRequested();
    },
    onPublished(listener) {
      listeners.push(listener);
    },
    onBuildEvent(listener) {
      eventListeners.push(listener);
    },
  };
}
