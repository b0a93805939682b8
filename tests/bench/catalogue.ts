/*
 * The shop at several sizes: `npm run bench -- catalogue [sizes]`, such as `24,1000,10000`. Seeds a data folder of its own
 * for each, starts the shop, which builds it, and measures what was built, what an edit of one product costs and how fast a filter answers on a slow phone.
 * Times are of this machine at this moment; the processor's time says more than the clock's when others use it, too.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { chromium, type Page } from '@playwright/test';
import * as z from 'zod';
import { findChromium } from '../browser/support/chromium.ts';

const sizes = (process.argv[2] ?? '24,1000,10000').split(',').map(Number);
const root = resolve(import.meta.dirname, '../..');
const usageSchema = z.object({
  userCPUTime: z.number(),
  systemCPUTime: z.number(),
  maxRSS: z.number(),
  seconds: z.number(),
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** Loaded into every process of the stack: the one that builds writes down what it used, however it ends. */
const recorder = `import { writeFileSync } from 'node:fs';
if (process.argv[1]?.endsWith('build-site.ts')) process.on('exit', () => writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ ...process.resourceUsage(), seconds: process.uptime() })));`;

function run(name: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  return spawn('npm', ['run', '-s', name, '--', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
}

/** The size of a file of the build as it is sent, in KiB. */
async function sentSize(file: string): Promise<string> {
  return ((await promisify(brotliCompress)(await readFile(file))).length / 1024).toFixed(1);
}

/**
 * Milliseconds for each value that is put into a field of the listing, at a quarter of the processor's speed: of the script
 * that finds the results and draws the first cards, and from the change to their frame. Median of the values.
 */
async function changeTimes(
  page: Page,
  selector: string,
  values: readonly string[],
): Promise<string> {
  const times: [script: number, frame: number][] = [];
  for (const value of values) {
    times.push(
      await page.evaluate(
        async ([field, chosen]) => {
          const control = document.querySelector<HTMLInputElement | HTMLSelectElement>(field);
          const cards = document.querySelector('[data-cards]');
          if (!control || !cards) throw new Error('The shop has no such field, or no cards');
          const changed = new Promise<number>((done) => {
            new MutationObserver(() => {
              done(performance.now());
            }).observe(cards, { childList: true });
          });
          const began = performance.now();
          // The listing waits for the frame that shows the choice; this waits just before it.
          let turn = began;
          requestAnimationFrame(() => {
            setTimeout(() => {
              turn = performance.now();
            });
          });
          control.value = chosen;
          control.dispatchEvent(new Event('input', { bubbles: true }));
          const script = (await changed) - turn;
          await new Promise((done) =>
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = done;
              port2.postMessage(null);
            }),
          );
          return [script, performance.now() - began] as [number, number];
        },
        [selector, value] as const,
      ),
    );
    await page.waitForFunction(() => !document.querySelector('[data-cards] [aria-busy]'));
  }
  const middle = (all: number[]): string =>
    (all.toSorted((x, y) => x - y)[all.length >> 1] ?? Number.NaN).toFixed(0);
  return `${middle(times.map(([script]) => script))} / ${middle(times.map(([, frame]) => frame))}`;
}

/** Milliseconds of a filter, a search and a search with a wrong letter, as `changeTimes` has them. */
async function listingTimes(page: Page, origin: string): Promise<Record<string, string>> {
  await page.goto(`${origin}/shop`);
  await page.getByLabel('Search products').fill('a');
  await page.waitForURL(/q=a/u);
  await page.waitForFunction(() => !document.querySelector('[data-cards] [aria-busy]'));
  // Descriptions arrive with the first search.
  await page.waitForLoadState('networkidle');
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const four = <T>(values: T[]): T[] => Array.from({ length: 4 }, () => values).flat();
  return {
    'filter at 4x, script / frame ms': await changeTimes(
      page,
      '#category',
      four(['rings', 'earrings', 'watches', 'all']),
    ),
    'search at 4x, script / frame ms': await changeTimes(
      page,
      '#search',
      four(['jimikki', 'pearl', 'ring', 'gold kasu']),
    ),
    'wrong letter at 4x, script / frame ms': await changeTimes(
      page,
      '#search',
      four(['jimiki', 'pearls moonstne', 'mulamottu', 'necklase']),
    ),
  };
}

