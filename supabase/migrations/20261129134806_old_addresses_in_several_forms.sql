-- An old address is looked up in the forms in which it may be stored, with one call. The previous site goes on calling
-- `product_of_old_address`.

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

revoke execute on function public.product_of_old_addresses(text[]) from public, anon, authenticated;
grant execute on function public.product_of_old_addresses(text[]) to service_role;
