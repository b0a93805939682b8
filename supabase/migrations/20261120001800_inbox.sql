-- The inbox: messages of the contact form, newsletter subscribers, entries of other forms.

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

-- One row an address. Subscribed are those with confirmed_at and without unsubscribed_at; both are kept, because they prove
-- the consent, and after unsubscribing that no mail may be sent. The token is in the links of the address's own mails.
create table public.subscribers (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  email text not null unique check (email = lower(email) and char_length(email) between 3 and 255),
  consent_at timestamptz not null default now(),
  consent_text text not null check (consent_text <> ''),
  token uuid not null unique default gen_random_uuid(),
  confirmed_at timestamptz,
  unsubscribed_at timestamptz
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

-- Stores a message and queues the admin's mail in one transaction, and returns the message's id. Deletes messages and
-- their mails after 24 months, as the privacy policy says.
create function public.save_contact_message(p_name text, p_email text, p_subject text, p_message text)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_id bigint;
begin
  delete from public.contact_messages where created_at < now() - interval '24 months';
  delete from public.outbox where kind = 'contact_message' and created_at < now() - interval '24 months';

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

-- Asks for a subscription; it begins when the address confirms it (double opt-in). Nothing changes when the address is
-- subscribed already; one that had unsubscribed gives a new consent and gets a new token. The mail that asks goes out once a
-- day at most, however often somebody enters the address. Deletes what nobody confirmed for 30 days.
create function public.subscribe(p_email text, p_consent_text text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_email text := lower(btrim(p_email));
  v_token uuid;
begin
  delete from public.subscribers
  where confirmed_at is null and unsubscribed_at is null and consent_at < now() - interval '30 days';

  insert into public.subscribers as s (email, consent_text)
  values (v_email, p_consent_text)
  on conflict (email) do update
    set consent_at = now(),
        consent_text = excluded.consent_text,
        token = case when s.unsubscribed_at is null then s.token else gen_random_uuid() end,
        confirmed_at = null,
        unsubscribed_at = null
    where s.confirmed_at is null or s.unsubscribed_at is not null
  returning s.token into v_token;

  if v_token is not null then
    insert into public.outbox (kind, recipient, payload, dedupe_key)
    values (
      'newsletter_confirmation',
      v_email,
      jsonb_build_object('token', v_token),
      format('newsletter_confirmation:%s:%s', v_token, current_date)
    )
    on conflict (dedupe_key) do nothing;
  end if;
end;
$$;

-- Begins the subscription of a token and welcomes the address, once. True when it is subscribed, also when it was before;
-- false for a token that is unknown, or whose subscription has ended.
create function public.confirm_subscription(p_token uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_email text;
begin
  update public.subscribers set confirmed_at = now()
  where token = p_token and confirmed_at is null and unsubscribed_at is null
  returning email into v_email;
  if v_email is not null then
    insert into public.outbox (kind, recipient, payload, dedupe_key)
    values ('newsletter_welcome', v_email, jsonb_build_object('token', p_token), 'newsletter_welcome:' || p_token);
  end if;
  return exists (select from public.subscribers where token = p_token and unsubscribed_at is null);
end;
$$;

-- Ends the subscription of a token. True when the token is known, also when it is used again.
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

-- A page of the inbox, newest first, of ids below p_before: {items, unread: {messages, forms}, subscribers}, in the shape
-- of src/domain/admin/inbox.ts. Raises 22023.
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
      select id, created_at as "createdAt", name, email, subject, message, read_at as "readAt", answered_at as "answeredAt"
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

-- Marks an entry as read or answered, or removes the mark; null leaves it unchanged. Answered implies read. False when
-- there is no such entry. Raises 22023.
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

-- All subscribers, with their consent. One JSON list, because the API returns a thousand rows at most.
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
