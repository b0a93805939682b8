-- Customer profiles, which follow auth.users, and what must hold for an account's address and password.

-- ── Profiles ──

-- One row per account, kept in sync by triggers on auth.users.
create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  email text,
  full_name text check (char_length(full_name) <= 100),
  phone text check (char_length(phone) <= 20),
  address text check (char_length(address) <= 200),
  city text check (char_length(city) <= 100),
  postal_code text check (char_length(postal_code) <= 20),
  updated_at timestamptz not null default now(),
  edited_at timestamptz
);

comment on column public.profiles.edited_at is
  'When the customer last changed the profile. Orders placed before it are not remembered';

create trigger profiles_touch_updated_at
before update on public.profiles
for each row execute function private.touch_updated_at();

alter table public.profiles enable row level security;

create policy "Customers read their own profile" on public.profiles
for select to authenticated using (id = (select auth.uid()));

create policy "Customers update their own profile" on public.profiles
for update to authenticated
using (id = (select auth.uid()))
with check (id = (select auth.uid()));

grant select on public.profiles to authenticated;
grant update (full_name, phone, address, city, postal_code) on public.profiles to authenticated;

-- Refuses a browser's change of a profile's id or e-mail address. The column grants already prevent it. The embedded stack
-- grants whole tables to the browser roles when it starts, so a trigger enforces the rule whatever is granted.
create function private.forbid_identity_change()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if current_user in ('anon', 'authenticated') then
    raise exception 'permission denied: id and email of a profile follow the account' using errcode = '42501';
  end if;
  return new;
end;
$$;

create trigger profiles_forbid_identity_change
before update on public.profiles
for each row
when (old.id is distinct from new.id or old.email is distinct from new.email)
execute function private.forbid_identity_change();

-- Sets edited_at when a browser role changes a value. It cannot set it in another way, although the embedded stack grants
-- whole tables.
create function private.note_profile_edit()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if current_user in ('anon', 'authenticated') then
    new.edited_at := case
      when (new.full_name, new.phone, new.address, new.city, new.postal_code)
        is distinct from (old.full_name, old.phone, old.address, old.city, old.postal_code) then clock_timestamp()
      else old.edited_at
    end;
  end if;
  return new;
end;
$$;

create trigger profiles_note_edit
before update on public.profiles
for each row execute function private.note_profile_edit();

-- ── Profiles follow accounts ──

-- The name given at sign-up, or null. Users can write any metadata, so this is for display only.
create function private.name_from_metadata(p_metadata jsonb)
returns text
language sql
immutable
set search_path = ''
as $$
  select left(btrim(value #>> '{}'), 100)
  from (values (1, p_metadata -> 'full_name'), (2, p_metadata -> 'name')) as candidate (rank, value)
  where jsonb_typeof(value) = 'string' and btrim(value #>> '{}') <> ''
  order by rank
  limit 1;
$$;

create function private.create_profile()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.profiles (id, email, full_name)
  values (new.id, new.email, private.name_from_metadata(new.raw_user_meta_data))
  on conflict (id) do nothing;
  return new;
end;
$$;

create trigger kasavu_create_profile
after insert on auth.users
for each row execute function private.create_profile();

create function private.sync_profile_email()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.profiles set email = new.email where id = new.id;
  return new;
end;
$$;

create trigger kasavu_sync_profile_email
after update of email on auth.users
for each row
when (old.email is distinct from new.email)
execute function private.sync_profile_email();

-- ── Addresses and passwords ──

-- Whoever sees the orders of a confirmed address is the reader of its mail. How an address becomes confirmed, and why its
-- owner is then the only one with a password and a session:
--   * sign-up link or code, recovery, magic link, one-time code, invitation: the update of email_confirmed_at removes
--     the password (kasavu_forget_unproven_password), and an unconfirmed account has no session
--   * created as confirmed in the dashboard: Supabase confirms after it inserts, so the same trigger applies
--   * a change of address, also of an anonymous account, which has none: refused

-- Removes the password when an account confirms its address. Anyone can sign up with an address they do not own, and
-- Supabase keeps their password when the owner signs up later. After the confirmation only the reader of the mail can
-- set one (docs/decisions/0023).
create function private.forget_unproven_password()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.encrypted_password := null;
  return new;
end;
$$;

create trigger kasavu_forget_unproven_password
before update of email_confirmed_at on auth.users
for each row
when (old.email_confirmed_at is null and new.email_confirmed_at is not null)
execute function private.forget_unproven_password();

-- The e-mail address of an account never changes. Supabase's auth API lets a signed-in account change its address. A
-- changed address keeps the account's password and sessions, so "a confirmed address means that its owner chose the
-- password" (docs/decisions/0023) would not hold: the account would see the orders and messages of a person who never
-- used it. The shop offers no change of address. A customer with a new address signs up with it.
--
-- `email_change` is the requested address. Refusing the request leaves no token to confirm it with.
create function private.refuse_address_change()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  raise exception 'the e-mail address of an account cannot change: sign up with the new address' using errcode = '42501';
end;
$$;

create trigger kasavu_refuse_address_change
before update on auth.users
for each row
when (
  old.email is distinct from new.email
  or (coalesce(new.email_change, '') <> '' and old.email_change is distinct from new.email_change)
)
execute function private.refuse_address_change();

-- The account's e-mail address in lower case if it is confirmed, else null. Read from auth.users, because claims in a
-- token can be out of date and users can write any user metadata.
create function private.confirmed_email(p_user_id uuid)
returns text
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select lower(email) from auth.users where id = p_user_id and email_confirmed_at is not null
  );
end;
$$;

-- The account with an address, confirmed or not, or null.
create function private.account_of(p_email text)
returns uuid
language sql
stable
set search_path = ''
as $$
  select u.id from auth.users u where lower(u.email) = lower(p_email) limit 1;
$$;
