-- Customer profiles, which follow auth.users, and the admin's sessions.

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
  updated_at timestamptz not null default now()
);

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

-- The column grants already prevent this. The embedded stack grants whole tables to the browser roles when it starts,
-- so a trigger enforces the rule whatever is granted.
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

-- Accounts that were created before this migration.
insert into public.profiles (id, email, full_name)
select id, email, private.name_from_metadata(raw_user_meta_data) from auth.users
on conflict (id) do nothing;

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

-- ── Admin access ──

-- Stores only the SHA-256 of the session cookie, so a copy of this table does not let anyone sign in. The fingerprint
-- of the password ends all sessions when ADMIN_PASSWORD_HASH changes.
create table public.admin_sessions (
  id bigint generated always as identity primary key,
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  password_fingerprint text not null check (password_fingerprint ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  -- Accurate to five minutes, so that most requests write nothing.
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);

alter table public.admin_sessions enable row level security;

-- Returns the valid session of a cookie as {id, expires_at}, else null. A session expires after 24 hours without use.
create function public.read_admin_session(p_token_hash text, p_password_fingerprint text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_session public.admin_sessions;
begin
  select * into v_session from public.admin_sessions s
  where s.token_hash = p_token_hash
    and s.password_fingerprint = p_password_fingerprint
    and s.revoked_at is null
    and s.expires_at > now()
    and s.last_used_at > now() - interval '24 hours';
  if not found then
    return null;
  end if;
  update public.admin_sessions set last_used_at = now()
  where id = v_session.id and last_used_at < now() - interval '5 minutes';
  return jsonb_build_object('id', v_session.id, 'expires_at', v_session.expires_at);
end;
$$;

-- Ends one session or all of them, and unsubscribes their devices from notifications. Returns how many sessions
-- ended.
create function public.end_admin_sessions(p_id bigint, p_everywhere boolean)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_count integer;
begin
  update public.admin_sessions
  set revoked_at = now()
  where revoked_at is null and (id = p_id or coalesce(p_everywhere, false));
  get diagnostics v_count = row_count;
  delete from public.push_subscriptions where session_id = p_id or coalesce(p_everywhere, false);
  return v_count;
end;
$$;

-- Counts a sign-in attempt before the password is checked. Returns {allowed, retry_after}; retry_after is in seconds,
-- and 0 when allowed. Raises 22023 without an address.
--   * A browser that has signed in before sends its device id. It has its own limit, which nobody else can use up.
--   * All others count per address, then, if that limit allows it, against an overall limit. One address can use up
--     at most half of the overall limit, however often it tries.
create function public.count_login_attempt(
  p_address text,
  p_device text,
  p_limit_per_source integer,
  p_limit_overall integer,
  p_window_seconds integer
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_bucket text := case
    when p_device is null then 'admin-login:address:' || p_address
    else 'admin-login:device:' || p_device
  end;
  v_allowed boolean;
  v_oldest timestamptz;
begin
  if coalesce(p_address, '') = '' then
    raise exception 'an address is required' using errcode = '22023';
  end if;
  v_allowed := private.hit_rate_limit(v_bucket, p_limit_per_source, p_window_seconds);
  if v_allowed and p_device is null then
    v_bucket := 'admin-login:everybody';
    v_allowed := private.hit_rate_limit(v_bucket, p_limit_overall, p_window_seconds);
  end if;
  if not v_allowed then
    select min(hit) into v_oldest
    from public.rate_limits l, unnest(l.hits) hit
    where l.bucket = v_bucket and hit > clock_timestamp() - make_interval(secs => p_window_seconds);
  end if;
  return jsonb_build_object(
    'allowed', v_allowed,
    'retry_after', case when v_allowed then 0
      else greatest(1, ceil(
        p_window_seconds - extract(epoch from clock_timestamp() - coalesce(v_oldest, clock_timestamp()))
      ))::integer
    end
  );
end;
$$;

-- Creates a session after the correct password and returns when it expires. Takes the attempt off the counts, so that
-- only wrong passwords use up the limits.
create function public.open_admin_session(
  p_token_hash text,
  p_password_fingerprint text,
  p_seconds integer,
  p_address text,
  p_device text
)
returns timestamptz
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_expires_at timestamptz;
begin
  -- The same order as in count_login_attempt, so that the two cannot deadlock.
  update public.rate_limits l set hits = trim_array(l.hits, least(1, cardinality(l.hits)))
  where l.bucket = case
      when p_device is null then 'admin-login:address:' || p_address
      else 'admin-login:device:' || p_device
    end;
  if p_device is null then
    update public.rate_limits l set hits = trim_array(l.hits, least(1, cardinality(l.hits)))
    where l.bucket = 'admin-login:everybody';
  end if;
  insert into public.admin_sessions (token_hash, password_fingerprint, expires_at)
  values (p_token_hash, p_password_fingerprint, now() + make_interval(secs => p_seconds))
  returning expires_at into v_expires_at;
  return v_expires_at;
end;
$$;
