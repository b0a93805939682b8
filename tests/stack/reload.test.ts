import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const reload = pathToFileURL(resolve(import.meta.dirname, '../../local/functions/reload.ts')).href;

/** Prints what the function returns at the start and after each change, as the dev server would call it. */
const program = (folder: string): string => `
import { reloadOnChange } from ${JSON.stringify(reload)};
const entry = ${JSON.stringify(pathToFileURL(join(folder, 'functions/entry.ts')).href)};
const show = async () => console.log((await import(entry)).default());
reloadOnChange(() => void show(), [${JSON.stringify(folder)}]);
await show();
await show();
console.log('ready');
`;

test('a changed function and its imports are reloaded without their old state', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reload-test-'));
  const drafts = await mkdtemp(join(tmpdir(), 'reload-drafts-'));
  await mkdir(join(folder, 'functions'));
  await writeFile(join(folder, 'word.ts'), `export const word: string = 'old';`);
  await writeFile(
    join(folder, 'functions/entry.ts'),
    `import { word } from '../word.ts';\nlet calls = 0;\nexport default () => word + String((calls += 1));`,
  );
  const script = join(drafts, 'program.mjs');
  await writeFile(script, program(folder));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> => (await lines.next()).value;
    expect([await next(), await next(), await next()]).toEqual(['old1', 'old2', 'ready']);
    // As many editors save, and git checks out: a new file in the place of the old one, more than once.
    for (const word of ['second', 'third']) {
      await writeFile(join(drafts, 'word.ts'), `export const word: string = '${word}';`);
      await rename(join(drafts, 'word.ts'), join(folder, 'word.ts'));
      expect(await next()).toBe(`${word}1`);
    }
  } finally {
    child.kill();
    await once(child, 'exit');
    await rm(folder, { recursive: true });
    await rm(drafts, { recursive: true });
  }
});
