/* `npm run bench -- NAME [parameters]`: runs the benchmark of that name. */
import { globSync } from 'node:fs';
import { parse } from 'node:path';

/** `reliability` has a script of its own in package.json; the configuration belongs to one of its checks. */
const names = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => parse(file).name)
  .filter((name) => !['run', 'reliability', 'playwright.config'].includes(name))
  .sort();
const [name = ''] = process.argv.splice(2, 1);
if (!names.includes(name)) {
  console.error(`Usage: npm run bench -- ${names.join(' | ')}`);
  process.exit(1);
}
await import(`./${name}.ts`);
