import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sendOutbox } from '#core/mail/outbox.ts';
import { useStack } from '#tests/functions/support/stack.ts';
import {
  adminPassword,
  confirm,
  confirmationEnds,
  logIn,
  setAdminPassword,
} from '#tests/functions/admin/admin-client.ts';
import {
  askFactor,
  codeOf,
  nextStep,
  tryLogin,
  turnOnFactor,
  wrongCodeOf,
} from './second-factor-client.ts';
import { shop as settings } from '#settings/shop.ts';

const stack = await useStack();

beforeEach(async () => {
  await setAdminPassword();
  await stack.sql('delete from public.costs where true');
  await stack.sql('delete from public.admin_second_factor');
});

const refused = (status: number, error: string) => ({ status, json: { error } });

describe('setting up', () => {
  test('offers a secret as text and as a link that an authenticator app opens', async () => {
    const admin = await logIn(stack);
    expect(await askFactor(admin, 'GET')).toMatchObject({
      status: 200,
      json: { since: null, recoveryLeft: 0 },
    });
    const { status, json, headers } = await askFactor(admin, 'POST', 'offer');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(json['secret']).toMatch(/^[A-Z2-7]{32}$/u);
    const name = encodeURIComponent(settings.name);
    expect(json['uri']).toBe(
      `otpauth://totp/${name}:Admin?issuer=${name}&secret=${String(json['secret'])}&algorithm=SHA1&digits=6&period=30`,
    );
    // The second factor is only offered: the login works as before.
    expect(await tryLogin(stack, {})).toMatchObject({ status: 200 });
  });

  test('is turned on by its first code alone, and gives ten recovery codes that the database cannot show', async () => {
    const admin = await logIn(stack);
    const secret = String((await askFactor(admin, 'POST', 'offer')).json['secret']);
    expect(await askFactor(admin, 'POST', 'on', { code: wrongCodeOf(secret) })).toMatchObject(
      refused(403, 'wrong_code'),
    );
    expect(await tryLogin(stack, {})).toMatchObject({ status: 200 });
    // One code for all steps: half a minute may end between two of them.
    const code = codeOf(secret);
    const on = await askFactor(admin, 'POST', 'on', { code });
    const codes = on.json['recoveryCodes'] as string[];
    expect(new Set(codes).size).toBe(10);
    expect(codes.join(' ')).toMatch(/^(?:(?:[A-Z2-7]{4}-){5}[A-Z2-7]{4} ?){10}$/u);
    const stored = JSON.stringify(await stack.sql('select * from public.admin_second_factor'));
    for (const one of codes) expect(stored).not.toContain(one.replaceAll('-', ''));
    expect(await askFactor(admin, 'GET')).toMatchObject({
      json: { since: expect.stringMatching(/^\d{4}-/u) as unknown, recoveryLeft: 10 },
    });
    expect(await askFactor(admin, 'POST', 'offer')).toMatchObject(refused(409, 'already_on'));
    expect(await askFactor(admin, 'POST', 'on', { code })).toMatchObject(
      refused(409, 'not_offered'),
    );
    // The code that turned it on does not log anyone in.
    expect(await tryLogin(stack, { code })).toMatchObject(refused(401, 'wrong_code'));
  });

  test('ends every other session, so that a password stolen before opens nothing any more', async () => {
    const [admin, thief] = [await logIn(stack), await logIn(stack)];
    await turnOnFactor(stack, admin);
    const read = (client: typeof admin) => client.ask('GET', '/api/admin/session');
    expect(await read(thief)).toMatchObject({ status: 401 });
    expect(await read(admin)).toMatchObject({ status: 200 });
  });

  test('asks for the password again after ten minutes', async () => {
    const admin = await logIn(stack);
    await confirmationEnds(stack);
    const offer = () => askFactor(admin, 'POST', 'offer');
    expect(await offer()).toMatchObject({
      status: 403,
      json: { error: 'confirm_again', code_needed: false },
    });
    expect(await confirm(admin)).toMatchObject({ status: 200 });
    expect(await offer()).toMatchObject({ status: 200 });
  });

  test('guessing the first code is throttled as a login', async () => {
    const admin = await logIn(stack);
    const secret = String((await askFactor(admin, 'POST', 'offer')).json['secret']);
    const guesses: number[] = [];
    for (let index = 0; index < 7; index += 1)
      guesses.push((await askFactor(admin, 'POST', 'on', { code: wrongCodeOf(secret) })).status);
    expect(guesses).toEqual([403, 403, 403, 403, 403, 429, 429]);
  });
});

