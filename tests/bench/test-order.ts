/*
 * `npm run bench -- test-order [runs]`: no unit test leans on another file. Runs every unit file alone, then all of them in random
 * orders (three by default) with a pause of a second after each file, in which what a file left behind would end.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const [runs = '3'] = process.argv.slice(2);

/** Runs the unit tests with these arguments; null when they are green, else what they printed. */
function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string | null> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'unit', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
  });
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      resolve(code === 0 ? null : output);
    });
  });
}

let red = 0;
const report = (what: string, output: string | null): void => {
  if (output === null) return;
  red += 1;
  console.log(`RED: ${what}\n${output}`);
};

// The platform project runs these.
const files = globSync('tests/unit/**/*.test.ts', {
  cwd: root,
  exclude: ['tests/unit/{project/upgrade,shop-folder/{failed-build,second-shop}}.test.ts'],
}).sort();
for (const file of files) report(`${file} alone`, await run([file]));
console.log(`${String(files.length)} files ran alone.`);
for (let turn = 0; turn < Number(runs); turn += 1) {
  const seed = Math.floor(Math.random() * 1e9);
  const order = ['--sequence.shuffle.files', `--sequence.seed=${String(seed)}`];
  report(`all, seed ${String(seed)}`, await run(order, { SHOP_TEST_PAUSE_MS: '1000' }));
  console.log(`All ran in the order of seed ${String(seed)}.`);
}
console.log(red === 0 ? 'No file leans on another.' : `${String(red)} runs were red.`);
process.exitCode = red === 0 ? 0 : 1;
