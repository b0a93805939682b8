import * as z from 'zod/mini';
import { afterEach, expect, test, vi } from 'vitest';
import { changes } from '#domain/admin/endpoint.ts';
import { openBrowser } from '#tests/unit/support/browser.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const answerSchema = z.object({ ok: z.boolean() });
const bodies = ['{"key":"one"}', '{"key":"one"}'];
const ok = () => Response.json({ ok: true });
const refused = (status: number, error: string, more: object) => () =>
  Response.json({ message: 'Please log in.', error, request_id: 'r', ...more }, { status });
const ended = refused(401, 'unauthorized', {});
const again = refused(403, 'confirm_again', { code_needed: true });

/** Opens the admin page of a browser that has logged in, with these answers, one a request. */
async function openPage(...answers: readonly (() => Response)[]) {
  const browser = openBrowser();
  browser.store('kasavu:admin', '1');
  const asked = vi.fn<typeof fetch>();
  for (const answer of answers) asked.mockImplementationOnce(() => Promise.resolve(answer()));
  vi.stubGlobal('fetch', asked);
  const { $confirmation } = await import('#stores/admin-confirmation.ts');
  const session = await import('#stores/admin-session.ts');
  const { callAdmin } = await import('#services/admin/api.ts');
  const close = session.$adminSession.listen(() => undefined);
  const send = (path: string) =>
    callAdmin(changes('POST', path, z.object({ key: z.string() }), answerSchema), {
      body: { key: 'one' },
    });
  const sentBodies = () => asked.mock.calls.map(([, init]) => init?.body);
  return { browser, asked, sentBodies, $confirmation, ...session, send, close };
}

test('a browser that has logged in goes straight in, and asks for the password after a logout', async () => {
  const page = await openPage();
  expect(page.$adminSession.get()).toBe('logged-in');
  page.adminSignOut();
  expect(page.$adminSession.get()).toBe('logged-out');
  expect(page.browser.stored('kasavu:admin')).toBeNull();
  page.close();
});

test('requests whose session has ended wait for one log-in and are then made again with the same body', async () => {
  const page = await openPage(ended, ended, ok, ok);
  const both = Promise.all([page.send('/a'), page.send('/b')]);
  await vi.waitFor(() => expect(page.asked).toHaveBeenCalledTimes(2));
  await vi.waitFor(() => expect(page.$adminSession.get()).toBe('expired'));
  page.adminSignIn();
  await expect(both).resolves.toEqual([{ ok: true }, { ok: true }]);
  expect(page.sentBodies()).toEqual([...bodies, ...bodies]);
  page.close();
});

test('a logout instead of the log-in fails what waits', async () => {
  const page = await openPage(ended);
  const answer = page.send('/a');
  await vi.waitFor(() => expect(page.$adminSession.get()).toBe('expired'));
  page.browser.otherTab('kasavu:admin', null);
  await expect(answer).rejects.toMatchObject({
    status: 401,
    code: 'unauthorized',
    message: 'Please log in.',
  });
  page.close();
});

test('requests that need the password again share one question, and are repeated with the same body', async () => {
  const page = await openPage(again, again, ok, ok);
  const both = Promise.all([page.send('/refund'), page.send('/b')]);
  await vi.waitFor(() => expect(page.asked).toHaveBeenCalledTimes(2));
  await vi.waitFor(() => expect(page.$confirmation.get()).toMatchObject({ codeNeeded: true }));
  page.$confirmation.get()?.close(true);
  await expect(both).resolves.toHaveLength(2);
  expect(page.sentBodies()).toEqual([...bodies, ...bodies]);
  expect(page.$confirmation.get()).toBeNull();
  page.close();
});

test('a question that is closed, or left by logging out, fails the request', async () => {
  const page = await openPage(again, again);
  for (const leave of [() => page.$confirmation.get()?.close(false), page.adminSignOut]) {
    const answer = page.send('/refund');
    await vi.waitFor(() => expect(page.$confirmation.get()).not.toBeNull());
    leave();
    await expect(answer).rejects.toMatchObject({ code: 'not_confirmed' });
    expect(page.$confirmation.get()).toBeNull();
  }
  page.close();
});

test('a failure says that nothing is lost, and a refusal brings its code, its messages by field and the whole answer', async () => {
  const body = { message: 'Changed.', error: 'changed', fields: { name: 'Long' }, current: 7 };
  const page = await openPage(() => Response.json(body, { status: 409 }));
  const refusal = { status: 409, code: 'changed', fields: { name: 'Long' }, body };
  await expect(page.send('/a')).rejects.toMatchObject(refusal);
  page.asked.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(page.send('/a')).rejects.toMatchObject({
    code: 'offline',
    message: 'You are offline. Nothing is lost; try again when the connection is back.',
  });
  page.close();
});
