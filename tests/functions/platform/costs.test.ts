import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import sweepEndpoint from '../../../netlify/functions/payment-sweep.ts';
import verifyEndpoint from '../../../netlify/functions/payment-verify.ts';
import { seller } from '../../../src/settings/seller.ts';
import { eachRow } from '../../each-row.ts';
import { setAdminPassword } from '../admin/admin-client.ts';
import { useStack } from '../support/stack.ts';
import { openCostDrivers, type Limit } from './cost-drivers.ts';

/*
 * The table of docs/security.md, "What a stranger can cost the shop": each row is driven from many identities through every door
 * that leads to its effect, and what happened is compared with the row. The numbers of the tested row are made small, and all
 * others large, so that one limit at a time decides.
 */
const stack = await useStack();
await setAdminPassword();
const costs = await openCostDrivers(stack);
const { drivers, held, nextCaller, order, placed, form } = costs;
const limits = await stack.sql<Limit>(
  'select effect, scope, seconds, most from public.cost_limits order by effect, scope, seconds',
);

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
          const [, most = '', count = '', unit = ''] =
            /^(\d+) (?:stored|in (\d+) (min|h|days?))$/u.exec(part) ?? [];
          const seconds = unit === '' ? 0 : Number(count) * units[unit as keyof typeof units];
          return `${effect} ${scopes[index] ?? ''} ${String(seconds)} ${most}`;
        }),
    ),
  );
  expect(shown.length).toBeGreaterThan(15);
  expect(documented.sort()).toEqual(
    limits
      .map(
        ({ effect, scope, seconds, most }) =>
          `${effect} ${scope} ${String(seconds)} ${String(most)}`,
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
          // An order's own form: otherwise nobody ordered with this address.
          await stack.sql(
            'update public.orders set customer_email = $1',
            limit.effect === 'order_form' && limit.scope === 'account'
              ? 'anjali@example.com'
              : 'x@example.com',
          );
          await setMost(limit, small);
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
        // Once everybody together reached it, each further network may hold for three minutes.
        expect(seconds).toBeLessThanOrEqual(most + (limit.scope === 'all' ? 5 * 180 : 0));
      }
    });
  }
});

test('the sweep sets the share of mails to the number of the shop’s settings', async () => {
  await stack.call(sweepEndpoint, '/.netlify/functions/payment-sweep', { method: 'POST' });
  const shares = await stack.column<number>(
    `select most from public.cost_limits where effect in ('mail_to_stranger', 'mail_to_admin') order by most desc`,
  );
  const summaries = 4;
  expect(shares.reduce((sum, most) => sum + most, summaries)).toBe(
    seller.mails.fromStrangersPerDay,
  );
});

test('a flood of strangers through every form leaves the mails of an order their room', async () => {
  await stack.call(sweepEndpoint, '/.netlify/functions/payment-sweep', { method: 'POST' });
  for (let round = 0; round < 25; round += 1)
    for (const which of ['contact', 'newsletter', 'alert'] as const)
      await form(await nextCaller('all', 'ipv6'), which);
  const caused = await stack.value<number>(
    `select count(*)::int from public.outbox where kind <> 'push'`,
  );
  expect(caused).toBeGreaterThan(Math.min(40, seller.mails.fromStrangersPerDay / 2));
  expect(caused).toBeLessThanOrEqual(seller.mails.fromStrangersPerDay);
  const caller = await nextCaller('all', 'ipv6');
  const { number, razorpay } = await placed(caller);
  await stack.post(verifyEndpoint, '/api/payment/verify', stack.razorpay.pay(razorpay), {
    token: caller.customer.token,
  });
  expect(
    await stack.value(
      `select count(*)::int from public.outbox where order_id = $1 and kind in ('order_confirmation', 'order_notice')`,
      number,
    ),
  ).toBe(2);
});
