-- Counters of requests, and what the shop's forms collect.

create table public.rate_limits (
  bucket text not null check (char_length(bucket) <= 200),
  window_start timestamptz not null,
  hits integer not null default 1,
  primary key (bucket, window_start)
);
create index rate_limits_window_start_idx on public.rate_limits (window_start);

create table public.form_entries (
  id bigint generated always as identity primary key,
  form text not null check (form <> '' and char_length(form) <= 100),
  fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object' and octet_length(fields::text) <= 65536),
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index form_entries_created_at_idx on public.form_entries (created_at desc);

alter table public.rate_limits enable row level security;
alter table public.form_entries enable row level security;
revoke all on public.rate_limits, public.form_entries from public, anon, authenticated;
grant all on public.rate_limits, public.form_entries to service_role;

-- Counts a hit in the bucket's present window and says whether it is within the limit. Windows are fixed; those over
-- for a day leave a few at a time, without waiting for anyone.
create function public.hit_rate_limit(p_bucket text, p_limit integer, p_window_seconds integer)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_hits integer;
begin
  if coalesce(p_bucket, '') = '' or p_limit is null or p_limit < 0
    or p_window_seconds is null or p_window_seconds not between 1 and 86400
  then
    raise exception 'bucket, limit (0 or more) and window_seconds (1 to 86400) are required' using errcode = '22023';
  end if;
  delete from public.rate_limits l
  where l.ctid = any (array(
    select old.ctid from public.rate_limits old
    where old.window_start < v_now - interval '2 days'
    order by old.window_start
    limit 50
    for update skip locked
  ));
  insert into public.rate_limits as l (bucket, window_start)
  values (p_bucket, to_timestamp(floor(extract(epoch from v_now) / p_window_seconds) * p_window_seconds))
  on conflict (bucket, window_start) do update set hits = l.hits + 1
  returning l.hits into v_hits;
  return v_hits <= p_limit;
end;
$$;

revoke execute on function public.hit_rate_limit(text, integer, integer) from public, anon, authenticated;
grant execute on function public.hit_rate_limit(text, integer, integer) to service_role;
