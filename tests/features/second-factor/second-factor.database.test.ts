import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';

const database = await useDatabase();
const secret = 'A'.repeat(32);
const [hash, other, fingerprint] = ['a'.repeat(64), 'b'.repeat(64), 'f'.repeat(64)];
let sessions = 0;

const openSession = (step: number | null = null, recovery: string | null = null) => {
  sessions += 1;
  return database.value<string | null>(
    `select public.open_admin_session($1, $2, 60, 'ip:here', null, $3, $4)`,
    String(sessions).padStart(64, '0'),
    fingerprint,
    step,
    recovery,
  );
};
const readSession = () =>
  database.value<Record<string, unknown> | null>(
    'select public.read_admin_session($1, $2)',
    String(sessions).padStart(64, '0'),
    fingerprint,
  );
const call = (name: string, ...values: unknown[]) =>
  database.value<boolean>(
    `select public.${name}(${values.map((_, index) => `$${String(index + 1)}`).join()})`,
    ...values,
  );

beforeEach(() => database.run('truncate public.admin_second_factor, public.costs'));

async function turnOn(): Promise<void> {
  await call('offer_second_factor', secret);
  expect(await call('turn_on_second_factor', secret, 100, [hash, other], null)).toBe(true);
}

test('without a second factor a login opens a session, which counts as confirmed', async () => {
  expect(await openSession()).not.toBeNull();
  expect(await readSession()).toMatchObject({ confirmed: true, second_factor: false });
  await call('offer_second_factor', secret);
  expect(await openSession()).not.toBeNull();
});

test('with a second factor a login without a code opens nothing', async () => {
  await turnOn();
  expect(await openSession()).toBeNull();
  expect(await readSession()).toBeNull();
});

test('a code opens one session, and no earlier code opens one after it', async () => {
  await turnOn();
  // The code that turned it on is used.
  expect(await openSession(100)).toBeNull();
  expect(await openSession(102)).not.toBeNull();
  expect(await openSession(102)).toBeNull();
  expect(await openSession(101)).toBeNull();
  expect(await openSession(103)).not.toBeNull();
});

test('each recovery code opens one session', async () => {
  await turnOn();
  expect(await openSession(null, hash)).not.toBeNull();
  expect(await openSession(null, hash)).toBeNull();
  expect(await openSession(null, 'c'.repeat(64))).toBeNull();
  expect(await database.value('select public.read_second_factor()')).toMatchObject({
    secret,
    recovery_left: 1,
  });
});

test('an offered secret can be replaced until it is on; a code of the replaced one does not turn it on', async () => {
  expect(await call('offer_second_factor', secret)).toBe(true);
  expect(await call('offer_second_factor', 'B'.repeat(32))).toBe(true);
  expect(await call('turn_on_second_factor', secret, 1, [], null)).toBe(false);
  expect(await call('turn_on_second_factor', 'B'.repeat(32), 1, [], null)).toBe(true);
  expect(await call('offer_second_factor', secret)).toBe(false);
  expect(await call('turn_on_second_factor', secret, 2, [], null)).toBe(false);
});

test('new recovery codes and turning off take a code each', async () => {
  await turnOn();
  expect(await call('replace_recovery_codes', 100, null, [hash])).toBe(false);
  expect(await call('replace_recovery_codes', 101, null, ['c'.repeat(64)])).toBe(true);
  expect(await call('turn_off_second_factor', null, hash)).toBe(false);
  expect(await call('turn_off_second_factor', null, 'c'.repeat(64))).toBe(true);
  expect(await database.value('select public.read_second_factor()')).toBeNull();
  expect(await openSession()).not.toBeNull();
});

test('a confirmation lasts ten minutes, and the next needs the code', async () => {
  await turnOn();
  await openSession(101);
  const { id } = (await readSession()) as { id: number };
  const age = (minutes: number) =>
    database.query(
      `update public.admin_sessions set confirmed_at = now() - make_interval(mins => $2) where id = $1`,
      id,
      minutes,
    );
  await age(9);
  expect(await readSession()).toMatchObject({ confirmed: true, second_factor: true });
  await age(11);
  expect(await readSession()).toMatchObject({ confirmed: false });
  expect(await call('confirm_admin_session', id, 'ip:here', null, 101, null)).toBe(false);
  expect(await readSession()).toMatchObject({ confirmed: false });
  expect(await call('confirm_admin_session', id, 'ip:here', null, 102, null)).toBe(true);
  expect(await readSession()).toMatchObject({ confirmed: true });
});

test('only wrong codes use up the attempts', async () => {
  await turnOn();
  const attempt = async () =>
    (
      await database.value<{ allowed: boolean }>(
        `select public.count_login_attempt('ip:here', null)`,
      )
    ).allowed;
  for (const step of [101, 102, 103]) {
    expect(await attempt()).toBe(true);
    expect(await openSession(step)).not.toBeNull();
  }
  for (const step of [1, 2, 3, 4, 5]) {
    expect(await attempt()).toBe(true);
    expect(await openSession(step)).toBeNull();
  }
  expect(await attempt()).toBe(false);
});

describe('refunds without the password', () => {
  const limit = 50_000;
  const session = async () => {
    await openSession();
    return ((await readSession()) as { id: number }).id;
  };
  const allow = (id: number, ...values: [number | null, string | null, number | null]) =>
    database.value<boolean>('select public.allow_refund($1, $2, $3, $4, $5)', id, ...values, limit);

  test('are counted together in a session, until the admin confirms', async () => {
    const id = await session();
    expect(await allow(id, 1, null, 30_000)).toBe(true);
    expect(await allow(id, 2, null, 20_001)).toBe(false);
    expect(await allow(id, 2, null, 20_000)).toBe(true);
    expect(await allow(id, 2, null, 1)).toBe(false);
    expect(await allow(await session(), 2, null, limit)).toBe(true);
    expect(await call('confirm_admin_session', id, 'ip:here', null, null, null)).toBe(true);
    expect(await allow(id, 2, null, limit)).toBe(true);
  });

  test('without an amount are all that is left of the payment', async () => {
    const order = await database.buy([
      { product_id: await database.addProduct({ stock: 5 }), quantity: 2 },
    ]);
    expect(order.total_paise).toBeGreaterThan(limit);
    expect(await allow(await session(), order.id, null, null)).toBe(false);
    expect(await allow(await session(), null, order.payment, null)).toBe(false);
    await database.requestRefund(order.id, order.total_paise - limit);
    expect(await allow(await session(), order.id, null, null)).toBe(true);
    expect(await allow(await session(), null, order.payment, null)).toBe(true);
  });

  test('need a session', async () => expect(await allow(0, 1, null, 1)).toBe(false));
});
