import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyWithShop } from '#tests/copy-with-shop.ts';
import { freePort } from '#tests/free-port.ts';

/* What `npm start` shows when the site cannot be built: all that the fault says about itself, and nothing else. */

let copy = '';
let dataDir = '';
beforeAll(async () => {
  copy = await copyWithShop('src/shop');
  dataDir = await mkdtemp(join(tmpdir(), 'failed-build-'));
});
afterAll(async () => {
  for (const folder of [copy, dataDir]) await rm(folder, { recursive: true, force: true });
});

/** Everything that `npm start` prints in the copy, with a file changed, which is put back afterwards. */
async function startWith(path: string, change: (text: string) => string): Promise<string> {
  const file = join(copy, path);
  const before = await readFile(file, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  await writeFile(file, after);
  try {
    const child = spawn(process.execPath, ['local/start.ts'], {
      cwd: copy,
      env: {
        ...process.env,
        PORT: String(await freePort()),
        SHOP_DATA_DIR: dataDir,
        NODE_OPTIONS: '',
      },
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
    const code = await new Promise((done) => child.on('close', done));
    expect(code).toBe(1);
    return printed;
  } finally {
    await writeFile(file, before);
  }
}

test.each([
  [
    'two wrong settings',
    'src/shop/shop.ts',
    (text: string) => text.replace(/name: .*,/u, "name: '',").replace('creditNote:', 'creditnote:'),
    [
      'The shop in src/shop cannot be built:',
      "- shop.name: give the shop's name.",
      '- shop.prefixes.creditNote: give one to three capital letters or digits.',
      '- shop.prefixes.creditnote: there is no such setting. Is it misspelt?',
    ],
  ],
  [
    'a settings file without a comma',
    'src/shop/tax.ts',
    (text: string) => text.replace(/(gstCode: '\d\d') \},/u, '$1 }'),
    ['src/shop/tax.ts:', "Expected ',', got 'ident'"],
  ],
  [
    'a fault of the engine',
    'src/components/site/Logo.astro',
    (text: string) => text.replace('logo.svg', 'no-logo.svg'),
    ['failed to resolve import "#shop/no-logo.svg" from "src/components/site/Logo.astro"'],
  ],
])(
  '%s: npm start shows the whole of it, without calls of a stack',
  async (_fault, path, change, sentences) => {
    const printed = await startWith(path, change);
    for (const sentence of sentences) expect(printed).toContain(sentence);
    expect(printed).not.toMatch(/^\s+at /mu);
    expect(printed).not.toContain('\u{1B}');
    expect(printed).not.toContain('file://');
  },
  // Ends a start that hangs. It takes 23 seconds on two slow cores, and 70 beside other work.
  180_000,
);