describe('logging in', () => {
  test('asks for the code after the right password, never after a wrong one', async () => {
    const { secret } = await turnOnFactor(stack, await logIn(stack));
    const asked = await tryLogin(stack, {});
    expect(asked).toMatchObject(refused(401, 'code_required'));
    expect(asked.headers.getSetCookie()).toEqual([]);
    expect(await tryLogin(stack, { code: '' })).toMatchObject(refused(401, 'code_required'));
    for (const code of [undefined, codeOf(secret)])
      expect(await tryLogin(stack, { password: 'wrong', code })).toMatchObject(
        refused(401, 'wrong_password'),
      );
    expect(await tryLogin(stack, { code: codeOf(secret) })).toMatchObject({ status: 200 });
  });

  test('a code of the step before or after works, one of two steps away does not', async () => {
    const { secret } = await turnOnFactor(stack, await logIn(stack));
    // The clock stands still, so that no step ends between making a code and sending it.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const statuses: number[] = [];
    for (const steps of [-1, 0, 1]) {
      await nextStep(stack);
      statuses.push((await tryLogin(stack, { code: codeOf(secret, steps) })).status);
    }
    expect(statuses).toEqual([200, 200, 200]);
    for (const steps of [-2, 2]) {
      await nextStep(stack);
      expect(await tryLogin(stack, { code: codeOf(secret, steps) })).toMatchObject(
        refused(401, 'wrong_code'),
      );
    }
  });

  test('a recovery code works once, however it is typed', async () => {
    const { recoveryCodes } = await turnOnFactor(stack, await logIn(stack));
    const [first = '', second = ''] = recoveryCodes;
    expect(await tryLogin(stack, { code: first })).toMatchObject({ status: 200 });
    expect(await tryLogin(stack, { code: first })).toMatchObject(refused(401, 'wrong_code'));
    const typed = ` ${second.toLowerCase().replaceAll('-', ' ')} `;
    expect(await tryLogin(stack, { code: typed })).toMatchObject({ status: 200 });
    expect(await tryLogin(stack, { code: second })).toMatchObject(refused(401, 'wrong_code'));
    expect(await stack.value(`select public.read_second_factor() ->> 'recovery_left'`)).toBe('8');
  });

  test('text that is no code is a wrong code', async () => {
    const { secret } = await turnOnFactor(stack, await logIn(stack));
    await stack.sql('delete from public.costs where true');
    for (const code of ['12345', 'abcdef', `${codeOf(secret)}0`])
      expect(await tryLogin(stack, { code })).toMatchObject(refused(401, 'wrong_code'));
    for (const code of [5, null, 'x'.repeat(61)])
      expect(await tryLogin(stack, { code })).toMatchObject({ status: 400 });
  });

  test('five wrong codes end the attempts of a quarter of an hour; asking for the code uses none', async () => {
    const { secret } = await turnOnFactor(stack, await logIn(stack));
    for (let index = 0; index < 8; index += 1)
      expect(await tryLogin(stack, {})).toMatchObject(refused(401, 'code_required'));
    const guesses: number[] = [];
    for (let index = 0; index < 6; index += 1)
      guesses.push((await tryLogin(stack, { code: wrongCodeOf(secret) })).status);
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await tryLogin(stack, { code: codeOf(secret) })).status).toBe(429);
    await stack.sql('delete from public.costs where true');
    expect((await tryLogin(stack, { code: codeOf(secret) })).status).toBe(200);
  });

  test('a new password keeps the second factor', async () => {
    const { secret } = await turnOnFactor(stack, await logIn(stack));
    await setAdminPassword('canary-another-password');
    const password = 'canary-another-password';
    expect(await tryLogin(stack, { password })).toMatchObject(refused(401, 'code_required'));
    expect(await tryLogin(stack, { password, code: codeOf(secret) })).toMatchObject({
      status: 200,
    });
  });
});

