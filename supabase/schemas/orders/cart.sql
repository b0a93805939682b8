-- A cart as place_order takes it: its lines, the details of its customer, and its price.

-- The lines of a cart as rows: [{"product_id": uuid text, "size": text or none, "quantity": 1..100000}], 1 to 50
-- lines, each product or size once. Raises 22023.
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
  -- Compared as text, so that 1.5, 1e309 or -1 are refused instead of rounded.
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
    where coalesce(jsonb_typeof(line -> 'size'), 'null') not in ('null', 'string')
      or char_length(line ->> 'size') not between 1 and 40
  ) then
    raise exception 'a size must be a text of 1 to 40 characters' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    group by lower(line ->> 'product_id'), line ->> 'size'
    having count(*) > 1
  ) then
    raise exception 'a product, or a size of it, may be in one line only' using errcode = '22023';
  end if;
  return query
  select line.ordinality, (line.value ->> 'product_id')::uuid, line.value ->> 'size', (line.value ->> 'quantity')::integer
  from jsonb_array_elements(p_lines) with ordinality line;
end;
$$;

-- Checks the customer's details: texts within the limits of the form. Only the notes, what is about a gift and the fields
-- in p_blank may be blank. Raises 22023.
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
  for v_field, v_max_length in
    values ('notes', 1000), ('gift_note', 200), ('recipient_name', 100), ('recipient_phone', 20)
  loop
    if coalesce(jsonb_typeof(p_customer -> v_field), 'null') not in ('null', 'string')
      or char_length(p_customer ->> v_field) > v_max_length
    then
      raise exception 'customer.% must be a text of at most % characters', v_field, v_max_length using errcode = '22023';
    end if;
  end loop;
  if coalesce(p_customer ->> 'gstin', '') !~ '^([0-9A-Z]{15})?$' then
    raise exception 'customer.gstin must be 15 characters' using errcode = '22023';
  end if;
end;
$$;

-- The subtotal of a cart at current prices, in paise. Null when a product is not for sale.
create function private.cart_subtotal(p_ids uuid[], p_quantities integer[])
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select case when count(p.id) = cardinality(p_ids)
      then sum((coalesce(p."offerPrice", p.price) * 100)::bigint * l.quantity) end
    from unnest(p_ids, p_quantities) l (id, quantity)
    left join public.products p on p.id = l.id and not p.hidden and p.deleted_at is null
  );
end;
$$;

-- The details that the customer was asked about, of those known.
create function private.asked_about(p_customer jsonb)
returns text[]
language plpgsql
immutable
set search_path = ''
as $$
begin
  return array(
    select field from unnest(array['postal_code', 'phone']) field
    where jsonb_typeof(p_customer -> 'asked_about') = 'array' and p_customer -> 'asked_about' ? field
  );
end;
$$;
