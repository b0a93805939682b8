import { beforeEach, expect, test } from 'vitest';
import { oneAfterTheOther, race, useDatabase } from '#tests/database/support/postgres.ts';

const postgres = await useDatabase();
const connections = await postgres.connect(20);
const secret = 'A'.repeat(32);
const hashes = ['a'.repeat(64), 'b'.repeat(64)];

beforeEach(async () => {
  await postgres.run('truncate public.admin_second_factor, public.admin_sessions cascade');
  await postgres.query('select public.offer_second_factor($1)', secret);
  await postgres.query('select public.turn_on_second_factor($1, 100, $2, null)', secret, hashes);
});

/** Logs in on 20 connections at once; each has its own cookie. */
const logIns = (step: number | null, recovery: string | null) =>
  race(connections, async (database, index) => {
    const expires = await database.value<string | null>(
      `select public.open_admin_session($1, $2, 60, $3, null, $4, $5)`,
      String(index).padStart(64, '0'),
      'f'.repeat(64),
      `address ${String(index)}`,
      step,
      recovery,
    );
    return expires === null ? 'refused' : 'opened';
  });

test('one code and one recovery code used 20 times at once open one session each', async () => {
  expect(await logIns(101, null)).toEqual({ opened: 1, refused: 19 });
  await postgres.run('truncate public.admin_sessions cascade');
  expect(await logIns(null, hashes[0] ?? '')).toEqual({ opened: 1, refused: 19 });
  expect(await postgres.value(`select public.read_second_factor() -> 'recovery_left'`)).toBe(1);
});

test('one code used for logins and for new recovery codes at once passes once', async () => {
  const passed = await race(connections, async (database, index) => {
    const statement =
      index % 2 === 0
        ? `select public.open_admin_session('${String(index).padStart(64, '0')}', repeat('f', 64), 60, 'a', null, 101) is not null`
        : `select public.replace_recovery_codes(101, null, '{}')`;
    return String(await database.value<boolean>(statement));
  });
  expect(passed).toEqual({ true: 1, false: 19 });
});

test('a login without a code that began before the factor was on does not outlive it', async () => {
  await postgres.run('truncate public.admin_second_factor, public.admin_sessions cascade');
  await postgres.query('select public.offer_second_factor($1)', secret);
  expect(
    await oneAfterTheOther(
      postgres,
      (database) =>
        database.value<boolean>(
          `select public.open_admin_session(repeat('1', 64), repeat('f', 64), 60, 'a', null) is not null`,
        ),
      (database) =>
        database.value<boolean>(
          'select public.turn_on_second_factor($1, 100, $2, null)',
          secret,
          hashes,
        ),
    ),
  ).toEqual([true, true]);
  expect(
    await postgres.value(`select public.read_admin_session(repeat('1', 64), repeat('f', 64))`),
  ).toBeNull();
});

test('refunds of one session at once are never each compared alone with the limit', async () => {
  await logIns(null, hashes[0] ?? '');
  const statement =
    'select public.allow_refund((select id from public.admin_sessions), 1, null, 300, 1000)';
  const allowed = await race(connections, async (database) =>
    String(await database.value<boolean>(statement)),
  );
  expect(allowed).toEqual({ true: 3, false: 17 });
});
