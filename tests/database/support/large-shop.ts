import { retentionDays } from '#domain/retention.ts';
import type { Database } from '#local/shared/describe-database.ts';

/**
 * A catalogue of 10,000 products and the books of 50,000 orders over five years: paid and sent, but for some of the last
 * days, which the sweep still works on. Written without triggers, so that nothing is mailed or counted. What is older than
 * its term is forgotten, as in a shop whose sweep ran every day.
 */
export async function fillLargeShop(
  database: Database,
  { orders = 50_000, products = 10_000 } = {},
): Promise<void> {
  await database.run('set session_replication_role = replica');
  await database.query(
    `insert into public.products (name, description, category, price, stock, images, created_at)
     select (array['Palakka', 'Lotus', 'Temple', 'Mango', 'Pearl'])[1 + n % 5] || ' piece ' || n, repeat('Handmade in India. ', 15),
       (array['rings', 'necklaces', 'bracelets', 'earrings', 'watches'])[1 + n / 7 % 5], 500 + n, n % 40,
       array['products/' || n || '-1.webp', 'products/' || n || '-2.webp'], now() - make_interval(hours => n)
     from generate_series(1, $1::int) n`,
    products,
  );
  await database.query(
    `insert into public.orders (created_at, merchant_transaction_id, customer_name, customer_email, customer_phone, customer_city,
       items, subtotal_paise, fee_paise, total_paise, status, payment_status, razorpay_order_id, payment_id, paid_at, hold_state, fulfilment, invoice_number)
     select at, 'ABC-' || 1000 + n || '-' || substr(md5(n::text), 1, 6), 'Customer ' || n, 'customer' || n % 20000 || '@example.com',
       '+91 98' || lpad((n % 100000000)::text, 8, '0'), 'Kochi',
       jsonb_build_array(jsonb_build_object('product_id', gen_random_uuid(), 'name', 'Lotus piece ' || n % 10000, 'quantity', 1, 'price', 1000,
         'image', 'products/' || n % 10000 || '-1.webp')),
       100000, 2360, 102360, case when n % 10 = 0 then 'FAILED' else 'SUCCESS' end, case when n % 10 = 0 then 'FAILED' else 'COMPLETED' end,
       'order_' || n, case when n % 10 <> 0 then 'pay_' || n end, case when n % 10 <> 0 then at end,
       case when n % 10 = 0 then 'released' else 'taken' end, case when n % 10 = 0 or n > $1 - 40 then 'new' else 'delivered' end,
       case when n % 20 = 3 then 'ABC/' || n end
     from (select n, now() - make_interval(mins => ($1 - n) * 52) as at from generate_series(1, $1::int) n) t`,
    orders,
  );
  await database.run(
    `insert into public.payments (payment_id, order_id, razorpay_order_id, amount_paise, currency, state, listed_at, created_at)
     select payment_id, id, razorpay_order_id, total_paise, 'INR', 'accepted', paid_at, paid_at from public.orders where payment_id is not null`,
  );
  await database.run(
    `insert into public.webhook_events (event_id, event, payment_id, received_at)
     select 'evt_' || payment_id, 'payment.captured', payment_id, created_at from public.payments`,
  );
  // Removed from their products: some were ordered, each tenth was not.
  await database.run(`
    insert into public.pictures (path, uploaded_at, dropped_at)
    select 'products/' || case when n % 10 = 0 then 'old-' else '' end || n || '-1.webp', now() - interval '9 days', now() - interval '8 days'
    from generate_series(1, 400) n;
    update public.products set images = images[2:] where images[1] in (select path from public.pictures);
    insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, state, has_credit_note, created_at)
    select payment_id, id, 100, 'refund-of-' || payment_id, 'processed', true, created_at from public.orders
    where id % 20 = 3 and payment_id is not null;
    insert into public.invoices (number, order_id, financial_year, serial, issued_at, document)
    select invoice_number, id, '2026-27', id, created_at, '{}' from public.orders where invoice_number is not null;
    insert into public.credit_notes (number, refund_id, invoice_number, financial_year, serial, issued_at, document)
    select 'ABD/' || r.id, r.id, 'ABC/' || r.order_id, '2026-27', r.id, r.created_at, '{}'
    from public.refunds r join public.invoices i on i.order_id = r.order_id;
    insert into public.outbox (kind, recipient, order_id, dedupe_key, attempts, sent_at, created_at)
    select 'order_confirmation', 'a@example.com', id, 'confirmation:' || id, 1, paid_at, paid_at from public.orders where payment_id is not null;
    insert into public.product_changes (version, product_id, name, kind, at)
    select row_number() over (order by created_at), id, name, 'added', created_at from public.products;
    update public.catalogue_version set version = (select max(version) from public.product_changes) where id;
    insert into public.stock_alerts (product_id, email, created_at, confirmed_at)
    select id, 'waits@example.com', now() - interval '9 days', now() - interval '8 days' from public.products where stock = 0;
    insert into public.contact_messages (name, email, subject, message, created_at, answered_at)
    select 'Asha', 'a@example.com', 'Hello', 'A question', now() - make_interval(hours => n), now() from generate_series(1, ${String(orders / 25)}) n;
    insert into public.form_entries (form, fields, created_at, read_at)
    select 'order', '{}', now() - make_interval(hours => n), now() from generate_series(1, ${String(orders / 25)}) n;
    insert into public.subscribers (email, consent_text, asked_at, confirmed_at)
    select 'reader' || n || '@example.com', 'Yes', now() - interval '90 days', now() - interval '90 days' from generate_series(1, ${String(orders / 25)}) n;
  `);
  // Work that the sweep finds: holds, mails, notifications, refunds, failed cards, products that are back in stock.
  await database.run(`
    update public.orders set network = '64:network' || id % 9 where created_at > now() - interval '30 hours';
    update public.orders set hold_state = 'held', hold_expires_at = now() - interval '5 minutes', next_check_at = now() - interval '1 minute',
      status = 'PENDING', payment_status = 'PENDING'
    where id in (select id from public.orders where status = 'FAILED' order by id desc limit 12);
    insert into public.outbox (kind, recipient, dedupe_key, attempts, next_attempt_at, last_error, created_at)
    select 'order_notice', null, 'waits:' || n, 3, now(), 'unreachable ECONNREFUSED', now() - make_interval(mins => 20 + n)
    from generate_series(1, 12) n;
    insert into public.outbox (kind, recipient, dedupe_key, attempts, sent_at, created_at)
    select 'push', '1', 'push:' || n, 1, now() - make_interval(hours => n), now() - make_interval(hours => n)
    from generate_series(1, 400) n;
    insert into public.webhook_events (event_id, event, order_id, payment_id, received_at)
    select 'failed_' || id, 'payment.failed', id, 'pay_failed_' || id, created_at from public.orders where status = 'FAILED';
    insert into public.payments (payment_id, razorpay_order_id, amount_paise, currency, state, reason, listed_at, created_at)
    select 'pay_foreign_' || n, 'order_foreign_' || n, 100, 'INR', 'foreign', 'unknown_order', now(), now() - make_interval(hours => n)
    from generate_series(1, 5000) n;
    update public.refunds set state = 'due', attempts = 1 where id in (select id from public.refunds order by id desc limit 3);
    update public.refunds set state = 'requested', next_attempt_at = now() where id in (select id from public.refunds order by id desc offset 3 limit 3);
    update public.refunds set has_credit_note = false where id in (select id from public.refunds order by id desc limit 12);
    delete from public.credit_notes where refund_id in (select id from public.refunds where not has_credit_note);
    update public.products set stock = 1 where id in (select product_id from public.stock_alerts order by id limit 6);
    insert into public.reconciliations (from_at, to_at, step, finished_at)
    select now() - make_interval(days => n + 6), now() - make_interval(days => n), 'unlisted', now() - make_interval(days => n)
    from generate_series(2, 360) n;
    insert into public.builds (version, requested_by, state, requested_at, finished_at)
    select 9990, 'auto', 'published', now() - interval '1 hour', now() - interval '1 hour';
  `);
  for (let outcome: unknown = 'more'; outcome === 'more';)
    [{ outcome } = { outcome: null }] = await database.query<{ outcome: unknown }>(
      `select public.forget($1, 10000) ->> 'outcome' as outcome`,
      retentionDays,
    );
  await database.run('set session_replication_role = origin');
  // The autovacuum of a server does this: without it no query is answered from an index alone.
  await database.run('vacuum (analyze)');
}
