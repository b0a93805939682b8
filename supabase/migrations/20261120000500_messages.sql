-- Messages: the outbox of mails, push notifications to the admin, and the inbox.

-- ── Outbox ──

-- A mail is inserted in the transaction that it reports, and sent later by the first caller that claims it.

create table public.outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  -- Null: the admin, whose address is an environment variable of the Netlify functions. For a push: the id of its
  -- subscription.
  recipient text,
  order_id bigint references public.orders (id),
  payload jsonb not null default '{}',
  dedupe_key text not null unique,
  -- 0: orders, money, the admin. 1: someone is waiting for a link. 2: bulk mail, which can wait.
  priority smallint not null generated always as (
    case
      when kind in ('newsletter_confirmation', 'newsletter_welcome', 'stock_alert_confirmation', 'account_deletion')
        then 1
      when kind = 'back_in_stock' then 2
      else 0
    end
  ) stored,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  locked_until timestamptz,
  sent_at timestamptz,
  last_error text,
  created_at timestamptz not null default now()
);
create index outbox_due_idx on public.outbox (priority, next_attempt_at) where sent_at is null;
create index outbox_back_in_stock_idx on public.outbox (created_at) where kind = 'back_in_stock';
create index outbox_order_id_idx on public.outbox (order_id);
create index outbox_sent_at_idx on public.outbox (sent_at);
-- For retention: rows with personal data, and notifications.
create index outbox_with_address_idx on public.outbox (sent_at) where recipient is not null or payload <> '{}';
create index outbox_push_idx on public.outbox (created_at) where kind = 'push';

alter table public.outbox enable row level security;

-- Queues a mail to the admin, once per dedupe key. p_topic selects the text.
create function public.notify_admin(p_topic text, p_payload jsonb, p_dedupe_key text, p_order_id bigint default null)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  values (
    'admin_alert', null, p_order_id, coalesce(p_payload, '{}') || jsonb_build_object('topic', p_topic), p_dedupe_key
  )
  on conflict (dedupe_key) do nothing;
$$;