describe('changing it', () => {
  test.each(['codes', 'off'])('%s takes the password and a code', async (action) => {
    const admin = await logIn(stack);
    const { secret } = await turnOnFactor(stack, admin);
    const change = (body: Record<string, unknown>) => askFactor(admin, 'POST', action, body);
    const password = adminPassword;
    expect(await change({ password: 'wrong', code: codeOf(secret) })).toMatchObject(
      refused(403, 'wrong_password'),
    );
    expect(await change({ password })).toMatchObject(refused(403, 'code_required'));
    expect(await change({ password, code: wrongCodeOf(secret) })).toMatchObject(
      refused(403, 'wrong_code'),
    );
    expect(await change({ password, code: codeOf(secret) })).toMatchObject({ status: 200 });
    expect((await askFactor(admin, 'GET')).json['since'] === null).toBe(action === 'off');
  });
});

describe('confirming', () => {
  test('takes the password, and the code of a second factor, and leaves the session open when they are wrong', async () => {
    const admin = await logIn(stack);
    const { secret } = await turnOnFactor(stack, admin);
    await confirmationEnds(stack);
    expect(await confirm(admin, { password: 'wrong' })).toMatchObject(
      refused(403, 'wrong_password'),
    );
    expect(await confirm(admin)).toMatchObject(refused(403, 'code_required'));
    expect(await confirm(admin, { code: wrongCodeOf(secret) })).toMatchObject(
      refused(403, 'wrong_code'),
    );
    expect(await confirm(admin, { code: codeOf(secret) })).toMatchObject({ status: 200 });
    expect(await confirm(admin, { code: codeOf(secret) })).toMatchObject(
      refused(403, 'wrong_code'),
    );
    expect(await admin.ask('GET', '/api/admin/session')).toMatchObject({
      status: 200,
    });
  });

  test('is throttled as a login', async () => {
    const admin = await logIn(stack);
    const statuses: number[] = [];
    for (let index = 0; index < 7; index += 1)
      statuses.push((await confirm(admin, { password: 'guess' })).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429]);
    expect((await tryLogin(stack, {})).status).toBe(429);
  });
});

test('the owner gets a mail about every change, also by the SQL editor, and about every recovery code that is used', async () => {
  const told = async (): Promise<unknown[]> => {
    await vi.waitFor(async () => {
      // The endpoint sends after its response, too.
      await sendOutbox();
      expect(await stack.sql('select 1 from public.outbox where sent_at is null')).toEqual([]);
    });
    return stack.mail.mails.splice(0).map(({ headers }) => headers['subject']);
  };
  await stack.sql('truncate public.outbox');
  stack.mail.mails.length = 0;
  const admin = await logIn(stack);
  await askFactor(admin, 'POST', 'offer');
  expect(await told()).toEqual([]);
  const { secret, recoveryCodes } = await turnOnFactor(stack, admin);
  expect(await told()).toEqual([expect.stringContaining('asks for a second factor now')]);
  expect(await tryLogin(stack, { code: recoveryCodes[0] })).toMatchObject({ status: 200 });
  expect(await told()).toEqual([expect.stringContaining('recovery code of the login was used')]);
  await nextStep(stack);
  await askFactor(admin, 'POST', 'codes', { password: adminPassword, code: codeOf(secret) });
  expect(await told()).toEqual([expect.stringContaining('codes of the login were replaced')]);
  await stack.sql('delete from public.admin_second_factor where true');
  expect(await told()).toEqual([expect.stringContaining('was turned off')]);
});

test('the owner is notified once a day when ten wrong codes follow the right password', async () => {
  const { secret } = await turnOnFactor(stack, await logIn(stack));
  await stack.sql('truncate public.outbox');
  const alerts = () =>
    stack.value<string>(
      `select count(*)::text from public.outbox where payload ->> 'kind' = 'guessed'`,
    );
  const guess = async () => {
    await stack.sql(`delete from public.costs where effect <> 'wrong_code'`);
    expect(await tryLogin(stack, { code: wrongCodeOf(secret) })).toMatchObject(
      refused(401, 'wrong_code'),
    );
  };
  for (let index = 0; index < 9; index += 1) await guess();
  expect(await tryLogin(stack, { password: 'wrong', code: '123456' })).toMatchObject(
    refused(401, 'wrong_password'),
  );
  expect(await alerts()).toBe('0');
  await guess();
  await guess();
  expect(await alerts()).toBe('1');
});
