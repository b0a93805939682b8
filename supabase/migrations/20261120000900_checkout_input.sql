-- The arguments of place_order, checked, and its result.

-- The lines of a cart as rows: [{"product_id": uuid text, "size": text or none, "quantity": 1..100000}], 1 to 50, no product
-- or size of it twice. Raises 22023.
create function private.cart_lines(p_lines jsonb)
returns table (line_number bigint, product_id uuid, size text, quantity integer)
language plpgsql
immutable
set search_path = ''
as $$
begin
  if jsonb_typeof(p_lines) is distinct from 'array' then
    raise exception 'lines must be a list' using errcode = '22023';
  end if;
  if jsonb_array_length(p_lines) not between 1 and 50 then
    raise exception 'lines must be 1 to 50' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    where jsonb_typeof(line) <> 'object'
      or jsonb_typeof(line -> 'product_id') is distinct from 'string'
      or line ->> 'product_id' !~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
  ) then
    raise exception 'every line needs a product_id' using errcode = '22023';
  end if;
  -- As text, so that 1.5, 1e309 or -1 are refused and never rounded into an order.
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    where jsonb_typeof(line -> 'quantity') is distinct from 'number'
      or line ->> 'quantity' !~ '^[0-9]{1,6}$'
      or (line ->> 'quantity')::integer not between 1 and 100000
  ) then
    raise exception 'every quantity must be a whole number from 1 to 100000' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    where coalesce(jsonb_typeof(line -> 'size'), 'null') not in ('null', 'string') or char_length(line ->> 'size') not between 1 and 20
  ) then
    raise exception 'a size must be a text of 1 to 20 characters' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line group by lower(line ->> 'product_id'), line ->> 'size' having count(*) > 1
  ) then
    raise exception 'a product, or a size of it, may be in one line only' using errcode = '22023';
  end if;
  return query
  select line.ordinality, (line.value ->> 'product_id')::uuid, line.value ->> 'size', (line.value ->> 'quantity')::integer
  from jsonb_array_elements(p_lines) with ordinality line;
end;
$$;

-- Checks the customer's details: texts within the limits of the form, and none but the notes and p_blank blank. Raises 22023.
create function private.check_customer(p_customer jsonb, p_blank text[] default '{}')
returns void
language plpgsql
immutable
set search_path = ''
as $$
declare
  v_field text;
  v_max_length integer;
begin
  if jsonb_typeof(p_customer) is distinct from 'object' then
    raise exception 'customer must be an object' using errcode = '22023';
  end if;
  for v_field, v_max_length in
    values ('name', 100), ('email', 255), ('phone', 20), ('address', 500), ('city', 100), ('postal_code', 10)
  loop
    if jsonb_typeof(p_customer -> v_field) is distinct from 'string'
      or (btrim(p_customer ->> v_field) = '' and v_field <> all (p_blank))
      or char_length(p_customer ->> v_field) > v_max_length
    then
      raise exception 'customer.% must be a text of 1 to % characters', v_field, v_max_length using errcode = '22023';
    end if;
  end loop;
  if position('@' in p_customer ->> 'email') = 0 and (p_customer ->> 'email' <> '' or 'email' <> all (p_blank)) then
    raise exception 'customer.email must be an e-mail address' using errcode = '22023';
  end if;
  if coalesce(jsonb_typeof(p_customer -> 'notes'), 'null') not in ('null', 'string')
    or char_length(p_customer ->> 'notes') > 1000
  then
    raise exception 'customer.notes must be a text of at most 1000 characters' using errcode = '22023';
  end if;
  if coalesce(p_customer ->> 'gstin', '') !~ '^([0-9A-Z]{15})?$' then
    raise exception 'customer.gstin must be 15 characters' using errcode = '22023';
  end if;
end;
$$;

-- round(subtotal * bps / 10000), half up, in integers: the same figure as platformFee in src/domain/money.ts.
create function private.platform_fee(p_subtotal_paise bigint, p_fee_bps integer)
returns bigint
language sql
immutable
set search_path = ''
as $$
  select (p_subtotal_paise * p_fee_bps + 5000) / 10000;
$$;

-- What is charged for goods, in paise: their amount after any discount, and the fee on it.
create function private.total_with_fee(p_goods_paise bigint, p_fee_bps integer)
returns bigint
language sql
immutable
set search_path = ''
as $$
  select p_goods_paise + private.platform_fee(p_goods_paise, p_fee_bps);
$$;

-- The result of place_order for an outcome with an order.
create function private.order_result(p_outcome text, p_order public.orders)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select jsonb_build_object('outcome', p_outcome, 'order', jsonb_build_object(
    'id', p_order.id,
    'merchant_transaction_id', p_order.merchant_transaction_id,
    'razorpay_order_id', p_order.razorpay_order_id,
    'payment_id', p_order.payment_id,
    'total_paise', p_order.total_paise,
    'currency', p_order.currency,
    'hold_expires_at', p_order.hold_expires_at
  ));
$$;
