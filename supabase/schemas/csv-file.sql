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
-- created_at: each part reads as many rows as it skips and has, and sorts none but those of one moment.
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
