-- Old addresses lead to imported products. The previous site knows neither table nor functions.

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

-- The visible product of an old path; null for none.
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

grant all on public.old_addresses to service_role;
grant execute on function public.store_old_addresses(jsonb) to service_role;
grant execute on function public.product_of_old_address(text) to service_role;
