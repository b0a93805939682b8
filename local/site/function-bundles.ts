import { fork, type ChildProcess } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import * as z from 'zod';
import { readJson, writeJson } from '../stack/files.ts';
import { warn } from '../stack/log.ts';
import { projectRoot } from '../stack/settings.ts';

const bundleSchema = z.object({
  /** The file that the runtime starts. */
  buildPath: z.string(),
  mainFile: z.string(),
  routes: z.array(z.unknown()),
  excludedRoutes: z.array(z.unknown()),
  schedule: z.string().optional(),
  runtimeAPIVersion: z.int(),
  /** The project's own files in it; packages are left out. */
  srcFiles: z.array(z.string()),
});
export type Bundle = z.infer<typeof bundleSchema>;

export interface BundleRequest {
  name: string;
  source: string;
  outDir: string;
}

const replySchema = z.object({ name: z.string(), bundle: bundleSchema.optional(), error: z.string().optional() });
export type BundleReply = z.infer<typeof replySchema>;

const keptSchema = z.record(z.string(), z.object({ key: z.string(), bundle: bundleSchema }));

export interface FunctionBundles {
  /** The bundle of a function: the kept one while its sources are the same, else a new one. */
  get: (name: string, source: string) => Promise<Bundle>;
  stop: () => void;
}

/** Bundled functions, kept in the data folder from one start to the next. */
export async function openFunctionBundles(dir: string): Promise<FunctionBundles> {
  await mkdir(dir, { recursive: true });
  const manifest = join(dir, 'manifest.json');
  const kept = (await readJson(manifest, keptSchema)) ?? {};
  await removeLeftovers(dir, Object.values(kept).map(({ bundle }) => bundle.buildPath));
  const waiting = new Map<string, (reply: BundleReply) => void>();
  let child: ChildProcess | null = null;

  function startChild(): ChildProcess {
    const started = fork(join(import.meta.dirname, 'bundle-function.ts'), {
      cwd: projectRoot,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    started.on('message', (message) => {
      const reply = replySchema.parse(message);
      waiting.get(reply.name)?.(reply);
      waiting.delete(reply.name);
      // Nothing left to do: a bundler that idles only takes memory.
      if (waiting.size === 0) stop();
    });
    started.on('exit', () => {
      if (child !== started) return;
      child = null;
      for (const [name, settle] of waiting) settle({ name, error: 'The bundler ended early' });
      waiting.clear();
    });
    return started;
  }

  function stop(): void {
    child?.kill('SIGKILL');
    child = null;
  }

  async function make(name: string, source: string): Promise<Bundle> {
    const request: BundleRequest = { name, source, outDir: join(dir, randomUUID().slice(0, 8)) };
    await mkdir(request.outDir);
    const reply = await new Promise<BundleReply>((resolve) => {
      waiting.set(name, resolve);
      child ??= startChild();
      child.send(request);
    });
    if (!reply.bundle) throw new Error(reply.error ?? `${name} cannot be bundled`);
    const old = kept[name]?.bundle.buildPath;
    kept[name] = { key: await hashFiles(reply.bundle.srcFiles), bundle: reply.bundle };
    await writeJson(manifest, kept).catch((error: unknown) => { warn('Bundled functions cannot be kept', error); });
    if (old !== undefined) await rm(dirname(dirname(old)), { recursive: true, force: true });
    return reply.bundle;
  }

  return {
    async get(name, source) {
      const last = kept[name];
      if (last) {
        const key = await hashFiles(last.bundle.srcFiles);
        if (key === last.key) return last.bundle;
      }
      return make(name, source);
    },
    stop,
  };
}

/** Takes away what an interrupted start left behind. */
async function removeLeftovers(dir: string, used: readonly string[]): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory() && !used.some((file) => file.startsWith(path + sep))) await rm(path, { recursive: true, force: true });
  }
}

/** Changes with these files and with the versions of all packages. */
async function hashFiles(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of [join(projectRoot, 'package-lock.json'), ...paths]) {
    hash.update(path).update(await readFile(path).catch(() => 'gone'));
  }
  return hash.digest('hex');
}
