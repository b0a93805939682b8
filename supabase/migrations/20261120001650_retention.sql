-- Retention: deletes or anonymises old data. The terms are in src/domain/retention.ts, which the privacy page shows
-- too. This file decides which rows each term covers. `npm test` fails for a table that is in neither.

-- ── Orders that nobody paid ──

-- Whether an order has ended and no money ever moved for it, so that tax law does not require its data.
create function private.is_forgettable(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return private.payment_stage(p_order.status, p_order.payment_status) = 'unpaid'
    and p_order.hold_state is distinct from 'held' and p_order.next_check_at is null
    and p_order.payment_id is null and p_order.paid_at is null and p_order.invoice_number is null
    and not exists (select 1 from public.payments p where p.order_id = p_order.id);
end;
$$;

-- Removes the person from orders and keeps what was ordered. Their mails lose address and text. The caller has locked
-- the orders.
create function private.anonymise_orders(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.orders
  set user_id = null, customer_name = null, customer_email = null, customer_phone = null, customer_address = null,
      customer_city = null, customer_postal_code = null, customer_gstin = null, notes = null, gift_note = null, network = null,
      admin_note = '', cancel_reason = null, payment_reference = null, pay_token = null, tracking_number = null,
      tracking_url = null
  where id = any (p_ids);
  delete from public.order_changes where order_id = any (p_ids);
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.outbox set recipient = null, payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null;
  delete from public.outbox where order_id = any (p_ids) and sent_at is null;
end;
$$;

-- A document without its buyer. The GSTIN of a business stays.
create function private.without_buyer(p_document jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return jsonb_set(p_document, '{buyer}', coalesce(p_document -> 'buyer', '{}')
    || '{"name": "", "address": "", "city": "", "postalCode": "", "phone": "", "email": ""}');
end;
$$;

-- Removes the buyer from documents that tax law no longer requires. Numbers, lines and tax stay.
create function private.anonymise_documents(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.invoices set document = private.without_buyer(document) where order_id = any (p_order_ids);
  update public.credit_notes set document = private.without_buyer(document)
  where invoice_number in (select i.number from public.invoices i where i.order_id = any (p_order_ids));
end;
$$;

-- ── Terms ──

-- Indexes for the queries below, so that their cost does not grow with the shop.
create index orders_unpaid_with_name_idx on public.orders (id)
where stage in ('unpaid', 'cancelled') and payment_id is null
  and num_nonnulls(user_id, customer_name, customer_email, customer_phone, customer_address, notes) > 0;
create index subscribers_unconfirmed_idx on public.subscribers (asked_at)
where confirmed_at is null and unsubscribed_at is null;
create index product_changes_at_idx on public.product_changes (at);

-- Deletes or anonymises up to p_limit rows of one subject that are older than p_before. Returns how many. Ids are
-- passed as arrays, because PostgreSQL may scan the whole table for a join. Takes locks in the order of `orders`, and
-- skips locked orders.
create function private.forget_subject(p_subject text, p_before timestamptz, p_limit integer)
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
-- was done). Raises 22023 unless p_terms has exactly the subjects of private.forget_subject, each at least one day.
create function public.forget(p_terms jsonb, p_limit integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- Orders first, by the lock order.
  v_subjects constant text[] := array[
    'unpaid_orders', 'paid_orders', 'order_networks', 'order_forms', 'contact_messages', 'newsletter_requests',
    'stock_alert_requests', 'stock_alerts', 'sent_mails', 'mail_records', 'unsent_mails', 'notifications', 'devices',
    'admin_sessions', 'failed_payments', 'payment_events', 'comparisons', 'catalogue_changes'
  ];
  v_now timestamptz := clock_timestamp();
  v_subject text;
  v_count integer;
  v_most integer := 0;
  v_forgotten jsonb := '{}';
begin
  if p_limit is null or p_limit not between 1 and 10000 or jsonb_typeof(p_terms) is distinct from 'object'
    or exists (select 1 from jsonb_object_keys(p_terms) k where k <> all (v_subjects))
    or exists (select 1 from unnest(v_subjects) s where (p_terms ->> s) is null or (p_terms ->> s)::integer < 1)
  then
    raise exception 'a limit and one term of at least a day for each subject are required' using errcode = '22023';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('kasavu forget', 0))
    or exists (select 1 from public.heartbeats h where h.name = 'forget' and h.last_at > v_now - interval '20 hours')
  then
    return jsonb_build_object('outcome', 'not_due', 'forgotten', '{}'::jsonb);
  end if;
  foreach v_subject in array v_subjects loop
    v_count := private.forget_subject(v_subject, v_now - make_interval(days => (p_terms ->> v_subject)::integer), p_limit);
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

-- ── Accounts that are deleted ──

-- Deletes a person's data, except paid orders and their documents, which tax law requires. Rows are also found by
-- p_email, in lower case, if given. An order that can still be paid stays until it has ended; the next run of
-- `forget` takes it.
create function private.forget_person(p_user_id uuid, p_email text)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_ids bigint[];
begin
  select array_agg(t.id) into v_ids
  from (
    select o.id from public.orders o
    where o.stage in ('unpaid', 'cancelled') and private.is_forgettable(o)
      and (o.user_id = p_user_id or (o.user_id is null and lower(o.customer_email) = p_email))
    order by o.id
    for update
  ) t;
  perform private.anonymise_orders(v_ids);
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
  delete from public.contact_messages where lower(email) = p_email;
  delete from public.subscribers where email = p_email;
  delete from public.form_entries where lower(fields ->> 'email') = p_email;
end;
$$;

-- The account's profile and wishlist are deleted by their foreign keys. Rows found by address are deleted only if the
-- account has confirmed the address.
create function private.forget_account()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.forget_person(old.id, case when old.email_confirmed_at is not null then lower(old.email) end);
  return old;
end;
$$;

create trigger kasavu_forget_account
before delete on auth.users
for each row execute function private.forget_account();
