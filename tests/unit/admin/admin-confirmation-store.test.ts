import * as z from 'zod/mini';
import { afterEach, expect, test, vi } from 'vitest';
import { changes } from '../../../src/domain/admin/endpoint.ts';
import { openBrowser } from '../support/browser.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const answerSchema = z.object({ ok: z.boolean() });
const ok = () => Response.json({ ok: true });
const again = (codeNeeded: boolean) => () =>
  Response.json(
    {
      message: 'Please enter your password again.',
      error: 'confirm_again',
      request_id: 'r',
      code_needed: codeNeeded,
    },
    { status: 403 },
  );

/** Opens the admin page with these answers, one a request. */
async function openPage(answers: readonly (() => Response)[]) {
  openBrowser().store('kasavu:admin', '1');
  const asked = vi.fn<typeof fetch>();
  for (const answer of answers) asked.mockImplementationOnce(() => Promise.resolve(answer()));
  vi.stubGlobal('fetch', asked);
  const { $confirmation } = await import('../../../src/stores/admin-confirmation.ts');
  const { adminSignOut } = await import('../../../src/stores/admin-session.ts');
  const { callAdmin } = await import('../../../src/services/admin/api.ts');
  const send = (path: string) =>
    callAdmin(changes('POST', path, z.object({ key: z.string() }), answerSchema), {
      body: { key: 'one' },
    });
  return { asked, $confirmation, adminSignOut, send };
}

test('a request that needs the password again waits for it and is repeated with the same body', async () => {
  const page = await openPage([again(true), ok]);
  const answer = page.send('/refund');
  await vi.waitFor(() => expect(page.$confirmation.get()).toMatchObject({ codeNeeded: true }));
  expect(page.asked).toHaveBeenCalledTimes(1);
  page.$confirmation.get()?.close(true);
  await expect(answer).resolves.toEqual({ ok: true });
  expect(page.asked.mock.calls.map(([, init]) => init?.body)).toEqual([
    '{"key":"one"}',
    '{"key":"one"}',
  ]);
  expect(page.$confirmation.get()).toBeNull();
});

test('two requests that were refused together share one question', async () => {
  const page = await openPage([again(false), again(false), ok, ok]);
  const both = Promise.all([page.send('/a'), page.send('/b')]);
  await vi.waitFor(() => expect(page.asked).toHaveBeenCalledTimes(2));
  await vi.waitFor(() => expect(page.$confirmation.get()).toMatchObject({ codeNeeded: false }));
  page.$confirmation.get()?.close(true);
  await expect(both).resolves.toHaveLength(2);
});

test('a question that is closed, or left by logging out, fails the request', async () => {
  const page = await openPage([again(false), again(false)]);
  for (const leave of [
    () => page.$confirmation.get()?.close(false),
    () => {
      page.adminSignOut();
    },
  ]) {
    const answer = page.send('/refund');
    await vi.waitFor(() => expect(page.$confirmation.get()).not.toBeNull());
    leave();
    await expect(answer).rejects.toMatchObject({ code: 'not_confirmed' });
    expect(page.$confirmation.get()).toBeNull();
  }
});
