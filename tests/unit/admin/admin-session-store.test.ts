import * as z from 'zod/mini';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { changes, reads } from '../../../src/domain/admin/endpoint.ts';
import { openBrowser, type FakeBrowser } from '../support/browser.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const answerSchema = z.object({ ok: z.boolean() });
const ended = () =>
  Response.json(
    { message: 'Please log in.', error: 'unauthorized', request_id: 'r' },
    { status: 401 },
  );

/** Opens the admin page with the flag set and these answers, one a request. */
async function openPage(answers: readonly (() => Response)[]) {
  const browser: FakeBrowser = openBrowser();
  browser.store('kasavu:admin', '1');
  const asked = vi.fn<typeof fetch>();
  for (const answer of answers) asked.mockImplementationOnce(() => Promise.resolve(answer()));
  vi.stubGlobal('fetch', asked);
  const { $adminSession, adminSignIn, adminSignOut } =
    await import('../../../src/stores/admin-session.ts');
  const { callAdmin } = await import('../../../src/services/admin/api.ts');
  const { AdminError } = await import('../../../src/services/admin/admin-error.ts');
  const stop = $adminSession.listen(() => undefined);
  return {
    browser,
    asked,
    $adminSession,
    adminSignIn,
    adminSignOut,
    get: (path: string) => callAdmin(reads(path, answerSchema)),
    save: (path: string, body: { name: string }) =>
      callAdmin(changes('PUT', path, z.object({ name: z.string() }), answerSchema), { body }),
    AdminError,
    stop,
  };
}

describe('the owner’s session', () => {
  test('a browser that has logged in goes straight in, and asks for the password after a logout', async () => {
    const page = await openPage([]);
    expect(page.$adminSession.get()).toBe('logged-in');
    page.adminSignOut();
    expect(page.$adminSession.get()).toBe('logged-out');
    expect(page.browser.stored('kasavu:admin')).toBeNull();
    page.stop();
  });

  test('a request whose session has ended waits for the log-in and is then made again', async () => {
    const page = await openPage([ended, () => Response.json({ ok: true })]);
    const answer = page.save('/api/admin/products/1', { name: 'Mala' });
    await vi.waitFor(() => expect(page.$adminSession.get()).toBe('expired'));
    expect(page.asked).toHaveBeenCalledTimes(1);
    page.adminSignIn();
    await expect(answer).resolves.toEqual({ ok: true });
    expect(page.asked.mock.calls.map(([, init]) => init?.body)).toEqual([
      '{"name":"Mala"}',
      '{"name":"Mala"}',
    ]);
    page.stop();
  });

  test('two requests that were refused together are both made again after one log-in', async () => {
    const page = await openPage([
      ended,
      ended,
      () => Response.json({ ok: true }),
      () => Response.json({ ok: false }),
    ]);
    const both = Promise.all([page.get('/a'), page.get('/b')]);
    await vi.waitFor(() => expect(page.asked).toHaveBeenCalledTimes(2));
    await vi.waitFor(() => expect(page.$adminSession.get()).toBe('expired'));
    page.adminSignIn();
    await expect(both).resolves.toHaveLength(2);
    page.stop();
  });

  test('a logout instead of the log-in fails what waits', async () => {
    const page = await openPage([ended]);
    const answer = page.get('/a');
    await vi.waitFor(() => expect(page.$adminSession.get()).toBe('expired'));
    page.browser.otherTab('kasavu:admin', null);
    await expect(answer).rejects.toMatchObject({
      status: 401,
      code: 'unauthorized',
      message: 'Please log in.',
    });
    page.stop();
  });

  test('without a connection the failure says that nothing is lost', async () => {
    const page = await openPage([]);
    page.asked.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(page.get('/a')).rejects.toMatchObject({
      code: 'offline',
      message: 'You are offline. Nothing is lost; try again when the connection is back.',
    });
    page.stop();
  });

  test('a refusal brings its sentence, its messages by field and the whole answer', async () => {
    const body = {
      message: 'Changed.',
      error: 'changed',
      fields: { name: 'Too long' },
      current: 7,
    };
    const page = await openPage([() => Response.json(body, { status: 409 })]);
    await expect(page.get('/a')).rejects.toMatchObject({
      status: 409,
      code: 'changed',
      fields: { name: 'Too long' },
      body,
    });
    page.stop();
  });
});