/** Changes one product's price and has the site built again. Returns when that is served. */
async function editAndPublish(dataDir: string, origin: string): Promise<void> {
  const { secretKey } = z
    .object({ secretKey: z.string() })
    .parse(JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')));
  const [page] = (await readdir(join(dataDir, 'dist/product'))).filter((name) =>
    /^[\da-f-]{36}\.html$/u.test(name),
  );
  const headers = {
    apikey: secretKey,
    authorization: `Bearer ${secretKey}`,
    'content-type': 'application/json',
  };
  const edited = await fetch(
    `${origin}/rest/v1/products?id=eq.${(page ?? '').replace('.html', '')}`,
    { method: 'PATCH', headers, body: '{"price": 987654}' },
  );
  if (!edited.ok) throw new Error(`The edit was answered with ${String(edited.status)}`);
  const hook = `${origin}/local/build-hook`;
  await fetch(hook, { method: 'POST' });
  for (;;) {
    const { state } = z.object({ state: z.string() }).parse(await (await fetch(hook)).json());
    if (state === 'published') return;
    if (state === 'failed') throw new Error('The build after an edit failed');
    await new Promise((done) => setTimeout(done, 200));
  }
}

async function measure(size: number): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-catalogue-'));
  const port = String(await freePort());
  const usage = join(dataDir, 'usage.json');
  const env = { PORT: port, SHOP_DATA_DIR: dataDir, SHOP_PARENT_PID: String(process.pid) };
  try {
    const [code] = (await once(run('seed', ['--products', String(size)], env), 'exit')) as [number];
    if (code !== 0)
      throw new Error(`The seed of ${String(size)} products ended with ${String(code)}`);
    const stack = run('start', [], {
      ...env,
      BENCH_USAGE: usage,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(recorder)}`,
    });
    await new Promise<void>((done) =>
      stack.stdout?.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('Ready in')) done();
      }),
    );
    const readUsage = async (): Promise<z.infer<typeof usageSchema>> =>
      usageSchema.parse(JSON.parse(await readFile(usage, 'utf8')));
    const used = await readUsage();
    const dist = join(dataDir, 'dist');
    const files = await readdir(dist, { recursive: true });
    const sizeOf = async (pattern: RegExp): Promise<string> =>
      sentSize(join(dist, files.find((file) => pattern.test(file)) ?? ''));
    const executablePath = findChromium();
    const browser = await chromium.launch({
      args: ['--no-sandbox', '--disable-gpu'],
      ...(executablePath === null ? {} : { executablePath }),
    });
    const page = await browser.newPage({
      viewport: { width: 360, height: 780 },
      isMobile: true,
      hasTouch: true,
    });
    const times = await listingTimes(page, `http://localhost:${port}`);
    await browser.close();
    const built = {
      pages: String(files.filter((file) => file.endsWith('.html')).length),
      '/shop KB': await sizeOf(/^shop\.html$/u),
      'a category KB': await sizeOf(/^shop\/rings\.html$/u),
      'index KB': await sizeOf(/_astro\/catalogue\./u),
      'descriptions KB': await sizeOf(/_astro\/descriptions\./u),
      'a file of cards KB': await sizeOf(/_astro\/cards-0\./u),
    };
    await editAndPublish(dataDir, `http://localhost:${port}`);
    const edit = await readUsage();
    const running = z
      .object({ pid: z.int() })
      .parse(JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8')));
    const ended = once(stack, 'exit');
    process.kill(running.pid, 'SIGTERM');
    await ended;
    return {
      products: String(size),
      'build, clock s': used.seconds.toFixed(1),
      'build, processor s': ((used.userCPUTime + used.systemCPUTime) / 1e6).toFixed(1),
      'build, memory MB': ((used.maxRSS * 1024) / 1e6).toFixed(0),
      'an edit, clock s': edit.seconds.toFixed(1),
      'an edit, processor s': ((edit.userCPUTime + edit.systemCPUTime) / 1e6).toFixed(1),
      'an edit, memory MB': ((edit.maxRSS * 1024) / 1e6).toFixed(0),
      ...built,
      ...times,
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const rows: Record<string, string>[] = [];
for (const size of sizes) rows.push(await measure(size));
for (const name of Object.keys(rows[0] ?? {})) {
  console.log(
    `| ${name.padEnd(37)} | ${rows.map((row) => (row[name] ?? '').padStart(11)).join(' | ')} |`,
  );
}
