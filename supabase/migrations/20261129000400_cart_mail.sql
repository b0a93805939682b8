-- One mail about a cart that was left unpaid. The previous site works as before: its sweep begins without the hours, so no mail is due,
-- and it reads no figures of them.

alter table public.orders
  add column cart_mailed_at timestamptz,
  -- Without a foreign key, which would need an index of all orders: no order is ever deleted.
  add column cart_mail_of bigint;

comment on column public.orders.cart_mailed_at is
  'When the mail about this cart was queued; null: none was, and after a day none will be';
comment on column public.orders.cart_mail_of is
  'The unpaid order whose mail came at most seven days before this one of the same account, with one product of it at least';

-- Unpaid orders by their end; the sweep reads those of one day.
create index orders_left_carts_idx on public.orders (released_at)
where hold_state = 'released' and cart_mailed_at is null;
create index orders_cart_mailed_at_idx on public.orders (cart_mailed_at) where cart_mailed_at is not null;
create index orders_cart_mail_of_idx on public.orders (cart_mail_of) where cart_mail_of is not null;

-- Addresses that want no mail about a cart, for good, also when an account ends or is erased: erasing the wish would bring the mails
-- back. A hash, because nobody has to read them.
create table public.cart_mail_refusals (
  address_hash text primary key check (address_hash ~ '^[0-9a-f]{64}$'),
  refused_at timestamptz not null default now()
);

alter table public.cart_mail_refusals enable row level security;

create function private.address_hash(p_email text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return encode(sha256(convert_to(lower(btrim(p_email)), 'UTF8')), 'hex');
end;
$$;

-- ── Sending ──

-- Whether every line of an order can be bought now: visible, in this size and quantity.
create function private.is_all_in_stock(p_items jsonb)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return jsonb_typeof(p_items) = 'array' and jsonb_array_length(p_items) > 0 and not exists (
    select 1
    from jsonb_array_elements(p_items) item
    left join public.products p on p.id::text = item ->> 'product_id' and not p.hidden and p.deleted_at is null
      -- Sizes came or went since: which one to buy is the customer's choice.
      and (p.sizes = '[]') = (item ->> 'size' is null)
    where coalesce(private.stock_of_line(p.stock, p.sizes, item ->> 'size'), 0) < (item ->> 'quantity')::integer
  );
end;
$$;

-- Whether the share of strangers' mails has room for a mail that nobody waits for: half of what it gives at once stays for codes and
-- forms. The mails of paid orders have a share of their own (private.count_mail).
create function private.has_cart_mail_left()
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select min(l.units_left) from private.cost_left('stranger_mail', private.cost_keys(null), 1, clock_timestamp()) l
  ) >= greatest(1, (select min(c.most) / 4.0 from public.cost_limits c where c.effect = 'stranger_mail'));
end;
$$;

-- Unpaid orders whose customers are due a mail, longest ended first: p_hours after the end and within a day of it; none when p_hours is
-- null. The customer has not given the order up, has no other one since, and can buy all of it now. No account or address is mailed
-- twice in thirty days.
create function private.left_carts_due(p_hours integer, p_limit integer)
returns setof bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_hours is null or private.closed_until() is not null or not private.has_cart_mail_left() then
    return;
  end if;
  return query
  select o.id from public.orders o
  where o.hold_state = 'released' and o.cart_mailed_at is null
    and o.released_at <= now() - make_interval(hours => p_hours) and o.released_at > now() - interval '1 day'
    and o.status = 'FAILED' and o.payment_status = 'FAILED' and o.payment_id is null and o.fulfilment = 'new'
    and not exists (select 1 from public.payments p where p.order_id = o.id)
    and o.admin_key is null and o.replaces is null and not o.erase_pending
    -- Ended by time, or because Razorpay could not be reached. The admin's own end is none of these.
    and (o.ended_by = 'customer' or o.release_reason = 'payment_provider')
    and o.release_reason not in ('superseded', 'bought_twice')
    and private.confirmed_email(o.user_id) = lower(btrim(o.customer_email))
    and not exists (
      select 1 from public.cart_mail_refusals r where r.address_hash = private.address_hash(o.customer_email)
    )
    and not exists (
      select 1 from public.orders other
      where (other.user_id = o.user_id or lower(other.customer_email) = lower(o.customer_email))
        and (other.id > o.id or other.hold_state in ('held', 'reserved') or other.paid_at > o.created_at
          or other.cart_mailed_at > now() - interval '30 days')
    )
    and private.is_all_in_stock(o.items)
  order by o.released_at, o.id
  limit p_limit;
