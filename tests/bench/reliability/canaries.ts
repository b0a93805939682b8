/*
 * Check 14: what may be known to functions alone is looked for wherever it could come out. The stack's own secrets are the
 * canaries of a running shop: its built files, its answers, its logs. A second build, with source maps and a canary in each
 * variable that `.env.example` calls secret, shows that a build takes nothing else from its environment.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dataFolderAt } from '../../../local/data-folder/data-folder.ts';
import { reportFigures } from '../../figures.ts';
import { startEmbeddedStack } from '../embedded-stack.ts';

const root = resolve(import.meta.dirname, '../../..');
const folder = await mkdtemp(join(tmpdir(), 'bench-canaries-'));
const dataDir = join(folder, 'data');
const stack = await startEmbeddedStack(dataDir);
const { origin, secrets, running } = stack;
const hits: string[] = [];

/** Every file under a folder, by its path. */
async function filesUnder(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Notes which of the canaries a text contains. */
function look(where: string, text: string, canaries: Readonly<Record<string, string>>): void {
  for (const [name, canary] of Object.entries(canaries))
    if (text.includes(canary)) hits.push(`${name} in ${where}`);
}

/** Builds the site with source maps and a canary in each variable that is secret. Returns the canaries. */
async function buildWithCanaries(outDir: string): Promise<Record<string, string>> {
  const [, secret = ''] =
    /^# --- Secret\b.*$([^]*?)^# --- /mu.exec(await readFile(join(root, '.env.example'), 'utf8')) ??
    [];
  const hidden = [...secret.matchAll(/^#?([A-Z][A-Z_]+)=/gmu)].map(([, name]) => name ?? '');
  const canaries = Object.fromEntries(
    hidden.map((name) => [name, `canary-${name.toLowerCase().replaceAll('_', '-')}-0123456789`]),
  );
  Object.assign(process.env, canaries, {
    NODE_ENV: 'production',
    ASTRO_TELEMETRY_DISABLED: '1',
    PUBLIC_SUPABASE_URL: origin,
    PUBLIC_SUPABASE_PUBLISHABLE_KEY: secrets.publishableKey,
    PUBLIC_SITE_URL: origin,
  });
  const { build } = await import('astro');
  await build({
    root,
    outDir,
    cacheDir: join(folder, 'cache'),
    logLevel: 'error',
    vite: { build: { sourcemap: true } },
  });
  return canaries;
}

/** Asks for every built page, and each function with nothing, nonsense and the admin's session. Returns how many answered. */
async function readAnswers(
  pages: readonly string[],
  canaries: Readonly<Record<string, string>>,
): Promise<number> {
  const json = { 'content-type': 'application/json', origin };
  const login = await fetch(`${origin}/api/admin/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ password: running.adminPassword }),
  });
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const functions = await readdir(join(root, 'netlify/functions'));
  const source = await Promise.all(
    functions.map(async (name) => readFile(join(root, 'netlify/functions', name), 'utf8')),
  );
  const paths = source.flatMap((text) =>
    [...text.matchAll(/'(\/api\/[^']+)'/gu)].map(([, path]) =>
      (path ?? '').replace(/:action\(([^|)]+)[^)]*\)/u, '$1').replaceAll(/:\w+/gu, '1'),
    ),
  );
  let answers = 0;
  const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
    const response = await fetch(origin + path, { redirect: 'manual', ...init });
    look(
      `the answer of ${init.method ?? 'GET'} ${path}`,
      `${JSON.stringify([...response.headers])}${await response.text()}`,
      canaries,
    );
    answers += 1;
  };
  for (const path of pages) await ask(path);
  for (const path of new Set(paths)) {
    await ask(path);
    await ask(path, { headers: { cookie } });
    // Not out of the admin's session in the midst of it.
    if (!path.includes('log'))
      for (const body of ['{}', '{"', ''])
        await ask(path, { method: 'POST', headers: { ...json, cookie }, body });
  }
  return answers;
}

try {
  const { jwtSecret, secretKey, razorpayKeySecret, razorpayWebhookSecret, adminPasswordHash } =
    secrets;
  const own = { jwtSecret, secretKey, razorpayKeySecret, razorpayWebhookSecret, adminPasswordHash };
  const outDir = join(folder, 'with-maps');
  const canaries = await buildWithCanaries(outDir);
  const { dist, functionLog } = dataFolderAt(dataDir);
  const [served, built] = [await filesUnder(`${dist}/`), await filesUnder(outDir)];
  for (const file of [...served, ...built])
    look(file, await readFile(file, 'latin1'), {
      ...own,
      ...canaries,
      adminPassword: running.adminPassword,
    });
  const pages = served
    .filter((file) => file.endsWith('.html'))
    .map(
      (file) =>
        `/${file
          .slice(dist.length)
          .replace(/^\/+/u, '')
          .replace(/(?:\/?index)?\.html$/u, '')}`,
    );
  const answers = await readAnswers(pages, { ...own, adminPassword: running.adminPassword });
  // The terminal names the admin's password on purpose.
  const [logged, terminal] = [await readFile(functionLog, 'utf8'), stack.output()];
  look('the functions’ log', logged, { ...own, adminPassword: running.adminPassword });
  look('the terminal', terminal, own);
  reportFigures(14, {
    canaries: Object.keys(own).length + 1 + Object.keys(canaries).length,
    files: served.length + built.length,
    maps: built.filter((file) => file.endsWith('.map')).length,
    answers,
    'log lines': `${logged}${terminal}`.split('\n').length,
    hits: hits.length,
  });
  if (hits.length > 0) console.error(hits.join('\n'));
} finally {
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
