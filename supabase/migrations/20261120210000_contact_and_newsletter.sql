-- What visitors write: messages of the contact form, and addresses that asked for the newsletter.
-- No browser role reads or writes here; the functions do, with the service key.

create table public.contact_messages (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  name text not null check (char_length(name) between 1 and 100),
  email text not null check (char_length(email) between 3 and 255),
  subject text not null default '' check (char_length(subject) <= 200),
  message text not null check (char_length(message) between 1 and 5000),
  read_at timestamptz
);
create index contact_messages_created_at_idx on public.contact_messages (created_at);

-- One row an address, ever: it proves the consent, and after leaving it remembers not to write again.
create table public.subscribers (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  email text not null unique check (email = lower(email) and char_length(email) between 3 and 255),
  consent_at timestamptz not null default now(),
  consent_text text not null check (consent_text <> ''),
  unsubscribe_token uuid not null unique default gen_random_uuid(),
  unsubscribed_at timestamptz
);

alter table public.contact_messages enable row level security;
alter table public.subscribers enable row level security;
revoke all on public.contact_messages, public.subscribers from public, anon, authenticated;
grant all on public.contact_messages, public.subscribers to service_role;

-- Stores a message and queues the owner's mail in one transaction: neither without the other. Messages leave
-- after 24 months, as the privacy policy says, and so does the copy in the queue.
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

-- Subscribes an address. One that is subscribed already changes nothing; one that left gives its consent anew and
-- gets a new token. Every subscription that begins is answered by one mail, which carries the way out.
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
  insert into public.subscribers as s (email, consent_text)
  values (v_email, p_consent_text)
  on conflict (email) do update
    set consent_at = now(),
        consent_text = excluded.consent_text,
        unsubscribe_token = gen_random_uuid(),
        unsubscribed_at = null
    where s.unsubscribed_at is not null
  returning s.unsubscribe_token into v_token;

  if v_token is not null then
    insert into public.outbox (kind, recipient, payload, dedupe_key)
    values ('newsletter_welcome', v_email, jsonb_build_object('token', v_token), 'newsletter_welcome:' || v_token);
  end if;
end;
$$;

-- Ends the subscription of a token; true when the token is known, however often it is used.
create function public.unsubscribe(p_token uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.subscribers set unsubscribed_at = coalesce(unsubscribed_at, now()) where unsubscribe_token = p_token;
  return found;
end;
$$;

revoke execute on function public.save_contact_message(text, text, text, text) from public, anon, authenticated;
revoke execute on function public.subscribe(text, text) from public, anon, authenticated;
revoke execute on function public.unsubscribe(uuid) from public, anon, authenticated;
grant execute on function public.save_contact_message(text, text, text, text) to service_role;
grant execute on function public.subscribe(text, text) to service_role;
grant execute on function public.unsubscribe(uuid) to service_role;
