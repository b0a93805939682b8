-- How stock moves after an order was placed (place_order subtracts it): returned when an unpaid order ends, reserved again
-- for a late payment, restocked when a paid order is refunded or cancelled.

-- Returns the stock of orders that hold some; the caller has locked the orders. A deleted product that can still be brought
-- back gets its own back, too. The cap
-- keeps the stock within its CHECK when the admin has raised it in the meantime.
create function private.return_stock(p_order_ids bigint[])
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

  update public.products p
  set stock = least(p.stock + back.quantity, 100000)
  from (
    select (item ->> 'product_id')::uuid as product_id, sum((item ->> 'quantity')::bigint) as quantity
    from public.orders o, jsonb_array_elements(o.items) item
    where o.id = any (p_order_ids)
    group by 1
  ) back
  where p.id = back.product_id;
end;
$$;

-- Subtracts the stock of a released order again: all of it (true) or none (false). A product that was hidden since the order
-- is still there to be sent, a deleted one is not. The caller has locked the order.
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
  select count(*) into v_available
  from jsonb_array_elements(p_items) item
  join public.products p on p.id = (item ->> 'product_id')::uuid and p.deleted_at is null
    and p.stock >= (item ->> 'quantity')::integer;
  if v_available < jsonb_array_length(p_items) then
    return false;
  end if;
  update public.products p
  set stock = p.stock - (item ->> 'quantity')::integer
  from jsonb_array_elements(p_items) item
  where p.id = (item ->> 'product_id')::uuid;
  return true;
end;
$$;

-- Returns quantities of a paid order to stock: p_quantities is {product_id: quantity}, or null for all that has not been
-- returned yet. The result is null when done; otherwise nothing was done, and it is the id of a product of which fewer
-- were sold or are left to return. The caller has locked the order; this locks the products.
create function private.restock(p_order public.orders, p_quantities jsonb)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_sold jsonb;
  v_back jsonb;
  v_wrong text;
begin
  -- Only what this shop's stock was reduced by can be returned to it: nothing of imported orders.
  select coalesce(jsonb_object_agg(id, quantity), '{}') into v_sold
  from (
    select item ->> 'product_id' as id,
      sum((item ->> 'quantity')::bigint) - coalesce((p_order.restocked ->> (item ->> 'product_id'))::bigint, 0) as quantity
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

  perform 1 from public.products p
  where p.id in (select back.key::uuid from jsonb_each_text(v_back) back where back.value::bigint > 0)
  order by p.id
  for update;
  update public.products p
  set stock = least(p.stock + back.value::bigint, 100000)
  from jsonb_each_text(v_back) back
  where p.id = back.key::uuid and back.value::bigint > 0;
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
