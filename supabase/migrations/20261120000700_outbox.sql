-- The outbox: a mail is inserted in the transaction that it reports on, and sent afterwards by the first caller that claims
-- it.

create table public.outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  -- null: to the admin, whose address is an environment variable of the Netlify functions. Of a push: the id of its subscription.
  recipient text,
  order_id bigint references public.orders (id),
  payload jsonb not null default '{}',
  dedupe_key text not null unique,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  locked_until timestamptz,
  sent_at timestamptz,
  last_error text,
  created_at timestamptz not null default now()
);
create index outbox_due_idx on public.outbox (next_attempt_at) where sent_at is null;
create index outbox_order_id_idx on public.outbox (order_id);

alter table public.outbox enable row level security;

-- A mail to the admin about something that needs a person, once for each dedupe key. p_topic chooses the text.
create function public.notify_admin(p_topic text, p_payload jsonb, p_dedupe_key text, p_order_id bigint default null)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  values ('admin_alert', null, p_order_id, coalesce(p_payload, '{}') || jsonb_build_object('topic', p_topic), p_dedupe_key)
  on conflict (dedupe_key) do nothing;
$$;

-- Mails and notifications to send, leased to one caller: {id, kind, recipient, payload, dedupe_key, order, subscription}, order
-- null when it has none, subscription null but for a push whose device still has one. What was claimed twenty times is not
-- claimed again, and the admin's page counts such mails; a notification is not news any more after a day.
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
    order by m.next_attempt_at, m.id
    limit p_limit
    for update skip locked
  ), leased as (
    update public.outbox m
    set locked_until = v_now + make_interval(secs => p_lease_seconds),
        -- Counted here, so that a mail whose sender dies each time is not sent for ever.
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
  order by l.id;
end;
$$;

-- Records that a mail or notification was sent (of a mail about stock without its address from then on), or, with p_error, that
-- it failed and when it is due again. Returns {sent}. Raises P0002 when there is none.
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
      -- Whoever waited for a product gave the address for this one mail.
      recipient = case when kind = 'back_in_stock' and p_error is null then null else recipient end,
      last_error = left(p_error, 500),
      next_attempt_at = case
        when p_error is null then next_attempt_at
        else clock_timestamp() + private.backoff(attempts)
      end
  where id = p_id and sent_at is null;
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
