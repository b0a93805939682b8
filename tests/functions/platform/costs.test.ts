import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import verifyEndpoint from '#netlify/functions/payment-verify.ts';
import { seller } from '#settings/seller.ts';
import { eachRow } from '#tests/each-row.ts';
import { isCodeSent } from '#tests/functions/account/auth-hook.ts';
import { setAdminPassword } from '#tests/functions/admin/admin-client.ts';
import { useStack } from '#tests/functions/support/stack.ts';
import type { Limit } from './cost-callers.ts';
import { openCostDrivers } from './cost-drivers.ts';

/*
 * The table of docs/security.md, "What a stranger can cost the shop": each row is driven from many identities through every door
 * that leads to its effect, and what happened is compared with the row. The numbers of the tested row are made small, and all
 * others large, so that one limit at a time decides.
 */
const stack = await useStack();
await setAdminPassword();
const costs = await openCostDrivers(stack);
const { drivers, nextCaller, order, placed, form } = costs;
const limits = await stack.sql<Limit>(
  'select effect, scope, seconds, most, refills from public.cost_limits order by effect, scope, seconds',
);

/** Effects in seconds: their driver holds stock, and the sum of the promised seconds is compared. */
const held: Readonly<Record<string, () => Promise<number>>> = {
  unpaid_hold: () =>
    stack.value(`select coalesce(sum(extract(epoch from least(released_at, hold_expires_at) - created_at)), 0)::int
    from public.orders where payment_id is null`),
  last_unit: () =>
    stack.value(
      `select coalesce(sum(extract(epoch from least(released_at, hold_expires_at) - created_at)), 0)::int
     from public.orders where payment_id is null and last_units @> array[$1]`,
      costs.lastUnit(),
    ),
  last_units: () =>
    stack.value(`select coalesce(sum(cardinality(last_units) * extract(epoch from least(released_at, hold_expires_at) - created_at)), 0)::int
    from public.orders where payment_id is null`),
};

beforeEach(costs.prepare);

const setMost = ({ effect, scope, seconds }: Limit, most: number): Promise<unknown> =>
  stack.sql(
    'update public.cost_limits set most = $4 where effect = $1 and scope = $2 and seconds = $3',
    effect,
    scope,
    seconds,
    most,
  );
const titleOf = ({ effect, scope, seconds }: Limit): string =>
  `${effect}, ${scope}, ${String(seconds)} s`;

