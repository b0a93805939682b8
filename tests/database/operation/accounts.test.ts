import { beforeEach, describe, expect, test } from 'vitest';
import { sqlState } from '#tests/database/support/database.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { eachRow } from '#tests/each-row.ts';
import { reportFigures } from '#tests/figures.ts';

const database = await useDatabase();

const profileOf = (id: string): Promise<Record<string, unknown>> =>
  database.one('select * from public.profiles where id = $1', id);

function signUp(metadata: unknown, email = `${crypto.randomUUID()}@example.com`): Promise<string> {
  const sql =
    'insert into auth.users (email, raw_user_meta_data) values ($1, $2::jsonb) returning id';
  return database.value(sql, email, metadata === undefined ? null : JSON.stringify(metadata));
}

describe('a profile', () => {
  test('is named by the metadata of the account, cut to 100 characters, or by nothing', () =>
    eachRow(
      [
        [{ full_name: 'Nila Das', name: 'Nila' }, 'Nila Das'],
        [{ full_name: ' ', name: ' Nila ' }, 'Nila'],
        [{ full_name: { first: 'Nila' }, name: 7 }, null],
        [{ full_name: 'x'.repeat(5_000) }, 'x'.repeat(100)],
        ['Nila', null],
        [undefined, null],
      ],
      async ([metadata, name]) => {
        expect(await profileOf(await signUp(metadata))).toMatchObject({ full_name: name });
      },
    ));

  test('goes with its account, whose orders stay for the books', async () => {
    const id = await database.addCustomer();
    const order = await database.placeOpen(id, [
      { product_id: await database.addProduct(), quantity: 1 },
    ]);
    const profiles = () => database.query('select 1 from public.profiles where id = $1', id);
    expect(await profiles()).toHaveLength(1);
    await database.query('delete from auth.users where id = $1', id);
    expect(await profiles()).toEqual([]);
    expect(await database.value('select user_id from public.orders where id = $1', order.id)).toBe(
      null,
    );
  });
});

