-- The outbox of mails and notifications. A mail is inserted in the transaction that it reports, and sent later by the first
-- caller that claims it. Strangers' messages never delay a customer's mail: `priority` sends them later.

create table public.outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  -- Null: the admin, whose address is an environment variable of the Netlify functions. For a push: the id of its
  -- subscription.
  recipient text,
  order_id bigint references public.orders (id),
  payload jsonb not null default '{}',
  dedupe_key text not null unique,
  -- 0: orders, money, alerts to the admin. 1: someone waits for a link. 2: messages of the contact form. 3: bulk mail.
  priority smallint not null generated always as (
    case
      when kind in ('newsletter_confirmation', 'newsletter_welcome', 'stock_alert_confirmation', 'account_deletion')
        then 1
      when kind = 'contact_message' then 2
      when kind = 'back_in_stock' then 3
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
create index outbox_unsent_messages_idx on public.outbox (id) where kind = 'contact_message' and sent_at is null;

-- For retention: rows with personal data, and notifications.
create index outbox_with_address_idx on public.outbox (sent_at) where recipient is not null or payload <> '{}';
create index outbox_push_idx on public.outbox (created_at) where kind = 'push';

alter table public.outbox enable row level security;

-- Queues a mail to the admin, once per dedupe key. p_topic selects the text. Nothing else bounds alerts, so the key of one that
-- strangers can cause names the day.
create function public.notify_admin(
  p_topic text, p_payload jsonb, p_dedupe_key text, p_order_id bigint default null
)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  values ('admin_alert', null, p_order_id, coalesce(p_payload, '{}') || jsonb_build_object('topic', p_topic), p_dedupe_key)
  on conflict (dedupe_key) do nothing;
end;
$$;

-- Whether a mail is still to be sent. What nobody waits for has conditions that may end while the mail server is down.
create function private.is_wanted(p_mail public.outbox)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return case p_mail.kind
    when 'cart_mail' then exists (
      select 1 from public.orders o where o.id = p_mail.order_id and private.is_left_cart(o)
    )
    when 'review_request' then exists (
      select 1 from public.orders o
      join private.order_answers a on a.state = o.state and a.kind = o.kind
      where o.id = p_mail.order_id and o.review_request = 'asked' and a.is_purchase and not o.erase_pending
    )
    else true
  end;
end;
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
  delete from public.outbox m
  where m.sent_at is null and m.next_attempt_at <= v_now and (m.locked_until is null or m.locked_until <= v_now)
    and not private.is_wanted(m);
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

-- ── What the mail server answers ──

-- One row, written by every sender: the outbox, the codes of Auth, the doctor. A mail that is refused says little: strangers choose
-- addresses and texts. So a refusal counts for all mail (`is_out`) when it came before any address (`connection`: no connection or no
-- log-in; `sender`: MAIL FROM, or the admin's own address), or when mails to two addresses were refused and none was taken in between.
create table public.mail_server (
  id boolean primary key default true check (id),
  accepted_at timestamptz,
  -- Since it last took a mail. Null: nothing was refused.
  refused_since timestamptz,
  refused_at timestamptz,
  -- The last refusal's codes, such as 'EENVELOPE 550 MAIL FROM'.
  refusal text,
  scope text check (scope in ('connection', 'sender', 'recipient')),
  -- Keyed hashes of the first two refused addresses.
  recipients text[] not null default '{}',
  is_out boolean not null default false
);

alter table public.mail_server enable row level security;

insert into public.mail_server default values;

-- Records what the mail server answered. p_refusal: null when it took a mail or, with p_scope 'connection', let the shop in. Else the
-- codes, with the scope of `mail_server` and a keyed hash of the address. The first mail that it takes after an outage makes every mail
-- due whose last attempt failed.
create function public.note_mail(p_refusal text, p_scope text default null, p_recipient text default null)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_was_out boolean;
  v_recipients text[];
begin
  select m.is_out, m.recipients into v_was_out, v_recipients from public.mail_server m for update;
  if p_refusal is null then
    update public.mail_server set
      accepted_at = case when p_scope is null then v_now else accepted_at end,
      refused_since = null, refused_at = null, refusal = null, scope = null, recipients = '{}', is_out = false
    where id;
    if v_was_out then
      update public.outbox set next_attempt_at = v_now
      where id in (
        select m.id from public.outbox m
        where m.sent_at is null and m.kind <> 'push' and m.last_error is not null and m.next_attempt_at > v_now
        for update skip locked
      );
    end if;
    return;
  end if;
  if p_scope = 'recipient' and p_recipient <> all (v_recipients) and cardinality(v_recipients) < 2 then
    v_recipients := v_recipients || p_recipient;
  end if;
  update public.mail_server set
    refused_since = coalesce(refused_since, v_now), refused_at = v_now, refusal = left(p_refusal, 100), scope = p_scope,
    recipients = v_recipients,
    is_out = is_out or p_scope <> 'recipient' or cardinality(v_recipients) > 1
  where id;
end;
$$;

-- Since when all mail is refused, for at least this long; null: mail goes out.
create function private.mail_out_since(p_minutes integer)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select m.refused_since from public.mail_server m
  where m.is_out and m.refused_since < clock_timestamp() - make_interval(mins => p_minutes);
$$;

-- For the sweep, while all mail is refused: {scope}, or null. Only a mail shows that a server takes mail again, so after five minutes
-- one to the admin is queued, once per outage, and due again every quarter of an hour; it says what was refused.
create function public.probe_mail_server()
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_server public.mail_server;
  v_since constant timestamptz := private.mail_out_since(5);
  v_key constant text := 'mail_refused:' || v_since;
begin
  select * into v_server from public.mail_server where is_out;
  if v_since is not null then
    perform public.notify_admin(
      'mail_refused', jsonb_build_object('since', v_since, 'reason', v_server.refusal), v_key
    );
    update public.outbox set next_attempt_at = clock_timestamp(), attempts = least(attempts, 5)
    where dedupe_key = v_key and sent_at is null and next_attempt_at > clock_timestamp()
      and v_server.refused_at < clock_timestamp() - interval '14 minutes';
  end if;
  return case when v_server.is_out then jsonb_build_object('scope', v_server.scope) end;
end;
$$;
