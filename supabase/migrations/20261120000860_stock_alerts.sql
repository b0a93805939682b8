-- Who waits for a sold-out product, or for a size of it: one mail when it is there again, and the address is gone with it.

create table public.stock_alerts (
  id bigint generated always as identity primary key,
  product_id uuid not null references public.products (id) on delete cascade,
  -- null: the product, whichever size.
  size text check (char_length(size) between 1 and 20),
  email text not null check (email = lower(email) and char_length(email) between 3 and 255),
  created_at timestamptz not null default now(),
  constraint stock_alerts_once unique nulls not distinct (product_id, size, email)
);
create index stock_alerts_created_at_idx on public.stock_alerts (created_at);

alter table public.stock_alerts enable row level security;

-- Keeps an address until the product, or its size, is there again, for a year at most. Returns {outcome}: waiting, also for
-- one that waits already; available; unknown (no such product or size that shoppers see). Raises what the table's constraints raise.
create function public.ask_stock_alert(p_product_id uuid, p_size text, p_email text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_product public.products;
  v_stock integer;
begin
  -- The lock makes it wait for a change of stock that is under way: nobody is put on the list just after it was told.
  select * into v_product from public.products where id = p_product_id and not hidden and deleted_at is null for share;
  if not found then
    return jsonb_build_object('outcome', 'unknown');
  end if;
  v_stock := case when p_size is null then v_product.stock
    when v_product.sizes <> '[]' then private.stock_of_line(v_product.stock, v_product.sizes, p_size) end;
  if coalesce(v_stock, 1) > 0 then
    return jsonb_build_object('outcome', case when v_stock is null then 'unknown' else 'available' end);
  end if;
  delete from public.stock_alerts where created_at < now() - interval '12 months';
  insert into public.stock_alerts (product_id, size, email) values (p_product_id, p_size, lower(btrim(p_email)))
  on conflict on constraint stock_alerts_once do nothing;
  return jsonb_build_object('outcome', 'waiting');
end;
$$;

-- Writes the mails of a product that is there again, in the transaction that brings it back.
create function private.tell_back_in_stock()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  with back as (
    delete from public.stock_alerts a
    where a.product_id = new.id
      and case when a.size is null or new.sizes = '[]' then new.stock else private.stock_of_line(new.stock, new.sizes, a.size) end > 0
    returning a.*
  )
  insert into public.outbox (kind, recipient, payload, dedupe_key)
  select 'back_in_stock', b.email, jsonb_build_object('product_id', new.id, 'name', private.sized_name(new.name, b.size)), 'back_in_stock:' || b.id
  from back b;
  return null;
end;
$$;

create trigger products_tell_back_in_stock
after update on public.products
for each row when (
  new.stock > 0 and not new.hidden and new.deleted_at is null
  and (old.stock, old.sizes, old.hidden, old.deleted_at) is distinct from (new.stock, new.sizes, new.hidden, new.deleted_at)
)
execute function private.tell_back_in_stock();

-- Who waits, the 500 newest: [{id, productId, name (with the size), email, at}].
create function public.list_stock_alerts()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', a.id, 'productId', a.product_id, 'name', private.sized_name(p.name, a.size), 'email', a.email, 'at', a.created_at
  ) order by a.id desc), '[]')
  from (select * from public.stock_alerts order by id desc limit 500) a
  join public.products p on p.id = a.product_id;
$$;

-- Takes addresses off the list by their ids; returns how many.
create function public.delete_stock_alerts(p_ids bigint[])
returns integer
language sql
security definer
set search_path = ''
as $$
  with gone as (delete from public.stock_alerts where id = any (p_ids) returning 1)
  select count(*)::integer from gone;
$$;
