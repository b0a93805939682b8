-- The owner's inbox, and what needs a hand today.

alter table public.contact_messages add column answered_at timestamptz;
alter table public.form_entries add column answered_at timestamptz;
create index contact_messages_open_idx on public.contact_messages (id) where answered_at is null;
create index contact_messages_unread_idx on public.contact_messages (id) where read_at is null;
create index form_entries_unread_idx on public.form_entries (id) where read_at is null;

-- A page of the inbox, newest first, beginning below the id p_before: {rows, unread: {messages, forms}, subscribers}.
create function public.list_inbox(p_kind text, p_before bigint, p_limit integer)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_before bigint := coalesce(p_before, 9223372036854775807);
  v_rows jsonb;
begin
  if p_limit is null or p_limit not between 1 and 101 then
    raise exception 'limit must be 1 to 101' using errcode = '22023';
  end if;
  if p_kind = 'messages' then
    select jsonb_agg(to_jsonb(t) order by t.id desc) into v_rows
    from (
      select id, created_at, name, email, subject, message, read_at, answered_at
      from public.contact_messages where id < v_before order by id desc limit p_limit
    ) t;
  elsif p_kind = 'forms' then
    select jsonb_agg(to_jsonb(t) order by t.id desc) into v_rows
    from (
      select id, created_at, form, fields, read_at, answered_at
      from public.form_entries where id < v_before order by id desc limit p_limit
    ) t;
  elsif p_kind = 'subscribers' then
    select jsonb_agg(to_jsonb(t) order by t.id desc) into v_rows
    from (
      select id, email, consent_at, consent_text, unsubscribed_at
      from public.subscribers where id < v_before order by id desc limit p_limit
    ) t;
  else
    raise exception 'kind must be messages, forms or subscribers' using errcode = '22023';
  end if;
  return jsonb_build_object(
    'rows', coalesce(v_rows, '[]'),
    'unread', jsonb_build_object(
      'messages', (select count(*) from public.contact_messages where read_at is null),
      'forms', (select count(*) from public.form_entries where read_at is null)
    ),
    'subscribers', (select count(*) from public.subscribers where unsubscribed_at is null)
  );
end;
$$;

-- The owner's marks; null leaves one as it is. What is answered has been read. False when there is no such entry.
create function public.mark_inbox(p_kind text, p_id bigint, p_read boolean, p_answered boolean)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_read boolean := case when p_answered then true else p_read end;
begin
  if p_kind = 'messages' then
    update public.contact_messages
    set read_at = case v_read when true then coalesce(read_at, clock_timestamp()) when false then null else read_at end,
        answered_at = case p_answered when true then coalesce(answered_at, clock_timestamp()) when false then null else answered_at end
    where id = p_id;
  elsif p_kind = 'forms' then
    update public.form_entries
    set read_at = case v_read when true then coalesce(read_at, clock_timestamp()) when false then null else read_at end,
        answered_at = case p_answered when true then coalesce(answered_at, clock_timestamp()) when false then null else answered_at end
    where id = p_id;
  else
    raise exception 'kind must be messages or forms' using errcode = '22023';
  end if;
  return found;
end;
$$;

-- Every address that asked for the newsletter, with its consent. One list: the API hands out a thousand rows at most.
create function public.all_subscribers()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', s.id, 'email', s.email, 'consent_at', s.consent_at, 'consent_text', s.consent_text,
    'unsubscribed_at', s.unsubscribed_at
  ) order by s.id), '[]')
  from public.subscribers s;
$$;

