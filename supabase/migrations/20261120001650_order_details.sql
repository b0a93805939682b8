-- Corrections of an order's details by the admin, and the admin's note on it, each kept with its old value.

create table public.order_changes (
  id bigint generated always as identity primary key,
  order_id bigint not null references public.orders (id),
  field text not null check (field in (
    'customer_name', 'customer_phone', 'customer_address', 'customer_city', 'customer_postal_code', 'customer_gstin', 'admin_note'
  )),
  old_value text not null,
  new_value text not null check (char_length(new_value) <= 2000),
  created_at timestamptz not null default now()
);
create index order_changes_order_id_idx on public.order_changes (order_id);

alter table public.order_changes enable row level security;

-- Changes details of an order: p_changes is {column: {"from": text, "to": text}}, '' for none. Everything but the note only
-- before the order is sent; a PIN code of another state (p_moves_state) and the GSTIN only before the invoice, which shows
-- the place of supply. Returns {outcome}: changed; not_found; sent; invoiced; conflict, with field and value, when a column is no
-- longer what `from` says. Raises 22023.
create function public.change_order_details(p_order_id bigint, p_changes jsonb, p_moves_state boolean)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_row jsonb;
  v_field text;
  v_change jsonb;
begin
  if jsonb_typeof(p_changes) is distinct from 'object' or jsonb_path_exists(
    p_changes, 'strict $.* ? (@.type() != "object" || @."from".type() != "string" || @."to".type() != "string")'
  ) then
    raise exception 'changes must be {column: {from, to}}' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.fulfilment not in ('new', 'packed') and p_changes - 'admin_note' <> '{}' then
    return jsonb_build_object('outcome', 'sent');
  elsif v_order.invoice_number is not null and (p_moves_state or p_changes ? 'customer_gstin') then
    return jsonb_build_object('outcome', 'invoiced');
  end if;
  v_row := to_jsonb(v_order);
  for v_field, v_change in select * from jsonb_each(p_changes) loop
    if coalesce(v_row ->> v_field, '') <> v_change ->> 'from' then
      return jsonb_build_object('outcome', 'conflict', 'field', v_field, 'value', coalesce(v_row ->> v_field, ''));
    end if;
  end loop;

  insert into public.order_changes (order_id, field, old_value, new_value)
  select p_order_id, key, value ->> 'from', value ->> 'to' from jsonb_each(p_changes) where value ->> 'from' <> value ->> 'to';
  update public.orders o
  set customer_name = coalesce(p_changes #>> '{customer_name,to}', o.customer_name),
      customer_phone = coalesce(p_changes #>> '{customer_phone,to}', o.customer_phone),
      customer_address = coalesce(p_changes #>> '{customer_address,to}', o.customer_address),
      customer_city = coalesce(p_changes #>> '{customer_city,to}', o.customer_city),
      customer_postal_code = coalesce(p_changes #>> '{customer_postal_code,to}', o.customer_postal_code),
      customer_gstin = nullif(coalesce(p_changes #>> '{customer_gstin,to}', o.customer_gstin), ''),
      admin_note = coalesce(p_changes #>> '{admin_note,to}', o.admin_note)
  where o.id = p_order_id;
  return jsonb_build_object('outcome', 'changed');
end;
$$;
