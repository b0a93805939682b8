-- Links to an order that work without login, and damage claims behind them.

alter table public.orders add column link_version integer not null default 0;
comment on column public.orders.link_version is
  'Part of the signed text of mailed links; withdraw_order_links raises it, and all older links end';

-- Ends all links of an order that were mailed so far: tracking, invoice, damage. Returns false when there is no such
-- order.
create function public.withdraw_order_links(p_order_id bigint)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.orders set link_version = link_version + 1 where id = p_order_id;
  return found;
end;
$$;
grant execute on function public.withdraw_order_links(bigint) to service_role;

-- Why damage of an order cannot be reported now: not_found, not_possible (see private.is_claimable), already (a claim
-- waits for its answer), too_many (five claims). Null when it can.
create function private.claim_refusal(p_order public.orders)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return case
    when p_order.id is null then 'not_found'
    when not private.is_claimable(p_order) then 'not_possible'
    when exists (select 1 from public.claims where order_id = p_order.id and answer is null) then 'already'
    when (select count(*) from public.claims where order_id = p_order.id) >= 5 then 'too_many'
  end;
end;
$$;

-- private.claim_refusal, before anything is read from storage.
create function public.claim_refusal(p_order_id bigint)
returns text
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id;
  return private.claim_refusal(v_order);
end;
$$;
grant execute on function public.claim_refusal(bigint) to service_role;

-- Reports damage and mails the customer and the admin. p_paths are uploaded files of this order; p_hours is the time
-- that the policy allows. Returns {outcome}: reported; files_missing; or a private.claim_refusal. Raises 22023.
create or replace function public.report_claim(p_order_id bigint, p_message text, p_paths text[], p_hours integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_refusal text;
  v_claim_id bigint;
begin
  if coalesce(btrim(p_message), '') = '' or p_hours is null or p_paths is null then
    raise exception 'a claim needs a message, files and hours' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  v_refusal := private.claim_refusal(v_order);
  if v_refusal is not null then
    return jsonb_build_object('outcome', v_refusal);
  elsif (
    select count(*) from public.claim_files
    where path = any (p_paths) and order_id = p_order_id and claim_id is null and bytes > 0 and not removing
  ) <> cardinality(p_paths)
  then
    return jsonb_build_object('outcome', 'files_missing');
  end if;
  insert into public.claims (order_id, message, late)
  values (
    p_order_id, btrim(p_message),
    coalesce(clock_timestamp() > v_order.delivered_at + make_interval(hours => p_hours), false)
  )
  returning id into v_claim_id;
  update public.claim_files set claim_id = v_claim_id where path = any (p_paths);
  perform public.notify_admin('damage_claim', '{}', 'damage_claim:' || v_claim_id, p_order_id);
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, dedupe_key)
    values ('claim_received', v_order.customer_email, p_order_id, 'claim_received:' || v_claim_id);
  end if;
  return jsonb_build_object('outcome', 'reported');
end;
$$;

-- Notes that a file has arrived, once: a claim never takes a file that can still change. Returns false when another
-- upload of the same path arrived before, or the file is being deleted.
create function public.note_claim_upload(p_path text, p_bytes integer)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.claim_files set bytes = p_bytes
  where path = p_path and claim_id is null and bytes is null and not removing;
  return found;
end;
$$;
grant execute on function public.note_claim_upload(text, integer) to service_role;

-- Marks a file whose upload did not finish, so that the caller can delete it and upload it again. Returns false when
-- it has arrived, or is being deleted already.
create function public.drop_unfinished_upload(p_path text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.claim_files set removing = true
  where path = p_path and claim_id is null and bytes is null and not removing;
  return found;
end;
$$;
grant execute on function public.drop_unfinished_upload(text) to service_role;

-- Records files before they are uploaded for an order. Waiting files of this kind that are in neither p_paths nor
-- p_keep were replaced: they are marked and the caller deletes them. Without p_keep none are. Recording a path again
-- restarts its two days. Files of all orders together may have p_max_total_bytes; the admin is notified at 70 % of it.
-- A file of this order that has not arrived counts as 4 MB. Those of other orders count when they have arrived, because
-- announcing costs nothing; each upload is compared again. Returns {outcome, freed: [path]}: noted; not_found; not_possible
-- (nothing to claim, or a file of a sent claim); removing (a file is being deleted, so try again soon); full (40 files
-- of the order wait for their claim, or the total is reached).
drop function public.note_claim_files(bigint, text, text[], text[]);
create or replace function public.note_claim_files(
  p_order_id bigint, p_kind text, p_paths text[], p_keep text[] default null,
  p_max_total_bytes bigint default 1000000000
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_freed text[];
  v_bytes_of_part constant bigint := 4194304;
  v_total bigint;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif not private.is_claimable(v_order)
    or exists (
      select 1 from public.claim_files
      where path = any (p_paths) and (claim_id is not null or order_id <> p_order_id)
    )
  then
    return jsonb_build_object('outcome', 'not_possible');
  elsif exists (select 1 from public.claim_files where path = any (p_paths) and removing) then
    return jsonb_build_object('outcome', 'removing');
  end if;
  with freed as (
    update public.claim_files set removing = true
    where order_id = p_order_id and claim_id is null and kind = p_kind and not removing
      and p_keep is not null and path <> all (p_paths || p_keep)
    returning path
  )
  select coalesce(array_agg(path), '{}') into v_freed from freed;
  select coalesce(sum(coalesce(f.bytes, case when f.order_id = p_order_id then v_bytes_of_part end)), 0)
    + v_bytes_of_part * cardinality(array(
      select path from unnest(p_paths) path except select f.path from public.claim_files f where f.order_id = p_order_id))
  into v_total
  from public.claim_files f where not f.removing;
  if v_total > p_max_total_bytes * 7 / 10 then
    perform public.notify_admin('claim_files_full', '{}', 'claim_files_full:' || (now() at time zone 'Asia/Kolkata')::date);
  end if;
  if v_total > p_max_total_bytes or (
    select count(*) from (
      select path from public.claim_files where order_id = p_order_id and claim_id is null and not removing
      union select unnest(p_paths)
    ) waiting
  ) > 40 then
    return jsonb_build_object('outcome', 'full', 'freed', v_freed);
  end if;
  insert into public.claim_files (path, order_id, kind)
  select path, p_order_id, p_kind from unnest(p_paths) path
  on conflict (path) do update set created_at = now();
  return jsonb_build_object('outcome', 'noted', 'freed', v_freed);
end;
$$;
grant execute on function public.note_claim_files(bigint, text, text[], text[], bigint) to service_role;
