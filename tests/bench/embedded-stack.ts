import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { isAlive } from '../../local/data-folder/running.ts';

const root = resolve(import.meta.dirname, '../..');

const runningSchema = z.object({
  pid: z.int(),
  adminPassword: z.string(),
  shopper: z.object({ email: z.string(), password: z.string() }),
});
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
  /** The origin of the payment sandbox. */
  sandboxOrigin: string;
  /** The process that serves the shop. */
  pid: number;
  /** From the command to its ready line. */
  seconds: number;
  running: z.infer<typeof runningSchema>;
  secrets: z.infer<typeof secretsSchema>;
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

/** Resolves at the ready line. Rejects when the command ends before. */
async function untilReady(child: ChildProcess, output: () => string): Promise<void> {
  await new Promise<void>((done, fail) => {
    child.stdout?.on('data', () => {
      if (output().includes('Ready in')) done();
    });
    child.on('exit', (code) => {
      fail(new Error(`npm start ended with code ${String(code)}:\n${output()}`));
    });
  });
}

/**
 * `npm start` on a data folder, up to its ready line: the command with all that it sets. It ends with this process.
 * `sources` is the folder of another version.
 */
export async function startEmbeddedStack(
  dataDir: string,
  port?: number,
  sources = root,
): Promise<EmbeddedStack> {
  const began = performance.now();
  const taken = String(port ?? (await freePort()));
  const child = spawn('npm', ['start'], {
    cwd: sources,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      PORT: taken,
      SHOP_DATA_DIR: dataDir,
      SHOP_PARENT_PID: String(process.pid),
    },
  });
  const exited = once(child, 'exit');
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      written += chunk.toString();
    });
  await untilReady(child, () => written);
  const seconds = (performance.now() - began) / 1000;
  const read = async <T extends z.ZodType>(name: string, schema: T): Promise<z.infer<T>> =>
    schema.parse(JSON.parse(await readFile(join(dataDir, name), 'utf8')));
  const running = await read('running.json', runningSchema);
  return {
    origin: `http://localhost:${taken}`,
    sandboxOrigin: `http://127.0.0.1:${taken}`,
    pid: running.pid,
    seconds,
    running,
    secrets: await read('secrets.json', secretsSchema),
    output: () => written,
    async stop() {
      // It may have ended by itself, or been stopped before: then its process id is nobody's, or another program's.
      if (child.exitCode === null && child.signalCode === null && isAlive(running.pid))
        process.kill(running.pid, 'SIGINT');
      await exited;
    },
  };
}