end;
$$;

-- Queues the mails about carts that were left, one for an order for ever. Returns how many.
create function public.queue_cart_mails(p_hours integer, p_limit integer)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_count integer := 0;
begin
  for v_order in
    select o.* from public.orders o
    where o.id = any (array(select private.left_carts_due(p_hours, p_limit)))
      -- Once more, of the row that is locked: a payment may have come.
      and o.hold_state = 'released' and o.cart_mailed_at is null
    order by o.id
    for update skip locked
  loop
    -- Takes the lock of the share, so that no other mail comes between this answer and the count.
    exit when private.cost_refusal('stranger_mail', private.cost_keys(null)) is not null
      or not private.has_cart_mail_left();
    update public.orders set cart_mailed_at = clock_timestamp() where id = v_order.id;
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'cart_mail', lower(btrim(v_order.customer_email)), v_order.id,
      jsonb_build_object('address_hash', private.address_hash(v_order.customer_email)), 'cart_mail:' || v_order.id
    )
    on conflict (dedupe_key) do nothing;
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;

-- Ends the mails about carts for an address, by the hash that its mails carry, and takes back one that waits. Safe to repeat. Raises
-- 23514 for what is no hash.
create function public.refuse_cart_mails(p_address_hash text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.cart_mail_refusals (address_hash) values (p_address_hash) on conflict (address_hash) do nothing;
  delete from public.outbox
  where kind = 'cart_mail' and sent_at is null and locked_until is null and payload ->> 'address_hash' = p_address_hash;
end;
$$;

-- ── What came back ──

-- Notes on a new order which mail it follows. Where it is placed, because the unpaid order forgets its account after a while.
create function private.follow_cart_mail()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.cart_mail_of := (
    select o.id from public.orders o
    where o.user_id = new.user_id
      -- Bounds the rows that are read: a mail comes within two days of its order.
      and o.created_at > new.created_at - interval '9 days'
      and o.cart_mailed_at between new.created_at - interval '7 days' and new.created_at
      and exists (
        select 1
        from jsonb_array_elements(o.items) mailed
        join jsonb_array_elements(new.items) item on item ->> 'product_id' = mailed ->> 'product_id'
      )
    order by o.cart_mailed_at desc
    limit 1
  );
  return new;
end;
$$;

create trigger orders_follow_cart_mail
before insert on public.orders
for each row when (new.user_id is not null and new.cart_mail_of is null and jsonb_typeof(new.items) = 'array')
execute function private.follow_cart_mail();

-- What the mails queued from p_from up to p_to brought: {sent, orders, paise}; null without a mail. An order counts for the mail that it
-- followed (orders.cart_mail_of), whenever it was paid, as long as it is bought: not cancelled, not refunded in full, no test. paise are
-- less refunds.
create function private.cart_mail_figures(p_from timestamptz, p_to timestamptz)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select case when count(distinct m.id) > 0 then jsonb_build_object(
    'sent', count(distinct m.id), 'orders', count(b.id),
    'paise', coalesce(sum(b.total_paise - private.refunded_paise(n)), 0)
  ) end
  from public.orders m
  left join (public.orders n join private.bought_orders b on b.id = n.id) on n.cart_mail_of = m.id
  where m.cart_mailed_at >= p_from and m.cart_mailed_at < p_to;
$$;

-- Figures of the week (from Monday), month or year in India that contains p_day, null for today: {period, today,
-- from, to (its last day), orders, paise, refundedPaise, cancelledPaise, bars: [{from, orders, paise}] (per day, or per month
-- of a year), before, best, cartMails (private.cart_mail_figures)}. cancelledPaise is what went back for cancelled orders,
-- which are neither in paise nor in refundedPaise. `before` is the previous period {from, to, orders, paise}; while this period runs, only up to
-- the same point in it. Raises 22023 for another period.
create or replace function public.sales_figures(p_period text, p_day date default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_today date := (v_now at time zone 'Asia/Kolkata')::date;
  v_length interval := case p_period
    when 'week' then interval '7 days'
    when 'month' then interval '1 month'
    when 'year' then interval '1 year'
  end;
  v_step interval := case p_period when 'year' then interval '1 month' else interval '1 day' end;
  v_first date;
  v_next date;
  v_before date;
  v_from timestamptz;
  v_to timestamptz;
  v_before_to timestamptz;
begin
  if v_length is null then
    raise exception 'a period is week, month or year' using errcode = '22023';
  end if;
  v_first := date_trunc(p_period, coalesce(p_day, v_today)::timestamp)::date;
  v_next := (v_first + v_length)::date;
  v_before := (v_first - v_length)::date;
  v_from := private.india_midnight(v_first);
  v_to := private.india_midnight(v_next);
  v_before_to := case
    when v_now < v_to then least(v_from, private.india_midnight(v_before) + greatest(v_now - v_from, interval '0'))
    else v_from
  end;
  return (
    with sold as materialized (
      select
        date_trunc(
          case p_period when 'year' then 'month' else 'day' end, s.at at time zone 'Asia/Kolkata'
        )::date as bar,
        s.orders, s.paise
      from private.sales(v_from, v_to) s
    ), sums as (
      select bar, sum(orders) as orders, sum(paise) as paise from sold group by bar
    )
    select jsonb_build_object(
      'period', p_period, 'today', v_today, 'from', v_first, 'to', v_next - 1,
      'orders', coalesce(sum(s.orders), 0), 'paise', coalesce(sum(s.paise), 0),
      'refundedPaise', coalesce(-sum(s.paise) filter (where s.paise < 0), 0),
      'cancelledPaise', (
        select coalesce(sum(r.amount_paise), 0)
        from public.refunds r
        join public.orders o on o.id = r.order_id and private.is_own_payment(o, r.payment_id)
        where r.created_at >= v_from and r.created_at < v_to and r.state <> 'failed'
          and o.paid_at is not null and o.fulfilment = 'cancelled' and not o.is_test
      ),
      'bars', (
        select jsonb_agg(
          jsonb_build_object('from', d.day::date, 'orders', coalesce(b.orders, 0), 'paise', coalesce(b.paise, 0))
          order by d.day
        )
        from generate_series(v_first::timestamp, v_next::timestamp - v_step, v_step) d (day)
        left join sums b on b.bar = d.day::date
      ),
      'before', (
        select jsonb_build_object(
          'from', v_before, 'to', ((v_before_to - interval '1 microsecond') at time zone 'Asia/Kolkata')::date,
          'orders', coalesce(sum(e.orders), 0), 'paise', coalesce(sum(e.paise), 0)
        )
        from private.sales(private.india_midnight(v_before), v_before_to) e
      ),
      'best', private.best_sellers(v_from, v_to, 10),
      'cartMails', private.cart_mail_figures(v_from, v_to)
    )
    from sold s
  );
end;
$$;

-- All data of an account or an address: {account, profile, wishlist, orders, order_changes, payments, refunds,
-- claims, reviews, invoices, credit_notes, mails, messages, newsletter, stock_alerts, cart_mails, order_forms}; parts without rows are
-- null. p_email is in lower case; either argument may be null. Names every column that goes out: a new column stays
-- inside until it is added here. The admin's notes, passwords, tokens and internal columns stay inside.
create or replace function private.personal_data(p_user_id uuid, p_email text)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_orders bigint[];
begin
  select array_agg(o.id order by o.id) into v_orders
  from public.orders o
  where o.user_id = p_user_id or (o.user_id is null and lower(o.customer_email) = p_email);
  return jsonb_build_object(
    'account', (
      select jsonb_build_object('email', u.email, 'created_at', u.created_at, 'confirmed_at', u.email_confirmed_at)
      from auth.users u where u.id = p_user_id),
    'profile', (
      select jsonb_build_object('email', p.email, 'full_name', p.full_name, 'phone', p.phone, 'address', p.address,
        'city', p.city, 'postal_code', p.postal_code, 'updated_at', p.updated_at)
      from public.profiles p where p.id = p_user_id),
    'wishlist', (
      select jsonb_agg(jsonb_build_object('product', p.name, 'kept_at', w.kept_at) order by w.kept_at)
      from public.wishlists w join public.products p on p.id = w.product_id where w.user_id = p_user_id),
    'orders', (
      select jsonb_agg(
        jsonb_build_object(
          'id', o.id, 'created_at', o.created_at, 'updated_at', o.updated_at,
          'merchant_transaction_id', o.merchant_transaction_id, 'customer_name', o.customer_name,
          'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
          'customer_address', o.customer_address, 'customer_city', o.customer_city,
          'customer_postal_code', o.customer_postal_code, 'customer_gstin', o.customer_gstin, 'notes', o.notes,
          'gift_note', o.gift_note, 'recipient_name', o.recipient_name, 'recipient_phone', o.recipient_phone,
          'items', o.items, 'products', o.products, 'currency', o.currency)
        || jsonb_build_object(
          'subtotal_paise', o.subtotal_paise, 'discount_code', o.discount_code, 'discount_paise', o.discount_paise,
          'fee_paise', o.fee_paise, 'fee_bps', o.fee_bps, 'total_paise', o.total_paise, 'kept_paise', o.kept_paise,
          'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount,
          'status', o.status, 'payment_status', o.payment_status, 'payment_method', o.payment_method,
          'payment_reference', o.payment_reference, 'razorpay_order_id', o.razorpay_order_id,
          'payment_id', o.payment_id, 'paid_at', o.paid_at,
          'cash_paise', o.cash_paise, 'cash_charge_paise', o.cash_charge_paise,
          'advance_payment_id', o.advance_payment_id, 'cash_confirmed_at', o.cash_confirmed_at)
        || jsonb_build_object(
          'fulfilment', o.fulfilment, 'carrier', o.carrier, 'tracking_number', o.tracking_number,
          'tracking_url', o.tracking_url, 'packed_at', o.packed_at, 'shipped_at', o.shipped_at,
          'delivered_at', o.delivered_at, 'cancelled_at', o.cancelled_at, 'invoice_number', o.invoice_number,
          'delivery_notice', o.delivery_notice, 'channel', o.channel, 'hand_over', o.hand_over,
          'replaces', o.replaces)
        order by o.id)
      from public.orders o where o.id = any (v_orders)),
    'order_changes', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'field', c.field, 'old_value', c.old_value,
        'new_value', c.new_value, 'created_at', c.created_at) order by c.id)
      from public.order_changes c where c.order_id = any (v_orders) and c.field <> 'admin_note'),
    'payments', (
      select jsonb_agg(jsonb_build_object('payment_id', p.payment_id, 'order_id', p.order_id,
        'amount_paise', p.amount_paise, 'state', p.state, 'created_at', p.created_at) order by p.created_at)
      from public.payments p where p.order_id = any (v_orders)),
    'refunds', (
      select jsonb_agg(jsonb_build_object('payment_id', r.payment_id, 'order_id', r.order_id,
        'amount_paise', r.amount_paise, 'state', r.state, 'created_at', r.created_at) order by r.id)
      from public.refunds r where r.order_id = any (v_orders)),
    'cash_refusals', (
      select jsonb_agg(jsonb_build_object('order_id', r.order_id, 'created_at', r.created_at,
        'forgiven_at', r.forgiven_at) order by r.id)
      from public.cash_refusals r where r.order_id = any (v_orders) or r.user_id = p_user_id),
    'claims', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'created_at', c.created_at, 'message', c.message,
        'answer', c.answer, 'answered_at', c.answered_at, 'reason', c.reason,
        'files', (select count(*) from public.claim_files f where f.claim_id = c.id and not f.removing)) order by c.id)
      from public.claims c where c.order_id = any (v_orders)),
    'reviews', (
      select jsonb_agg(jsonb_build_object('order_id', r.order_id, 'product', p.name, 'created_at', r.created_at,
        'stars', r.stars, 'words', r.words, 'name', r.name, 'town', r.town, 'image', r.image, 'state', r.state,
        'answer', r.answer) order by r.id)
      from public.reviews r join public.products p on p.id = r.product_id where r.order_id = any (v_orders)),
    'invoices', (
      select jsonb_agg(i.document || jsonb_build_object('number', i.number) order by i.number)
      from public.invoices i where i.order_id = any (v_orders)),
    'credit_notes', (
      select jsonb_agg(n.document || jsonb_build_object('number', n.number) order by n.number)
      from public.credit_notes n join public.invoices i on i.number = n.invoice_number where i.order_id = any (v_orders)),
    'mails', (
      select jsonb_agg(jsonb_build_object('kind', m.kind, 'created_at', m.created_at, 'sent_at', m.sent_at) order by m.id)
      from public.outbox m
      where m.kind not in ('push', 'admin_alert') and (lower(m.recipient) = p_email or m.order_id = any (v_orders))),
    'messages', (
      select jsonb_agg(jsonb_build_object('created_at', c.created_at, 'name', c.name, 'email', c.email,
        'subject', c.subject, 'message', c.message, 'answered_at', c.answered_at) order by c.id)
      from public.contact_messages c where lower(c.email) = p_email),
    'newsletter', (
      select jsonb_build_object('created_at', s.created_at, 'email', s.email, 'consent_at', s.consent_at,
        'consent_text', s.consent_text, 'confirmed_at', s.confirmed_at, 'unsubscribed_at', s.unsubscribed_at,
        'asked_at', s.asked_at, 'asked_text', s.asked_text)
      from public.subscribers s where s.email = p_email),
    'stock_alerts', (
      select jsonb_agg(jsonb_build_object('product', p.name, 'size', a.size, 'created_at', a.created_at) order by a.id)
      from public.stock_alerts a join public.products p on p.id = a.product_id where a.email = p_email),
    'cart_mails', (
      select jsonb_build_object('refused_at', r.refused_at)
      from public.cart_mail_refusals r where r.address_hash = private.address_hash(p_email)),
    'order_forms', (
      select jsonb_agg(f.fields || jsonb_build_object('sent_at', f.created_at) order by f.id)
      from public.form_entries f where lower(f.fields ->> 'email') = p_email)
  );
