import type { Database } from './database.ts';

/**
 * A catalogue of 10,000 products and the books of 50,000 orders over five years: paid and sent, but for some of the last
 * days. Written without triggers, so that nothing is mailed or counted.
 */
export async function fillLargeShop(
  database: Database,
  { orders = 50_000, products = 10_000 } = {},
): Promise<void> {
  await database.run('set session_replication_role = replica');
  await database.query(
    `insert into public.products (name, description, category, price, stock, created_at)
     select (array['Palakka', 'Lotus', 'Temple', 'Mango', 'Pearl'])[1 + n % 5] || ' piece ' || n, repeat('Handmade in Kerala. ', 15),
       (array['rings', 'necklaces', 'bracelets', 'earrings', 'watches'])[1 + n / 7 % 5], 500 + n, n % 40, now() - make_interval(hours => n)
     from generate_series(1, $1::int) n`,
    products,
  );
  await database.query(
    `insert into public.orders (created_at, merchant_transaction_id, customer_name, customer_email, customer_phone, customer_city,
       items, subtotal_paise, fee_paise, total_paise, status, payment_status, razorpay_order_id, payment_id, paid_at, hold_state, fulfilment)
     select at, 'KSV-' || 1000 + n || '-' || substr(md5(n::text), 1, 6), 'Shopper ' || n, 'shopper' || n % 20000 || '@example.com',
       '+91 98' || lpad((n % 100000000)::text, 8, '0'), 'Kochi',
       jsonb_build_array(jsonb_build_object('product_id', gen_random_uuid(), 'name', 'Lotus piece ' || n % 10000, 'quantity', 1, 'price', 1000)),
       100000, 2360, 102360, case when n % 10 = 0 then 'FAILED' else 'SUCCESS' end, case when n % 10 = 0 then 'FAILED' else 'COMPLETED' end,
       'order_' || n, case when n % 10 <> 0 then 'pay_' || n end, case when n % 10 <> 0 then at end,
       case when n % 10 = 0 then 'released' else 'taken' end, case when n % 10 = 0 or n > $1 - 40 then 'new' else 'delivered' end
     from (select n, now() - make_interval(mins => ($1 - n) * 52) as at from generate_series(1, $1::int) n) t`,
    orders,
  );
  await database.run(
    `insert into public.payments (payment_id, order_id, razorpay_order_id, amount_paise, currency, state, created_at)
     select payment_id, id, razorpay_order_id, total_paise, 'INR', 'accepted', paid_at from public.orders where payment_id is not null`,
  );
  await database.run(
    `insert into public.webhook_events (event_id, event, payment_id, received_at)
     select 'evt_' || payment_id, 'payment.captured', payment_id, created_at from public.payments`,
  );
  await database.run('set session_replication_role = origin');
  // As the autovacuum of a server does: without it an index alone answers nothing.
  await database.run(
    'vacuum (analyze) public.orders, public.products, public.payments, public.webhook_events',
  );
}
