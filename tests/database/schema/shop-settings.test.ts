import { beforeEach, expect, test } from 'vitest';
import { sqlSettings } from '#settings/sql-settings.ts';
import { settingsStatement } from '#tests/write-settings.ts';
import { eachRow } from '#tests/each-row.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { newPaymentId, type PaidOrder } from '#tests/database/support/shop-database.ts';

/* What SQL knows of a shop: the prefixes of its numbers. None of these is the shop's own. */
const database = await useDatabase();

const set = (order: string, invoice: string, creditNote: string): Promise<boolean> =>
  database.value('select public.set_shop_settings($1, $2, $3)', order, invoice, creditNote);
const former = (): Promise<string[]> =>
  database.value('select former_order_prefixes from public.shop_settings');
const isOwn = (reference: string): Promise<boolean> =>
  database.value('select public.is_own_reference($1)', reference);
const buy = async (): Promise<PaidOrder> =>
  database.buy([{ product_id: await database.addProduct({ stock: 10 }), quantity: 1 }]);
const invoiceOf = async ({ id }: { id: number }): Promise<string> => {
  await database.assignInvoice(id);
  return database.value('select invoice_number from public.orders where id = $1', id);
};
const serialOf = (number: string): number => Number(number.split('/')[2]);

beforeEach(async () => {
  await database.run('truncate public.orders, public.shop_settings cascade');
  await set('AAA', 'AA', 'AC');
});

test('a prefix has one to three capital letters or digits, and each series its own', () =>
  eachRow(
    [
      ['', 'AA', 'AC'],
      ['AAAA', 'AA', 'AC'],
      ['aa', 'AA', 'AC'],
      ['A-', 'AA', 'AC'],
      ['AAA', 'AAAA', 'AC'],
      ['AAA', 'AA', ''],
      ['AAA', 'AA', 'AA'],
    ] as const,
    async ([order, invoice, note]) => {
      expect(await sqlState(set(order, invoice, note))).toBe('23514');
    },
  ));

test('an order and its replacement begin with the prefix, and both are recognised after it has changed', async () => {
  const order = await buy();
  expect(order.merchant_transaction_id).toMatch(/^AAA-\d+-[\da-f]{6}$/u);
  const placed = await database.value<{ order_id: number }>(
    `select private.replace_items(o, jsonb_build_object(o.items -> 0 ->> 'product_id', 1), gen_random_uuid())
     from public.orders o where id = $1`,
    order.id,
  );
  const { merchant_transaction_id: replacement } = await database.orderRow(placed.order_id);
  expect(replacement).toMatch(/^AAA-/u);
  await set('B2', 'AA', 'AC');
  expect((await buy()).merchant_transaction_id).toMatch(/^B2-/u);
  expect(await former()).toEqual(['AAA']);
  for (const own of [order.merchant_transaction_id, 'AAA-99999-lost', 'B2-1-x'])
    expect(await isOwn(own)).toBe(true);
  for (const other of ['CCC-1001-ab12cd', 'AAAA-1', 'B2', 'b2-1', '', 'AA-1'])
    expect(await isOwn(other)).toBe(false);
});

test('after a restore without settings the prefixes are those of the orders', async () => {
  const { merchant_transaction_id: reference } = await buy();
  await database.run('delete from public.shop_settings where true');
  await set('BBB', 'AA', 'AC');
  expect([await former(), await isOwn(reference)]).toEqual([['AAA'], true]);
});

test('numbers of documents go on after a change of the prefix: none twice, none left out', async () => {
  const orders = [await buy(), await buy(), await buy()];
  const [first, second, third] = orders;
  if (!first || !second || !third) throw new Error('No orders');
  const numbers = [await invoiceOf(first)];
  await set('AAA', 'BBB', 'BC');
  numbers.push(await invoiceOf(second));
  await set('AAA', 'AA', 'AC');
  numbers.push(await invoiceOf(third));
  expect(numbers.map((number) => number.split('/')[0])).toEqual(['AA', 'BBB', 'AA']);
  const start = serialOf(numbers[0] ?? '');
  expect(numbers.map(serialOf)).toEqual([start, start + 1, start + 2]);
  expect(await invoiceOf(first)).toBe(numbers[0]);

  await set('AAA', 'AA', 'BC');
  await database.query(
    `select public.request_refund($1, gen_random_uuid(), 100, 'A scratch', '{}')`,
    first.id,
  );
  const refund = await database.value<number>(
    `select (public.claim_refunds(1, 60) ->> 'id')::bigint as refund`,
  );
  await database.query(
    'select public.finish_refund($1, $2, null, true)',
    refund,
    newPaymentId().replace('pay_', 'rfnd_'),
  );
  expect(
    await database.value(`select public.issue_credit_note($1, '{}', 0) ->> 'number'`, refund),
  ).toMatch(/^BC\/\d{4}-\d{2}\/\d{4}$/u);
});

test('after a restore a number of any prefix is taken, but for that of the other series', async () => {
  const after = (invoice: string) =>
    sqlState(database.query('select public.after_restore(now(), 1, $1, null)', invoice));
  expect(await after('ZZ/2031-32/0041')).toBe('none');
  expect(
    await database.value(
      `select last_serial from public.document_counters where financial_year = '2031-32'`,
    ),
  ).toBe(41);
  expect(await after('AC/2031-32/0042')).toBe('22023');
});

test('a deploy and the embedded stack write the settings of this shop', async () => {
  await database.run(settingsStatement);
  expect(await database.one('select * from public.shop_settings')).toMatchObject(sqlSettings);
});
