-- Builds of the site, which publish the catalogue's changes. A build reads the version before the catalogue, so it contains
-- every change up to that version. Changes with a higher version are unpublished.

create table public.builds (
  id bigint generated always as identity primary key,
  requested_at timestamptz not null default clock_timestamp(),
  -- 'deploy': reported by Netlify but not requested here, such as a push of new code.
  requested_by text not null check (requested_by in ('admin', 'auto', 'deploy')),
  -- The catalogue version when the build was requested.
  version bigint not null default 0,
  state text not null default 'requested' check (state in ('requested', 'building', 'published', 'failed')),
  deploy_id text unique check (char_length(deploy_id) between 1 and 100),
  started_at timestamptz,
  finished_at timestamptz,
  reason text check (char_length(reason) <= 500)
);

alter table public.builds enable row level security;

-- Changes that a build of p_after_version does not contain: {version, count, to_build, newest_at, changes}, one entry per
-- product, newest first. A product that was both added and removed since then does not count. to_build counts those that
-- customers see completely only after a build.
create function public.unpublished_changes(p_after_version bigint, p_limit integer)
returns jsonb
language plpgsql
security definer
stable
set search_path = ''
as $$
begin
  return (
    with since as (
      select product_id,
        (array_agg(kind order by version))[1] as first_kind,
        (array_agg(kind order by version desc))[1] as last_kind,
        (array_agg(name order by version desc))[1] as name,
        bool_or(needs_build) as needs_build,
        max(version) as version,
        max(at) as at
      from public.product_changes
      where version > coalesce(p_after_version, 0)
      group by product_id
    ), waiting as (
      select product_id, name, version, at,
        needs_build and last_kind not in ('hidden', 'deleted') as needs_build,
        case
          when last_kind in ('hidden', 'deleted') then last_kind
          when first_kind = 'added' then 'added'
          else 'changed'
        end as kind
      from since
      where not (first_kind = 'added' and last_kind in ('hidden', 'deleted'))
    )
    select jsonb_build_object(
      'version', (select version from public.catalogue_version),
      'count', (select count(*) from waiting),
      'to_build', (select count(*) from waiting where needs_build),
      'newest_at', (select max(at) from waiting),
      'changes', coalesce((
        select jsonb_agg(
          jsonb_build_object('productId', w.product_id, 'name', w.name, 'kind', w.kind, 'at', w.at, 'needsBuild', w.needs_build)
          order by w.version desc
        )
        from (select * from waiting order by version desc limit greatest(p_limit, 0)) w
      ), '[]')
    )
  );
end;
$$;

-- Products that were deleted or hidden after p_after_version, newest first. A build of that version still has their
-- pages.
create function public.withdrawn_products(p_after_version bigint, p_limit integer)
returns setof uuid
language sql
security definer
stable
set search_path = ''
as $$
  select c.product_id
  from public.product_changes c
  where c.kind in ('hidden', 'deleted') and c.version > coalesce(p_after_version, 0)
    and not exists (select 1 from public.products p where p.id = c.product_id and not p.hidden and p.deleted_at is null)
  group by c.product_id
  order by max(c.version) desc
  limit greatest(p_limit, 0);
$$;

-- Products with a review that was hidden or erased after p_after_version, the last one first. A build of that version still shows it on
-- their pages and in the feed.
create function public.withdrawn_reviews(p_after_version bigint, p_limit integer)
returns setof uuid
language sql
security definer
stable
set search_path = ''
as $$
  select c.product_id
  from public.product_changes c
  where c.withdraws and c.version > coalesce(p_after_version, 0)
  group by c.product_id
  order by max(c.version) desc
  limit greatest(p_limit, 0);
$$;

-- ── When a build may come ──
-- These take the present as p_now, so that a test can play a month.

-- Deploys of p_now's month in India, whoever asked for them, or only those that were not requested here. A failed one
-- counts: the platform may charge for it.
create function private.deploys_used(p_now timestamptz, p_reported_only boolean default false)
returns integer
language sql
stable
set search_path = ''
as $$
  select count(*)::integer from public.builds
  where requested_at >= private.india_midnight(date_trunc('month', private.india_date(p_now)::timestamp)::date)
    and (requested_by = 'deploy' or not p_reported_only);
$$;

-- Returns the time from which the month's budget has an automatic build, perhaps before p_now. What is left of the budget is shared
-- equally among the days that are left; a share under one build is a wait of several days after the last deploy. A failed
-- deploy takes from the rest of the month and not from the share of its day, so that the next attempt need not wait for
-- tomorrow. Reports of deploys that nobody requested here carry no proof: they take two thirds of the budget at most, and
-- one build of a day; one that is requested here waits for them until 24 hours after the last one. Without a budget: always.
create function private.budget_allows_at(p_now timestamptz, p_deploys_per_month integer)
returns timestamptz
language plpgsql
stable
set search_path = ''
as $$
declare
  v_today date := private.india_date(p_now);
  v_next_month date := (date_trunc('month', v_today::timestamp) + interval '1 month')::date;
  v_reported integer := private.deploys_used(p_now, true);
  v_used integer := private.deploys_used(p_now) - v_reported + least(v_reported, p_deploys_per_month * 2 / 3);
  v_own_today integer;
  v_reported_today integer;
  v_last_own timestamptz;
  v_last_reported timestamptz;
  v_day date := v_today;
  v_share numeric;
  v_at timestamptz;
