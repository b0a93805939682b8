import { beforeEach, describe, expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

/* The provider counts mails: those of strangers are one share, whatever their kind, which refills by the hour. */
const database = await useDatabase();
const ring = await database.addProduct({ stock: 1_000 });

const setMost = (most: number): Promise<unknown> =>
  database.query(`select public.note_sweep($1)`, most);
beforeEach(async () => {
  await database.run('truncate public.costs, public.outbox, public.subscribers');
  await setMost(24);
});

const subscribe = async (): Promise<string> => {
  const email = `${crypto.randomUUID()}@example.org`;
  return database.value(`select public.subscribe($1, 'Yes') ->> 'outcome'`, email);
};
/** Subscribes as often as it is allowed; says how often that was. */
async function fill(): Promise<number> {
  for (let count = 0; ; count += 1) if ((await subscribe()) !== 'asked') return count;
}
const pass = (minutes: number): Promise<unknown> =>
  database.query(`update public.costs set at = at - $1 * interval '1 minute' where true`, minutes);
const code = (account: string): Promise<boolean> =>
  database.value('select public.count_code_mail($1, $2)', account, `64:${crypto.randomUUID()}`);
const alerts = (): Promise<string[]> =>
  database.column(`select payload ->> 'topic' from public.outbox where kind = 'admin_alert'`);

test('half of a day’s mails is there at once, and the rest comes evenly over the day', async () => {
  expect(await fill()).toBe(12);
  expect(await alerts()).toEqual(['mails_used_up']);
  const later: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await pass(241);
    later.push(await fill());
  }
  expect(later).toEqual([2, 2, 2, 2, 2]);
  await pass(24 * 60);
  expect(await fill()).toBe(12);
});

test('a mail of a kind that nobody thought of counts, and is refused when no mail is left', async () => {
  const insert = (): Promise<unknown> =>
    database.query(
      `insert into public.outbox (kind, recipient, dedupe_key) values ('new_kind', 'd@example.org', gen_random_uuid())`,
    );
  await insert();
  expect(await fill()).toBe(11);
  expect(await sqlState(insert())).toBe('KS003');
});

test('mails of an order count from nobody’s share once somebody paid it, and as a stranger’s before', async () => {
  const open = await database.openOrder(ring);
  const paid = await database.buy([{ product_id: ring, quantity: 1 }]);
  await fill();
  const mail = (id: number): Promise<unknown> =>
    database.query(
      `insert into public.outbox (kind, recipient, order_id, dedupe_key) values ('reminder', 'd@example.org', $1, gen_random_uuid())`,
      id,
    );
  expect(await sqlState(mail(open.id))).toBe('KS003');
  await mail(paid.id);
  expect(await database.markPaid(open)).toBe('paid');
  await mail(open.id);
});

test('a mail that a restore records as sent counts nothing', async () => {
  const open = await database.openOrder(ring);
  await fill();
  await database.query(
    `insert into public.outbox (kind, order_id, dedupe_key, sent_at) values ('order_confirmation', $1, gen_random_uuid(), now())`,
    open.id,
  );
  expect(await database.value('select count(*)::int from public.costs')).toBe(12);
});

