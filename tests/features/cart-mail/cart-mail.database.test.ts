import { beforeEach, describe, expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { customerDetails, type OpenOrder } from '#tests/database/support/shop-database.ts';

/* Mails about carts that were left, on PostgreSQL: who gets one, who never does, and what came back. */
const database = await useDatabase();

let email = '';
let customer = '';
let ring = '';
let sized = '';
let order: OpenOrder;

const set = (fields: string, id = order.id): Promise<unknown> =>
  database.query(`update public.orders set ${fields} where id = $1`, id);
const product = (fields: string, id = ring): Promise<unknown> =>
  database.query(`update public.products set ${fields} where id = $1`, id);
const lines = () => [
  { product_id: ring, quantity: 2 },
  { product_id: sized, size: '14', quantity: 1 },
];
/** An order of these lines that nobody paid, ended some hours ago. */
async function leave(hours = 4, account = customer, details: object = { email }) {
  const open = await database.placeOpen(account, lines(), { details: { ...details } });
  await database.release(open.id);
  await ended(hours, open.id);
  return open;
}
const ended = (hours: number, id = order.id): Promise<unknown> =>
  set(
    `created_at = now() - interval '${String(hours)} hours', released_at = now() - interval '${String(hours)} hours'`,
    id,
  );
const queue = (hours: number | null = 3): Promise<number> =>
  database.value('select public.queue_cart_mails($1, 10)', hours);
const due = (hours: number | null = 3): Promise<number[]> =>
  database.column('select id::int from private.left_carts_due($1, 10) id', hours);
const mailed = (): Promise<string[]> =>
  database.column(`select recipient from public.outbox where kind = 'cart_mail' order by id`);
const refuse = (address: string): Promise<unknown> =>
  database.query('select public.refuse_cart_mails(private.address_hash($1))', address);

beforeEach(async () => {
  await database.run(
    `truncate public.orders, public.payments, public.outbox, public.costs, public.shop_notice, public.cart_mail_refusals cascade`,
  );
  await database.query('select public.note_sweep(24)');
  email = `Asha-${crypto.randomUUID()}@Example.com`;
  customer = await database.addCustomer(email);
  ring = await database.addProduct({ stock: 5 });
  sized = await database.addProduct({ sizes: { '12': 3, '14': 1 } });
  order = await leave();
});

describe('the mail about a cart that was left', () => {
  test('comes some hours after the order ended unpaid, once, to the confirmed address', async () => {
    await ended(2);
    expect([await due(), await queue()]).toEqual([[], 0]);
    await ended(3);
    expect(await due()).toEqual([order.id]);
    expect([await queue(), await queue(), await mailed()]).toEqual([1, 0, [email.toLowerCase()]]);
    // The mail is not queued again when its record is deleted, either.
    await database.run('truncate public.outbox');
    expect(await queue()).toBe(0);
  });

  test('is due nowhere in a shop that sends none', async () => {
    expect(await due()).toEqual([order.id]);
    expect([await due(null), await queue(null)]).toEqual([[], 0]);
  });

  test('does not come a day late', async () => {
    await ended(25);
    expect(await queue()).toBe(0);
  });

  test('also comes about an order that Razorpay could not open', async () => {
    await set(`release_reason = 'payment_provider', ended_by = 'shop'`);
    expect(await queue()).toBe(1);
  });

  test('comes for the last of several carts, and for one whose order was in test mode', async () => {
    const last = await leave();
    await set(`razorpay_key_id = 'rzp_test_1'`, last.id);
    expect(await due()).toEqual([last.id]);
  });

  test('does not come about an order that its customer or the shop has given up, that was paid, or that is no customer’s', () =>
    eachRow(
      [
        `release_reason = 'superseded'`,
        `release_reason = 'bought_twice'`,
        `release_reason = 'ended_by_admin', ended_by = 'shop'`,
        `fulfilment = 'cancelled'`,
        `payment_id = 'pay_1'`,
        `status = 'COMPLETED', payment_status = 'COMPLETED'`,
        `payment_status = 'REFUNDED'`,
        `hold_state = 'held'`,
        'admin_key = gen_random_uuid()',
        'replaces = id',
        'erase_pending = true',
        'user_id = null',
        `customer_email = 'another@example.com'`,
        'customer_email = null',
      ],
      async (fields) => {
        await set(fields);
        expect(await due()).toEqual([]);
        await database.run('truncate public.orders cascade');
        order = await leave();
        expect(await due()).toEqual([order.id]);
      },
    ));

  test('does not come after the customer gave the order up', async () => {
    const open = await database.placeOpen(customer, lines(), { details: { email } });
    expect(await database.cancelOwn(customer, open.id, false)).toMatchObject({
      outcome: 'cancelled',
    });
    await ended(4, open.id);
    expect(await due()).toEqual([]);
  });

  test('does not come when a payment arrived that could not be used', async () => {
    await database.query(
      `insert into public.payments (payment_id, order_id, amount_paise, currency, state)
       values ('pay_00000000000009', $1, 100, 'INR', 'refunded')`,
      order.id,
    );
    expect(await due()).toEqual([]);
  });

  test('does not come once the customer has paid or opened another order, with or without the account', async () => {
    const later = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
    expect(await due()).toEqual([]);
    await database.markPaid(later);
    expect(await due()).toEqual([]);
    await database.run('truncate public.orders, public.payments cascade');
    const first = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }]);
    order = await leave();
    expect(await due()).toEqual([order.id]);
    await database.markPaid(first);
    expect(await due()).toEqual([]);
    await database.run('truncate public.orders, public.payments cascade');
    order = await leave();
    const byHand = await database.openLinkOrder(ring, 100_000);
    expect(await due()).toEqual([order.id]);
    await set(`customer_email = '${email.toUpperCase()}'`, byHand);
    expect(await due()).toEqual([]);
  });

  test('comes only while every product is in the shop, in its size and quantity', () =>
    eachRow(
      [
        [() => product('stock = 1'), []],
        [() => product('hidden = true'), []],
        [() => product('deleted_at = now(), hidden = true'), []],
        [
          () =>
            product(
              `sizes = '[{"size": "12", "stock": 9}, {"size": "14", "stock": 0}]', stock = 9`,
              sized,
            ),
          [],
        ],
        [() => product(`sizes = '[{"size": "12", "stock": 9}]', stock = 9`, sized), []],
        [() => product(`sizes = '[]', stock = 9`, sized), []],
        [() => product(`sizes = '[{"size": "12", "stock": 9}]', stock = 9`), []],
        [() => product('stock = 2'), 'due'],
      ] as const,
      async ([change, expected]) => {
        await change();
        expect(await due()).toEqual(expected === 'due' ? [order.id] : []);
        ring = await database.addProduct({ stock: 5 });
        sized = await database.addProduct({ sizes: { '12': 3, '14': 1 } });
        await database.run('truncate public.orders cascade');
        order = await leave();
        expect(await due()).toEqual([order.id]);
      },
    ));

  test('does not come twice in thirty days to an account or an address', async () => {
    await queue();
    await set(
      `cart_mailed_at = now() - interval '29 days', created_at = now() - interval '30 days'`,
    );
    const again = await leave();
    expect(await due()).toEqual([]);
    // The order is of an account that has ended, whose address has a new account now.
    const heir = await database.addCustomer();
    await set('user_id = null');
    await set(
      `user_id = '${heir}', customer_email = (select email from auth.users where id = '${heir}')`,
      again.id,
    );
    expect(await due()).toEqual([again.id]);
    await set(
      `customer_email = (select customer_email from public.orders where id = ${String(again.id)})`,
    );
    expect(await due()).toEqual([]);
    await set(`cart_mailed_at = now() - interval '31 days'`);
    expect(await due()).toEqual([again.id]);
  });

  test('does not come to an address that nobody confirmed', async () => {
    await database.query('update auth.users set email_confirmed_at = null where id = $1', customer);
    expect(await due()).toEqual([]);
  });

  test('does not come while the shop is closed by its notice', async () => {
    const notice = (closes: boolean) =>
      database.run(`truncate public.shop_notice; insert into public.shop_notice
        select true, 'Away', d, d, ${String(closes)}, ${closes ? '0' : '3'} from (select private.india_date(now()) as d) t`);
    await notice(true);
    expect([await due(), await queue()]).toEqual([[], 0]);
    await notice(false);
    expect(await due()).toEqual([order.id]);
  });

  test('leaves half of what strangers’ mails have at once to codes and forms, and counts as one of them', async () => {
    await product('stock = 100');
    await product(`sizes = '[{"size": "14", "stock": 100}]', stock = 100`, sized);
    for (let count = 0; count < 9; count += 1) {
      const address = `left-${crypto.randomUUID()}@example.com`;
      await leave(4, await database.addCustomer(address), { email: address });
    }
    // The limit is 24 a day, twelve of them at once: the seven mails leave five.
    expect([await queue(), await due(), await queue()]).toEqual([7, [], 0]);
    expect(
      await database.value(
        `select count(*)::int from public.costs where effect = 'stranger_mail' and scope = 'all'`,
      ),
    ).toBe(7);
    expect(await database.value('select private.has_mail_left()')).toBe(true);
    expect(
      await database.column(`select kind from public.outbox where kind <> 'cart_mail'`),
    ).toEqual([]);
  });

  test('does not come a second time after a backup from before it was restored', async () => {
    const other = await database.addCustomer();
    await product('stock = 100');
    await product(`sizes = '[{"size": "14", "stock": 100}]', stock = 100`, sized);
    const held = await database.placeOpen(other, lines());
    await database.query('select public.after_restore(now(), 0, null, null)');
    await database.release(held.id);
    await ended(4, held.id);
    expect(await due()).toEqual([]);
  });

  test('is taken back when the address wants none or its person is erased before it is sent', async () => {
    await queue();
    expect(await mailed()).toHaveLength(1);
    await refuse(email);
    expect(await mailed()).toEqual([]);
    await database.run('truncate public.cart_mail_refusals, public.orders cascade');
    order = await leave();
    // The sweep still asks Razorpay about it, so the order stays for now.
    await set(`next_check_at = now() + interval '1 day'`);
    await queue();
    expect(await mailed()).toHaveLength(1);
    await database.query('select public.erase_address($1)', email);
    expect(await mailed()).toEqual([]);
  });

  test.each([
    ['nothing', 1],
    ['a refusal', 0],
    ['no stock', 0],
    ['a payment', 0],
    ['another order', 0],
    ['a day', 0],
  ])(
    'is asked about again before each attempt, because a mail server may be down: after %s, %i are sent',
    async (what, count) => {
      const claimed = async (): Promise<number> =>
        (await database.column<string>(`select public.claim_outbox(10, 60) ->> 'kind'`)).filter(
          (kind) => kind === 'cart_mail',
        ).length;
      await queue();
      expect(await claimed()).toBe(1);
      if (what === 'a refusal') await refuse(email);
      if (what === 'no stock') await product('stock = 1');
      if (what === 'a payment') await database.markPaid(order);
      if (what === 'another order') await database.placeOpen(customer, lines());
      if (what === 'a day') await ended(25);
      // The sender crashed, and its lease runs out.
      await database.run(`update public.outbox set locked_until = now() - interval '1 second'`);
      expect([await claimed(), (await mailed()).length]).toEqual([count, count]);
    },
  );
});

