import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import * as z from 'zod';
import { isAlive } from '#local/data-folder/running.ts';
import { findChromium } from '#tests/browser/support/chromium.ts';

const root = resolve(import.meta.dirname, '../../..');
const secretsSchema = z.object({
  jwtSecret: z.string(),
  publishableKey: z.string(),
  secretKey: z.string(),
  adminPasswordHash: z.string(),
  razorpayKeyId: z.string(),
  razorpayKeySecret: z.string(),
  razorpayWebhookSecret: z.string(),
});

/** The embedded stack, running on a port and a data folder of its own. */
export interface EmbeddedStack {
  origin: string;
  /** The address of the payment sandbox. */
  payments: string;
  dataDir: string;
  /** The process that serves the shop. */
  pid: number;
  /** The time from the command to its ready line. */
  seconds: number;
  secrets: z.infer<typeof secretsSchema>;
  adminPassword: string;
  /** Its terminal output so far. */
  output: () => string;
  stop: () => Promise<void>;
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/**
 * `npm start` on a data folder, up to its ready line. It ends with this process. The helpers of the browser tests, such as
 * `runningShop`, use this stack from now on.
 * @param sources the folder of another version
 * @throws {Error} with the output when the command ends before it is ready
 */
export async function startEmbeddedStack(
  dataDir: string,
  { port, sources = root, env = {} }: { port?: number; sources?: string; env?: object } = {},
): Promise<EmbeddedStack> {
  const began = performance.now();
  process.env['SHOP_DATA_DIR'] = dataDir;
  process.env['SHOP_CATALOGUE'] ??= 'tests/catalogue';
  const PORT = String(port ?? (await freePort()));
  const child = spawn('npm', ['start'], {
    cwd: sources,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env: { ...process.env, ...env, PORT, SHOP_PARENT_PID: String(process.pid) },
  });
  const exited = once(child, 'exit');
  let written = '';
  await new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        written += chunk.toString();
        if (written.includes('Ready in')) done();
      });
    child.on('exit', (code) => {
      fail(new Error(`npm start ended with code ${String(code)}:\n${written}`));
    });
  });
  const seconds = (performance.now() - began) / 1000;
  const read = async <T extends z.ZodType>(name: string, schema: T): Promise<z.infer<T>> =>
    schema.parse(JSON.parse(await readFile(join(dataDir, name), 'utf8')));
  const { pid, adminPassword } = await read(
    'running.json',
    z.object({ pid: z.int(), adminPassword: z.string() }),
  );
  return {
    origin: `http://localhost:${PORT}`,
    payments: `http://127.0.0.1:${PORT}/local/razorpay`,
    dataDir,
    pid,
    adminPassword,
    seconds,
    secrets: await read('secrets.json', secretsSchema),
    output: () => written,
    async stop() {
      // It may have ended by itself, or been stopped before: then its process id is nobody's, or another program's.
      if (child.exitCode === null && child.signalCode === null && isAlive(pid))
        process.kill(pid, 'SIGINT');
      await exited;
    },
  };
}

/** Starts a stack on a new data folder; stops it and deletes the folder after the work. */
export async function withStack(work: (stack: EmbeddedStack) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const stack = await startEmbeddedStack(dataDir);
    await work(stack).finally(stack.stop);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const buildSchema = z.object({
  state: z.string(),
  message: z.string(),
  finishedAt: z.string().nullable(),
});

/** Builds the pages again, and waits until they are served. */
export async function rebuild(origin: string): Promise<void> {
  const ask = async (method: string): Promise<z.infer<typeof buildSchema>> =>
    buildSchema.parse(await (await fetch(`${origin}/local/build-hook`, { method })).json());
  const before = await ask('POST');
  for (;;) {
    const { state, finishedAt, message } = await ask('GET');
    if (state === 'failed') throw new Error(`The build failed: ${message}`);
    if (state === 'published' && finishedAt !== before.finishedAt) return;
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** Memory in MB and processor time in seconds that a process has used so far. Reads Linux's /proc. */
export async function usageOf(pid: number): Promise<{ memory: number; processor: number }> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    memory: Math.round(Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1024),
    processor: (Number(fields[11]) + Number(fields[12])) / 100,
  };
}

/** Starts the Chromium of the browser tests. */
export async function launchChromium(...args: readonly string[]): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({
    args: ['--no-sandbox', '--disable-gpu', ...args],
    ...(executablePath === null ? {} : { executablePath }),
  });
}

/** The middle value. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
