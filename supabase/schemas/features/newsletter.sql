-- The newsletter's subscribers, with double opt-in and the proof of each consent.

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

create index subscribers_unconfirmed_idx on public.subscribers (asked_at)
where confirmed_at is null and unsubscribed_at is null;

alter table public.subscribers enable row level security;

-- Requests a newsletter subscription, which starts when the address confirms it (double opt-in). Until then it
-- changes neither an earlier consent nor an earlier unsubscription. An address gets at most one confirmation mail in
-- 30 days, and none while it is subscribed. Returns {outcome}: asked; later (strangers have caused their share of mails
-- today, and nothing was stored).
create function public.subscribe(p_email text, p_consent_text text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_email text := lower(btrim(p_email));
  v_now timestamptz := clock_timestamp();
  v_token uuid;
begin
  if not private.has_mail_left() then
    return jsonb_build_object('outcome', 'later');
  end if;
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
  return jsonb_build_object('outcome', 'asked');
end;
$$;

-- Confirms a request by its token and queues the welcome mail, if strangers have not caused their share of mails today. A
-- token expires after 30 days and when the address unsubscribes. Returns whether the address is subscribed by this token,
-- including by an earlier call.
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
  if v_subscriber.id is not null and private.has_mail_left() then
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