-- Money that needs the owner's eye: payments that match no order or not their order, refunds that did not go through.
-- A refund waits when it was tried in vain, or when the provider has had it for ten days.
create function private.money_matters()
returns table (kind text, payment_id text, order_id bigint, amount_paise bigint, at timestamptz, refundable boolean)
language sql
stable
set search_path = ''
as $$
  select 'unmatched', p.payment_id, p.order_id, p.amount_paise, p.created_at, true
  from public.payments p
  where p.state = 'unmatched'
  union all
  select 'mismatch', p.payment_id, p.order_id, p.amount_paise, p.created_at, false
  from public.payments p
  where p.state = 'refund_due' and p.reason = 'amount_mismatch'
  union all
  -- Nothing is left to do about a failed refund when its payment has gone back by another.
  select 'refund_failed', r.payment_id, r.order_id, r.amount_paise, r.updated_at, true
  from public.refunds r
  join public.payments p on p.payment_id = r.payment_id
  where r.state = 'failed' and (private.may_have_gone(r) or r.amount_paise <= private.free_paise(p))
  union all
  select 'refund_waiting', r.payment_id, r.order_id, r.amount_paise, r.created_at, false
  from public.refunds r
  where (r.state = 'due' and r.attempts > 0)
    or (r.state = 'requested' and r.updated_at < clock_timestamp() - interval '10 days');
$$;
create index payments_open_idx on public.payments (state) where state in ('unmatched', 'refund_due');

-- What needs a hand now; lists hold the first five, counts all. p_low: stock below this is low.
create function public.read_today(p_low integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with clock as (
    select date_trunc('day', clock_timestamp() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata' as today,
      date_trunc('month', clock_timestamp() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata' as month
  ), money as materialized (
    select * from private.money_matters()
  )
  select jsonb_build_object(
    'to_pack', jsonb_build_object(
      'count', (select count(*) from public.orders where stage = 'to_pack'),
      -- The one that has waited longest first.
      'orders', (select coalesce(jsonb_agg(to_jsonb(t) order by t.created_at, t.id), '[]') from (
        select id, customer_name, items, products, created_at from public.orders
        where stage = 'to_pack' order by created_at, id limit 5) t)
    ),
    'to_answer', jsonb_build_object(
      'count', (select count(*) from public.contact_messages where answered_at is null),
      'messages', (select coalesce(jsonb_agg(to_jsonb(t) order by t.id), '[]') from (
        select id, name, subject, created_at from public.contact_messages
        where answered_at is null order by id limit 5) t)
    ),
    'low', jsonb_build_object(
      'count', (select count(*) from public.products where stock between 1 and p_low - 1),
      'products', (select coalesce(jsonb_agg(to_jsonb(t) order by t.stock, t.name, t.id), '[]') from (
        select id, name, stock from public.products
        where stock between 1 and p_low - 1 order by stock, name, id limit 5) t)
    ),
    'sold_out', jsonb_build_object(
      'count', (select count(*) from public.products where stock = 0),
      'products', (select coalesce(jsonb_agg(to_jsonb(t) order by t.name, t.id), '[]') from (
        select id, name from public.products where stock = 0 order by name, id limit 5) t)
    ),
    'money', jsonb_build_object(
      'count', (select count(*) from money),
      'items', (select coalesce(jsonb_agg(to_jsonb(t) order by t.at, t.payment_id), '[]') from (
        select * from money order by at, payment_id limit 5) t)
    ),
    'unsent_mails', (select count(*) from public.outbox where sent_at is null and attempts >= 5),
    'sales', (
      select jsonb_build_object(
        'today_orders', count(*) filter (where o.paid_at >= c.today),
        'today_paise', coalesce(sum(o.total_paise) filter (where o.paid_at >= c.today), 0),
        'month_orders', count(*),
        'month_paise', coalesce(sum(o.total_paise), 0)
      )
      from public.orders o, clock c
      where o.paid_at >= c.month and o.fulfilment <> 'cancelled'
    )
  );
$$;

revoke execute on function private.money_matters() from public, anon, authenticated;
revoke execute on function public.list_inbox(text, bigint, integer), public.mark_inbox(text, bigint, boolean, boolean),
  public.all_subscribers(), public.read_today(integer)
from public, anon, authenticated;
grant execute on function public.list_inbox(text, bigint, integer), public.mark_inbox(text, bigint, boolean, boolean),
  public.all_subscribers(), public.read_today(integer)
to service_role;
