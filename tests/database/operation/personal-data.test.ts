import { beforeEach, describe, expect, test } from 'vitest';
import { retentionDays } from '#domain/retention.ts';
import { usePeople } from '#tests/database/support/people.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { tablesWith } from '#tests/database/support/tables-with.ts';

const database = await useDatabase();
const { ring, addPerson, forgetEverybody } = await usePeople(database);
beforeEach(forgetEverybody);

const erase = (email: string): Promise<number> =>
  database.value('select public.erase_address($1)', email);

describe('erasing a person', () => {
  /** A paid order with everything that a person can leave in it, and a claim with a photo. */
  async function addStory(): Promise<number> {
    const { paid } = await addPerson();
    await database.query(
      `update public.orders set notes = 'gate code 4711', gift_note = 'For Amma', recipient_name = 'Amma',
         recipient_phone = '9895054321', admin_note = 'Difficult', network = 'ip:n',
         customer_phone = '9847012345', fulfilment = 'delivered' where id = $1`,
      paid,
    );
    await database.query(
      `update public.invoices set document = document || '{"buyer": {"name": "Canary Devi", "phone": "9847012345"}}' where order_id = $1`,
      paid,
    );
    await database.query(
      `insert into public.claim_files (path, order_id, claim_id, kind, bytes)
       select order_id || '/a.webp', order_id, id, 'photo', 5 from public.claims where order_id = $1`,
      paid,
    );
    await database.run(`update public.outbox set sent_at = now() where true`);
    return paid;
  }
  const answerClaims = () =>
    database.run(
      `update public.claims set answer = 'declined', answered_at = now(), reason = 'Not ours' where answer is null`,
    );
  const story = (id: number) =>
    database.one(
      `select o.customer_phone, o.notes, o.gift_note, o.recipient_name, o.recipient_phone, o.network, o.admin_note, c.message || c.reason as words,
         f.removing, i.document #>> '{buyer,phone}' as invoiced, o.customer_name
       from public.orders o join public.claims c on c.order_id = o.id join public.claim_files f on f.claim_id = c.id
         join public.invoices i on i.order_id = o.id
       where o.id = $1`,
      id,
    );
  const erased = {
    customer_phone: null,
    notes: null,
    gift_note: null,
    recipient_name: null,
    recipient_phone: null,
    network: null,
    admin_note: '',
    words: '',
    removing: true,
    invoiced: '',
    customer_name: 'Canary Devi',
  };
  const setFulfilment = (id: number, fulfilment: string): Promise<unknown> =>
    database.query('update public.orders set fulfilment = $2 where id = $1', id, fulfilment);
  const forgetNow = async (): Promise<void> => {
    await database.run(`update public.heartbeats set last_at = null where name = 'forget'`);
    await database.value('select public.forget($1::jsonb, 500)', JSON.stringify(retentionDays));
  };

  test('takes phone, notes, claims with their files and the admin’s notes from a paid order that has ended', async () => {
    const id = await addStory();
    await answerClaims();
    await erase('canary@example.org');
    expect(await story(id)).toEqual(erased);
    expect(await database.column('select public.take_due_claim_files(180, 10) as name')).toEqual([
      `${String(id)}/a.webp`,
    ]);
  });

  test('waits for the answer of an open claim and for the parcel, and then takes the rest by itself', async () => {
    const id = await addStory();
    await setFulfilment(id, 'shipped');
    await erase('canary@example.org');
    const before = await story(id);
    expect(before).toMatchObject({ notes: 'gate code 4711', words: 'Canary: the clasp is broken' });
    await forgetNow();
    expect(await story(id)).toEqual(before);
    await setFulfilment(id, 'delivered');
    await forgetNow();
    expect(await story(id)).toEqual(before);
    await answerClaims();
    await forgetNow();
    expect(await story(id)).toEqual(erased);
  });

  test('takes the admin’s words about refunds, also from credit notes, and what corrections replaced', async () => {
    const id = await addStory();
    await answerClaims();
    await database.query(
      `insert into public.order_changes (order_id, field, old_value, new_value)
       values ($1, 'customer_address', 'Old Canary House', 'New House'), ($1, 'customer_gstin', '', '32AAAAA0000A1Z5')`,
      id,
    );
    await database.requestRefund(id, 100);
    const refund = await database.value<number>(
      `update public.refunds set reason = 'because he has Parkinson' where order_id = $1 returning id::int`,
      id,
    );
    await database.finishRefund(refund, 'rfnd_00000000000009');
    await database.query(
      `select public.issue_credit_note($1, '{"reason": "because he has Parkinson"}', 0)`,
      refund,
    );
    expect(await tablesWith(database, 'parkinson')).toEqual([
      'public.credit_notes',
      'public.refunds',
    ]);
    await erase('canary@example.org');
    expect(await tablesWith(database, 'parkinson')).toEqual([]);
    expect(await tablesWith(database, 'old canary')).toEqual([]);
    expect(
      await database.column('select field from public.order_changes where order_id = $1', id),
    ).toEqual(['customer_gstin']);
  });

  test('reaches an order that was refunded in full without being cancelled, once the refund has arrived', async () => {
    const id = await addStory();
    await answerClaims();
    await setFulfilment(id, 'new');
    const { payment_id: payment, total_paise: total } = await database.orderRow(id);
    await database.requestRefund(id, Number(total));
    await erase('canary@example.org');
    await forgetNow();
    expect(await story(id)).toMatchObject({ notes: 'gate code 4711' });
    const [refund] = await database.refundsOf(String(payment));
    await database.finishRefund(refund?.id ?? 0, 'rfnd_00000000000010');
    await forgetNow();
    expect(await story(id)).toEqual(erased);
  });

  test('takes everything from an order that was never sold, because its payment came late and went back', async () => {
    const account = await database.addCustomer('never@example.org');
    const ring = await database.addProduct({ stock: 1 });
    const order = await database.placeOpen(account, [{ product_id: ring, quantity: 1 }], {
      details: { name: 'Neversold Devi', email: 'never@example.org' },
    });
    await database.release(order.id);
    await database.query('update public.products set stock = 0 where id = $1', ring);
    const payment = 'pay_neversold0001';
    expect(await database.markPaid(order, payment)).toBe('refund_due');
    await erase('never@example.org');
    expect(await database.orderRow(order.id)).toMatchObject({ customer_name: 'Neversold Devi' });
    const [refund] = await database.refundsOf(payment);
    await database.finishRefund(refund?.id ?? 0, 'rfnd_00000000000011');
    await forgetNow();
    expect(await database.orderRow(order.id)).toMatchObject({
      customer_name: null,
      customer_phone: null,
      customer_address: null,
    });
  });

  test.each(['by their address', 'with their account'])(
    '%s leaves name, address and items of the paid order and its documents',
    async (way) => {
      const { id } = await addPerson();
      await database.run(`update public.outbox set sent_at = now() where true`);
      if (way === 'by their address') expect(await erase('Canary@example.org')).toBe(1);
      else await database.query('delete from auth.users where id = $1', id);
      expect(await tablesWith(database, 'canary')).toEqual([
        'public.claims',
        'public.invoices',
        'public.order_changes',
        'public.orders',
        'public.reviews',
      ]);
    },
  );

  test('works without an account, and twice', async () => {
    await database.query(
      `select public.save_contact_message('Guest', 'guest@example.org', '', 'Hi')`,
    );
    await database.run(`update public.outbox set sent_at = now() where true`);
    expect(await tablesWith(database, 'guest@example.org')).toContain('public.contact_messages');
    expect(await erase('guest@example.org')).toBe(0);
    expect(await erase('guest@example.org')).toBe(0);
    expect(await tablesWith(database, 'guest@example.org')).toEqual([]);
  });

  test('in the middle of a payment keeps the order, which completes', async () => {
    const customer = await database.addCustomer('canary@example.org');
    const open = await database.placeOpen(customer, [{ product_id: ring, quantity: 1 }], {
      details: { email: 'canary@example.org' },
    });
    expect(await erase('canary@example.org')).toBe(1);
    expect(await database.markPaid(open)).toBe('paid');
    expect(
      await database.one('select status, customer_email from public.orders where id = $1', open.id),
    ).toEqual({ status: 'COMPLETED', customer_email: 'canary@example.org' });
  });
});

