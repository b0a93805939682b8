-- Deletes products as `delete_product` does. Returns the ids of those that existed.
create function public.delete_products(p_ids uuid[])
returns uuid[]
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.lock_products(p_ids);
  return array(select id from (select distinct id from unnest(p_ids) id order by id) ids where public.delete_product(id));
end;
$$;

-- Restores deleted products as `restore_product` does. Returns the ids of all that are in the catalogue now.
create function public.restore_products(p_ids uuid[])
returns uuid[]
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.lock_products(p_ids);
  return array(
    select id from (select distinct id from unnest(p_ids) id order by id) ids
    where public.restore_product(id) is not null
  );
end;
$$;
