import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#tests/free-port.ts';

export interface OwnStack {
  /** The shop's address. */
  url: string;
  /** The address of the stack's stand-ins for other companies. */
  outside: string;
  /** Its data folder, with `secrets.json` and `running.json`. */
  folder: string;
  stop: () => Promise<void>;
}

/**
 * Starts a second stack with other settings than the one that all tests share. Rejects when it ends instead of starting.
 * @param project the folder of a copy of this project, whose shop it is
 */
export async function startOwnStack(
  settings: Readonly<Record<string, string>>,
  project = '.',
): Promise<OwnStack> {
  const port = String(await freePort());
  const folder = await mkdtemp(join(tmpdir(), 'shop-own-'));
  const stack = spawn(process.execPath, ['local/start.ts'], {
    cwd: project,
    env: {
      ...process.env,
      ...settings,
      PORT: port,
      SHOP_DATA_DIR: folder,
      SHOP_PARENT_PID: String(process.pid),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(stack, 'exit');
  const ready = new Promise<void>((resolve) => {
    stack.stdout.on('data', (text: Buffer) => {
      if (text.includes('Ready in')) resolve();
    });
  });
  const stop = async (): Promise<void> => {
    stack.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const up = await Promise.race([ready.then(() => true), ended.then(() => false)]);
  if (!up) {
    await stop();
    throw new Error('The stack ended instead of starting');
  }
  return { url: `http://localhost:${port}`, outside: `http://127.0.0.1:${port}`, folder, stop };
}
