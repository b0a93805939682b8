-- Erasure reaches orders whose payment went back, the words of refunds, and addresses before a correction.

-- Whether an order has ended and no sale took place, so that tax law does not require its data: no money ever came for it,
-- or all of it was of no use and went back.
create or replace function private.is_forgettable(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return p_order.hold_state is distinct from 'held' and p_order.next_check_at is null
    and p_order.payment_id is null and p_order.paid_at is null and p_order.invoice_number is null
    and (
      private.payment_stage(p_order.status, p_order.payment_status) = 'unpaid'
      or (p_order.status = 'FAILED' and p_order.payment_status = 'REFUNDED')
    )
    and not exists (select 1 from public.payments p where p.order_id = p_order.id and p.state <> 'refunded');
end;
$$;

-- Whether nobody needs the phone, the notes or a claim of an order any more: it is delivered, cancelled, handed over or
-- refunded in full, no refund is under way, and no claim waits for its answer.
create or replace function private.has_ended(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
      p_order.fulfilment in ('delivered', 'cancelled') or p_order.hand_over
      -- Paid, and all of it went back.
      or private.unrefunded_paise(p_order) = 0
      -- Never paid: the payments that came were of no use and went back.
      or (p_order.payment_id is null and p_order.hold_state is distinct from 'held' and p_order.next_check_at is null)
    )
    and not exists (
      select 1 from public.refunds r where r.order_id = p_order.id and r.state in ('due', 'requested')
    )
    and not exists (
      select 1 from public.payments p where p.order_id = p_order.id and p.state in ('unmatched', 'refund_due')
    )
    and not exists (select 1 from public.claims c where c.order_id = p_order.id and c.answer is null);
end;
$$;

-- Replaces the admin's words about refunds of these orders, which their credit notes repeat.
create function private.erase_refund_reasons(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.refunds set reason = 'Refund' where order_id = any (p_order_ids) and reason <> 'Refund';
  update public.credit_notes set document = jsonb_set(document, '{reason}', '"Refund"')
  where invoice_number in (select i.number from public.invoices i where i.order_id = any (p_order_ids))
    and document ? 'reason';
end;
$$;

-- Removes from paid orders of an erased person what Rule 46 of the CGST Rules does not require on an invoice: phone,
-- notes, gift note, network, tracking, the words and files of claims, the reasons of refunds, corrected details, and the
-- admin's notes. Name, address, e-mail, items, amounts and documents stay until the term of paid orders; the phone leaves
-- the documents too. Marked files are deleted by take_due_claim_files, their rows after them. The caller has locked the
-- orders.
create or replace function private.erase_kept_orders(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.orders
  set customer_phone = null, notes = null, gift_note = null, network = null, admin_note = '', cancel_reason = null,
      pay_token = null, tracking_number = null, tracking_url = null, erase_pending = false
  where id = any (p_ids);
  delete from public.order_changes where order_id = any (p_ids) and field <> 'customer_gstin';
  perform private.erase_refund_reasons(p_ids);
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

drop index public.orders_unpaid_with_name_idx;
create index orders_unpaid_with_name_idx on public.orders (id)
where stage in ('unpaid', 'cancelled', 'other') and payment_id is null
  and num_nonnulls(user_id, customer_name, customer_email, customer_phone, customer_address, notes) > 0;

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
        where o.stage in ('unpaid', 'cancelled', 'other') and o.payment_id is null
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
      perform private.erase_refund_reasons(v_ids);
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
