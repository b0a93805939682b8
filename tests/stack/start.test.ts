import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareDataFolder } from '#local/data-folder/data-folder.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { lockFolder, unlockFolder } from '#local/data-folder/running.ts';
import { freePort } from '#tests/free-port.ts';

const local = resolve(import.meta.dirname, '../../local');
let dir: string;
let other: Server;
let port: number;
/** The process id of the stack that the other server says it is. */
let answeringPid: number;

beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'start-test-')));
  other = createServer((_request, response) =>
    response.end(JSON.stringify({ ready: true, pid: answeringPid })),
  );
  answeringPid = process.pid;
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  port = (other.address() as AddressInfo).port;
});
afterEach(async () => {
  await new Promise((done) => other.close(done));
  await rm(dir, { recursive: true, force: true });
});

/** Runs a script of local/ to its end. */
async function run(
  script: string,
  env: Record<string, string>,
  ...words: string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(local, script), ...words], {
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, output: output.trim() };
}

test('what keeps the stack from starting is reported in one sentence', async () => {
  const [file, data] = [join(dir, 'file'), join(dir, 'data')];
  await writeFile(file, '');
  const used = String(port);
  const faults: [Record<string, string>, string][] = [
    [{}, `Port ${used} is taken: stop what listens there, or set PORT to another one.`],
    [
      { SHOP_DATA_DIR: file },
      `The data folder ${file} cannot be read (EEXIST): change it or set SHOP_DATA_DIR.`,
    ],
    [{ PORT: 'eighty' }, 'The value of PORT in the environment cannot be used.'],
    [{ CONTEXT: 'production' }, 'does not start with CONTEXT=production'],
  ];
  for (const [change, sentence] of faults) {
    const { code, output } = await run('start.ts', { PORT: used, SHOP_DATA_DIR: data, ...change });
    expect([code, output.split('\n')]).toEqual([1, [expect.stringContaining(sentence)]]);
  }
});

test('a folder with something else in it is left alone by start and reset', async () => {
  await writeFile(join(dir, 'thesis.txt'), 'years of work');
  const started = await run('start.ts', { PORT: String(port), SHOP_DATA_DIR: dir });
  expect([started.code, started.output]).toEqual([
    1,
    expect.stringContaining('holds something else'),
  ]);
  const emptied = await run('reset.ts', { SHOP_DATA_DIR: dir });
  expect([emptied.code, emptied.output]).toEqual([
    1,
    expect.stringContaining('does not look like'),
  ]);
  expect(await readdir(dir)).toEqual(['thesis.txt']);
});

test('reset keeps a data folder in use, and empties it when nobody uses it any more', async () => {
  const shop = join(dir, 'shop');
  await mkdir(shop);
  const folder = await prepareDataFolder(shop);
  // The test stands in for a running stack: its process is alive, and something answers at the address.
  const url = `http://127.0.0.1:${String(port)}`;
  await lockFolder(folder, url);
  const refused = await run('reset.ts', { SHOP_DATA_DIR: shop });
  expect([refused.code, refused.output]).toEqual([
    1,
    `A shop runs at ${url} (process ${String(process.pid)}): stop it first.`,
  ]);
  unlockFolder(folder);
  expect((await run('reset.ts', { SHOP_DATA_DIR: shop })).code).toBe(0);
  expect(await readdir(shop)).toEqual([]);
});

test('data of a newer version is reported in one sentence and left unchanged', async () => {
  const folder = await prepareDataFolder(join(dir, 'shop'));
  await writeFile(
    folder.migrations,
    JSON.stringify({
      version: '9.0.0',
      migrations: { '29990101000000_from_the_future.sql': 'abc' },
    }),
  );
  const { code, output } = await run('start.ts', {
    PORT: String(await freePort()),
    SHOP_DATA_DIR: folder.root,
  });
  expect([code, output]).toEqual([
    1,
    `The data in ${folder.root} was written by a newer version of this shop (9.0.0, 29990101000000_from_the_future.sql) than ${packageJson.version}: ` +
      `update this checkout, restore a backup of ${packageJson.version} into another folder (npm run restore -- FILE --embedded), ` +
      'set SHOP_DATA_DIR to another folder, or empty this one with `npm run reset`.',
  ]);
  expect(await readFile(folder.migrations, 'utf8')).toContain('from_the_future');
});

/** A file with the variables that a push of the settings needs. */
async function writeVariables(): Promise<string> {
  const file = join(dir, '.env');
  const names = ['SEND_EMAIL_HOOK_SECRET', 'AUTH_CAPTCHA', 'TURNSTILE_SECRET_KEY'];
  await writeFile(
    file,
    ['SHOP_AUTH_PAGE=https://a.example/auth\n', ...names.map((name) => `${name}=1\n`)].join(''),
  );
  return file;
}

test('an upgrade stops at the step that fails, names it, and leaves the ones after it undone', async () => {
  const file = await writeVariables();
  const start = { code: 1, output: expect.stringContaining('── back-up: A migration') as unknown };
  const stopped = await run('upgrade.ts', {}, '--env-file', file, '--site', 'https://a.example');
  expect(stopped).toEqual(start);
  expect(stopped.output).toContain('Continue with `--from back-up` when it is right.');
  expect(stopped.output).not.toContain('── migrate');
  const later = ['--env-file', file, '--site', 'https://a.example', '--from', 'migrate'];
  const unnamed = await run('upgrade.ts', { DATABASE_URL: '' }, ...later);
  expect([unnamed.code, unnamed.output]).toEqual([
    1,
    expect.stringMatching(/DATABASE_URL is not in .*--from migrate/u),
  ]);
  // Without a database there is no history to look at, no migration, and no deploy after it.
  const address = { DATABASE_URL: 'postgresql://127.0.0.1:9/none' };
  const { code, output } = await run('upgrade.ts', address, ...later);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/The database does not answer .*--from migrate/u),
  ]);
  expect(output).not.toContain('── deploy');
});

test('an upgrade does nothing while a variable of the sign-up’s settings is missing, and pushes them after the deploy', async () => {
  const file = join(dir, '.env');
  await writeFile(file, 'SHOP_AUTH_PAGE=https://a.example/auth\n');
  const words = ['--env-file', file, '--site', 'https://a.example'];
  const unset = await run('upgrade.ts', {}, ...words);
  expect(unset).toEqual({
    code: 1,
    output: expect.stringMatching(
      /needs SEND_EMAIL_HOOK_SECRET, AUTH_CAPTCHA, TURNSTILE_SECRET_KEY, which the environment does not have/u,
    ) as unknown,
  });
  expect(unset.output).not.toContain('── back-up');
  await writeVariables();
  // Without npm there is no CLI, no push, and no doctor after it.
  const { code, output } = await run('upgrade.ts', { PATH: dir }, ...words, '--from', 'settings');
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/npx cannot be started.*--from settings/u),
  ]);
  expect(output).not.toContain('── doctor');
});
