-- Slips, labels and courier files of chosen orders read these orders alone, however many others wait. The previous site
-- gives no ids and gets what it got.

drop function public.orders_for_slips(text, integer);

-- Orders for packing slips, oldest first: {total, orders}. p_stage is 'to_pack' or 'packed'. orders has at most
-- p_limit rows, total counts all. With p_order_ids only these are read, as far as they are in that stage.
create or replace function public.orders_for_slips(p_stage text, p_limit integer, p_order_ids bigint[] default null)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'total', (select count(*) from public.orders where stage = p_stage),
    'orders', coalesce((
      select jsonb_agg(to_jsonb(o) - 'search_text' order by o.created_at, o.id)
      from (
        select * from public.orders
        where stage = p_stage and (p_order_ids is null or id = any (p_order_ids))
        order by created_at, id limit least(greatest(p_limit, 0), 500)
      ) o
    ), '[]')
  );
$$;

grant execute on function public.orders_for_slips(text, integer, bigint[]) to service_role;