test('docs/security.md shows every limit of the database, and no other', async () => {
  const page = await readFile(new URL('../../../docs/security.md', import.meta.url), 'utf8');
  const scopes = ['account', 'phone', 'network', 'shared', 'all'] as const;
  const shown = [
    ...page.matchAll(/^\| `(\w+)` \|[^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|/gmu),
  ];
  const units = { min: 60, h: 3_600, day: 86_400, days: 86_400 } as const;
  const documented = shown.flatMap(([, effect = '', ...cells]) =>
    cells.flatMap((cell, index) =>
      cell
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .map((part) => {
          const [, most = '', refills = '', count = '', unit = ''] =
            /^(\d+) (?:stored|(?:in|(over)) (\d+) (min|h|days?))$/u.exec(part) ?? [];
          const seconds = unit === '' ? 0 : Number(count) * units[unit as keyof typeof units];
          return `${effect} ${scopes[index] ?? ''} ${String(seconds)} ${most} ${String(refills !== '')}`;
        }),
    ),
  );
  expect(shown.length).toBeGreaterThan(15);
  expect(documented.sort()).toEqual(
    limits
      .map(
        ({ effect, scope, seconds, most, refills }) =>
          `${effect} ${scope} ${String(seconds)} ${String(most)} ${String(refills)}`,
      )
      .sort(),
  );
});

test('every effect has a driver, and every driver an effect', () => {
  const effects = [...new Set(limits.map(({ effect }) => effect))].sort();
  expect([...Object.keys(drivers), ...Object.keys(held)].sort()).toEqual(effects);
});

describe('whatever door many identities take, the shop spends no more than', () => {
  const small = 2;
  const counted = limits.filter(({ effect }) => effect in drivers);
  for (const limit of counted) {
    test(titleOf(limit), async () => {
      const driver = drivers[limit.effect];
      if (!driver) throw new Error(`No driver: ${limit.effect}`);
      const kinds = limit.scope === 'shared' ? (['ipv4', 'ipv6'] as const) : (['ipv6'] as const);
      await eachRow(
        kinds.map((kind) => [kind] as const),
        async ([kind]) => {
          await stack.sql('delete from public.costs');
          await stack.sql('delete from public.refunds');
          await stack.sql('delete from public.form_entries');
          await stack.sql(
            `update public.orders set hold_state = 'released', status = 'FAILED', network = null where cash_paise > 0`,
          );
          // Half of a share that refills is there at once.
          await setMost(limit, limit.refills ? small * 2 : small);
          let happened = 0;
          const doors = Object.values(driver.doors);
          for (let round = 0; round < small + 1; round += 1)
            for (const door of doors)
              happened += (await door(await nextCaller(limit.scope, kind))) === true ? 1 : 0;
          expect(driver.count ? await driver.count() : happened).toBe(small);
        },
      );
    });
  }
});

describe('whoever holds stock without paying holds it no longer than', () => {
  for (const limit of limits.filter(({ effect }) => effect in held)) {
    test(titleOf(limit), async () => {
      const most = 1_000;
      await stack.sql('delete from public.orders');
      await setMost(limit, most);
      const kinds = limit.scope === 'shared' ? (['ipv4', 'ipv6'] as const) : (['ipv6'] as const);
      for (const kind of kinds) {
        await stack.sql('delete from public.orders');
        await stack.sql('update public.products set stock = 1 where id = $1', costs.lastUnit());
        for (let turn = 0; turn < 6; turn += 1) {
          const caller = await nextCaller(limit.scope, kind);
          await order(caller, costs.lastUnit());
          // The hold ends, and time passes in which nobody looks.
          await stack.sql(`update public.orders set created_at = created_at - interval '16 minutes',
            hold_expires_at = hold_expires_at - interval '16 minutes', released_at = released_at - interval '16 minutes'`);
        }
        const seconds = (await held[limit.effect]?.()) ?? Infinity;
        expect(seconds).toBeGreaterThan(800);
        // Each further network may hold for three minutes once everybody together has reached the limit.
        expect(seconds).toBeLessThanOrEqual(most + (limit.scope === 'all' ? 5 * 180 : 0));
      }
    });
  }
});

test('the sweep sets the shares of mails to the number of the shop’s settings', async () => {
  await stack.sweep();
  const most = (effect: string): Promise<number> =>
    stack.value('select most from public.cost_limits where effect = $1', effect);
  const perDay = seller.mails.fromStrangersPerDay;
  expect([
    await most('stranger_mail'),
    await most('cash_mail'),
    await most('customer_mail'),
  ]).toEqual([perDay, perDay, Math.floor(perDay / 2)]);
});

test('a flood of strangers through every door leaves their codes to customers, and their room to the mails of orders', async () => {
  const perDay = 60;
  await stack.sql('select public.note_sweep($1)', perDay);
  const asStranger = async (action: 'signup' | 'recovery'): Promise<boolean> => {
    const { ip } = await nextCaller('all', 'ipv6');
    return isCodeSent(
      stack,
      { customer: { id: crypto.randomUUID(), email: 'x@x.example' }, ip },
      action,
    );
  };
  let codes = 0;
  for (let round = 0; round < 25; round += 1) {
    for (const which of ['contact', 'newsletter', 'alert'] as const)
      await form(await nextCaller('all', 'ipv6'), which);
    for (const action of ['signup', 'recovery'] as const)
      codes += (await asStranger(action)) ? 1 : 0;
  }
  const queued = await stack.value<number>(
    `select count(*)::int from public.outbox where kind not in ('push', 'admin_alert')`,
  );
  expect(codes).toBeGreaterThan(0);
  expect(codes + queued).toBe(perDay / 2);
  const alerts = await stack.sql<{ topic: string; mails: number }>(
    `select payload ->> 'topic' as topic, count(*)::int as mails from public.outbox
     where kind = 'admin_alert' group by 1 order by 1`,
  );
  expect(alerts.map(({ topic }) => topic)).toEqual(['mails_used_up', 'many_messages']);
  // One in six hours of the clock, and the test may run into the next ones.
  expect(Math.max(...alerts.map(({ mails }) => mails))).toBeLessThanOrEqual(2);
  expect(await stack.value(`select public.shop_health() ->> 'mails_used_up'`)).toBe('true');

  const caller = await nextCaller('all', 'ipv6');
  const { number, razorpay } = await placed(caller);
  expect(await isCodeSent(stack, caller, 'recovery')).toBe(false);
  await stack.post(verifyEndpoint, '/api/payment/verify', stack.razorpay.pay(razorpay), {
    token: caller.customer.token,
  });
  expect(await isCodeSent(stack, caller, 'recovery')).toBe(true);
  expect(
    await stack.value(
      `select count(*)::int from public.outbox where order_id = $1 and kind in ('order_confirmation', 'order_notice')`,
      number,
    ),
  ).toBe(2);
});