end;
$$;

-- Deletes a person's data, except what tax law requires of paid orders, see private.erase_kept_orders. Rows are also
-- found by p_email, in lower case, if given. An order that can still be paid, is on its way or has an open claim keeps
-- its data until it has ended; the next run of `forget` takes it then.
create or replace function private.forget_person(p_user_id uuid, p_email text)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_all bigint[];
  v_ids bigint[];
begin
  select array_agg(t.id) into v_all
  from (
    select o.id from public.orders o
    where o.user_id = p_user_id or (o.user_id is null and lower(o.customer_email) = p_email)
    order by o.id
    for update
  ) t;
  select array_agg(o.id) into v_ids
  from public.orders o
  where o.id = any (v_all) and o.stage in ('unpaid', 'cancelled', 'other') and private.is_forgettable(o);
  perform private.anonymise_orders(v_ids);
  update public.orders set erase_pending = true where id = any (v_all) and id <> all (coalesce(v_ids, '{}'));
  select array_agg(o.id) into v_ids
  from public.orders o
  where o.id = any (v_all) and o.erase_pending and private.has_ended(o);
  perform private.erase_kept_orders(v_ids);
  delete from public.stock_alerts where email = p_email;
  update public.outbox set recipient = null, payload = '{}', last_error = null
  where sent_at is not null and lower(recipient) = p_email;
  update public.outbox set payload = '{}', last_error = null
  where sent_at is not null and kind = 'contact_message' and lower(payload ->> 'email') = p_email;
  delete from public.outbox
  where sent_at is null and lower(recipient) = p_email
    and kind in (
      'back_in_stock', 'stock_alert_confirmation', 'newsletter_confirmation', 'newsletter_welcome', 'account_deletion',
      'cart_mail'
    );
  delete from public.outbox
  where sent_at is null and kind = 'contact_message' and lower(payload ->> 'email') = p_email;
  delete from public.contact_messages where lower(email) = p_email;
  delete from public.subscribers where email = p_email;
  delete from public.form_entries where lower(fields ->> 'email') = p_email;
