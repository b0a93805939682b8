/* `npm run bench -- NAME [parameters]`: runs the benchmark of that name. */
import { readdir } from 'node:fs/promises';
import { parse } from 'node:path';

/** Parts of benchmarks, and those with a script of their own in package.json. */
const others = new Set([
  'run',
  'embedded-stack',
  'day',
  'purchase',
  'reliability',
  'playwright.config',
  'page-visit',
  'screenshot-states',
  'stripping-proxy',
]);
const names = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => parse(file).name)
  .filter((name) => !others.has(name));
const [name = ''] = process.argv.splice(2, 1);
if (!names.includes(name)) {
  console.error(`Usage: npm run bench -- ${names.join(' | ')}`);
  process.exit(1);
}
await import(`./${name}.ts`);
