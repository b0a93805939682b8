-- Devices of the admin that receive notifications. A notification is an outbox entry of kind 'push', one per device,
-- separate from the mail on the same subject.

-- Anyone with an endpoint and its keys can show a notification on the device, so only the service reads them.
create table public.push_subscriptions (
  id bigint generated always as identity primary key,
  -- The address at the browser's push service.
  endpoint text not null unique check (length(endpoint) between 10 and 2000),
  -- The device's public key (65 bytes) and shared secret (16 bytes), as base64url.
  p256dh text not null check (p256dh ~ '^[A-Za-z0-9_-]{87}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  -- The session that last used the device. Ending the session removes the subscription; letting it expire does not.
  session_id bigint references public.admin_sessions (id) on delete set null,
  -- The fingerprint of the admin's password at that sign-in. The device is notified only while this is the current password.
  password_fingerprint text,
  -- Shown in the admin's list, for example 'Chrome on Android'.
  device text not null default '' check (length(device) <= 60),
  created_at timestamptz not null default now(),
  -- Null once a notification succeeds again.
  last_failure timestamptz
);

create index push_subscriptions_session_id_idx on public.push_subscriptions (session_id);

alter table public.push_subscriptions enable row level security;

-- Adds or updates a device. Keeps the ten newest.
create function public.save_push_subscription(
  p_endpoint text, p_p256dh text, p_auth text, p_session_id bigint, p_device text
)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.push_subscriptions (endpoint, p256dh, auth, device, session_id, password_fingerprint)
  values (
    p_endpoint, p_p256dh, p_auth, left(p_device, 60), p_session_id,
    (select s.password_fingerprint from public.admin_sessions s where s.id = p_session_id)
  )
  on conflict (endpoint) do update
    set p256dh = excluded.p256dh, auth = excluded.auth, device = excluded.device, session_id = excluded.session_id,
      password_fingerprint = excluded.password_fingerprint, last_failure = null;
  delete from public.push_subscriptions
  where id in (select id from public.push_subscriptions order by created_at desc, id desc offset 10);
end;
$$;

-- Removes a device's subscription. Returns whether there was one.
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

-- The devices that receive notifications, newest first: [{id, device, since, current}]. `current`: uses this session.
create function public.list_push_devices(p_session_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', s.id, 'device', s.device, 'since', s.created_at, 'current', s.session_id is not distinct from p_session_id
  ) order by s.created_at desc, s.id desc), '[]')
  from public.push_subscriptions s;
$$;

-- Removes a device and ends its session, because a page that is still signed in would subscribe again. Returns
-- whether there was one.
create function public.remove_push_device(p_id bigint)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_session_id bigint;
begin
  delete from public.push_subscriptions where id = p_id returning session_id into v_session_id;
  if not found then
    return false;
  end if;
  perform public.end_admin_sessions(v_session_id, false);
  return true;
end;
$$;

-- ── Notifications ──

-- Queues a notification to every device, once per dedupe key. p_topic selects the text. p_payload must hold no
-- personal data.
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

-- Adds a notification to each urgent mail to the admin.
create function private.queue_push_for_mail()
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
    when new.kind = 'admin_alert' and new.payload ->> 'topic' = 'review' then 'review'
    -- The only news that a mail cannot bring.
    when new.kind = 'admin_alert' and new.payload ->> 'topic' = 'mail_refused' then 'mail'
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

create trigger outbox_queue_push_for_mail
after insert on public.outbox
for each row
when (new.recipient is null)
execute function private.queue_push_for_mail();

-- Notifies the admin of products that this sale sells out, or takes below p_low_stock_below. Stock held by other
-- unpaid or unconfirmed orders is not sold yet. Counts all sizes of a product together. Locks the products, so that of two
-- concurrent sales one is the last. The caller has locked the order and has not yet marked it as sold.
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
    from public.orders o
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    cross join jsonb_array_elements(o.items) item
    where a.takes_stock = 'waiting' and o.id <> p_order.id and (item ->> 'product_id')::uuid = p.id
  ) n
  where n.unsold = 0 or (n.unsold < p_low_stock_below and n.unsold + sold.quantity >= p_low_stock_below);
  if v_pieces is not null then
    perform private.queue_push('stock', jsonb_build_object('pieces', v_pieces), 'stock:' || p_order.id);
  end if;
end;
$$;
