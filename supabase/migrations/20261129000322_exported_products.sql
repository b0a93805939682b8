-- The catalogue's file is read in proportion to its length. The previous site reads it by admin_products, as before.

create index products_exported_idx on public.products (created_at desc, lower(name), id) where deleted_at is null;

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

grant execute on function public.exported_products(integer, integer) to service_role;
