-- What an import is compared with: the products with these ids, including deleted ones, and those with these names.
create function public.products_by_id_or_name(p_ids uuid[], p_names text[])
returns jsonb
language plpgsql
security definer
stable
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(private.admin_product(p) order by p.id), '[]')
    from public.products p
    where p.id = any (p_ids) or (p.deleted_at is null and lower(p.name) in (select lower(n) from unnest(p_names) n))
  );
end;
$$;

-- A part of the catalogue for its file, the newest product first; products of one moment, as of an import, by name. By the index of
-- that order: each part reads as many rows as it skips and has, and sorts none.
create function public.exported_products(p_offset integer, p_limit integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(private.admin_product(p) order by p.created_at desc, lower(p.name), p.id), '[]')
  from public.products p
  where p.id = any (array(
    select w.id from public.products w
    where w.deleted_at is null
    order by w.created_at desc, lower(w.name), w.id
    offset greatest(p_offset, 0) limit least(greatest(p_limit, 0), 1000)
  ));
$$;

-- Paths of products in the shop that they were imported from. Whoever opens one is sent to the product (netlify/functions/old-address.ts).
create table public.old_addresses (
  path text primary key check (path ~ '^/[^\s?#]+$' and char_length(path) <= 500),
  product_id uuid not null references public.products (id) on delete cascade
);

create index old_addresses_product_idx on public.old_addresses (product_id);

alter table public.old_addresses enable row level security;

-- Stores paths of products: [{path, product_id}]. A path that another product has moves to the newer one; rows of products that
-- are not there are skipped.
create function public.store_old_addresses(p_rows jsonb)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.old_addresses (path, product_id)
  select distinct on (r ->> 'path') r ->> 'path', p.id
  from jsonb_array_elements(p_rows) r join public.products p on p.id = (r ->> 'product_id')::uuid
  order by r ->> 'path', p.created_at desc
  on conflict (path) do update set product_id = excluded.product_id;
$$;

-- The visible product of an old path; null for none. Only the site of 1.3 calls it.
create function public.product_of_old_address(p_path text)
returns uuid
language sql
stable
security definer
set search_path = ''
as $$
  select p.id from public.old_addresses a join public.products p on p.id = a.product_id
  where a.path = p_path and not p.hidden and p.deleted_at is null;
$$;

-- The visible product of the first of these old paths that has one; null for none. Ten paths are looked up at most.
create function public.product_of_old_addresses(p_paths text[])
returns uuid
language sql
stable
security definer
set search_path = ''
as $$
  select p.id
  from unnest(p_paths[1:10]) with ordinality as asked (path, place)
  join public.old_addresses a on a.path = asked.path
  join public.products p on p.id = a.product_id
  where not p.hidden and p.deleted_at is null
  order by asked.place
  limit 1;
$$;
