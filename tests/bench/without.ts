/*
 * `npm run bench -- without [NAME…]`: takes out each feature in turn, in a copy, by deleting its folders and its deployed functions, then checks types,
 * lint, unused exports and the remaining unit tests. Ends with 1 when a feature cannot be taken out.
 */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { writePlaces } from '../../src/integrations/list-features.ts';

const run = promisify(execFile);
const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' });

const features = [
  ...new Set(
    ['src/features', 'netlify/features'].flatMap((folder) =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name),
    ),
  ),
].sort();
const named = process.argv.slice(2);
const unknown = named.filter((name) => !features.includes(name));
if (unknown.length > 0) throw new Error(`No feature has the name ${unknown.join(', ')}`);

const files = git('ls-files', '-co', '--exclude-standard').trim().split('\n');

/** A copy of the project without the folders of a feature, as a repository of its own. */
async function copyWithout(feature: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), `without-${feature}-`));
  for (const file of files) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(file, join(copy, file));
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const path of [
    `src/features/${feature}`,
    `netlify/features/${feature}`,
    `local/${feature}`,
    `tests/features/${feature}`,
    `supabase/schemas/${feature}.sql`,
    ...files.filter(
      (file) =>
        file.startsWith('netlify/functions/') &&
        readFileSync(file, 'utf8').includes(`features/${feature}/`),
    ),
  ])
    rmSync(join(copy, path), { recursive: true, force: true });
  // As the next build, check or start does.
  writePlaces(copy);
  await run('git', ['init', '--quiet'], { cwd: copy });
  await run('git', ['add', '--all'], { cwd: copy });
  return copy;
}

const astro = 'node_modules/astro/bin/astro.mjs';
const checks: Readonly<Record<string, readonly string[]>> = {
  'types of pages': [
    astro,
    'check',
    '--tsconfig',
    'tsconfig.astro.json',
    '--minimumFailingSeverity',
    'hint',
  ],
  'types and lint': ['node_modules/oxlint/bin/oxlint', '--disable-nested-config', '--type-check'],
  'unused exports': ['node_modules/knip/bin/knip.js'],
  'unit tests': ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit'],
};

let failed = 0;
for (const feature of named.length > 0 ? named : features) {
  const started = performance.now();
  const copy = await copyWithout(feature);
  const faults: string[] = [];
  for (const [name, program] of Object.entries(checks))
    await run(process.execPath, [...program], {
      cwd: copy,
      env: { ...process.env, SHOP_CATALOGUE: '', FORCE_COLOR: '0' },
      maxBuffer: 64e6,
    }).catch((error: unknown) => {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      faults.push(`${name}:\n${`${stdout}\n${stderr}`.trim().slice(-4_000)}`);
    });
  rmSync(copy, { recursive: true, force: true });
  failed += Math.min(1, faults.length);
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`${faults.length === 0 ? 'green' : 'RED  '}  ${feature}  ${String(seconds)} s`);
  for (const fault of faults) console.log(fault.replaceAll(/^/gmu, '    '));
}
if (failed > 0) process.exitCode = 1;