end;
$$;

-- Prepares a database restored from a backup of p_backup_at to continue where the lost one stopped. p_last_order is
-- the highest order number issued; p_last_invoice and p_last_credit_note are the last numbers issued, or null.
--   * Order, invoice and internal numbers continue after those already issued.
--   * Mails that were waiting count as sent, and so do confirmations of orders whose hold has ended since. If such an
--     order turns out to be paid, its mails were sent before.
--   * Customers of delivered orders count as asked for a review, because they may have been since.
--   * Unpaid orders count as mailed about, for the same reason. The figures of that day show these mails.
--   * All admin sessions end, and their devices are unsubscribed.
--   * The next sweep reconciles with Razorpay, so that paid orders in the backup are marked as paid.
--   * The catalogue version moves past the version of the live pages.
-- Returns {orders_after, mails, sessions}: the last order number, and how many mails were marked and sessions ended.
-- Safe to repeat. Raises 22023 for a future p_backup_at and for invalid numbers.
create or replace function public.after_restore(p_backup_at timestamptz, p_last_order bigint, p_last_invoice text,
  p_last_credit_note text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_last_order bigint;
  v_mails integer;
  v_sessions integer;
  v_sequence record;
begin
  if p_backup_at is null or p_backup_at > v_now or p_last_order is null or p_last_order < 0 then
    raise exception 'the time of the backup and the highest order number are required' using errcode = '22023';
  end if;

  insert into public.document_counters as c (series, financial_year, last_serial, last_issued_at)
  select d.series, n.financial_year, n.serial, v_now
  from (values ('invoice', p_last_invoice), ('credit_note', p_last_credit_note)) d (series, number)
  cross join lateral private.parse_document_number(d.series, d.number) n
  where d.number is not null
  on conflict (series, financial_year) do update
    set last_serial = greatest(c.last_serial, excluded.last_serial),
        last_issued_at = greatest(c.last_issued_at, excluded.last_issued_at);

  v_last_order := greatest(p_last_order, (select coalesce(max(id), 0) from public.orders));
  -- The dedupe keys of mails and refunds contain ids. Gaps are harmless.
  for v_sequence in
    select format('%I.%I', s.schemaname, s.sequencename) as name, coalesce(s.last_value, s.start_value) as last
    from pg_catalog.pg_sequences s where s.schemaname = 'public'
  loop
    perform setval(v_sequence.name::regclass, case
      when v_sequence.name = pg_get_serial_sequence('public.orders', 'id') then greatest(v_last_order, v_sequence.last)
      else v_sequence.last + 1000000
    end);
  end loop;

  -- Before the mails, which would notify the devices.
  v_sessions := public.end_admin_sessions(null, true);
  insert into public.outbox (kind, order_id, dedupe_key, sent_at)
  select m.kind, o.id, m.kind || ':' || o.id, v_now
  from public.orders o
  cross join (values ('order_confirmation'), ('order_notice')) m (kind)
  where o.created_at <= p_backup_at and o.payment_id is null and o.razorpay_order_id is not null
    and o.hold_expires_at < v_now
  on conflict (dedupe_key) do nothing;
  update public.outbox set sent_at = v_now, locked_until = null where sent_at is null and created_at <= p_backup_at;
  get diagnostics v_mails = row_count;
  -- The shortest wait of `reviews.askAfterDays` is a day.
  update public.orders set review_request = 'asked'
  where fulfilment = 'delivered' and review_request is null and delivered_at < v_now - interval '1 day';
  -- One that is held ends later, and no mail comes a day after the end.
  update public.orders set cart_mailed_at = v_now
  where hold_state in ('held', 'released') and payment_id is null and cart_mailed_at is null
    and (hold_state = 'held' or released_at > v_now - interval '1 day');

  update public.provider_health set reconcile = true, unreachable_since = null where id;
  update public.catalogue_version set version = version + 1000000 where id;
  return jsonb_build_object(
    'orders_after', v_last_order, 'mails', v_mails, 'sessions', v_sessions
  );
end;
$$;

drop function public.begin_sweep(text[], jsonb, integer, integer, integer);
drop function private.idle_steps(jsonb, integer, integer);

-- The steps with nothing to do now, by the names of the site (netlify/core/scheduled/run-sweep.ts). A step without a rule here always
-- runs, so a rule may call a step due that finds nothing, and never the other way round: each covers what the step's own
-- function claims. p_settings, the days and the hours are those of the site.
create function private.idle_steps(
  p_settings jsonb, p_claim_days integer, p_review_days integer default null, p_cart_hours integer default null
)
returns text[]
language plpgsql
stable
set search_path = ''
as $$
declare
  v_now constant timestamptz := clock_timestamp();
begin
  return (
    select coalesce(array_agg(steps.name) filter (where not steps.is_due), '{}')
    from (values
      -- alertOfSilence: a sweep that comes late looks at how late it is.
      ('silence', not exists (
        select 1 from public.heartbeats h where h.name = 'sweep' and h.last_at > v_now - interval '15 minutes'
      ) or public.shop_health() ->> 'webhook_missing_since' is not null),
      -- set_shop_settings
      ('settings', not exists (select 1 from public.shop_settings s where to_jsonb(s) @> p_settings)),
      -- queue_back_in_stock
      ('back in stock', exists (
        select 1 from public.stock_alerts a
        cross join lateral (select * from public.products w where w.id = a.product_id offset 0) p
        where a.confirmed_at is not null and p.stock > 0 and not p.hidden and p.deleted_at is null
          and case
            when a.size is null or p.sizes = '[]' then true
            else private.stock_of_line(p.stock, p.sizes, a.size) > 0
          end
      )),
      -- queue_review_requests
      ('review requests', exists (select 1 from private.review_requests_due(p_review_days, 1))),
      -- end_unconfirmed_orders
      ('cash orders', exists (
        select 1 from public.orders o where o.hold_state = 'reserved' and o.hold_expires_at <= v_now
      )),
      -- queue_cart_mails
      ('cart mails', exists (select 1 from private.left_carts_due(p_cart_hours, 1))),
      -- claim_refunds
      ('refunds', exists (select 1 from public.refunds r where r.state = 'due' and r.next_attempt_at <= v_now)),
      -- claim_outbox
      ('outbox', exists (
        select 1 from public.outbox m
        where m.sent_at is null and m.next_attempt_at <= v_now and m.attempts < 20
          and (m.kind <> 'push' or m.created_at > v_now - interval '1 day')
      )),
      -- refunds_to_poll
      ('poll refunds', exists (
        select 1 from public.refunds r
        where (r.state = 'requested' or (r.state = 'failed' and r.unanswered > 0)) and r.next_attempt_at <= v_now
      )),
      ('payment origins', exists (select 1 from public.payments_of_unknown_origin(1))),
      -- orders_to_check
      ('sweep', exists (
        select 1 from public.orders o
        where o.next_check_at <= v_now and o.payment_id is null and o.advance_payment_id is null
          and o.status in ('PENDING', 'FAILED') and o.payment_status in ('PENDING', 'FAILED')
      )),
      -- next_reconciliation
      ('reconcile', exists (select 1 from public.reconciliations r where r.finished_at is null)
        or exists (select 1 from public.provider_health h where h.reconcile and h.unreachable_since is null)
        or not exists (select 1 from public.reconciliations r where r.finished_at > v_now - interval '24 hours')),
      -- Its last look holds (note_catalogue_rest), no product ends (end_deleted_products), and no image is unused.
      ('catalogue', not exists (
        select 1 from public.heartbeats h
        where h.name = 'sweep' and h.rest ->> 'state' = private.catalogue_state()
          and coalesce((h.rest ->> 'until')::timestamptz > v_now, true)
          and not ((h.rest ->> 'complete')::boolean and exists (select 1 from public.unused_pictures(1)))
      ) or exists (select 1 from public.products p where p.deleted_at < v_now - interval '30 days')),
      ('credit notes', exists (select 1 from public.credit_notes_due(1))),
      -- take_due_claim_files
      ('claim files', exists (
        select 1 from public.claim_files f
        where f.removing or (f.created_at < v_now - interval '2 days' and (f.claim_id is null or exists (
          select 1 from public.claims c
          where c.id = f.claim_id and (
            c.created_at < v_now - interval '2 years'
            or c.answered_at < v_now - make_interval(days => coalesce(p_claim_days, 0))
          )
        )))
      )),
      ('forget', not exists (
        select 1 from public.heartbeats h where h.name = 'forget' and h.last_at > v_now - interval '20 hours'
      ))
    ) steps (name, is_due)
  );
end;
$$;

-- Begins a run of a site whose sweep has these steps. Returns {idle, isOver, catalogueState}: the steps with nothing to do; whether that
-- is all of them, and then the run is recorded as note_sweep does; what note_catalogue_rest takes.
create function public.begin_sweep(
  p_steps text[], p_settings jsonb, p_claim_days integer, p_stranger_mails integer, p_review_days integer default null,
  p_cart_hours integer default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_idle constant text[] := private.idle_steps(p_settings, p_claim_days, p_review_days, p_cart_hours);
begin
  if p_steps <@ v_idle then
    perform public.note_sweep(p_stranger_mails);
  end if;
  return jsonb_build_object(
    'idle', v_idle, 'isOver', p_steps <@ v_idle, 'catalogueState', private.catalogue_state()
  );
end;
$$;

-- The service alone calls the new functions.
grant all on table public.cart_mail_refusals to service_role;
grant execute on function public.queue_cart_mails(integer, integer), public.refuse_cart_mails(text),
  public.begin_sweep(text[], jsonb, integer, integer, integer, integer) to service_role;
