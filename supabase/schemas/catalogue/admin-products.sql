-- The admin's work on products: list, read, add, edit, delete, restore, feature and import. Prices are passed in paise.

-- ── One product ──

-- A product for the admin's endpoints: all columns, and `change_version`, the version of its last change.
create function private.admin_product(p_product public.products)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return to_jsonb(p_product) || jsonb_build_object('change_version', (
    select max(c.version) from public.product_changes c where c.product_id = p_product.id
  ));
end;
$$;

-- A page of the catalogue: {total, products}. p_search is plain text without wildcards. p_show: 'all' except deleted
-- products, 'visible', 'hidden' or 'deleted'. The filters for low and no stock include visible products only.
create function public.admin_products(
  p_search text,
  p_category text,
  p_stock text,
  p_show text,
  p_low_stock_below integer,
  p_sort text,
  p_offset integer,
  p_limit integer
)
returns jsonb
language plpgsql
security definer
stable
set search_path = ''
as $$
declare
  v_search text := lower(btrim(coalesce(p_search, '')));
  v_answer jsonb;
begin
  if p_stock not in ('all', 'low', 'out') or p_show not in ('all', 'visible', 'hidden', 'deleted')
    or p_sort not in ('newest', 'name', 'price', 'stock')
    or p_offset is null or p_offset < 0 or p_limit is null or p_limit not between 1 and 1000
  then
    raise exception 'unknown stock, show, sort, offset or limit' using errcode = '22023';
  end if;
  with matching as (
    select p as product, p.id,
      row_number() over (
        order by
          case when p_sort = 'newest' then coalesce(p.deleted_at, p.created_at) end desc,
          case when p_sort = 'name' then lower(p.name) end,
          case when p_sort = 'price' then coalesce(p."offerPrice", p.price) end,
          case when p_sort = 'stock' then p.stock end,
          lower(p.name), p.id
      ) as place
    from public.products p
    where (p_category is null or p.category = p_category)
      and (p.deleted_at is not null) = (p_show = 'deleted')
      and case p_show when 'visible' then not p.hidden when 'hidden' then p.hidden else true end
      and case p_stock
        when 'low' then p.stock > 0 and p.stock < p_low_stock_below and not p.hidden
        when 'out' then p.stock = 0 and not p.hidden
        else true
      end
      and (
        v_search = ''
        or position(v_search in lower(p.name)) > 0
        or position(v_search in lower(p.description)) > 0
        or position(v_search in p.category) > 0
      )
  )
  select jsonb_build_object(
    'total', (select count(*) from matching),
    'products', coalesce((
      select jsonb_agg(private.admin_product(m.product) order by m.place)
      from matching m
      where m.place > p_offset and m.place <= p_offset + p_limit
    ), '[]')
  ) into v_answer;
  return v_answer;
end;
$$;

-- One product, or null when there is none or it was deleted.
create function public.admin_product(p_id uuid)
returns jsonb
language plpgsql
security definer
stable
set search_path = ''
as $$
begin
  return (
    select private.admin_product(p) from public.products p where p.id = p_id and p.deleted_at is null
  );
end;
$$;

create function private.text_array(p_list jsonb)
returns text[]
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select coalesce(array_agg(value order by place), '{}')
    from jsonb_array_elements_text(p_list) with ordinality e (value, place)
  );
end;
$$;

-- Inserts a product with an id from the client, so that a repeated request inserts it once. Returns {outcome,
-- product}: created, exists (the stored product is unchanged), deleted (it has been deleted since).
create function public.insert_product(p_id uuid, p_product jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_stored public.products;
  v_outcome text := 'created';
begin
  insert into public.products (
    id, name, description, category, price, "offerPrice", stock, sizes, hidden, images, image_alts, attributes
  )
  values (
    p_id, p_product ->> 'name', p_product ->> 'description', p_product ->> 'category',
    (p_product ->> 'price')::numeric / 100, (p_product ->> 'offerPrice')::numeric / 100,
    (p_product ->> 'stock')::integer, coalesce(p_product -> 'sizes', '[]'),
    coalesce((p_product ->> 'hidden')::boolean, false),
    private.text_array(p_product -> 'images'), private.text_array(p_product -> 'imageAlts'), p_product -> 'attributes'
  )
  on conflict (id) do nothing
  returning * into v_stored;
  if v_stored.id is null then
    select * into v_stored from public.products where id = p_id;
    v_outcome := case when v_stored.deleted_at is null then 'exists' else 'deleted' end;
  end if;
  return jsonb_build_object('outcome', v_outcome, 'product', private.admin_product(v_stored));
end;
$$;

-- Stock by size, {size: stock}; for a product without sizes {"": stock}.
create function private.stock_by_size(p_stock integer, p_sizes jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_object_agg(s ->> 'size', (s ->> 'stock')::integer), jsonb_build_object('', p_stock))
    from jsonb_array_elements(p_sizes) s
  );