describe('the address of an account', () => {
  const ways: readonly [string, string][] = [
    ['the requested address', `email_change = 'victim@firm.example'`],
    ['the confirmed change', `email = 'victim@firm.example', email_change = ''`],
    [
      'the change that also unconfirms it',
      `email = 'victim@firm.example', email_confirmed_at = null`,
    ],
    ['the removal of the address', 'email = null'],
    ['another spelling', `email = upper(email)`],
  ];

  test('cannot change, neither as a request nor as its confirmation', () =>
    eachRow(ways, async ([, change]) => {
      const id = await database.addCustomer();
      const before = await database.one('select * from auth.users where id = $1', id);
      await expect(
        database.query(`update auth.users set ${change} where id = $1`, id),
      ).rejects.toMatchObject({ code: '42501' });
      expect(await database.one('select * from auth.users where id = $1', id)).toEqual(before);
    }));

  test('cannot be given to an anonymous account, which signs in without one', async () => {
    const id = await database.value<string>(
      'insert into auth.users (email) values (null) returning id',
    );
    await expect(
      database.query(`update auth.users set email = 'victim@firm.example' where id = $1`, id),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

test('confirming an address removes an earlier password; the owner of the address chooses a new one', async () => {
  const id = await database.value<string>(
    `insert into auth.users (email, encrypted_password) values ('registered@example.com', 'of-a-stranger') returning id`,
  );
  const password = (): Promise<string | null> =>
    database.value('select encrypted_password from auth.users where id = $1', id);
  await database.run(
    `update auth.users set email_confirmed_at = now() where email = 'registered@example.com'`,
  );
  expect(await password()).toBeNull();
  await database.query(
    `update auth.users set encrypted_password = 'of-the-owner' where id = $1`,
    id,
  );
  await database.query('update auth.users set email_confirmed_at = now() where id = $1', id);
  expect(await password()).toBe('of-the-owner');
});

describe('orders without an account', () => {
  let sequence = 0;
  let address = '';
  const importOrder = (email: string): Promise<unknown> =>
    database.query(
      `insert into public.orders (merchant_transaction_id, customer_email, status, total_amount) values ($1, $2, 'success', 10)`,
      `OLD-${String((sequence += 1))}`,
      email,
    );
  /** How many orders the account with this row and this token sees. */
  async function seen(
    row: { email: string | null; confirmed: boolean; metadata?: object },
    claims: object = {},
  ): Promise<number> {
    const sql = `insert into auth.users (email, email_confirmed_at, raw_user_meta_data) values ($1, $2, $3::jsonb) returning id`;
    const at = row.confirmed ? '2026-01-01' : null;
    const id = await database.value<string>(sql, row.email, at, JSON.stringify(row.metadata ?? {}));
    return (
      await database.as(
        { role: 'authenticated', claims: { sub: id, ...claims } },
        'select id from public.orders',
      )
    ).length;
  }
  beforeEach(async () => {
    address = `victim-${String((sequence += 1))}@example.com`;
    await importOrder(address);
  });

  test('are seen by whoever proved the address, in any case of letters', async () => {
    expect(await seen({ email: address, confirmed: true })).toBe(1);
    await importOrder(address.toUpperCase());
    expect(await seen({ email: `V${address.slice(1)}`, confirmed: true })).toBe(2);
  });

  test('an order that has an account is not matched by address', async () => {
    const owner = await database.addCustomer();
    await database.placeOpen(owner, [{ product_id: await database.addProduct(), quantity: 1 }], {
      details: { email: 'shared@example.com' },
    });
    expect(await seen({ email: 'shared@example.com', confirmed: true })).toBe(0);
  });

  /** Ways to claim the address: the account's row, and what its token claims besides. */
  const claimed = (): [string, Parameters<typeof seen>[0], object?][] => {
    const [name = '', domain = ''] = address.split('@');
    const of = (email: string | null, metadata = {}) => ({ email, confirmed: true, metadata });
    const other = (metadata = {}) => of(`thief-${String((sequence += 1))}@example.com`, metadata);
    const proof = { email: address, email_verified: true };
    return [
      ['an address not confirmed', { email: address, confirmed: false }],
      ['one not confirmed, in capitals', { email: address.toUpperCase(), confirmed: false }],
      [
        'one not confirmed, the token says confirmed',
        { email: address.replace('v', 'V'), confirmed: false },
        proof,
      ],
      ['a token with another address', other(), { email: address }],
      ['one and its proof', other(), { ...proof, email_confirmed_at: '2026-01-01' }],
      ['user metadata in the row', other(proof)],
      ['user metadata in the token', other(), { user_metadata: proof }],
      ['app metadata in the token', other(), { app_metadata: { email: address } }],
      ['a space before', of(` ${address}`)],
      ['a space after', of(`${address} `)],
      ['a line break after', of(`${address}\n`)],
      ['a tag', of(`${name}+tag@${domain}`)],
      ['dots in the name', of(`v.${name.slice(1)}@${domain}`)],
      ['a longer domain', of(`${address}.evil.test`)],
      ['a look-alike letter', of(address.replace('i', 'і'))],
      ['a wildcard', of('%@example.com')],
      ['one wildcard letter', of(address.replace('v', '_'))],
      ['a quoted name', of(`"${name}"@${domain}`)],
      ['an empty address', of('')],
      ['no address', of(null)],
      ['a stranger as subject', other(), { sub: crypto.randomUUID(), email: address }],
    ];
  };

  test('twenty-one other ways to claim an address show nothing', async () => {
    const ways = claimed();
    expect(ways).toHaveLength(21);
    const results: [string, number][] = [];
    for (const [way, row, claims] of ways) results.push([way, await seen(row, claims)]);
    reportFigures(11, {
      ways: ways.length,
      'foreign rows': results.reduce((sum, [, count]) => sum + count, 0),
    });
    expect(results.filter(([, count]) => count !== 0)).toEqual([]);
  });

  test('an order without an address belongs to nobody', async () => {
    await database.run(`insert into public.orders (merchant_transaction_id) values ('OLD-none')`);
    expect(await seen({ email: null, confirmed: true })).toBe(0);
  });

  test('a visitor or a token without a subject is refused or sees nothing', async () => {
    expect(await sqlState(database.as({ role: 'anon' }, 'select id from public.orders'))).toBe(
      '42501',
    );
    expect(await database.as({ role: 'authenticated' }, 'select id from public.orders')).toEqual(
      [],
    );
  });
});
