-- Web push: devices on which the admin wants to be told, and what they are told. A notification is an entry of the outbox
-- of kind 'push', one for each device, beside the mail about the same thing: it has its lease and its tries for itself.

-- Whoever knows an endpoint and its keys can show a notification on the device, so nobody but the service reads them.
create table public.push_subscriptions (
  id bigint generated always as identity primary key,
  -- The address at the browser's push service.
  endpoint text not null unique check (length(endpoint) between 10 and 2000),
  -- The device's public key (65 bytes) and its shared secret (16 bytes), base64url.
  p256dh text not null check (p256dh ~ '^[A-Za-z0-9_-]{87}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  -- The log-in that turned it on, or was used on the device last: it ends with it. A session that expires ends nothing.
  session_id bigint references public.admin_sessions (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Null once a notification went through again.
  last_failure timestamptz
);
create index push_subscriptions_session_id_idx on public.push_subscriptions (session_id);

alter table public.push_subscriptions enable row level security;

-- Adds a device, or brings one up to date. The ten newest are kept. Deletes notifications that are a week old.
create function public.save_push_subscription(p_endpoint text, p_p256dh text, p_auth text, p_session_id bigint)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.outbox where kind = 'push' and created_at < now() - interval '7 days';
  insert into public.push_subscriptions (endpoint, p256dh, auth, session_id)
  values (p_endpoint, p_p256dh, p_auth, p_session_id)
  on conflict (endpoint) do update
    set p256dh = excluded.p256dh, auth = excluded.auth, session_id = excluded.session_id, last_failure = null;
  delete from public.push_subscriptions
  where id in (select id from public.push_subscriptions order by created_at desc, id desc offset 10);
end;
$$;

-- Ends a device's subscription. True when there was one.
create function public.end_push_subscription(p_endpoint text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.push_subscriptions where endpoint = p_endpoint;
  return found;
end;
$$;

-- Tells every device, once for each dedupe key. p_topic chooses the text; nothing of a person belongs into p_payload.
create function private.queue_push(p_topic text, p_payload jsonb, p_dedupe_key text, p_order_id bigint default null)
returns void
language sql
set search_path = ''
as $$
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  select 'push', s.id::text, p_order_id, coalesce(p_payload, '{}') || jsonb_build_object('topic', p_topic),
    'push:' || s.id || ':' || p_dedupe_key
  from public.push_subscriptions s
  on conflict (dedupe_key) do nothing;
$$;

-- With a mail to the admin that cannot wait, the devices are told.
create function private.push_beside_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_topic text := case
    when new.kind = 'order_notice' then 'order'
    when new.kind = 'contact_message' then 'message'
    when new.kind = 'refund_alert' and new.payload ->> 'reason' <> 'refund_failed' then 'payment'
    when new.kind = 'admin_alert' and new.payload ->> 'topic' = 'difference' then 'payment'
  end;
begin
  if v_topic is not null then
    perform private.queue_push(
      v_topic,
      case when v_topic = 'payment' then jsonb_build_object('amount_paise', new.payload -> 'amount_paise') end,
      new.dedupe_key,
      new.order_id
    );
  end if;
  return null;
end;
$$;

create trigger outbox_push_beside_mail
after insert on public.outbox
for each row
when (new.recipient is null)
execute function private.push_beside_mail();

-- Tells of the pieces of an order that this sale ends, or takes below p_low_stock_below. What other shoppers hold while
-- they pay is not sold yet. Locks the products, so that of two sales at once one is the last. The caller has locked the
-- order and not yet counted it as sold.
create function private.push_running_out(p_order public.orders, p_low_stock_below integer)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_pieces jsonb;
begin
  if p_low_stock_below is null or not exists (select 1 from public.push_subscriptions) then
    return;
  end if;
  perform 1 from public.products p
  where p.id in (select (item ->> 'product_id')::uuid from jsonb_array_elements(p_order.items) item)
  order by p.id
  for update;
  select jsonb_agg(jsonb_build_object('name', p.name, 'left', n.unsold) order by n.unsold, p.name) into v_pieces
  from (
    select (item ->> 'product_id')::uuid as product_id, sum((item ->> 'quantity')::bigint) as quantity
    from jsonb_array_elements(p_order.items) item
    group by 1
  ) sold
  join public.products p on p.id = sold.product_id and p.deleted_at is null
  cross join lateral (
    select p.stock + coalesce(sum((item ->> 'quantity')::bigint), 0) as unsold
    from public.orders o, jsonb_array_elements(o.items) item
    where o.hold_state = 'held' and o.id <> p_order.id and (item ->> 'product_id')::uuid = p.id
  ) n
  where n.unsold = 0 or (n.unsold < p_low_stock_below and n.unsold + sold.quantity >= p_low_stock_below);
  if v_pieces is not null then
    perform private.queue_push('stock', jsonb_build_object('pieces', v_pieces), 'stock:' || p_order.id);
  end if;
end;
$$;
