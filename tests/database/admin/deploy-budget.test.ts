import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '#tests/database/support/postgres.ts';

/*
 * The month's budget, on a clock of the test: a time is minutes since the first midnight of a month that is far from the present, in
 * India. Rows that the database stamps with its own clock get the test's.
 */
const database = await useDatabase();
const firstMidnight = `timestamptz '2050-04-01 00:00 +05:30'`;
const day = 24 * 60;
let now = 0;

const at = (minutes: number): string => `${firstMidnight} + interval '${String(minutes)} minutes'`;
const stamp = (): Promise<unknown> =>
  database.run(`update public.builds set requested_at = ${at(now)} where requested_at < '2040-01-01';
    update public.builds set finished_at = ${at(now)} where finished_at < '2040-01-01';
    update public.product_changes set at = ${at(now)} where at < '2040-01-01'`);
const edit = async (): Promise<number> => {
  await database.insertProduct();
  await stamp();
  return (await database.unpublished(0)).version;
};
const request = (by: 'admin' | 'auto', live: number, budget: number | null = 60) =>
  database.value<number | null>(
    `select private.request_build_at(${at(now)}, $1, $2, 600, $3)`,
    by,
    live,
    budget,
  );
const report = async (id: string, state: string): Promise<void> => {
  await database.recordDeploy(id, state);
  await stamp();
};
/** Deploys at each of these minutes: requested here, or reported of nobody here. */
const deploys = (minutes: readonly number[], by: 'admin' | 'deploy' = 'admin'): Promise<unknown> =>
  database.run(
    minutes
      .map(
        (minute) =>
          `insert into public.builds (requested_at, requested_by, state) values (${at(minute)}, '${by}', 'published')`,
      )
      .join(';'),
  );
/** When the budget allows the next automatic build, in minutes; 0 or less when it allows one at the start. */
const allowedAt = (budget: number): Promise<number> =>
  database.value(
    `select round(extract(epoch from greatest(private.budget_allows_at(${at(now)}, $1), ${firstMidnight}) - (${firstMidnight})) / 60)::int`,
    budget,
  );

beforeEach(async () => {
  await database.run(
    'delete from public.builds; delete from public.products; delete from public.product_changes',
  );
  now = 0;
});

describe('reports of deploys that nobody requested here', () => {
  test('take a build of their day', async () => {
    await deploys([60]);
    await deploys([70], 'deploy');
    now = 120;
    expect(await allowedAt(60)).toBe(day);
  });

  test('are forged without end, and a change is published within three days all the same', async () => {
    await deploys(
      Array.from({ length: 30 * 24 }, (_, hour) => hour * 60),
      'deploy',
    );
    const built: number[] = [];
    for (let live = 0; now < 30 * day; now += 4 * 60) {
      await edit();
      now += 10;
      if ((await request('auto', live)) !== null) built.push(now);
      await database.run(`update public.builds set state = 'published' where state = 'requested'`);
      live = (await database.unpublished(0)).version;
    }
    const waits = built.map((minute, index) => minute - (built[index - 1] ?? 0));
    expect(built.length).toBeGreaterThanOrEqual(18);
    expect(Math.max(...waits, 30 * day - (built.at(-1) ?? 0))).toBeLessThan(3 * day);
  });
});

test('a review that is withdrawn waits for no budget and no quiet time, and one build takes all of them', async () => {
  const withdraw = async (): Promise<void> => {
    await database.run(`insert into public.product_changes (version, product_id, name, kind, withdraws)
      select private.next_catalogue_version(), id, name, 'changed', true from public.products`);
    await stamp();
  };
  await edit();
  await deploys([10, 20, 30, 40, 50, 60]);
  now = 5 * day;
  const live = await edit();
  now += 20;
  // Six deploys a month are used up.
  expect(await request('auto', live - 1, 6)).toBeNull();
  await withdraw();
  expect(await request('auto', live - 1, 6)).not.toBeNull();
  await withdraw();
  now += 5;
  // A build is under way; the next one comes after it.
  expect(await request('auto', live - 1, 6)).toBeNull();
  now += 15;
  expect(await request('auto', live - 1, 6)).not.toBeNull();
  await database.run(`update public.builds set state = 'published' where state = 'requested'`);
  now += 20;
  expect(await request('auto', (await database.unpublished(0)).version, 6)).toBeNull();
});

describe('the share of a day', () => {
  test('is the rest of the budget divided by the days that are left, today among them', async () => {
    expect(await allowedAt(60)).toBeLessThanOrEqual(now);
    await deploys([60]);
    now = 120;
    expect(await allowedAt(60)).toBeLessThanOrEqual(now);
    await deploys([110]);
    expect(await allowedAt(60)).toBe(day);
  });

  test('carries on what was not used', async () => {
    now = 20 * day;
    await deploys([1, 2, 3, 4, 5].map((minute) => now + minute));
    now += 30;
    // 60 are left for 10 days: six a day.
    expect(await allowedAt(60)).toBeLessThanOrEqual(now);
    await deploys([now]);
    expect(await allowedAt(60)).toBe(21 * day);
  });

  test('is not used up by a build that failed: the next attempt need not wait for tomorrow', async () => {
    now = 20 * day;
    await deploys([1, 2, 3, 4, 5, 6].map((minute) => now + minute));
    await database.run(
      `update public.builds set state = 'failed' where id = (select max(id) from public.builds)`,
    );
    now += 30;
    // 65 are left for 10 days: six a day.
    expect(await allowedAt(65)).toBeLessThanOrEqual(now);
  });

  test('under one build is a wait of days after the last deploy', async () => {
    await deploys(Array.from({ length: 50 }, (_, index) => index * 10));
    now = day;
    // On the fourth day 10 are left for 27 days: a build 2.7 days after the last one.
    expect(await allowedAt(60)).toBe(490 + 2.7 * day);
  });

  test('is nothing when the budget is used up, until the next month', async () => {
    await deploys(Array.from({ length: 60 }, (_, index) => index * 10));
    now = 12 * day;
    expect(await allowedAt(60)).toBe(30 * day);
    await edit();
    now += 60;
    expect(await request('auto', 0)).toBeNull();
    expect(await request('admin', 0)).not.toBeNull();
    now = 30 * day + 1;
    await report('late', 'failed');
    now += 31;
    expect(await request('auto', 0)).not.toBeNull();
  });

  test('does not exist without a budget', async () => {
    await deploys(Array.from({ length: 99 }, (_, index) => index * 10));
    now = 2 * day;
    await edit();
    now += 11;
    expect(await request('auto', 0, null)).not.toBeNull();
  });
});
