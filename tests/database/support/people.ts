import type { useDatabase } from './postgres.ts';
import { customerDetails } from './shop-database.ts';

type Database = Awaited<ReturnType<typeof useDatabase>>;

/** People whose data is in all tables that can hold it, and a product in stock. */
export async function usePeople(database: Database): Promise<{
  ring: string;
  /** `paid` is the id of their paid order. */
  addPerson: (email?: string) => Promise<{ id: string; paid: number }>;
  forgetEverybody: () => Promise<unknown>;
}> {
  const ring = await database.addProduct({ stock: 1_000 });
  const soldOut = await database.addProduct({ stock: 0 });

  /** Somebody who used all of the shop, and whose name and address are in every table that can hold them. */
  async function addPerson(email = 'canary@example.org'): Promise<{ id: string; paid: number }> {
    const id = await database.addCustomer(email);
    const details = { email, name: 'Canary Devi' };
    const line = [{ product_id: ring, quantity: 1 }];
    const begun = await database.placeOpen(id, line, { details });
    await database.release(begun.id);
    await database.query('update public.orders set next_check_at = null where id = $1', begun.id);
    const paid = await database.placeOpen(id, [{ product_id: ring, quantity: 2 }], { details });
    await database.markPaid(paid);
    await database.query(
      `select public.change_order_details($1, '{"customer_city": {"from": "${customerDetails.city}", "to": "Canary Town"}}', false)`,
      paid.id,
    );
    await database.query(
      'select public.assign_invoice($1, $2::jsonb)',
      paid.id,
      JSON.stringify({ buyer: { name: 'Canary Devi', email } }),
    );
    const write = (sql: string, ...values: unknown[]) => database.query(sql, ...values);
    await write(
      `insert into public.claims (order_id, message, late) values ($1, 'Canary: the clasp is broken', false)`,
      paid.id,
    );
    await write(
      `insert into public.reviews (product_id, order_id, stars, words, name) values ($1, $2, 5, 'It shines', 'Canary')`,
      ...[ring, paid.id],
    );
    await write(`update public.profiles set full_name = 'Canary Devi' where id = $1`, id);
    await write('insert into public.wishlists (user_id, product_id) values ($1, $2)', id, ring);
    await write(
      'insert into public.stock_alerts (product_id, email) values ($1, $2)',
      soldOut,
      email,
    );
    await database.query(`select public.save_contact_message('Canary', $1, '', 'Hello')`, email);
    await database.query(`select public.subscribe($1, 'Yes')`, email);
    await database.query(
      `insert into public.form_entries (form, fields) values ('order', jsonb_build_object('email', $1::text))`,
      email,
    );
    return { id, paid: paid.id };
  }

  const forgetEverybody = () =>
    database.run(`
    delete from auth.users where true;
    truncate public.outbox, public.form_entries, public.contact_messages, public.subscribers, public.stock_alerts,
      public.invoices, public.credit_notes, public.refunds, public.payments, public.order_changes, public.claim_files, public.claims,
      public.reviews, public.cash_refusals, public.costs, public.orders restart identity`);

  return { ring, addPerson, forgetEverybody };
}
