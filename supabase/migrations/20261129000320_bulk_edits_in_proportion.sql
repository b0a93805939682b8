-- Thousands of edits in one transaction cost as much each as one alone: the version of the catalogue is stored once, when
-- they commit, and not with each of them. Nothing that the previous site calls changes its arguments or its answer.

-- The version of the next change of the catalogue. It locks the row of catalogue_version until the edit commits, so
-- versions become visible in order: a reader of one version can read every change up to it. An edit takes this lock last.
-- A sale never takes it. Stock that returns takes it only when it brings back a removed size, after products and before
-- payments. No holder of those locks waits for it, so it cannot deadlock.
-- The row itself moves when the edit commits (private.store_catalogue_version). Moved by each change it would be read
-- through all its earlier states, which take a transaction of thousands of edits longer and longer.
create function private.next_catalogue_version()
returns bigint
language plpgsql
set search_path = ''
as $$
declare
  v_version bigint;
begin
  select version into v_version from public.catalogue_version where id for update;
  -- A statement of its own, so that it sees the changes of whoever held the lock.
  return greatest(v_version, (select max(version) from public.product_changes)) + 1;
end;
$$;

-- At the end of a transaction: the first of its changes stores the version of the last.
create function private.store_catalogue_version()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.catalogue_version
  set version = greatest(new.version, (select max(version) from public.product_changes))
  where id and version < new.version;
  return null;
end;
$$;

create constraint trigger product_changes_store_version
after insert on public.product_changes
deferrable initially deferred
for each row execute function private.store_catalogue_version();

-- Logs an edit that changes what visitors see. Edits of a product that stays hidden are not logged. Prices are read live,
-- and the edge stops the pages of hidden and deleted products, so those edits need no build.
create or replace function private.log_product_change()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_product public.products := case tg_op when 'DELETE' then old else new end;
  v_was_visible boolean := tg_op <> 'INSERT' and not old.hidden and old.deleted_at is null;
  v_is_visible boolean := tg_op <> 'DELETE' and not new.hidden and new.deleted_at is null;
  v_repriced public.products := old;
begin
  if not v_was_visible and not v_is_visible then
    return null;
  end if;
  if v_was_visible and v_is_visible then
    v_repriced.price := new.price;
    v_repriced."offerPrice" := new."offerPrice";
  end if;
  insert into public.product_changes (version, product_id, name, kind, needs_build)
  values (
    private.next_catalogue_version(), v_product.id, v_product.name,
    case
      when v_was_visible and v_is_visible then 'changed'
      when v_is_visible then 'added'
      when tg_op = 'UPDATE' and new.deleted_at is null then 'hidden'
      else 'deleted'
    end,
    v_is_visible and (not v_was_visible or private.page_content_changed(v_repriced, new))
  );
  return null;
end;
$$;

-- Replaces the occasion, or deletes it when null, and returns it as read_occasion does. p_occasion has ids as its
-- products. Logged as an unpublished change with the heading as its name. Raises 22023 for an occasion that is over
-- or repeats a product, and the errors of the table's constraints.
create or replace function public.save_occasion(p_occasion jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_wanted public.occasion;
  v_heading text;
begin
  if jsonb_typeof(p_occasion) = 'object' then
    v_wanted := jsonb_populate_record(null::public.occasion, p_occasion);
    if v_wanted.last_day < private.india_date(clock_timestamp()) then
      raise exception 'the occasion is over already' using errcode = '22023';
    end if;
    if cardinality(v_wanted.products) <> (select count(distinct id) from unnest(v_wanted.products) id) then
      raise exception 'products must be different' using errcode = '22023';
    end if;
    insert into public.occasion as o (heading, sentence, first_day, last_day, products)
    values (v_wanted.heading, v_wanted.sentence, v_wanted.first_day, v_wanted.last_day, v_wanted.products)
    on conflict (id) do update
      set heading = excluded.heading, sentence = excluded.sentence, first_day = excluded.first_day,
          last_day = excluded.last_day, products = excluded.products
    returning o.heading into v_heading;
  else
    delete from public.occasion where id returning heading into v_heading;
  end if;
  if v_heading is not null then
    insert into public.product_changes (version, product_id, name, kind)
    values (private.next_catalogue_version(), '00000000-0000-0000-0000-000000000000', v_heading, 'changed');
  end if;
  return public.read_occasion();
end;
$$;

-- Saves products: [{id, product, seen}]. Rows with `seen` null are new (`insert_product`), the others follow
-- `save_product`. Returns {outcome, visibility_changed, refused}; outcome: saved; refused, with nothing written and
-- every product in conflict: [{id, outcome: changed | missing | deleted, fields_changed, product}]. Raises 22023 for
-- a repeated id.
create or replace function public.save_products(p_rows jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ids uuid[] := array(select (r ->> 'id')::uuid from jsonb_array_elements(p_rows) r);
  v_row jsonb;
  v_answer jsonb;
  v_refused jsonb[] := '{}';
  v_visibility_changed boolean := false;
begin
  if array_position(v_ids, null) is not null
    or cardinality(v_ids) <> (select count(distinct id) from unnest(v_ids) id)
  then
    raise exception 'ids must be given and different' using errcode = '22023';
  end if;
  begin
    perform private.lock_products(v_ids);
    for v_row in select r from jsonb_array_elements(p_rows) r order by (r ->> 'id')::uuid loop
      if coalesce(jsonb_typeof(v_row -> 'seen'), 'null') = 'null' then
        v_answer := public.insert_product((v_row ->> 'id')::uuid, v_row -> 'product');
      else
        v_answer := public.save_product((v_row ->> 'id')::uuid, v_row -> 'product', v_row -> 'seen');
        v_visibility_changed := v_visibility_changed or coalesce((v_answer ->> 'visibility_changed')::boolean, false);
      end if;
      if v_answer ->> 'outcome' in ('changed', 'missing', 'deleted') then
        v_refused := array_append(v_refused, jsonb_build_object('id', v_row ->> 'id') || v_answer);
      end if;
    end loop;
    if cardinality(v_refused) > 0 then
      raise exception 'refused' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    -- The writes are rolled back; the variable keeps the conflicts.
    return jsonb_build_object('outcome', 'refused', 'visibility_changed', false, 'refused', to_jsonb(v_refused));
  end;
  return jsonb_build_object('outcome', 'saved', 'visibility_changed', v_visibility_changed, 'refused', '[]'::jsonb);
end;
$$;
