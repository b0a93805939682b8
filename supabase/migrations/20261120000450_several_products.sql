-- Several products at once: what an import and the admin's selections save, delete and bring back. Each is one
-- transaction over the functions for a single product, all or nothing.

-- Locks products in id order, as sales do, before the first edit takes the catalogue's version: a single edit takes it last.
create function private.lock_products(p_ids uuid[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform 1 from public.products p where p.id = any (p_ids) order by p.id for update;
end;
$$;

-- What an import compares a file with: the products with these ids, deleted ones too, and those with these names.
create function public.products_by_id_or_name(p_ids uuid[], p_names text[])
returns jsonb
language sql
security definer
stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(private.admin_product(p) order by p.id), '[]')
  from public.products p
  where p.id = any (p_ids) or (p.deleted_at is null and lower(p.name) in (select lower(n) from unnest(p_names) n));
$$;

-- Saves products: [{id, product, seen}], new ones with seen null (`insert_product`), others by the rules of `save_product`.
-- Returns {outcome, visibility_changed, refused}; outcomes: saved; refused, with nothing written and every product that
-- stands in the way: [{id, outcome: changed | missing | deleted, fields_changed, product}]. Raises 22023 for an id twice.
create function public.save_products(p_rows jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ids uuid[] := array(select (r ->> 'id')::uuid from jsonb_array_elements(p_rows) r);
  v_row jsonb;
  v_answer jsonb;
  v_refused jsonb := '[]';
  v_visibility_changed boolean := false;
begin
  if array_position(v_ids, null) is not null or cardinality(v_ids) <> (select count(distinct id) from unnest(v_ids) id) then
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
        v_refused := v_refused || jsonb_build_array(jsonb_build_object('id', v_row ->> 'id') || v_answer);
      end if;
    end loop;
    if v_refused <> '[]' then
      raise exception 'refused' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    -- What was written above is undone; what was found out is kept.
    return jsonb_build_object('outcome', 'refused', 'visibility_changed', false, 'refused', v_refused);
  end;
  return jsonb_build_object('outcome', 'saved', 'visibility_changed', v_visibility_changed, 'refused', '[]'::jsonb);
end;
$$;

-- Deletes products as `delete_product` does; the ids of those that were there.
create function public.delete_products(p_ids uuid[])
returns uuid[]
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.lock_products(p_ids);
  return array(select id from (select distinct id from unnest(p_ids) id order by id) ids where public.delete_product(id));
end;
$$;

-- Brings deleted products back as `restore_product` does; the ids of all that are in the catalogue now.
create function public.restore_products(p_ids uuid[])
returns uuid[]
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.lock_products(p_ids);
  return array(select id from (select distinct id from unnest(p_ids) id order by id) ids where public.restore_product(id) is not null);
end;
$$;
