-- Personal data: the export names what goes out, and an erasure removes all that tax law does not require.

-- All data of an account or an address: {account, profile, wishlist, orders, order_changes, payments, refunds,
-- claims, invoices, credit_notes, mails, messages, newsletter, stock_alerts, order_forms}; parts without rows are
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
          'gift_note', o.gift_note, 'items', o.items, 'products', o.products, 'currency', o.currency)
        || jsonb_build_object(
          'subtotal_paise', o.subtotal_paise, 'discount_code', o.discount_code, 'discount_paise', o.discount_paise,
          'fee_paise', o.fee_paise, 'fee_bps', o.fee_bps, 'total_paise', o.total_paise, 'kept_paise', o.kept_paise,
          'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount,
          'status', o.status, 'payment_status', o.payment_status, 'payment_method', o.payment_method,
          'payment_reference', o.payment_reference, 'razorpay_order_id', o.razorpay_order_id,
          'payment_id', o.payment_id, 'paid_at', o.paid_at)
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
    'claims', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'created_at', c.created_at, 'message', c.message,
        'answer', c.answer, 'answered_at', c.answered_at, 'reason', c.reason,
        'files', (select count(*) from public.claim_files f where f.claim_id = c.id and not f.removing)) order by c.id)
      from public.claims c where c.order_id = any (v_orders)),
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
    'order_forms', (
      select jsonb_agg(f.fields || jsonb_build_object('sent_at', f.created_at) order by f.id)
      from public.form_entries f where lower(f.fields ->> 'email') = p_email)
  );
end;
$$;

-- ── Erasure of orders that tax law keeps ──

alter table public.orders add column erase_pending boolean not null default false;
comment on column public.orders.erase_pending is
  'The customer was erased. private.erase_kept_order takes the rest once the order has ended';
create index orders_erase_pending_idx on public.orders (id) where erase_pending;

