-- Profiles: one row an account, created and kept in step by triggers on auth.users.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  email text,
  full_name text check (char_length(full_name) <= 100),
  phone text check (char_length(phone) <= 20),
  address text check (char_length(address) <= 200),
  city text check (char_length(city) <= 100),
  postal_code text check (char_length(postal_code) <= 20),
  updated_at timestamptz not null default now()
);

create trigger profiles_touch_updated_at
before update on public.profiles
for each row execute function private.touch_updated_at();

alter table public.profiles enable row level security;

create policy "Shoppers see their own profile" on public.profiles
for select to authenticated using (id = (select auth.uid()));

create policy "Shoppers edit their own profile" on public.profiles
for update to authenticated
using (id = (select auth.uid()))
with check (id = (select auth.uid()));

-- The column grant already forbids this. The embedded stack grants whole tables to the browser roles when it starts, so
-- a trigger enforces it a second time, whatever is granted.
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

-- The name given at sign-up, or null when there is none or it is blank. Users can write any metadata: display only.
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

create trigger kasavu_create_profile
after insert on auth.users
for each row execute function private.create_profile();

create trigger kasavu_sync_profile_email
after update of email on auth.users
for each row
when (old.email is distinct from new.email)
execute function private.sync_profile_email();

-- Profiles for accounts that were created before this migration.
insert into public.profiles (id, email, full_name)
select id, email, private.name_from_metadata(raw_user_meta_data) from auth.users
on conflict (id) do nothing;

-- The account's e-mail address in lower case if it is confirmed, else null. Read from the account itself: a token's
-- claims can be out of date, and users can write any user metadata.
create function private.confirmed_email(p_user_id uuid)
returns text
language sql
stable
security definer
set search_path = ''
as $$
  select lower(email) from auth.users where id = p_user_id and email_confirmed_at is not null;
$$;