begin
  if p_deploys_per_month is null then
    return '-infinity';
  end if;
  select
    count(*) filter (where requested_by <> 'deploy' and requested_at >= private.india_midnight(v_today) and state <> 'failed'),
    least(1, count(*) filter (where requested_by = 'deploy' and requested_at >= private.india_midnight(v_today))),
    coalesce(max(requested_at) filter (where requested_by <> 'deploy'), '-infinity'),
    coalesce(max(requested_at) filter (where requested_by = 'deploy'), '-infinity')
    into v_own_today, v_reported_today, v_last_own, v_last_reported
  from public.builds;
  while v_used < p_deploys_per_month and v_day < v_next_month loop
    v_share := (p_deploys_per_month - v_used + case when v_day = v_today then v_own_today + v_reported_today else 0 end)::numeric
      / (v_next_month - v_day);
    if v_share < 1 then
      v_at := greatest(v_last_own, least(v_last_reported, v_last_own + interval '24 hours'))
        + interval '24 hours' / v_share::double precision;
    else
      v_at := case
        when v_day > v_today or v_own_today + v_reported_today < floor(v_share) then '-infinity'
        when v_reported_today = 0 then 'infinity'
        else v_last_own + interval '24 hours'
      end;
    end if;
    if v_at < private.india_midnight(v_day + 1) then
      return greatest(v_at, private.india_midnight(v_day));
    end if;
    v_day := v_day + 1;
  end loop;
  return private.india_midnight(v_next_month);
end;
$$;

-- Builds that delay the next one: those of the last 15 minutes without a result, and those that are published but that the
-- live site does not show yet.
create function private.builds_under_way(p_now timestamptz, p_deployed_version bigint)
returns setof public.builds
language sql
stable
set search_path = ''
as $$
  select * from public.builds
  where requested_at > p_now - interval '15 minutes'
    and (state in ('requested', 'building') or (state = 'published' and version > coalesce(p_deployed_version, 0)));
$$;

-- When the next automatic build is due, perhaps a time before p_now; null when no change needs one, infinity when it waits
-- for a newer change after failures. p_deployed_version was read from the live site. A withdrawn review waits neither for a quiet
-- time nor for the budget: the admin has published it before, so nobody else can cause many of them.
create function private.next_build_at(
  p_now timestamptz, p_deployed_version bigint, p_quiet_seconds integer, p_deploys_per_month integer
)
returns timestamptz
language plpgsql
stable
set search_path = ''
as $$
declare
  v_changes jsonb := public.unpublished_changes(p_deployed_version, 0);
  v_last public.builds;
  v_failures integer;
  v_retry_at timestamptz := '-infinity';
  v_withdrawn_at constant timestamptz := (
    select min(c.at) from public.product_changes c where c.withdraws and c.version > coalesce(p_deployed_version, 0)
  );
  v_due constant timestamptz := coalesce(
    v_withdrawn_at, (v_changes ->> 'newest_at')::timestamptz + make_interval(secs => p_quiet_seconds)
  );
begin
  if (v_changes ->> 'to_build')::integer = 0 then
    return null;
  end if;
  select * into v_last from public.builds where requested_by <> 'deploy' order by id desc limit 1;
  if v_last.state = 'failed' and v_last.version >= (v_changes ->> 'version')::bigint then
    select count(*) into v_failures from public.builds b
    where b.state = 'failed' and b.requested_by <> 'deploy'
      and b.id > coalesce((select max(id) from public.builds where state = 'published'), 0);
    v_retry_at := case
      when v_failures >= 3 then 'infinity'
      else coalesce(v_last.finished_at, v_last.requested_at) + interval '30 minutes'
    end;
  end if;
  return greatest(
    v_due,
    -- A report that nobody can prove delays a change once, by 15 minutes at most.
    (
      select max(
        case b.requested_by when 'deploy' then least(b.requested_at, v_due) else b.requested_at end + interval '15 minutes'
      )
      from private.builds_under_way(p_now, p_deployed_version) b
    ),
    case when v_withdrawn_at is null then private.budget_allows_at(p_now, p_deploys_per_month) end,
    v_retry_at
  );
end;
$$;

-- Does what public.request_build does, at p_now.
create function private.request_build_at(
  p_now timestamptz, p_requested_by text, p_deployed_version bigint, p_quiet_seconds integer, p_deploys_per_month integer
)
returns bigint
language plpgsql
set search_path = ''
as $$
declare
  v_changes jsonb;
  v_id bigint;