test('an account with an unconfirmed address deletes nothing of the address’s owner', async () => {
  await addPerson();
  const before = await tablesWith(database, 'canary@example.org');
  expect(before.length).toBeGreaterThan(4);
  const id = await database.value<string>(
    `insert into auth.users (email) values ('Canary@example.org') returning id`,
  );
  await database.query('delete from auth.users where id = $1', id);
  expect(await tablesWith(database, 'canary@example.org')).toEqual(before);
});

test('orders of other accounts that carry an address are named, and neither exported to it nor erased for it', async () => {
  const buyer = await database.addCustomer('account@example.org');
  const order = await database.placeOpen(buyer, [{ product_id: ring, quantity: 1 }], {
    details: { email: 'Other@example.org' },
  });
  const naming = (email: string): Promise<number[]> =>
    database.column('select public.orders_naming($1)::int', email);
  expect(await naming('other@example.org')).toEqual([order.id]);
  expect(await naming('account@example.org')).toEqual([]);
  expect(await database.value('select public.data_of_address($1)', 'other@example.org')).toBeNull();
  await erase('other@example.org');
  expect(await database.orderRow(order.id)).toMatchObject({ customer_email: 'Other@example.org' });
});

test('the link that deletes an account is mailed to its confirmed address, once for repeated requests', async () => {
  const { id } = await addPerson();
  const ask = (): Promise<string> =>
    database.value(`select public.ask_account_deletion($1) ->> 'outcome'`, id);
  expect([await ask(), await ask()]).toEqual(['mailed', 'mailed_before']);
  expect(
    await database.column(`select recipient from public.outbox where kind = 'account_deletion'`),
  ).toEqual(['canary@example.org']);
  await database.run('update auth.users set email_confirmed_at = null where true');
  expect(await ask()).toBe('no_address');
  expect(await database.value('select public.delete_account($1)', id)).toBe(true);
  expect(await database.value('select public.delete_account($1)', id)).toBe(false);
});
