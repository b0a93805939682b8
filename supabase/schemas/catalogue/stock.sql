-- How stock changes after an order is placed (place_order subtracts it): returned when an unpaid order ends, reserved
-- again for a late payment, restocked when a paid order is refunded or cancelled.

-- Identifies an order line: a product, or one size of it. Same as lineKey in src/domain/catalogue/sizes.ts.
create function private.line_key(p_line jsonb)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (p_line ->> 'product_id') || coalesce(':' || (p_line ->> 'size'), '');
end;
$$;

-- A product's name with its size, for orders, documents and mails. Same as sizedName in
-- src/domain/catalogue/sizes.ts.
create function private.sized_name(p_name text, p_size text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_name || coalesce(' · Size ' || p_size, '');
end;
$$;

-- The stock available to an order line. Null when the product has sizes but not this one.
create function private.stock_of_line(p_stock integer, p_sizes jsonb, p_size text)
returns integer
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case when p_sizes = '[]' then p_stock
    else (select (s ->> 'stock')::integer from jsonb_array_elements(p_sizes) s where s ->> 'size' = p_size) end;
end;
$$;

-- Adds quantities ({size: quantity}) to a list of sizes, up to 100,000 in total. A size that was removed in the
-- meantime is added back at the end; the admin can remove it again.
create function private.add_to_sizes(p_sizes jsonb, p_quantities jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select jsonb_agg(
      jsonb_build_object(
        'size', t.size, 'stock', t.stock + least(t.added, greatest(0, 100000 - t.all_stock - t.added_before))
      )
      order by t.place, t.size
    )
    from (
      select coalesce(s.value ->> 'size', q.key) as size, s.ordinality as place,
        coalesce((s.value ->> 'stock')::bigint, 0) as stock, coalesce(q.value::bigint, 0) as added,
        sum(coalesce((s.value ->> 'stock')::bigint, 0)) over () as all_stock,
        coalesce(sum(q.value::bigint) over (
          order by s.ordinality, q.key rows between unbounded preceding and 1 preceding
        ), 0) as added_before
      from jsonb_array_elements(p_sizes) with ordinality s
      full join jsonb_each_text(coalesce(p_quantities, '{}')) q on q.key = s.value ->> 'size'
    ) t
  );
end;
$$;

-- Adds lines to stock: [{product_id, size?, quantity}]; a negative quantity subtracts. The caller has locked the
-- products and checked that there is enough. When a product no longer has sizes, all of it counts. When it has sizes
-- now but the line has none, nothing is added, because only the admin knows which size came back. The cap keeps stock
-- within its CHECK if the admin raised it in the meantime.
create function private.add_stock(p_lines jsonb)
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.products p
  set stock = case when p.sizes = '[]' then least(p.stock + added.quantity, 100000) else p.stock end,
      sizes = case when p.sizes = '[]' then p.sizes else private.add_to_sizes(p.sizes, added.by_size) end
  from (
    select t.product_id, sum(t.quantity) as quantity,
      jsonb_object_agg(t.size, t.quantity) filter (where t.size is not null) as by_size
    from (
      select (line ->> 'product_id')::uuid as product_id, line ->> 'size' as size,
        sum((line ->> 'quantity')::bigint) as quantity
      from jsonb_array_elements(p_lines) line
      group by 1, 2
    ) t
    group by 1
  ) added
  where p.id = added.product_id;
end;
$$;

-- Locks the products of these orders, all in one statement, as the lock order of orders.sql asks.
create function private.lock_products_of_orders(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform 1 from public.products p
  where p.id in (
    select (item ->> 'product_id')::uuid
    from public.orders o, jsonb_array_elements(o.items) item
    where o.id = any (p_order_ids)
  )
  order by p.id
  for update;
end;
$$;

-- Returns the stock that these orders hold. The caller has locked the orders. Deleted products get theirs too,
-- because they can still be restored.
create function private.return_stock(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.lock_products_of_orders(p_order_ids);
  perform private.add_stock((
    select coalesce(jsonb_agg(item), '[]') from public.orders o, jsonb_array_elements(o.items) item
    where o.id = any (p_order_ids)
  ));
end;
$$;

-- Subtracts the stock of a released order again: all of it (true) or none (false). Hidden products count, deleted
-- ones do not. The caller has locked the order.
create function private.reserve_stock_again(p_items jsonb)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_available bigint;
begin
  if jsonb_typeof(p_items) is distinct from 'array' or jsonb_array_length(p_items) = 0 then
    return false;
  end if;
  perform 1 from public.products p
  where p.id in (select (item ->> 'product_id')::uuid from jsonb_array_elements(p_items) item)
  order by p.id
  for update;
  -- Lines with different sizes are one stock when the product no longer has sizes.
  select sum(t.lines) into v_available
  from (
    select count(*) as lines, private.stock_of_line(p.stock, p.sizes, size) as stock,
      sum((item ->> 'quantity')::bigint) as quantity
    from jsonb_array_elements(p_items) item
    join public.products p on p.id = (item ->> 'product_id')::uuid and p.deleted_at is null
    cross join lateral (select case when p.sizes <> '[]' then item ->> 'size' end as size) l
    group by p.id, size
  ) t
  where t.stock >= t.quantity;
  if coalesce(v_available, 0) < jsonb_array_length(p_items) then
    return false;
  end if;
  perform private.add_stock((
    select jsonb_agg(item || jsonb_build_object('quantity', -(item ->> 'quantity')::integer))
    from jsonb_array_elements(p_items) item
  ));
  return true;
end;
$$;

-- Returns quantities of a paid order to stock. p_quantities is {line key: quantity}; null means everything not
-- returned yet. Returns null on success, else the key of a line with a too high quantity; then nothing was changed.
-- The caller has locked the order; this function locks the products.
create function private.restock(p_order public.orders, p_quantities jsonb)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_sold jsonb;
  v_back jsonb;
  v_wrong text;
  v_lines jsonb;
begin
  -- Imported orders never reduced this stock, so nothing of them can be returned.
  select coalesce(jsonb_object_agg(key, quantity), '{}') into v_sold
  from (
    select private.line_key(item) as key,
      sum((item ->> 'quantity')::bigint) - coalesce((p_order.restocked ->> private.line_key(item))::bigint, 0) as quantity
    from jsonb_array_elements(case when p_order.hold_state = 'taken' then p_order.items else '[]' end) item
    group by 1
  ) t;
  v_back := coalesce(p_quantities, v_sold);
  select back.key into v_wrong
  from jsonb_each_text(v_back) back
  where p_quantities is not null and back.value::bigint > coalesce((v_sold ->> back.key)::bigint, 0)
  order by 1
  limit 1;
  if v_wrong is not null then
    return v_wrong;
  end if;

  select coalesce(jsonb_agg(line), '[]') into v_lines
  from (
    select distinct item ->> 'product_id' as product_id, item ->> 'size' as size, back.value::bigint as quantity
    from jsonb_each_text(v_back) back
    join jsonb_array_elements(p_order.items) item on private.line_key(item) = back.key
    where back.value::bigint > 0
  ) line;
  perform 1 from public.products p
  where p.id in (select (line ->> 'product_id')::uuid from jsonb_array_elements(v_lines) line)
  order by p.id
  for update;
  perform private.add_stock(v_lines);
  update public.orders
  set restocked = restocked || (
    select coalesce(jsonb_object_agg(back.key, coalesce((restocked ->> back.key)::bigint, 0) + back.value::bigint), '{}')
    from jsonb_each_text(v_back) back
    where back.value::bigint > 0
  )
  where id = p_order.id;
  return null;
end;
$$;