-- Whether nobody needs the phone, the notes or a claim of an order any more: it is delivered, cancelled or handed over,
-- and no claim waits for its answer.
create function private.has_ended(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return (p_order.fulfilment in ('delivered', 'cancelled') or p_order.hand_over)
    and not exists (select 1 from public.claims c where c.order_id = p_order.id and c.answer is null);
end;
$$;

-- Removes from paid orders of an erased person what Rule 46 of the CGST Rules does not require on an invoice: phone,
-- notes, gift note, network, tracking, the words and files of claims, and the admin's notes. Name, address, e-mail,
-- items, amounts and documents stay until the term of paid orders; the phone leaves the documents too. Marked files are
-- deleted by take_due_claim_files, their rows after them. The caller has locked the orders.
create function private.erase_kept_orders(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.orders
  set customer_phone = null, notes = null, gift_note = null, network = null, admin_note = '', cancel_reason = null,
      pay_token = null, tracking_number = null, tracking_url = null, erase_pending = false
  where id = any (p_ids);
  delete from public.order_changes where order_id = any (p_ids) and field in ('customer_phone', 'admin_note');
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.claim_files set removing = true where order_id = any (p_ids) and not removing;
  update public.outbox set payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null and payload <> '{}';
  update public.invoices set document = jsonb_set(document, '{buyer,phone}', '""')
  where order_id = any (p_ids) and document -> 'buyer' ? 'phone';
  update public.credit_notes set document = jsonb_set(document, '{buyer,phone}', '""')
  where invoice_number in (select i.number from public.invoices i where i.order_id = any (p_ids))
    and document -> 'buyer' ? 'phone';
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
  where o.id = any (v_all) and o.stage in ('unpaid', 'cancelled') and private.is_forgettable(o);
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
      'back_in_stock', 'stock_alert_confirmation', 'newsletter_confirmation', 'newsletter_welcome', 'account_deletion'
    );
  delete from public.outbox
  where sent_at is null and kind = 'contact_message' and lower(payload ->> 'email') = p_email;
  delete from public.contact_messages where lower(email) = p_email;
  delete from public.subscribers where email = p_email;
  delete from public.form_entries where lower(fields ->> 'email') = p_email;
end;
$$;

-- ── Terms ──

create index claims_words_idx on public.claims (answered_at) where message <> '' or reason <> '';
-- Deletes or anonymises up to p_limit rows of one subject that are older than p_before. Returns how many. Ids are
-- passed as arrays, because PostgreSQL may scan the whole table for a join. Takes locks in the order of `orders`, and
-- skips locked orders.
create or replace function private.forget_subject(p_subject text, p_before timestamptz, p_limit integer)
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_ids bigint[];
  v_count integer;
begin
  case p_subject
    when 'unpaid_orders' then
      -- An order from the checkout without an account had its account deleted, so it does not wait for the term.
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        where o.stage in ('unpaid', 'cancelled') and o.payment_id is null
          and num_nonnulls(o.user_id, o.customer_name, o.customer_email, o.customer_phone, o.customer_address, o.notes) > 0
          and (o.created_at < p_before or (o.user_id is null and o.idempotency_key is not null))
          and private.is_forgettable(o)
        order by o.id
        limit p_limit
        for update skip locked
      ) t;
      perform private.anonymise_orders(v_ids);
      return coalesce(cardinality(v_ids), 0);
    when 'paid_orders' then
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        where o.created_at < p_before and coalesce(o.paid_at, o.created_at) < p_before
          and num_nonnulls(o.user_id, o.customer_name, o.customer_email, o.customer_phone, o.customer_address, o.notes) > 0
        order by o.created_at
        limit p_limit
        for update skip locked
      ) t;
      perform private.anonymise_orders(v_ids);
      perform private.anonymise_documents(v_ids);
      return coalesce(cardinality(v_ids), 0);
    when 'erased_orders' then
      -- Not by age: as soon as the order has ended.
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        -- Without a name: nobody paid it, and its person was removed.
        where o.erase_pending and (private.has_ended(o) or o.customer_name is null)
        order by o.id
        limit p_limit
        for update skip locked
      ) t;
      perform private.erase_kept_orders(v_ids);
      return coalesce(cardinality(v_ids), 0);
    when 'claim_words' then
      update public.claims set message = '', reason = '' where id = any (array(
        select id from public.claims
        where answered_at < p_before and (message <> '' or reason <> '') order by answered_at limit p_limit));
    when 'own_cancellations' then
      delete from public.own_cancellations where order_id = any (array(
        select order_id from public.own_cancellations
        where created_at < p_before order by created_at limit p_limit));
    when 'order_networks' then
      update public.orders set network = null where id = any (array(
        select id from public.orders
        where network is not null and created_at < p_before order by id limit p_limit for update skip locked));
    when 'order_forms' then
      delete from public.form_entries where id = any (array(
        select id from public.form_entries where created_at < p_before order by created_at limit p_limit));
    when 'contact_messages' then
      delete from public.contact_messages where id = any (array(
        select id from public.contact_messages where created_at < p_before order by created_at limit p_limit));
    when 'newsletter_requests' then
      delete from public.subscribers where id = any (array(
        select id from public.subscribers
        where confirmed_at is null and unsubscribed_at is null and asked_at < p_before
        order by asked_at limit p_limit));
    when 'stock_alert_requests' then
      delete from public.stock_alerts where id = any (array(
        select id from public.stock_alerts
        where confirmed_at is null and created_at < p_before order by created_at limit p_limit));
    when 'stock_alerts' then
      delete from public.stock_alerts where id = any (array(
        select id from public.stock_alerts where created_at < p_before order by created_at limit p_limit));
    when 'sent_mails' then
      update public.outbox set recipient = null, payload = '{}', last_error = null where id = any (array(
        select id from public.outbox
        where sent_at < p_before and (recipient is not null or payload <> '{}')
        order by sent_at limit p_limit));
    when 'mail_records' then
      delete from public.outbox where id = any (array(
        select id from public.outbox where sent_at < p_before order by sent_at limit p_limit));
    when 'unsent_mails' then
      delete from public.outbox where id = any (array(
        select id from public.outbox
        where sent_at is null and created_at < p_before order by id limit p_limit));
    when 'notifications' then
      delete from public.outbox where id = any (array(
        select id from public.outbox where kind = 'push' and created_at < p_before order by created_at limit p_limit));
    when 'devices' then
      delete from public.push_subscriptions where id = any (array(
        select id from public.push_subscriptions
        where session_id is null and created_at < p_before order by id limit p_limit));
    when 'admin_sessions' then
      delete from public.admin_sessions where id = any (array(
        select id from public.admin_sessions where least(expires_at, revoked_at) < p_before order by id limit p_limit));
    when 'failed_payments' then
      delete from public.webhook_events where event_id = any (array(
        select event_id from public.webhook_events
        where event = 'payment.failed' and received_at < p_before order by received_at limit p_limit));
    when 'payment_events' then
      delete from public.webhook_events where event_id = any (array(
        select event_id from public.webhook_events where received_at < p_before order by received_at limit p_limit));
    when 'comparisons' then
      delete from public.reconciliations where id = any (array(
        select id from public.reconciliations
        where finished_at < p_before and id < (select max(id) from public.reconciliations)
        order by id limit p_limit));
    when 'catalogue_changes' then
      -- Unpublished changes stay.
      delete from public.product_changes where version = any (array(
        select version from public.product_changes
        where at < p_before and version <= (select max(b.version) from public.builds b where b.state = 'published')
        order by at limit p_limit));
    else
      raise exception 'there is no subject %', p_subject using errcode = '22023';
  end case;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

