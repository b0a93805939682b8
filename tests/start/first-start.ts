/*
 * The shop as a newcomer starts it: `npm start` on an empty folder, and Ctrl-C. Then what may happen to it: ended hard
 * while it runs, and started again on what it left. Fails with a sentence; used by .ci/run.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import * as z from 'zod';

if (process.platform === 'win32') {
  console.error(
    'This check sends signals to process groups, which Windows does not have: run it on macOS or Linux.',
  );
  process.exit(1);
}
const root = resolve(import.meta.dirname, '../..');
/** Far above what an idle machine takes: who waits longer than this has left. */
const limitMs = 60_000;
const dataDir = await mkdtemp(join(tmpdir(), 'first-start-'));

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const port = String((probe.address() as AddressInfo).port);
probe.close();
const origin = `http://localhost:${port}`;

function check(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence);
  console.log(`ok  ${sentence}`);
}

/** Whatever happens, their groups are ended. */
const started: ChildProcess[] = [];

/** `npm start` in a process group of its own, as a terminal gives it one. Resolves at its ready line. */
async function start(): Promise<ChildProcess> {
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    env: { ...process.env, PORT: port, SHOP_DATA_DIR: dataDir },
  });
  let output = '';
  const ready = new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ready in')) done();
      });
    }
    child.on('exit', (code) => {
      fail(new Error(`npm start ended with code ${String(code)}:\n${output}`));
    });
    setTimeout(() => {
      fail(new Error(`npm start was not ready after ${String(limitMs / 1000)} s:\n${output}`));
    }, limitMs).unref();
  });
  started.push(child);
  await ready;
  console.log(`ok  ready after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return child;
}

/** Sends a signal to the whole group, as a terminal does on Ctrl-C or when it is closed, or to npm alone. Awaits npm's end. */
async function end(child: ChildProcess, signal: NodeJS.Signals, whom = -1): Promise<void> {
  const exited = once(child, 'exit');
  process.kill(whom * (child.pid ?? 0), signal);
  await exited;
}

/** Whether any process of the group is left; one that has ended counts until the system has cleared it away. */
function isGroupAlive({ pid }: ChildProcess): boolean {
  try {
    return process.kill(-(pid ?? 0), 0);
  } catch {
    return false;
  }
}

/** Resolves to whether the whole group is gone within five seconds. */
async function isGone(child: ChildProcess): Promise<boolean> {
  const deadline = performance.now() + 5_000;
  while (isGroupAlive(child) && performance.now() < deadline)
    await new Promise((done) => setTimeout(done, 50));
  return !isGroupAlive(child);
}

async function openProducts() {
  const secrets = z
    .object({ secretKey: z.string() })
    .parse(JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')));
  return createClient(origin, secrets.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  }).from('products');
}

try {
  let shop = await start();
  check((await fetch(origin)).status === 200, 'the home page is served');
  const doctor = spawnSync('npm', ['run', '--silent', 'doctor', '--', '--embedded'], {
    cwd: root,
    env: { ...process.env, PORT: port, SHOP_DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  if (doctor.status !== 0) console.log(doctor.stdout, doctor.stderr);
  check(doctor.status === 0, 'the doctor finds nothing wrong');
  await end(shop, 'SIGINT');
  check(await isGone(shop), 'Ctrl-C leaves no process');

  shop = await start();
  await end(shop, 'SIGTERM', 1);
  check(await isGone(shop), 'a signal to npm alone leaves no process');

  shop = await start();
  const products = await openProducts();
  const { error } = await products.insert({
    name: 'Written a moment before',
    category: 'rings',
    price: 1,
    stock: 1,
  });
  if (error) throw new Error(error.message);
  await end(shop, 'SIGKILL');
  shop = await start();
  const { data } = await (
    await openProducts()
  )
    .select('name')
    .eq('name', 'Written a moment before');
  check(data?.length === 1, 'ended hard and started again, it has what was written before');
  await end(shop, 'SIGHUP');
  check(await isGone(shop), 'a closed terminal leaves no process');

  shop = await start();
  shop.stdout?.destroy();
  shop.stderr?.destroy();
  // A form that no page has is a line in the terminal.
  await fetch(origin, { method: 'POST', body: new URLSearchParams({ 'form-name': 'unknown' }) });
  check(await isGone(shop), 'it ends when nobody can read its lines any more');
} finally {
  for (const child of started) if (isGroupAlive(child)) process.kill(-(child.pid ?? 0), 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
}