end;
$$;

-- Saves an edit, unless the product changed since the form was opened (p_expected: {updatedAt, stock, sizes}).
-- Outcomes:
--   saved     with the product as it is now, and whether its visibility changed
--   changed   nothing is written; with the product as it is, and whether its fields or its stock changed
--   missing   the product was deleted
-- Stock that the form did not change is not written, per size if there are sizes, so that a sale in the meantime is
-- kept. An edit without `sizes` keeps the existing ones, and then cannot change the stock: 22023. An edit locks one
-- product and then, if more than stock changes, the catalogue version. Nothing takes these locks in another order.
create function public.save_product(p_id uuid, p_product jsonb, p_expected jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now public.products;
  v_wanted jsonb;
  v_seen jsonb;
  v_stored jsonb;
  v_sizes jsonb;
  v_fields_changed boolean;
  v_was_hidden boolean;
begin
  if p_product ->> 'stock' is null or p_expected ->> 'stock' is null or p_expected ->> 'updatedAt' is null then
    raise exception 'stock, expected stock and expected updatedAt are required' using errcode = '22023';
  end if;
  select * into v_now from public.products where id = p_id and deleted_at is null for update;
  if not found then
    return jsonb_build_object('outcome', 'missing');
  end if;
  v_fields_changed := v_now.updated_at <> (p_expected ->> 'updatedAt')::timestamptz;
  v_sizes := coalesce(p_product -> 'sizes', v_now.sizes);
  v_stored := private.stock_by_size(v_now.stock, v_now.sizes);
  if p_product ? 'sizes' or v_now.sizes = '[]' then
    v_wanted := private.stock_by_size((p_product ->> 'stock')::integer, v_sizes);
    v_seen := private.stock_by_size((p_expected ->> 'stock')::integer, coalesce(p_expected -> 'sizes', '[]'));
  elsif p_product ->> 'stock' = p_expected ->> 'stock' then
    v_wanted := v_stored;
    v_seen := v_stored;
  else
    raise exception 'the stock of a product with sizes is changed by size' using errcode = '22023';
  end if;
  -- A size that is missing on one side was added or removed, and is null there.
  if v_fields_changed or exists (
    select 1 from jsonb_object_keys(v_wanted || v_seen) size
    where v_wanted -> size is distinct from v_seen -> size and v_stored -> size is distinct from v_seen -> size
  ) then
    return jsonb_build_object(
      'outcome', 'changed',
      'product', private.admin_product(v_now),
      'fields_changed', v_fields_changed,
      'stock_changed', v_stored <> v_seen
    );
  end if;
  v_was_hidden := v_now.hidden;
  select v_wanted || coalesce(jsonb_object_agg(seen.key, v_stored -> seen.key), '{}') into v_wanted
  from jsonb_each(v_seen) seen
  where v_wanted -> seen.key = seen.value;
  update public.products p
  set name = p_product ->> 'name',
      description = p_product ->> 'description',
      category = p_product ->> 'category',
      price = (p_product ->> 'price')::numeric / 100,
      "offerPrice" = (p_product ->> 'offerPrice')::numeric / 100,
      stock = coalesce((v_wanted ->> '')::integer, p.stock),
      sizes = (
        select coalesce(jsonb_agg(
          jsonb_build_object('size', s.value -> 'size', 'stock', v_wanted -> (s.value ->> 'size'))
          order by s.ordinality
        ), '[]')
        from jsonb_array_elements(v_sizes) with ordinality s
      ),
      hidden = coalesce((p_product ->> 'hidden')::boolean, p.hidden),
      images = private.text_array(p_product -> 'images'),
      image_alts = private.text_array(p_product -> 'imageAlts'),
      attributes = p_product -> 'attributes'
  where p.id = p_id
  returning * into v_now;
  -- A new statement, so that it sees the version that the triggers wrote.
  return jsonb_build_object(
    'outcome', 'saved', 'product', private.admin_product(v_now), 'visibility_changed', v_now.hidden <> v_was_hidden
  );
end;
$$;

-- Deletes a product and frees its place on the home page. Returns false when there is none. Orders keep their own
-- copy of what was bought, and their stock still returns to the product. It can be restored for 30 days.
create function public.delete_product(p_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.products set deleted_at = clock_timestamp(), featured = null where id = p_id and deleted_at is null;
  return found;
end;
$$;

-- Restores a deleted product as it was, hidden if it was hidden. Returns the product, also if it was restored before,
-- or null when it is gone for good.
create function public.restore_product(p_id uuid)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.products set deleted_at = null where id = p_id and deleted_at is not null;
  return public.admin_product(p_id);
end;
$$;

-- Permanently deletes at most p_limit products that were deleted 30 days ago. Returns how many. Their images become
-- unused.
create function public.end_deleted_products(p_limit integer)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ended integer;
begin
  delete from public.products
  where id = any (array(
    select p.id from public.products p
    where p.deleted_at < clock_timestamp() - interval '30 days'
    -- Uses the index of deleted products; ordering by id would read all products.
    order by p.deleted_at
    limit greatest(p_limit, 0)
    for update skip locked
  ));
  get diagnostics v_ended = row_count;
  return v_ended;
end;
$$;

-- ── Featured products ──

-- The featured products of the home page, in order: [{id, name, hidden, image}].
create function public.featured_products()
returns jsonb
language sql
security definer
stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('id', p.id, 'name', p.name, 'hidden', p.hidden, 'image', p.images[1]) order by p.featured, p.id
  ), '[]')
  from public.products p
  where p.featured is not null;
