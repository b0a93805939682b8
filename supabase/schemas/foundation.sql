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

-- ── Rate limits ──

-- Only sites of release 1.1.0 count here. The limits of today are rows of cost_limits.
create table public.rate_limits (
  bucket text primary key check (char_length(bucket) <= 200),
  -- Oldest first.
  hits timestamptz[] not null default '{}',
  kept_until timestamptz not null default now()
);

alter table public.rate_limits enable row level security;

-- Counts a request in a bucket. Returns whether it is within p_limit requests in p_window_seconds, measured over a
-- sliding window. A refused request is not counted. Raises 22023 for bad input.
create function private.hit_rate_limit(p_bucket text, p_limit integer, p_window_seconds integer)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_window interval := make_interval(secs => p_window_seconds);
  v_now timestamptz;
  v_hits timestamptz[];
begin
  if coalesce(p_bucket, '') = '' or p_limit is null or p_limit < 0
    or p_window_seconds is null or p_window_seconds not between 1 and 86400
  then
    raise exception 'bucket, limit (0 or more) and window_seconds (1 to 86400) are required' using errcode = '22023';
  end if;
  -- An existing row is only locked.
  insert into public.rate_limits as l (bucket, kept_until)
  values (p_bucket, clock_timestamp() + v_window)
  on conflict (bucket) do update set hits = l.hits
  returning l.hits into v_hits;
  v_now := clock_timestamp();
  v_hits := array(select hit from unnest(v_hits) hit where hit > v_now - v_window);
  if cardinality(v_hits) >= p_limit then
    return false;
  end if;
  update public.rate_limits l
  set hits = v_hits || v_now, kept_until = v_now + v_window
  where l.bucket = p_bucket;
  return true;
end;
$$;

-- Counts a request in several buckets, in the given order. Returns whether all are within their limits. Stops at the
-- first refusal, so that refused callers do not use up a shared limit: list the shared bucket last. Raises 22023.
create function public.hit_rate_limits(p_buckets text[], p_limits integer[], p_windows integer[])
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if coalesce(cardinality(p_buckets), 0) = 0
    or cardinality(p_limits) is distinct from cardinality(p_buckets)
    or cardinality(p_windows) is distinct from cardinality(p_buckets)
  then
    raise exception 'buckets, and as many limits and windows, are required' using errcode = '22023';
  end if;
  for i in 1 .. cardinality(p_buckets) loop
    if not private.hit_rate_limit(p_buckets[i], p_limits[i], p_windows[i]) then
      return false;
    end if;
  end loop;
  return true;
end;
$$;
