import { fork, type ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { withoutCalls } from '#local/shared/describe-error.ts';
import { projectRoot } from '#local/shared/settings.ts';

/** The environment at start, without the variables that the stack sets for its functions later. */
const startedWith = { ...process.env };
const running = new Set<ChildProcess>();
const maxOutputLength = 20_000;

/** What `build-site.ts` sends when the build fails. */
const failureSchema = z.object({ failed: z.string().min(1) });

/** A child process that has loaded Astro and waits for its build to start. */
export interface PreparedBuild {
  outDir: string;
  /** Builds the site into `outDir`. Throws an Error with all that the build's own error says when it fails. */
  run: () => Promise<void>;
}

/** Starts the child process of a build into `outDir`, with the site's public variables in `env`. */
export async function prepareBuild(
  outDir: string,
  cacheDir: string,
  env: Record<string, string>,
): Promise<PreparedBuild> {
  await mkdir(outDir, { recursive: true });
  const child = fork(join(import.meta.dirname, 'build-site.ts'), [outDir, cacheDir], {
    cwd: projectRoot,
    env: {
      ...startedWith,
      ...env,
      NODE_ENV: 'production',
      ASTRO_TELEMETRY_DISABLED: '1',
      NO_COLOR: '1',
    },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-maxOutputLength);
    });
  }
  let failure: string | undefined;
  child.on('message', (message) => {
    failure = failureSchema.safeParse(message).data?.failed;
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(child);
      if (code === 0) resolve();
      // A child that did not come as far as to tell its error, such as one that was killed, has printed what there is.
      else
        reject(
          new Error(
            failure ?? (withoutCalls(output) || `the build ended with code ${String(code)}`),
          ),
        );
    });
  });
  // `build` reports a child that ended early.
  ended.catch(() => undefined);
  return {
    outDir,
    async run() {
      if (child.connected) child.send('build');
      await ended;
    },
  };
}

/** Ends builds that still run. */
export function stopBuilds(): void {
  for (const child of running) child.kill('SIGKILL');
}
