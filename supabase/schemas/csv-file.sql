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
