-- Foundation: default privileges, and helpers that do not belong to any one subject (timestamps, dates, backoff, rate
-- limits). README.md in this folder says how the files relate to the migrations.
--
-- The SQL runs unchanged on hosted Supabase, on plain PostgreSQL 17 and 18 with Supabase's roles, and on the embedded
-- PGlite. Rules for all files:
--   * One subject per file. Each table enables row level security, and has its policies and the grants to the browser
--     roles, where it is created.
--   * No role is granted anything by default. The grants to service_role are in the last file, `grants.sql`.
--   * Browser roles (anon, authenticated) access tables through policies only, and cannot execute functions in
--     `public`.
--   * Functions in `public` are for service_role: `security definer`, `set search_path = ''`, qualified names.
--   * Functions in `private` are called by those, by triggers and by policies. The Data API does not expose them.
--   * Functions on the path of a request are plpgsql, which caches query plans. PostgreSQL before version 18 plans an
--     SQL function with a search_path again in every statement that calls it.
--   * Functions compute money in integer paise. Only `products` and columns for display hold rupees (numeric).

-- Hosted projects grant new tables and functions to the browser roles. PostgreSQL grants functions to everyone.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke execute on functions from anon, authenticated;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;

create schema private;
revoke all on schema private from public, anon, authenticated;

create function private.touch_updated_at()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end;
$$;

-- The delay before the next attempt, after p_attempts failures in a row.
create function private.backoff(p_attempts integer)
returns interval
language plpgsql
immutable
set search_path = ''
as $$
begin
  return make_interval(mins => (array[1, 5, 30, 120, 360, 1440])[least(greatest(p_attempts, 1), 6)]);
end;
$$;

-- Raises 22023 unless p_limit is 1 to 1000 rows and p_lease_seconds is 1 second to 24 hours.
create function private.check_lease(p_limit integer, p_lease_seconds integer)
returns void
language plpgsql
immutable
set search_path = ''
as $$
begin
  if p_limit is null or p_limit not between 1 and 1000 or p_lease_seconds is null
    or p_lease_seconds not between 1 and 86400
  then
    raise exception 'limit must be 1 to 1000, lease_seconds 1 to 86400' using errcode = '22023';
  end if;
end;
$$;

-- ── Days in India ──

-- The date in India at a given time.
create function private.india_date(p_at timestamptz)
returns date
language plpgsql
stable
set search_path = ''
as $$
begin
  return (p_at at time zone 'Asia/Kolkata')::date;
end;
$$;

-- Midnight in India at the start of a day.
create function private.india_midnight(p_day date)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select p_day::timestamp at time zone 'Asia/Kolkata';
$$;
