import { cp, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { DataFolder } from '../stack/data-folder.ts';
import { readJson, writeJson } from '../stack/files.ts';
import { messageOf, say } from '../stack/log.ts';
import { projectRoot } from '../stack/settings.ts';
import { fingerprintSite } from './fingerprint.ts';
import { runBuild } from './run-build.ts';

const builtSchema = z.object({ fingerprint: z.string(), build: z.string(), finishedAt: z.string() });

/** What `GET /local/build-hook` answers. */
export interface PublishState {
  state: 'idle' | 'building' | 'published' | 'failed';
  /** ISO 8601; null before the first build. */
  finishedAt: string | null;
  message: string;
}

/** What the platform tells the functions of a build. `deploy` is its id. */
export interface DeployNews {
  deploy: string;
  event: 'deploy_building' | 'deploy_succeeded' | 'deploy_failed';
  /** Why it failed; null otherwise. */
  error: string | null;
}

export interface Publisher {
  state: () => PublishState;
  /** Whether there is a site to serve. */
  hasSite: () => Promise<boolean>;
  /** Builds unless the last build would come out the same. Answers whether it built. Throws when the build fails. */
  publishIfChanged: () => Promise<boolean>;
  /** Builds soon, once for many calls. A failure keeps the old site and shows in `state`. */
  requestPublish: () => void;
  /** Called after each swap. */
  onPublished: (listener: () => void) => void;
  /** Called when a build begins and when it ends. */
  onNews: (listener: (news: DeployNews) => void) => void;
}

/*
 * Inside the project: for a folder outside, Astro puts its intermediate files into one place that all builds share,
 * and two at a time take them from each other.
 */
const draftsDir = join(projectRoot, '.astro', 'drafts');
const settleMs = 1_000;
// Pages opened before a publish may still ask for parts of theirs.
const keptBuilds = 5;

/** Builds the site into the data folder and swaps what is served in one step. */
export async function openPublisher(folder: DataFolder, env: Record<string, string>): Promise<Publisher> {
  const listeners: (() => void)[] = [];
  const newsListeners: ((news: DeployNews) => void)[] = [];
  const kept = await readJson(folder.built, builtSchema);
  let state: PublishState = { state: 'idle', finishedAt: kept?.finishedAt ?? null, message: '' };
  let waiting = false;
  let building: Promise<void> | null = null;

  function tell(deploy: string, event: DeployNews['event'], error: string | null = null): void {
    for (const listener of newsListeners) listener({ deploy, event, error });
  }

  async function publish(fingerprint: () => Promise<string>): Promise<void> {
    state = { ...state, state: 'building', message: '' };
    const build = `build-${String(Date.now())}`;
    tell(build, 'deploy_building');
    try {
      await makeAndSwap(build, await fingerprint());
      tell(build, 'deploy_succeeded');
      for (const listener of listeners) listener();
    } catch (error) {
      state = { state: 'failed', finishedAt: new Date().toISOString(), message: messageOf(error) };
      tell(build, 'deploy_failed', messageOf(error));
      throw error;
    }
  }

  async function makeAndSwap(build: string, fingerprint: string): Promise<void> {
    const outDir = join(draftsDir, `${String(process.pid)}-${build}`);
    try {
      await mkdir(outDir, { recursive: true });
      await runBuild(outDir, folder.astroCache, env);
      await cp(outDir, join(folder.builds, build), { recursive: true });
      const finishedAt = new Date().toISOString();
      await swap(folder, build);
      await writeJson(folder.built, { fingerprint, build, finishedAt });
      state = { state: 'published', finishedAt, message: '' };
    } finally {
      await rm(outDir, { recursive: true, force: true });
    }
  }

  async function publishUntilQuiet(): Promise<void> {
    while (waiting) {
      await new Promise((resolve) => setTimeout(resolve, settleMs).unref());
      waiting = false;
      // What went wrong is in `state`, and has been told.
      await publish(async () => fingerprintSite(env)).catch(() => undefined);
    }
    building = null;
  }

  return {
    state: () => state,
    hasSite: async () => hasSite(folder),
    async publishIfChanged() {
      const fingerprint = await fingerprintSite(env);
      const last = await readJson(folder.built, builtSchema);
      if (last?.fingerprint === fingerprint && (await hasSite(folder))) {
        state = { state: 'published', finishedAt: last.finishedAt, message: '' };
        return false;
      }
      say('Building the site …');
      await publish(async () => Promise.resolve(fingerprint));
      return true;
    },
    requestPublish() {
      waiting = true;
      state = { ...state, state: 'building', message: '' };
      building ??= publishUntilQuiet();
    },
    onPublished(listener) {
      listeners.push(listener);
    },
    onNews(listener) {
      newsListeners.push(listener);
    },
  };
}

const hasSite = async (folder: DataFolder): Promise<boolean> =>
  readdir(folder.dist).then((names) => names.length > 0, () => false);

/** The served folder is a link: renaming a new link over it leaves no moment without a site. */
async function swap(folder: DataFolder, build: string): Promise<void> {
  const link = `${folder.dist}.${build}`;
  await symlink(join(folder.builds, build), link, 'junction');
  await rename(link, folder.dist);
  const builds = (await readdir(folder.builds)).sort();
  for (const old of builds.slice(0, -keptBuilds)) {
    await rm(join(folder.builds, old), { recursive: true, force: true });
  }
}