describe('when no mail is left for strangers', () => {
  test('every door refuses with its own word, and a message is kept for the inbox', async () => {
    const customer = await database.addCustomer();
    const soldOut = await database.addProduct({ stock: 0 });
    await fill();
    const doors: readonly (readonly [string, string, unknown])[] = [
      ['newsletter', `select public.subscribe('new@example.org', 'Yes') ->> 'outcome'`, 'later'],
      [
        'stock alert',
        `select public.ask_stock_alert('${soldOut}', null, 'new@example.org') ->> 'outcome'`,
        'later',
      ],
      ['deletion', `select public.ask_account_deletion('${customer}') ->> 'outcome'`, 'later'],
      ['code', `select public.count_code_mail('${customer}', 'ip:a')`, false],
    ];
    await eachRow(doors, async ([, call, outcome]) => {
      expect(await database.value(call)).toEqual(outcome);
    });
    await database.query(`select public.save_contact_message('D', 'd@example.org', '', 'Hello')`);
    expect((await alerts()).sort()).toEqual(['mails_used_up', 'many_messages']);
    expect(await database.value(`select public.shop_health() ->> 'mails_used_up'`)).toBe('true');
  });

  test('accounts that have bought get codes from a share of their own, until that is used up as well', async () => {
    const stranger = await database.addCustomer();
    const customers: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const customer = await database.addCustomer();
      await database.markPaid(
        await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]),
      );
      customers.push(customer);
    }
    await fill();
    expect(await code(stranger)).toBe(false);
    const answers: boolean[] = [];
    for (let round = 0; round < 9; round += 1) answers.push(await code(customers[round % 3] ?? ''));
    expect(answers.filter(Boolean)).toHaveLength(6);
    expect(await alerts()).toEqual(['mails_used_up', 'mails_used_up']);
    await pass(4 * 60 + 1);
    expect(await code(customers[0] ?? '')).toBe(true);
  });

  test('an account whose order was refunded in full is a stranger again', async () => {
    const customer = await database.addCustomer();
    const order = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
    await database.markPaid(order);
    await database.cancelOwn(customer, order.id, true);
    await database.run(
      `update public.orders set payment_status = 'REFUNDED' where fulfilment = 'cancelled'`,
    );
    await fill();
    expect(await code(customer)).toBe(false);
  });
});

describe('one network', () => {
  const networkCode = async (network: string): Promise<boolean> =>
    database.value(
      'select public.count_code_mail($1, $2)',
      await database.addCustomer(),
      `ip:${network}`,
    );
  const until = async (call: () => Promise<boolean>): Promise<number> => {
    for (let count = 0; ; count += 1) if (!(await call())) return count;
  };

  test('gets half of the codes that are left, the next one half of the rest, and others get theirs', async () => {
    await setMost(60);
    await database.run(
      `update public.cost_limits set most = 1000 where effect = 'code_mail' and scope = 'shared'`,
    );
    // Refilling gives a little more than the half of thirty.
    expect(await until(() => networkCode('a'))).toBe(16);
    for (let guest = 0; guest < 5; guest += 1)
      expect(await networkCode(`guest${String(guest)}`)).toBe(true);
    expect(await until(() => networkCode('b'))).toBe(5);
    expect(await networkCode('another')).toBe(true);
    await database.run(
      `update public.cost_limits set most = 30 where effect = 'code_mail' and scope = 'shared'`,
    );
  });

  test('sends no more forms than would leave half of the mails to others', async () => {
    await setMost(60);
    const form = async (): Promise<boolean> =>
      (await database.value<boolean>(`select public.count_cost('form_try', null, 'ip:a')`)) &&
      (await subscribe()) === 'asked';
    expect(await until(form)).toBe(16);
    expect(
      await database.value<boolean>(`select public.count_cost('form_try', null, 'ip:b')`),
    ).toBe(true);
  });
});

test('no key of a caller has more than half of what all have', async () => {
  const limits = await database.query<{
    effect: string;
    scope: string;
    seconds: number;
    most: number;
  }>('select effect, scope, seconds, most from public.cost_limits');
  const compared: string[] = [];
  for (const all of limits.filter(({ scope }) => scope === 'all')) {
    const scopes = ['account', 'phone', 'network', 'shared'];
    for (const scope of scopes) {
      // What one key can use in the window of all: its tightest row decides. What is stored has no window.
      const uses = limits
        .filter((row) => row.effect === all.effect && row.scope === scope)
        .filter(({ seconds }) => all.seconds === 0 || seconds > 0)
        .map(({ seconds, most }) =>
          all.seconds === 0 || seconds === 0 ? most : most * Math.max(1, all.seconds / seconds),
        );
      if (uses.length === 0) continue;
      compared.push(all.effect);
      expect([all.effect, scope, Math.min(...uses) <= all.most / 2]).toEqual([
        all.effect,
        scope,
        true,
      ]);
    }
  }
  expect(new Set(compared).size).toBeGreaterThan(6);
});
