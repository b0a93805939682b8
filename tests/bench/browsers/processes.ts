import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from '@playwright/test';

/**
 * Polls until the function returns something other than null, undefined and false.
 * @throws {Error} that names what was awaited and the last failure, after half a minute: generous, because the machine may be busy
 */
export async function waitUntil<T>(
  what: string,
  poll: () => Promise<T | null | undefined | false>,
): Promise<T> {
  let found: T | null | undefined | false;
  // A page that is being replaced answers no script: any failure is tried again.
  await expect(async () => {
    found = await poll();
    expect(found ?? false, what).not.toBe(false);
  }, what).toPass({ timeout: 30_000, intervals: [50] });
  return found as T;
}

/** True when a program of that name is on the PATH. */
export const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** A folder for a browser's profile, and the programs that use it. */
export interface Processes {
  folder: string;
  /** Starts a program; what it writes goes into the log. */
  run: (program: string, args: readonly string[], env?: NodeJS.ProcessEnv) => ChildProcess;
  /** The whole log so far. */
  readLog: () => Promise<string>;
  /** Stops the programs, those they started included, and deletes the folder. */
  stop: () => Promise<void>;
}

/** Creates the folder; each program runs in a process group of its own. */
export async function createProcesses(): Promise<Processes> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-browser-'));
  const logFile = join(folder, 'console.log');
  await writeFile(logFile, '');
  const log = createWriteStream(logFile, { flags: 'a' });
  const children: ChildProcess[] = [];
  const running = (): ChildProcess[] =>
    children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  const killAll = (): void => {
    for (const { pid } of running()) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  };
  process.once('exit', killAll);
  return {
    folder,
    run: (program, args, env = {}) => {
      const child = spawn(program, args, {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        detached: true,
        env: { ...process.env, ...env },
      });
      child.stdout?.pipe(log, { end: false });
      child.stderr?.pipe(log, { end: false });
      children.push(child);
      return child;
    },
    readLog: () => readFile(logFile, 'utf8'),
    stop: async () => {
      const ends = running().map(async (child) => once(child, 'exit'));
      killAll();
      await Promise.all(ends);
      process.off('exit', killAll);
      log.end();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
