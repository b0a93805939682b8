-- Retention: deletes or anonymises old data. The terms are in src/domain/retention.ts, which the privacy page shows
-- too. This file decides which rows each term covers. `npm test` fails for a column that is in neither.

-- Deletes or anonymises up to p_limit rows of one subject that are older than p_before. Returns how many. Ids are
-- passed as arrays, because PostgreSQL may scan the whole table for a join. Takes locks in the order of `orders.sql`, and
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
      -- One whose person was erased does not wait for the term.
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        where o.stage in ('unpaid', 'cancelled', 'other') and o.payment_id is null
          and num_nonnulls(o.user_id, o.customer_name, o.customer_email, o.customer_phone, o.customer_address, o.notes) > 0
          and (o.created_at < p_before or o.erase_pending)
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
    when 'delivered_orders' then
      -- One that was shipped and never marked as delivered ends too.
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        where num_nonnulls(o.customer_phone, o.notes, o.gift_note, o.recipient_name, o.recipient_phone) > 0
          and coalesce(o.delivered_at, o.cancelled_at, o.shipped_at, o.paid_at) < p_before
          and (private.has_ended(o) or o.shipped_at is not null)
          and not exists (select 1 from public.claims c where c.order_id = o.id and c.answer is null)
        order by coalesce(o.delivered_at, o.cancelled_at, o.shipped_at, o.paid_at)
        limit p_limit
        for update skip locked
      ) t;
      perform private.erase_contact(v_ids);
      return coalesce(cardinality(v_ids), 0);
    when 'unconfirmed_accounts' then
      delete from auth.users where id = any (array(
        select id from auth.users where email_confirmed_at is null and created_at < p_before order by created_at limit p_limit));
    when 'auth_log' then
      -- Auth's own table: a project can do without it, and can keep it from this role.
      if to_regclass('auth.audit_log_entries') is null
        or not has_table_privilege('auth.audit_log_entries', 'select, delete')
      then
        return 0;
      end if;
      execute 'delete from auth.audit_log_entries where id = any (array(
        select id from auth.audit_log_entries where created_at < $1 limit $2))'
      using p_before, p_limit;
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
    when 'unpublished_reviews' then
      delete from public.reviews where id = any (array(
        select id from public.reviews
        where state <> 'published' and created_at < p_before order by created_at limit p_limit));
    when 'cash_refusals' then
      delete from public.cash_refusals where id = any (array(
        select id from public.cash_refusals where created_at < p_before order by created_at limit p_limit));
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
-- an earlier release does not know may be missing, and then have their own terms.
create function public.forget(p_terms jsonb, p_limit integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- Orders first, by the lock order.
  v_subjects constant text[] := array[
    'unpaid_orders', 'paid_orders', 'erased_orders', 'delivered_orders', 'claim_words', 'unpublished_reviews', 'cash_refusals',
    'order_networks', 'unconfirmed_accounts', 'auth_log', 'order_forms', 'contact_messages', 'newsletter_requests', 'stock_alert_requests', 'stock_alerts', 'sent_mails', 'mail_records', 'unsent_mails', 'notifications', 'devices',
    'admin_sessions', 'failed_payments', 'payment_events', 'comparisons', 'catalogue_changes'
  ];
  v_terms constant jsonb := jsonb_build_object(
    'erased_orders', 1, 'delivered_orders', 180, 'claim_words', 365, 'unpublished_reviews', 365, 'cash_refusals', 180,
    'unconfirmed_accounts', 30, 'auth_log', 30
  ) || p_terms;
  v_now timestamptz := clock_timestamp();
  v_subject text;
  v_count integer;
  v_most integer := 0;
  v_forgotten jsonb := '{}';
begin
  if p_limit is null or p_limit not between 1 and 10000 or jsonb_typeof(p_terms) is distinct from 'object'
    -- own_cancellations is a subject of release 1.3.2, which ends nothing.
    or exists (select 1 from jsonb_object_keys(p_terms) k where k <> all (v_subjects || 'own_cancellations'::text))
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
