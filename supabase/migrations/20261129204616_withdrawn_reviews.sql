-- A review that was hidden or erased is withdrawn at once, and its build waits for no budget. The previous site reads none of this;
-- its next build comes at once, too.

alter table public.product_changes add column withdraws boolean not null default false;

-- Written by npm run migration
create index product_changes_withdraws_idx on public.product_changes (version) where withdraws;

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

create or replace function private.next_build_at(
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

create or replace function private.follow_review()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_before jsonb := case when tg_op <> 'INSERT' and old.state = 'published' then to_jsonb(old) - 'order_id' end;
  v_after jsonb := case when tg_op <> 'DELETE' and new.state = 'published' then to_jsonb(new) - 'order_id' end;
  v_image_before text := case when tg_op <> 'INSERT' then old.image end;
  v_image_after text := case when tg_op <> 'DELETE' then new.image end;
begin
  if v_image_before is distinct from v_image_after then
    delete from public.pictures where path = v_image_after;
    insert into public.pictures (path, dropped_at, of_review)
    select v_image_before, now(), true where v_image_before is not null
    on conflict (path) do update set dropped_at = excluded.dropped_at, of_review = true;
  end if;
  if v_before is distinct from v_after then
    insert into public.product_changes (version, product_id, name, kind, withdraws)
    select private.next_catalogue_version(), p.id, p.name, 'changed', v_after is null
    from public.products p
    where p.id = case tg_op when 'DELETE' then old.product_id else new.product_id end
      and not p.hidden and p.deleted_at is null;
  end if;
  return null;
end;
$$;

grant execute on function public.withdrawn_reviews(bigint,integer) to service_role;
-- end