-- Deletes data that is older than its term, once in 20 hours. p_terms is {subject: days}; p_limit is the maximum of
-- rows per subject and call. Returns {outcome, forgotten: {subject: rows}}: more (call again), done, not_due (nothing
-- was done). Raises 22023 unless p_terms has the subjects of private.forget_subject, each at least one day. Those that
-- release 1.0.0 does not know may be missing, and then have their own terms.
create or replace function public.forget(p_terms jsonb, p_limit integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- Orders first, by the lock order.
  v_subjects constant text[] := array[
    'unpaid_orders', 'paid_orders', 'erased_orders', 'claim_words', 'own_cancellations', 'order_networks', 'order_forms', 'contact_messages', 'newsletter_requests',
    'stock_alert_requests', 'stock_alerts', 'sent_mails', 'mail_records', 'unsent_mails', 'notifications', 'devices',
    'admin_sessions', 'failed_payments', 'payment_events', 'comparisons', 'catalogue_changes'
  ];
  v_terms constant jsonb := '{"erased_orders": 1, "claim_words": 365, "own_cancellations": 30}'::jsonb || p_terms;
  v_now timestamptz := clock_timestamp();
  v_subject text;
  v_count integer;
  v_most integer := 0;
  v_forgotten jsonb := '{}';
begin
  if p_limit is null or p_limit not between 1 and 10000 or jsonb_typeof(p_terms) is distinct from 'object'
    or exists (select 1 from jsonb_object_keys(p_terms) k where k <> all (v_subjects))
    or exists (select 1 from unnest(v_subjects) s where (v_terms ->> s) is null or (v_terms ->> s)::integer < 1)
  then
    raise exception 'a limit and one term of at least a day for each subject are required' using errcode = '22023';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('kasavu forget', 0))
    or exists (select 1 from public.heartbeats h where h.name = 'forget' and h.last_at > v_now - interval '20 hours')
  then
    return jsonb_build_object('outcome', 'not_due', 'forgotten', '{}'::jsonb);
  end if;
  foreach v_subject in array v_subjects loop
    v_count := private.forget_subject(v_subject, v_now - make_interval(days => (v_terms ->> v_subject)::integer), p_limit);
    v_most := greatest(v_most, v_count);
    if v_count > 0 then
      v_forgotten := v_forgotten || jsonb_build_object(v_subject, v_count);
    end if;
  end loop;
  if v_most < p_limit then
    update public.heartbeats set last_at = clock_timestamp() where name = 'forget';
  end if;
  return jsonb_build_object('outcome', case when v_most < p_limit then 'done' else 'more' end, 'forgotten', v_forgotten);
end;
$$;