$$;

-- Sets the featured products, in this order, unless they changed since they were read (p_expected, ids in order).
-- Returns {outcome, featured} with the featured products as they are now. outcome: saved; changed or missing (a
-- product was deleted), with nothing written. Raises 22023 for a repeated product or more than p_limit.
create function public.feature_products(p_ids uuid[], p_expected uuid[], p_limit integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_outcome text := 'saved';
begin
  if p_ids is null or p_expected is null or p_limit is null or array_position(p_ids, null) is not null
    or cardinality(p_ids) > p_limit or cardinality(p_ids) <> (select count(distinct id) from unnest(p_ids) id)
  then
    raise exception 'ids must be different and no more than the limit' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('feature_products', 0));
  perform 1 from public.products p where p.featured is not null or p.id = any (p_ids) order by p.id for update;
  if p_expected is distinct from (
    select coalesce(array_agg(p.id order by p.featured, p.id), '{}') from public.products p where p.featured is not null
  ) then
    v_outcome := 'changed';
  elsif (
    select count(*) from public.products p where p.id = any (p_ids) and p.deleted_at is null
  ) < cardinality(p_ids) then
    v_outcome := 'missing';
  else
    update public.products p
    set featured = array_position(p_ids, p.id)
    where (p.featured is not null or p.id = any (p_ids)) and p.featured is distinct from array_position(p_ids, p.id);
  end if;
  return jsonb_build_object('outcome', v_outcome, 'featured', public.featured_products());
end;
$$;

-- ── Several products ──

-- Imports and bulk actions of the admin. Each is one transaction over the functions for a single product, all or
-- nothing.

-- Locks products in id order, as sales do, before the first edit takes the catalogue version. A single edit takes it
-- last.
create function private.lock_products(p_ids uuid[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform 1 from public.products p where p.id = any (p_ids) order by p.id for update;
end;
$$;

-- Saves products: [{id, product, seen}]. Rows with `seen` null are new (`insert_product`), the others follow
-- `save_product`. Returns {outcome, visibility_changed, refused}; outcome: saved; refused, with nothing written and
-- every product in conflict: [{id, outcome: changed | missing | deleted, fields_changed, product}]. Raises 22023 for
-- a repeated id.
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