begin
  -- Serialises callers, so that two sweeps, or a sweep and the admin, request one build.
  perform pg_advisory_xact_lock(hashtextextended('kasavu request_build', 0));
  if p_requested_by = 'auto'
    and coalesce(private.next_build_at(p_now, p_deployed_version, p_quiet_seconds, p_deploys_per_month) > p_now, true)
  then
    return null;
  end if;
  v_changes := public.unpublished_changes(p_deployed_version, 0);
  if exists (
    select 1 from private.builds_under_way(p_now, p_deployed_version) b
    where b.requested_by <> 'deploy' and b.version >= (v_changes ->> 'version')::bigint
  ) then
    return null;
  end if;
  -- Publishing again what is live helps only after a failure.
  if p_deployed_version > 0 and (v_changes ->> 'count')::integer = 0
    and coalesce((select b.state from public.builds b order by b.id desc limit 1), 'published') = 'published'
  then
    return null;
  end if;
  insert into public.builds (requested_at, requested_by, version)
  values (p_now, p_requested_by, (v_changes ->> 'version')::bigint)
  returning id into v_id;
  -- This month and the one before stay, because the budget counts them.
  delete from public.builds where id < v_id - 200 and requested_at < p_now - interval '62 days';
  return v_id;
end;
$$;

-- Records a build request and returns its id, or null when none is due. p_requested_by:
--   admin  whenever it changes something: not when a build under way holds the changes, nor when everything is live
--   auto   if a change after p_deployed_version needs a build, the newest change is p_quiet_seconds old, no build is under
--          way, and the month's budget of p_deploys_per_month has one (null: no budget); a withdrawn review waits for a build under
--          way alone. After a failure: at once if
--          there is a newer change, else up to three times, half an hour apart.
create function public.request_build(
  p_requested_by text, p_deployed_version bigint, p_quiet_seconds integer, p_deploys_per_month integer default null
)
returns bigint
language sql
security definer
set search_path = ''
as $$
  select private.request_build_at(
    clock_timestamp(), p_requested_by, p_deployed_version, p_quiet_seconds, p_deploys_per_month
  );
$$;

-- How the month's deploys stand: {used, next_at}. next_at is when the next automatic build is due, null for none.
create function public.deploy_budget(p_deployed_version bigint, p_quiet_seconds integer, p_deploys_per_month integer default null)
returns jsonb
language sql
security definer
stable
set search_path = ''
as $$
  select jsonb_build_object(
    'used', private.deploys_used(now()),
    'next_at', nullif(
      private.next_build_at(now(), p_deployed_version, p_quiet_seconds, p_deploys_per_month), 'infinity'
    )
  );
$$;

-- Records a deploy that Netlify reports as 'building', 'published' or 'failed'. It belongs to the build with this
-- deploy id, else to the oldest requested build without one, else to a new row. Repeated and late reports change
-- nothing: a finished build keeps its state. A published deploy also finishes older builds that were never reported.
-- 'skipped': Netlify built nothing, because the push changed nothing that pages show. It was no deploy, unless it was
-- requested here.
create function public.record_deploy(p_deploy_id text, p_state text, p_reason text)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_id bigint;
begin
  if p_state not in ('building', 'published', 'failed', 'skipped') or coalesce(p_deploy_id, '') = '' then
    raise exception 'a deploy id and building, published, failed or skipped are required' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('kasavu request_build', 0));
  if p_state = 'skipped' then
    delete from public.builds where deploy_id = p_deploy_id and requested_by = 'deploy';
    update public.builds
    set state = 'failed', finished_at = clock_timestamp(), reason = left(p_reason, 500)
    where deploy_id = p_deploy_id and state = 'building'
    returning id into v_id;
    return v_id;
  end if;
  select id into v_id from public.builds where deploy_id = p_deploy_id;
  if v_id is null then
    update public.builds set deploy_id = p_deploy_id
    where id = (select min(id) from public.builds where state = 'requested' and deploy_id is null)
    returning id into v_id;
  end if;
  if v_id is null then
    insert into public.builds (requested_by, deploy_id, version)
    values ('deploy', p_deploy_id, (select version from public.catalogue_version))
    returning id into v_id;
  end if;
  update public.builds
  set state = p_state,
      started_at = coalesce(started_at, clock_timestamp()),
      finished_at = case when p_state <> 'building' then clock_timestamp() end,
      reason = case when p_state = 'failed' then left(p_reason, 500) end
  where id = v_id and state in ('requested', 'building');
  if p_state = 'published' then
    update public.builds set state = 'published', finished_at = clock_timestamp()
    where id < v_id and state in ('requested', 'building');
  end if;
  return v_id;
end;
$$;

-- Marks a build as failed because its request did not reach Netlify.
create function public.fail_build(p_id bigint, p_reason text)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.builds
  set state = 'failed', finished_at = clock_timestamp(), reason = left(p_reason, 500)
  where id = p_id and state = 'requested';
$$;
