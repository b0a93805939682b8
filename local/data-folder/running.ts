import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import * as z from 'zod';
import type { DataFolder } from './data-folder.ts';
import { readJson, writeJson } from './files.ts';
import { StartError } from '#local/shared/start-error.ts';

const lockSchema = z.object({ url: z.string(), pid: z.int().positive(), root: z.string() });

const healthSchema = z.object({ pid: z.int() });
type Lock = z.infer<typeof lockSchema>;

/** Content of `running.json` while the stack is ready; tests read it. */
export interface Running {
  url: string;
  /** The payment sandbox: its API is below `/v1`, its page at `/`. */
  payments: string;
  /** Where its mailbox takes mail by SMTP, on the loopback address. */
  smtpPort: number;
  pid: number;
  adminPassword: string;
  customer: { email: string; password: string };
}

export const writeRunning = async (folder: DataFolder, running: Running): Promise<void> =>
  writeJson(folder.running, running);

/** Takes the folder for this process. Throws StartError when another stack uses it: PGlite has one user. */
export async function lockFolder(folder: DataFolder, url: string): Promise<void> {
  const other = await findRunning(folder);
  if (other) {
    throw new StartError(
      `A shop already runs on ${folder.root}, at ${other.url} (process ${String(other.pid)}): stop it, or set SHOP_DATA_DIR.`,
    );
  }
  await rm(folder.running, { force: true });
  await writeJson(folder.lock, { url, pid: process.pid, root: folder.root } satisfies Lock);
}

/** Releases the folder. Synchronous, because the process may be about to exit. */
export function unlockFolder(folder: DataFolder): void {
  rmSync(folder.running, { force: true });
  rmSync(folder.lock, { force: true });
}

/**
 * The stack that uses this folder now, or null. A file left by a crash, a process id used again, and a lock that was
 * copied with its folder while the original was in use, are none.
 */
export async function findRunning(folder: DataFolder): Promise<Lock | null> {
  const lock = await readJson(folder.lock, lockSchema);
  if (lock?.root !== folder.root || lock.pid === process.pid || !isAlive(lock.pid)) return null;
  try {
    const response = await fetch(`${lock.url}/local/health`, {
      signal: AbortSignal.timeout(5_000),
    });
    // The address may be another process's by now, this one's for instance.
    return healthSchema.safeParse(await response.json()).data?.pid === lock.pid ? lock : null;
  } catch (error) {
    // A busy stack is slow to answer; a port that nobody listens on refuses at once.
    return error instanceof DOMException && error.name === 'TimeoutError' ? lock : null;
  }
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