describe('an address that wants no mail about a cart', () => {
  test('gets none, also with another account or after an erasure, and its person can see the wish', async () => {
    await refuse(` ${email.toUpperCase()}`);
    await refuse(email);
    expect(await due()).toEqual([]);
    expect(
      await database.value('select public.own_data($1) -> $2', customer, 'cart_mails'),
    ).toEqual({ refused_at: expect.any(String) as unknown });
    await database.query('select public.erase_address($1)', email);
    customer = await database.addCustomer(email);
    await leave();
    expect(await due()).toEqual([]);
    await refuse('someone@example.com');
    await database.query(
      'delete from public.cart_mail_refusals where address_hash = private.address_hash($1)',
      email,
    );
    expect(await due()).toHaveLength(1);
  });

  test('is stored as a hash alone', async () => {
    await refuse(email);
    expect(await database.column('select address_hash from public.cart_mail_refusals')).toEqual([
      expect.stringMatching(/^[\da-f]{64}$/u),
    ]);
  });
});

describe('what the mails brought', () => {
  interface Brought {
    sent: number;
    orders: number;
    paise: number;
  }
  const brought = (day: string | null = null): Promise<Brought | null> =>
    database.value(`select public.sales_figures('year', $1) -> 'cartMails'`, day);
  const buy = async (account = customer, item = ring): Promise<OpenOrder> => {
    const open = await database.placeOpen(account, [{ product_id: item, quantity: 1 }]);
    await database.markPaid(open);
    return open;
  };
  const mailedBefore = (days: number): Promise<unknown> =>
    set(
      `created_at = now() - interval '${String(days)} days', cart_mailed_at = now() - interval '${String(days)} days'`,
    );

  test('is nothing without a mail, and in a year without one', async () => {
    expect(await brought()).toBeNull();
    await queue();
    expect(await brought()).toEqual({ sent: 1, orders: 0, paise: 0 });
    expect(await brought('2025-03-01')).toBeNull();
  });

  test('is what the account ordered within seven days with a product of that cart, paid and less refunds', async () => {
    await queue();
    const first = await buy();
    const second = await buy();
    await buy(customer, await database.addProduct());
    await buy(await database.addCustomer());
    expect(await brought()).toEqual({
      sent: 1,
      orders: 2,
      paise: first.total_paise + second.total_paise,
    });
    await database.requestRefund(first.id, 5_000);
    await database.cancel(second.id);
    expect(await brought()).toEqual({ sent: 1, orders: 1, paise: first.total_paise - 5_000 });
    // The unpaid order forgets its account, and the figure stays.
    await database.query('select private.anonymise_orders(array[$1::bigint])', order.id);
    expect(await brought()).toMatchObject({ sent: 1, orders: 1 });
  });

  test('ends after seven days, and begins with the mail', async () => {
    await buy();
    await queue();
    expect(await brought()).toBeNull();
    await mailedBefore(8);
    await buy();
    expect(
      (await database.one('select max(cart_mail_of) as of from public.orders'))['of'],
    ).toBeNull();
    await mailedBefore(6);
    await buy();
    expect(await database.value('select max(cart_mail_of)::int from public.orders')).toBe(order.id);
  });

  test('is no payment of the mailed order itself, nor one that the admin entered', async () => {
    await queue();
    expect(await database.markPaid(order)).toBe('paid');
    await database.openLinkOrder(ring, 100_000);
    expect(await brought()).toEqual({ sent: 1, orders: 0, paise: 0 });
  });
});

test('customers of one name and address share no mail: the address of an order is only read beside its account', async () => {
  const stranger = await database.addCustomer();
  await database.run('truncate public.orders cascade');
  // Anybody can type anybody's address at the checkout.
  await leave(4, stranger, { ...customerDetails, email });
  expect(await due()).toEqual([]);
});
