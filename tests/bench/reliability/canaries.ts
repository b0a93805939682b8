/*
 * Check 14: looks for what only functions may know wherever it could come out. The stack's own secrets are the canaries of a
 * running shop: its built files, its responses, its logs. A second build, with source maps and a canary in each variable
 * that `.env.example` calls secret, shows that a build takes nothing else from its environment.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { dataFolderAt } from '#local/data-folder/data-folder.ts';
import { runningShop } from '#tests/browser/support/running-shop.ts';
import { reportFigures } from '#tests/figures.ts';
import { findFiles } from '#tests/find-files.ts';
import { withStack, type EmbeddedStack } from '#tests/bench/support/embedded-stack.ts';
import { logInAsAdmin } from '#tests/bench/support/purchase.ts';

const root = resolve(import.meta.dirname, '../../..');
type Canaries = Readonly<Record<string, string>>;
const hits: string[] = [];

/** Every file under a folder, by its path. */
async function filesUnder(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
}

/** Notes which of the canaries a text contains. */
function look(where: string, text: string, canaries: Canaries): void {
  for (const [name, canary] of Object.entries(canaries))
    if (text.includes(canary)) hits.push(`${name} in ${where}`);
}

/** Builds the site with source maps and a canary in each variable that is secret. Returns the canaries. */
async function buildWithCanaries(
  { origin, secrets, dataDir }: EmbeddedStack,
  outDir: string,
): Promise<Canaries> {
  const example = await readFile(join(root, '.env.example'), 'utf8');
  const [, secret = ''] = /^# --- Secret\b.*$([^]*?)^# --- /mu.exec(example) ?? [];
  const canaries = Object.fromEntries(
    [...secret.matchAll(/^#?([A-Z][A-Z_]+)=/gmu)].map(([, name = '']) => [
      name,
      `canary-${name.toLowerCase().replaceAll('_', '-')}-0123456789`,
    ]),
  );
  Object.assign(process.env, canaries, {
    NODE_ENV: 'production',
    ASTRO_TELEMETRY_DISABLED: '1',
    PUBLIC_SUPABASE_URL: origin,
    PUBLIC_SUPABASE_PUBLISHABLE_KEY: secrets.publishableKey,
    PUBLIC_SITE_URL: origin,
  });
  const { build } = await import('astro');
  const cacheDir = join(dataDir, 'cache-with-maps');
  const vite = { build: { sourcemap: true } };
  await build({ root, outDir, cacheDir, logLevel: 'error', vite });
  return canaries;
}

/** The paths of all functions, with the first of their actions. */
async function functionPaths(): Promise<Set<string>> {
  // Public functions name their own; the admin's are those of the endpoints that both sides share.
  const files = findFiles(
    [
      'netlify/functions/*.ts',
      'netlify/features/**/*.ts',
      'netlify/core/admin/*.ts',
      'src/domain/admin/**/*.ts',
      'src/features/*/domain/*.ts',
    ],
    { cwd: root, exclude: ['**/*.test.ts'] },
  ).map((path) => readFile(join(root, path), 'utf8'));
  return new Set(
    (await Promise.all(files)).flatMap((text) =>
      [...text.matchAll(/'(\/api\/[^']+)'/gu)].map(([, path = '']) =>
        path.replace(/:action\(([^|)]+)[^)]*\)/u, '$1').replaceAll(/:\w+/gu, '1'),
      ),
    ),
  );
}

/** Requests every page, and each function with nothing, nonsense and the admin's session. Returns how many answered. */
async function readAnswers(
  origin: string,
  pages: readonly string[],
  canaries: Canaries,
): Promise<number> {
  let answers = 0;
  const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
    const response = await fetch(origin + path, { redirect: 'manual', ...init });
    const text = `${JSON.stringify([...response.headers])}${await response.text()}`;
    look(`the answer of ${init.method ?? 'GET'} ${path}`, text, canaries);
    answers += 1;
  };
  const cookie = await logInAsAdmin();
  const headers = { 'content-type': 'application/json', origin, cookie };
  for (const path of pages) await ask(path);
  for (const path of await functionPaths()) {
    await ask(path);
    await ask(path, { headers: { cookie } });
    // Logging out would end the session in the midst of it.
    if (!path.includes('log'))
      for (const body of ['{}', '{"', '']) await ask(path, { method: 'POST', headers, body });
  }
  return answers;
}

await withStack(async (stack) => {
  const { adminPassword } = runningShop();
  const { publishableKey: _public, razorpayKeyId: _shown, ...own } = stack.secrets;
  const secret = { ...own, adminPassword };
  const outDir = join(stack.dataDir, 'with-maps');
  const canaries = await buildWithCanaries(stack, outDir);
  const { dist, functionLog } = dataFolderAt(stack.dataDir);
  const [served, built] = [await filesUnder(`${dist}/`), await filesUnder(outDir)];
  for (const file of [...served, ...built])
    look(file, await readFile(file, 'latin1'), { ...secret, ...canaries });
  const pages = served
    .filter((file) => file.endsWith('.html'))
    .map((file) => file.slice(dist.length).replace(/^\/+/u, ''))
    .map((file) => `/${file.replace(/(?:\/?index)?\.html$/u, '')}`);
  const answers = await readAnswers(stack.origin, pages, secret);
  // The terminal names the admin's password on purpose.
  const [logged, terminal] = [await readFile(functionLog, 'utf8'), stack.output()];
  look('the functions’ log', logged, secret);
  look('the terminal', terminal, own);
  reportFigures(14, {
    canaries: Object.keys({ ...secret, ...canaries }).length,
    files: served.length + built.length,
    maps: built.filter((file) => file.endsWith('.map')).length,
    answers,
    'log lines': `${logged}${terminal}`.split('\n').length,
    hits: hits.length,
  });
  if (hits.length > 0) console.error(hits.join('\n'));
});
process.exit(0);
