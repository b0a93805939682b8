-- Messages of the contact form, entries of other forms, and the admin's inbox of both, of newsletter subscribers and of reviews.
-- Strangers' messages never fill the inbox or the database, and never make the shop look unhealthy.

-- ── Messages ──

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

alter table public.contact_messages enable row level security;

-- Stores a message and queues the mail to the admin in one transaction. When strangers have caused their share of such
-- mails in a day, the message is stored without a mail of its own, and one mail in six hours tells the admin to read the
-- inbox. When the inbox is full, the oldest message that was read goes. Returns the id of the message; null when all of a
-- full inbox is unread, and nothing was stored.
create function public.save_contact_message(p_name text, p_email text, p_subject text, p_message text)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_id bigint;
begin
  if private.cost_refusal('message', private.cost_keys(null)) is not null then
    delete from public.contact_messages
    where id = (select min(id) from public.contact_messages where read_at is not null);
    if not found then
      return null;
    end if;
  end if;
  insert into public.contact_messages (name, email, subject, message)
  values (p_name, p_email, p_subject, p_message)
  returning id into v_id;

  if not private.has_mail_left() then
    perform public.notify_admin(
      'many_messages', '{}',
      'many_messages:' || date_bin('6 hours', clock_timestamp(), timestamptz '2026-01-01 00:00:00+05:30')
    );
    return v_id;
  end if;
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

-- ── Forms ──

create table public.form_entries (
  id bigint generated always as identity primary key,
  form text not null check (form <> '' and char_length(form) <= 100),
  fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object' and octet_length(fields::text) <= 65536),
  created_at timestamptz not null default now(),
  read_at timestamptz,
  answered_at timestamptz,
  -- Whether it counted as the form of an order.
  of_order boolean not null default false
);

create index form_entries_created_at_idx on public.form_entries (created_at desc);
create index form_entries_unread_idx on public.form_entries (id) where read_at is null;

alter table public.form_entries enable row level security;

-- Stores a submitted form. p_caller is the caller's network, see private.cost_keys. Senders are not authenticated. A form whose
-- e-mail matches an order of the last day counts against that order and a share of its own (own_form), all others against
-- order_form, so that a flood of them displaces no form of an order. Both are bounded for everybody together, so that neither fills
-- the database. Returns false when a limit is reached; then nothing is stored. Raises the errors of the table's constraints.
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
  if private.count_cost(
    case when v_order_id is null then 'order_form' else 'own_form' end,
    private.cost_keys('order:' || v_order_id, p_caller)
  ) is not null then
    return false;
  end if;
  insert into public.form_entries (form, fields, of_order) values (p_form, p_fields, v_order_id is not null);
  return true;
end;
$$;

-- ── Inbox ──

-- A page of the inbox with ids below p_before, newest first: {items, unread: {messages, forms}, subscribers, reviews}, as
-- in src/domain/admin/inbox.ts. Raises 22023.
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
  elsif p_kind = 'reviews' then
    select jsonb_agg(to_jsonb(t) order by t.id desc) into v_items
    from (
      select r.id, r.created_at as "createdAt", r.product_id as "productId", p.name as product, r.stars, r.words, r.name,
        r.town, r.image, r.state, r.answer
      from public.reviews r join public.products p on p.id = r.product_id
      where r.id < v_before order by r.id desc limit p_limit
    ) t;
  else
    raise exception 'kind must be messages, forms, subscribers or reviews' using errcode = '22023';
  end if;
  return jsonb_build_object(
    'items', coalesce(v_items, '[]'),
    'unread', jsonb_build_object(
      'messages', (select count(*) from public.contact_messages where read_at is null),
      'forms', (select count(*) from public.form_entries where read_at is null)
    ),
    'subscribers', (select count(*) from public.subscribers where confirmed_at is not null and unsubscribed_at is null),
    'reviews', (select count(*) from public.reviews where state = 'new')
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