-- Leases mails and notifications to one caller, by priority and then by due time. Returns {id, kind, recipient,
-- payload, dedupe_key, order, subscription}; order and subscription are null where there is none. A mail is not
-- claimed again after twenty attempts (the admin's page counts these), a notification not after a day.
create function public.claim_outbox(p_limit integer, p_lease_seconds integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform private.check_lease(p_limit, p_lease_seconds);
  return query
  with due as (
    select m.id from public.outbox m
    where m.sent_at is null
      and m.next_attempt_at <= v_now
      and (m.locked_until is null or m.locked_until <= v_now)
      and m.attempts < 20
      and (m.kind <> 'push' or m.created_at > v_now - interval '1 day')
    order by m.priority, m.next_attempt_at, m.id
    limit p_limit
    for update skip locked
  ), leased as (
    update public.outbox m
    set locked_until = v_now + make_interval(secs => p_lease_seconds),
        -- Counted before sending, so that a mail that crashes its sender is not retried for ever.
        attempts = attempts + 1
    from due
    where m.id = due.id
    returning m.*
  )
  select jsonb_build_object(
    'id', l.id,
    'kind', l.kind,
    'recipient', l.recipient,
    'payload', l.payload,
    'dedupe_key', l.dedupe_key,
    'order', to_jsonb(o),
    'subscription', to_jsonb(s)
  )
  from leased l
  left join public.orders o on o.id = l.order_id
  left join public.push_subscriptions s on l.kind = 'push' and s.id::text = l.recipient
  order by l.priority, l.id;
end;
$$;

-- Records that a mail or notification was sent or, with p_error, that it failed, and schedules the next attempt. A
-- successful mail also makes mails due that failed with 'unreachable …', because the mail server is back. Returns
-- {sent}. Raises P0002 for an unknown id.
create function public.finish_outbox(p_id bigint, p_error text default null)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_sent_at timestamptz;
begin
  update public.outbox
  set locked_until = null,
      sent_at = case when p_error is null then clock_timestamp() end,
      -- The address was given for this one mail only.
      recipient = case when kind = 'back_in_stock' and p_error is null then null else recipient end,
      last_error = left(p_error, 500),
      next_attempt_at = case
        when p_error is null then next_attempt_at
        else clock_timestamp() + private.backoff(attempts)
      end
  where id = p_id and sent_at is null;
  if found and p_error is null then
    update public.outbox
    set next_attempt_at = clock_timestamp()
    where id in (
      select m.id from public.outbox m
      where m.sent_at is null and m.next_attempt_at > clock_timestamp() and m.last_error like 'unreachable %'
        and exists (select 1 from public.outbox sent where sent.id = p_id and sent.kind <> 'push')
      for update skip locked
    );
  end if;
  update public.push_subscriptions s
  set last_failure = case when p_error is not null then clock_timestamp() end
  from public.outbox m
  where m.id = p_id and m.kind = 'push' and s.id::text = m.recipient;
  select sent_at into v_sent_at from public.outbox where id = p_id;
  if not found then
    raise exception 'there is no mail %', p_id using errcode = 'P0002';
  end if;
  return jsonb_build_object('sent', v_sent_at is not null);
end;
$$;

-- ── Web push ──

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
  -- Of the admin's password at that sign-in. The device is notified only while this is the current password.
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
-- unpaid orders is not sold yet. Counts all sizes of a product together. Locks the products, so that of two
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
    from public.orders o, jsonb_array_elements(o.items) item
    where o.hold_state = 'held' and o.id <> p_order.id and (item ->> 'product_id')::uuid = p.id
  ) n
  where n.unsold = 0 or (n.unsold < p_low_stock_below and n.unsold + sold.quantity >= p_low_stock_below);
  if v_pieces is not null then
    perform private.queue_push('stock', jsonb_build_object('pieces', v_pieces), 'stock:' || p_order.id);
  end if;
end;
$$;

-- ── Inbox ──

-- Messages of the contact form, newsletter subscribers, and entries of other forms.

create table public.contact_messages (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  name text not null check (char_length(name) between 1 and 100),
  email text not null check (char_length(email) between 3 and 255),
  subject text not null default '' check (char_length(subject) <= 200),
  message text not null check (char_length(message) between 1 and 5000),
  read_at timestamptz,
  answered_at timestamptz
);
create index contact_messages_created_at_idx on public.contact_messages (created_at);
create index contact_messages_open_idx on public.contact_messages (id) where answered_at is null;
create index contact_messages_unread_idx on public.contact_messages (id) where read_at is null;

-- One row per address. Subscribed are those with confirmed_at and without unsubscribed_at. Both times are kept as
-- proof of the consent and of its end. Anyone can enter an address, so a request has columns of its own and changes
-- nothing else until the address confirms it.
create table public.subscribers (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  email text not null unique check (email = lower(email) and char_length(email) between 3 and 255),
  -- The time of the confirmed consent, or of the first request until then.
  consent_at timestamptz not null default now(),
  consent_text text not null check (consent_text <> ''),
  -- Used in the unsubscribe link of every mail. It never changes.
  token uuid not null unique default gen_random_uuid(),
  confirmed_at timestamptz,
  unsubscribed_at timestamptz,
  -- The last request: its time, its text, and the token in the mail that asks for confirmation.
  asked_at timestamptz not null default now(),
  asked_text text check (asked_text <> ''),
  asked_token uuid not null unique default gen_random_uuid()
);

create table public.form_entries (
  id bigint generated always as identity primary key,
  form text not null check (form <> '' and char_length(form) <= 100),
  fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object' and octet_length(fields::text) <= 65536),
  created_at timestamptz not null default now(),
  read_at timestamptz,
  answered_at timestamptz
);
create index form_entries_created_at_idx on public.form_entries (created_at desc);
create index form_entries_unread_idx on public.form_entries (id) where read_at is null;

alter table public.contact_messages enable row level security;
alter table public.subscribers enable row level security;
alter table public.form_entries enable row level security;

-- Stores a message and queues the mail to the admin in one transaction. Returns the id of the message.
create function public.save_contact_message(p_name text, p_email text, p_subject text, p_message text)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_id bigint;
begin
  insert into public.contact_messages (name, email, subject, message)
  values (p_name, p_email, p_subject, p_message)
  returning id into v_id;

  insert into public.outbox (kind, recipient, payload, dedupe_key)
  values (
    'contact_message',
    null,
    jsonb_build_object('id', v_id, 'name', p_name, 'email', p_email, 'subject', p_subject, 'message', p_message),
    'contact_message:' || v_id
  );
  return v_id;
end;
$$;

-- Stores a submitted form. p_caller is the rate-limit bucket of the caller's address. Senders are not authenticated,
-- so a form whose e-mail matches an order of the last day counts against that order. All others share a limit of 60
-- an hour, so that a flood of them displaces no form of an order. Returns false when a limit is reached; then nothing
-- is stored. Raises the errors of the table's constraints.
create function public.save_form_entry(p_form text, p_fields jsonb, p_caller text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order_id bigint;
begin
  select max(o.id) into v_order_id from public.orders o
  where lower(o.customer_email) = lower(btrim(p_fields ->> 'email'))
    and o.created_at > clock_timestamp() - interval '1 day';
  if not (
    case
      when v_order_id is not null then private.hit_rate_limit('collected-form:order:' || v_order_id, 10, 3600)
      else public.hit_rate_limits(array[p_caller, 'collected-form:others'], array[20, 60], array[600, 3600])
    end
  ) then
    return false;
  end if;
  insert into public.form_entries (form, fields) values (p_form, p_fields);
  return true;
end;
$$;

-- Requests a newsletter subscription, which starts when the address confirms it (double opt-in). Until then it
-- changes neither an earlier consent nor an earlier unsubscription. An address gets at most one confirmation mail in
-- 30 days, and none while it is subscribed.
create function public.subscribe(p_email text, p_consent_text text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_email text := lower(btrim(p_email));
  v_now timestamptz := clock_timestamp();
  v_token uuid;
begin
  insert into public.subscribers as s (email, consent_at, consent_text, asked_at, asked_text)
  values (v_email, v_now, p_consent_text, v_now, p_consent_text)
  on conflict (email) do update
    set asked_at = v_now, asked_text = excluded.asked_text, asked_token = gen_random_uuid()
    where (s.confirmed_at is null or s.unsubscribed_at is not null) and s.asked_at < v_now - interval '30 days'
  returning s.asked_token into v_token;

  if v_token is not null then
    insert into public.outbox (kind, recipient, payload, dedupe_key)
    values (
      'newsletter_confirmation', v_email, jsonb_build_object('token', v_token), 'newsletter_confirmation:' || v_token
    );
  end if;
end;
$$;

-- Confirms a request by its token and queues the welcome mail. A token expires after 30 days and when the address
-- unsubscribes. Returns whether the address is subscribed by this token, including by an earlier call.
create function public.confirm_subscription(p_token uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_subscriber public.subscribers;
begin
  update public.subscribers s
  set consent_at = s.asked_at,
      consent_text = coalesce(s.asked_text, s.consent_text),
      confirmed_at = v_now,
      unsubscribed_at = null
  where s.asked_token = p_token and s.asked_at > v_now - interval '30 days'
    and (s.confirmed_at is null or s.unsubscribed_at is not null)
    and s.asked_at > coalesce(s.unsubscribed_at, '-infinity')
  returning * into v_subscriber;
  if v_subscriber.id is not null then
    insert into public.outbox (kind, recipient, payload, dedupe_key)
    values (
      'newsletter_welcome', v_subscriber.email, jsonb_build_object('token', v_subscriber.token),
      'newsletter_welcome:' || p_token
    );
  end if;
  return exists (
    select from public.subscribers where asked_token = p_token and confirmed_at is not null and unsubscribed_at is null
  );
end;
$$;

-- Unsubscribes an address by its token. Returns whether the token is known; repeating it is allowed.
create function public.unsubscribe(p_token uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.subscribers set unsubscribed_at = coalesce(unsubscribed_at, now()) where token = p_token;
  return found;
end;
$$;

-- A page of the inbox with ids below p_before, newest first: {items, unread: {messages, forms}, subscribers}, as in
-- src/domain/admin/inbox.ts. Raises 22023.
create function public.list_inbox(p_kind text, p_before bigint, p_limit integer)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_before bigint := coalesce(p_before, 9223372036854775807);
  v_items jsonb;
begin
  if p_limit is null or p_limit not between 1 and 101 then
    raise exception 'limit must be 1 to 101' using errcode = '22023';
  end if;
  if p_kind = 'messages' then
    select jsonb_agg(to_jsonb(t) order by t.id desc) into v_items
    from (
      select id, created_at as "createdAt", name, email, subject, message, read_at as "readAt",
        answered_at as "answeredAt"
      from public.contact_messages where id < v_before order by id desc limit p_limit
    ) t;
  elsif p_kind = 'forms' then
    select jsonb_agg(to_jsonb(t) order by t.id desc) into v_items
    from (
      select id, created_at as "createdAt", form, fields, read_at as "readAt", answered_at as "answeredAt"
      from public.form_entries where id < v_before order by id desc limit p_limit
    ) t;
  elsif p_kind = 'subscribers' then
    select jsonb_agg(to_jsonb(t) order by t.id desc) into v_items
    from (
      select s.id, s.email, s.consent_at as "consentAt", s.consent_text as "consentText", s.confirmed_at as "confirmedAt",
        s.unsubscribed_at as "unsubscribedAt"
      from public.subscribers s where s.id < v_before order by s.id desc limit p_limit
    ) t;
  else
    raise exception 'kind must be messages, forms or subscribers' using errcode = '22023';
  end if;
  return jsonb_build_object(
    'items', coalesce(v_items, '[]'),
    'unread', jsonb_build_object(
      'messages', (select count(*) from public.contact_messages where read_at is null),
      'forms', (select count(*) from public.form_entries where read_at is null)
    ),
    'subscribers', (select count(*) from public.subscribers where confirmed_at is not null and unsubscribed_at is null)
  );
end;
$$;

-- Marks an entry as read or answered, or removes the mark. Null leaves a mark unchanged. Answered implies read.
-- Returns whether the entry exists. Raises 22023.
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
        answered_at = case p_answered
          when true then coalesce(answered_at, clock_timestamp())
          when false then null
          else answered_at
        end
    where id = p_id;
  elsif p_kind = 'forms' then
    update public.form_entries
    set read_at = case v_read when true then coalesce(read_at, clock_timestamp()) when false then null else read_at end,
        answered_at = case p_answered
          when true then coalesce(answered_at, clock_timestamp())
          when false then null
          else answered_at
        end
    where id = p_id;
  else
    raise exception 'kind must be messages or forms' using errcode = '22023';
  end if;
  return found;
end;
$$;

-- All subscribers with their consent, as one JSON value because the API returns at most 1,000 rows.
create function public.all_subscribers()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', s.id, 'email', s.email, 'consentAt', s.consent_at, 'consentText', s.consent_text,
    'confirmedAt', s.confirmed_at, 'unsubscribedAt', s.unsubscribed_at
  ) order by s.id), '[]')
  from public.subscribers s;
$$;
