import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  callFunction,
  platformLimits,
  type Invocation,
} from '#local/emulators/netlify/functions/call-function.ts';
import { createContext } from '#local/emulators/netlify/functions/function-context.ts';
import { createFunctions, type Functions } from '#local/emulators/netlify/functions/functions.ts';
import { fromPlainCookies, toPlainCookie } from '#local/emulators/http/plain-cookies.ts';
import { projectRoot } from '#local/shared/settings.ts';

const fetchStatic = async (request: Request): Promise<Response> =>
  Promise.resolve(new Response(`file ${request.url}`));
const pending: Promise<unknown>[] = [];

/** Calls a handler as the stack does. */
async function call(
  handler: Invocation['handler'],
  request = new Request('http://localhost/api/x'),
  limitMs = 60_000,
): Promise<Response> {
  const made = createContext({
    request,
    params: { id: '7' },
    fetchStatic,
    waitUntil: (work) => pending.push(work),
  });
  return callFunction({ name: 'probe', handler, request, made, limitMs });
}

/** The message of the one warning that a test asks for. */
function expectWarning(): { text: () => string } {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  return { text: () => written.mock.calls.map(([line]) => String(line)).join('') };
}

describe('a function is called as the platform calls it', () => {
  test('a cookie for HTTPS alone is kept by any browser on plain HTTP, and reaches the functions as they set it', () => {
    const set = toPlainCookie('__Host-a=1; Path=/; HttpOnly; Secure; SameSite=Strict');
    expect(set).toBe('plain-host-a=1; Path=/; HttpOnly; SameSite=Strict');
    expect(toPlainCookie('b=2; Path=/; Secure')).toBe('b=2; Path=/; Secure');
    expect(fromPlainCookies('b=2; plain-host-a=1')).toBe('b=2; __Host-a=1');
  });

  test('an uncaught error, a value that is no response, and a response that is too large or too late are answered with 502', async () => {
    const { text } = expectWarning();
    const thrown = await call(() => {
      throw new TypeError('boom');
    });
    expect([thrown.status, await thrown.json()]).toEqual([
      502,
      { errorType: 'TypeError', errorMessage: 'boom', trace: [] },
    ]);
    expect((await call(() => 'text')).status).toBe(502);
    expect((await call(() => new Response('x'.repeat(platformLimits.payload + 1)))).status).toBe(
      502,
    );
    const late = await call(async () => new Promise(() => undefined), undefined, 10);
    expect(await late.json()).toMatchObject({ errorType: 'TimeoutError' });
    expect(late.status).toBe(502);
    expect(text()).toContain('The function probe threw: boom');
  });
});

describe('the functions of the shop', () => {
  let functions: Functions;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'functions-test-'));
    functions = await createFunctions({ fetchStatic, logFile: join(folder, 'functions.log') });
  });
  afterAll(async () => {
    functions.stop();
    await rm(folder, { recursive: true });
  });

  const at = (path: string, method = 'GET') =>
    functions.match(new Request(`http://localhost${path}`, { method }));

  test('are found by path and method, whatever the case, with or without a slash at the end', () => {
    expect({
      verify: at('/api/payment/verify', 'POST') !== null,
      slash: at('/api/payment/verify/', 'POST') !== null,
      upper: at('/API/payment/VERIFY', 'POST') !== null,
      page: at('/shop') !== null,
      nothing: at('/api/nothing') !== null,
    }).toEqual({ verify: true, slash: true, upper: true, page: false, nothing: false });
    expect(at('/product/7')?.preferStatic).toBe(true);
  });

  test('a scheduled function has no address and runs by its name', async () => {
    expect(functions.schedules()).toContainEqual({
      name: 'payment-sweep',
      schedule: '*/5 * * * *',
    });
    expect(at('/.netlify/functions/payment-sweep', 'POST')).toBeNull();
    expect(
      (await functions.invoke('no-such-function', new Request('http://localhost/'))).status,
    ).toBe(404);
  });

  test('take no text above 6 MB, and nothing else above 4.5 MB', async () => {
    const [text, binary] = [6 * 1024 * 1024, 4.5 * 1024 * 1024];
    const isTaken = async (type: string, size: number): Promise<boolean> => {
      const body = new Blob([new Uint8Array(size)], { type });
      const request = new Request('http://localhost/', { method: 'POST', body });
      const answer = await functions.invoke('submission-created', request);
      return (await answer.text()) !== 'Request Entity Too Large';
    };
    expect([
      await isTaken('application/json', text),
      await isTaken('application/json', text + 1),
      await isTaken('video/mp4', binary),
      await isTaken('video/mp4', binary + 1),
    ]).toEqual([true, false, true, false]);
  });

  test('no function is found under its default path: what has no path of its own is called by the platform alone', async () => {
    const names = (await readdir(join(projectRoot, 'netlify/functions'))).map(
      (file) => parse(file).name,
    );
    const paths = names.flatMap((name) => [
      `/.netlify/functions/${name}`,
      `/.NETLIFY/functions/${name}/`,
    ]);
    const found = paths.filter((path) => at(path, 'POST') !== null || at(path) !== null);
    expect([names.length > 20, found]).toEqual([true, []]);
    const headers = { 'content-type': 'application/json' };
    const empty = new Request('http://localhost/', { method: 'POST', headers, body: '{}' });
    expect((await functions.invoke('submission-created', empty)).status).toBe(400);
  });
});

test('work left to waitUntil outlives the response and is waited for', async () => {
  let done = false;
  let finish = (): void => undefined;
  const work = new Promise<void>((resolve) => {
    finish = resolve;
  }).then(() => {
    done = true;
  });
  await call((_, { waitUntil }) => {
    waitUntil(work);
    return new Response('ok');
  });
  expect(done).toBe(false);
  finish();
  await Promise.all(pending);
  expect(done).toBe(true);
});
