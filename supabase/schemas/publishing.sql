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

-- Changes that a build of p_after_version does not contain: {version, count, newest_at, changes}, one entry per
-- product, newest first. A product that was both added and removed since then does not count.
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
        max(version) as version,
        max(at) as at
      from public.product_changes
      where version > coalesce(p_after_version, 0)
      group by product_id
    ), waiting as (
      select product_id, name, version, at,
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
      'newest_at', (select max(at) from waiting),
      'changes', coalesce((
        select jsonb_agg(
          jsonb_build_object('productId', w.product_id, 'name', w.name, 'kind', w.kind, 'at', w.at)
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

-- Records a build request and returns its id, or null when no build is needed. p_requested_by:
--   admin  always, unless a build of this version was requested in the last 15 minutes and has not started
--   auto   if there are changes after p_deployed_version, the newest is p_quiet_seconds old, and no build is running.
--          After a failure: at once if there is a newer change, else up to three times, half an hour apart.
-- Only builds requested here delay the next one, and a published build only until the live site shows it. Anyone can
-- report a deploy as running or published, but p_deployed_version was read from the site itself.
create function public.request_build(p_requested_by text, p_deployed_version bigint, p_quiet_seconds integer)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_changes jsonb;
  v_last public.builds;
  v_failures integer;
  v_id bigint;
begin
  -- Serialises callers, so that two sweeps, or a sweep and the admin, request one build.
  perform pg_advisory_xact_lock(hashtextextended('kasavu request_build', 0));
  v_changes := public.unpublished_changes(p_deployed_version, 0);
  select * into v_last from public.builds where requested_by <> 'deploy' order by id desc limit 1;
  if (
      v_last.state in ('requested', 'building')
      or (v_last.state = 'published' and v_last.version > coalesce(p_deployed_version, 0))
    )
    and v_last.requested_at > v_now - interval '15 minutes'
  then
    if p_requested_by = 'auto' or (v_last.state = 'requested' and v_last.version = (v_changes ->> 'version')::bigint) then
      return null;
    end if;
  end if;
  if p_requested_by = 'auto' then
    if (v_changes ->> 'count')::integer = 0
      or (v_changes ->> 'newest_at')::timestamptz > v_now - make_interval(secs => p_quiet_seconds)
    then
      return null;
    end if;
    if v_last.state = 'failed' and v_last.version >= (v_changes ->> 'version')::bigint then
      select count(*) into v_failures from public.builds b
      where b.state = 'failed' and b.requested_by <> 'deploy'
        and b.id > coalesce((select max(id) from public.builds where state = 'published'), 0);
      if v_failures >= 3 or coalesce(v_last.finished_at, v_last.requested_at) > v_now - interval '30 minutes' then
        return null;
      end if;
    end if;
  end if;
  insert into public.builds (requested_by, version) values (p_requested_by, (v_changes ->> 'version')::bigint)
    returning id into v_id;
  delete from public.builds where id < v_id - 200;
  return v_id;
end;
$$;

-- Records a deploy that Netlify reports as 'building', 'published' or 'failed'. It belongs to the build with this
-- deploy id, else to the oldest requested build without one, else to a new row. Repeated and late reports change
-- nothing: a finished build keeps its state. A published deploy also finishes older builds that were never reported.
create function public.record_deploy(p_deploy_id text, p_state text, p_reason text)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_id bigint;
begin
  if p_state not in ('building', 'published', 'failed') or coalesce(p_deploy_id, '') = '' then
    raise exception 'a deploy id and building, published or failed are required' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('kasavu request_build', 0));
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
