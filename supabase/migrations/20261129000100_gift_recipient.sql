-- A gift goes to somebody else: the recipient's name and phone, which label and courier use in place of the customer's.

alter table public.orders
  add column recipient_name text check (char_length(recipient_name) <= 100),
  add column recipient_phone text check (char_length(recipient_phone) <= 20);

grant select (recipient_name, recipient_phone) on public.orders to authenticated;

alter table public.order_changes
  drop constraint order_changes_field_check,
  add constraint order_changes_field_check check (field in (
    'customer_name', 'customer_phone', 'customer_address', 'customer_city', 'customer_postal_code', 'customer_gstin',
    'recipient_name', 'recipient_phone', 'admin_note'
  ));

-- Checks the customer's details: texts within the limits of the form. Only the notes, what is about a gift and the fields
-- in p_blank may be blank. Raises 22023.
create or replace function private.check_customer(p_customer jsonb, p_blank text[] default '{}')
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

-- Updates an open order with the latest details and key.
create or replace function private.reuse_order(p_order_id bigint, p_key uuid, p_customer jsonb)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  update public.orders
  set idempotency_key = p_key,
      customer_name = p_customer ->> 'name',
      customer_email = p_customer ->> 'email',
      customer_phone = p_customer ->> 'phone',
      customer_address = p_customer ->> 'address',
      customer_city = p_customer ->> 'city',
      customer_postal_code = p_customer ->> 'postal_code',
      notes = p_customer ->> 'notes',
      gift_note = nullif(p_customer ->> 'gift_note', ''),
      recipient_name = nullif(p_customer ->> 'recipient_name', ''),
      recipient_phone = nullif(p_customer ->> 'recipient_phone', ''),
      customer_gstin = nullif(p_customer ->> 'gstin', ''),
      asked_about = private.asked_about(p_customer)
  where id = p_order_id
  returning * into v_order;
  return v_order;
end;
$$;

-- Places or reuses the order of a cart, given as the arrays of private.cart_lines. The outcomes are those of
-- place_order. On any other outcome than placed or reused the caller must roll back. The caller has the customer's
-- advisory lock. p_max_hold_seconds is of release 1.1.0; cost_limits has the limit now.
create or replace function private.place_cart(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_ids uuid[],
  p_sizes text[],
  p_quantities integer[],
  p_fingerprint text,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_fee_bps integer,
  p_hold_seconds integer,
  p_max_hold_seconds integer,
  p_max_units integer,
  p_blank text[],
  p_discount_code text,
  p_network text,
  p_reduction_paise bigint
)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_now timestamptz;
  v_order public.orders;
  v_superseded bigint[];
  v_expired bigint[];
  v_unknown jsonb;
  v_unsized jsonb;
  v_too_many jsonb;
  v_short jsonb;
  v_items jsonb;
  v_subtotal bigint := private.cart_subtotal(p_ids, p_quantities);
  v_code public.discount_codes;
  v_refusal text;
  v_answer jsonb;
  v_discount bigint := 0;
  v_fee bigint;
  v_total bigint;
  v_id bigint;
begin
  perform 1 from public.orders where user_id = p_user_id and hold_state = 'held' order by id for update;
  v_now := clock_timestamp();
  v_expired := private.lock_expired_holds(p_user_id, p_ids, p_sizes, p_quantities, v_now);

  -- Reuses a held order of the same cart if its price is still current. The customer's other open orders are
  -- released, and their stock is returned now.
  select min(o.id) into v_id
  from public.orders o
  where o.user_id = p_user_id and o.hold_state = 'held' and o.status = 'PENDING' and o.hold_expires_at > v_now
    and o.cart_fingerprint = p_fingerprint
    and o.total_paise = p_expected_total_paise
    and o.discount_code is not distinct from p_discount_code
    and o.total_paise = private.total_with_fee(v_subtotal - o.discount_paise, p_fee_bps);
  select coalesce(array_agg(o.id), '{}') into v_superseded
  from public.orders o
  where o.user_id = p_user_id and o.hold_state = 'held' and o.id is distinct from v_id;

  if p_discount_code is not null then
    -- Serialises orders with the same code, so that its uses are counted one by one.
    select * into v_code from public.discount_codes where code = p_discount_code for update;
  end if;
  -- Locks all products of the old and the new orders in one statement.
  perform 1 from public.products p
  where p.id = any (p_ids)
    or p.id in (
      select (item ->> 'product_id')::uuid
      from public.orders o, jsonb_array_elements(o.items) item
      where o.id = any (v_superseded || v_expired)
    )
  order by p.id
  for update;

  if cardinality(v_superseded) > 0 then
    perform private.return_stock(v_superseded);
    -- The customer may still be paying one of them in another tab.
    update public.orders
    set hold_state = 'released', release_reason = 'superseded', next_check_at = v_now + interval '15 minutes'
    where id = any (v_superseded);
  end if;
  if cardinality(v_expired) > 0 then
    perform private.return_stock(v_expired);
    -- The sweep still asks Razorpay about them: their check is due.
    update public.orders set hold_state = 'released', release_reason = 'expired' where id = any (v_expired);
  end if;
  if v_id is not null and v_code.code is not null then
    -- The order may have another phone now, of a customer who has used the code. A code that has ended meanwhile stays.
    v_refusal := private.discount_use_refusal(v_code, p_user_id, p_customer ->> 'phone', v_id);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'discount', 'reason', v_refusal);
    end if;
  end if;
  if v_id is not null then
    v_order := private.reuse_order(v_id, p_idempotency_key, p_customer);
    v_answer := private.limit_hold(v_order, v_now, p_hold_seconds);
    return case when v_answer ->> 'outcome' = 'placed' then v_answer || '{"outcome": "reused"}' else v_answer end;
  end if;
  if p_blank is null and private.closed_until() is not null then
    return jsonb_build_object('outcome', 'closed', 'until', private.closed_until());
  end if;
  select jsonb_build_object('outcome', 'wait', 'until', max(l.again_at), 'reason', 'cards') into v_answer
  from private.cost_left('failed_payment', private.cost_keys(p_user_id::text), 1, v_now) l
  having max(l.again_at) is not null;
  if v_answer is not null then
    return v_answer;
  end if;

  select jsonb_agg(l.id order by l.line_number) into v_unknown
  from unnest(p_ids) with ordinality l (id, line_number)
  where not exists (
    select 1 from public.products p where p.id = l.id and (not p.hidden or p_blank is not null) and p.deleted_at is null
  );
  if v_unknown is not null then
    return jsonb_build_object('outcome', 'unknown_product', 'product_ids', v_unknown);
  end if;
  select jsonb_agg(jsonb_build_object('product_id', p.id, 'name', p.name, 'size', l.size) order by l.line_number)
  into v_unsized
  from unnest(p_ids, p_sizes) with ordinality l (id, size, line_number)
  join public.products p on p.id = l.id
  where case when l.size is null then p.sizes <> '[]'
    else not p.sizes @> jsonb_build_array(jsonb_build_object('size', l.size)) end;
  if v_unsized is not null then
    return jsonb_build_object('outcome', 'choose_size', 'items', v_unsized);
  end if;
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'product_id', p.id, 'size', l.size, 'name', private.sized_name(p.name, l.size),
    'requested', l.quantity, 'available', p_max_units
  )) order by l.line_number)
  into v_too_many
  from unnest(p_ids, p_sizes, p_quantities) with ordinality l (id, size, quantity, line_number)
  join public.products p on p.id = l.id
  where l.quantity > p_max_units;
  if v_too_many is not null then
    return jsonb_build_object('outcome', 'too_many_units', 'items', v_too_many, 'limit', p_max_units);
  end if;

  select
    jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'product_id', p.id, 'size', l.size, 'name', private.sized_name(p.name, l.size),
      'requested', l.quantity, 'available', s.stock
    )) order by l.line_number) filter (where s.stock < l.quantity),
    jsonb_agg(jsonb_build_object('product_id', p.id, 'name', private.sized_name(p.name, l.size), 'quantity', l.quantity,
      'price', coalesce(p."offerPrice", p.price), 'image', p.images[1])
      || case when l.size is null then '{}' else jsonb_build_object('size', l.size) end order by l.line_number),
    sum((coalesce(p."offerPrice", p.price) * 100)::bigint * l.quantity)
  into v_short, v_items, v_subtotal
  from unnest(p_ids, p_sizes, p_quantities) with ordinality l (id, size, quantity, line_number)
  join public.products p on p.id = l.id
  cross join lateral (select private.stock_of_line(p.stock, p.sizes, l.size) as stock) s;
  if v_short is not null then
    return jsonb_build_object('outcome', 'out_of_stock', 'items', v_short);
  end if;

  if p_discount_code is not null then
    v_answer := private.discount_refusal(v_code, p_user_id, p_customer ->> 'phone', v_subtotal);
    if v_answer is not null then
      return jsonb_build_object('outcome', 'discount') || v_answer;
    end if;
    v_discount := private.discount_of(v_code, v_subtotal);
  end if;
  if p_reduction_paise > 0 then
    if p_reduction_paise >= v_subtotal then
      return jsonb_build_object('outcome', 'amount_out_of_range', 'total_paise', 0);
    end if;
    v_discount := p_reduction_paise;
  end if;

  v_fee := private.platform_fee(v_subtotal - v_discount, p_fee_bps);
  v_total := private.total_with_fee(v_subtotal - v_discount, p_fee_bps);
  if v_total not between 100 and 100000000 then
    return jsonb_build_object('outcome', 'amount_out_of_range', 'total_paise', v_total);
  end if;
  if v_discount > 0 then
    v_items := private.spread_discount(v_items, v_discount);
  end if;
  if v_total <> p_expected_total_paise then
    return jsonb_build_object('outcome', 'price_changed', 'subtotal_paise', v_subtotal, 'discount_paise', v_discount,
      'fee_paise', v_fee, 'total_paise', v_total, 'items', v_items);
  end if;

  perform private.add_stock((
    select jsonb_agg(jsonb_build_object('product_id', l.id, 'size', l.size, 'quantity', -l.quantity))
    from unnest(p_ids, p_sizes, p_quantities) l (id, size, quantity)
  ));

  v_id := nextval(pg_get_serial_sequence('public.orders', 'id'));
  insert into public.orders (
    id, created_at, user_id, merchant_transaction_id, idempotency_key, cart_fingerprint, network,
    customer_name, customer_email, customer_phone, customer_address, customer_city, customer_postal_code,
    notes, gift_note, recipient_name, recipient_phone, customer_gstin, asked_about, items, subtotal_paise, discount_code,
    discount_paise, fee_paise, total_paise, fee_bps, hold_state, hold_expires_at, next_check_at
  )
  values (
    v_id, v_now, p_user_id, private.order_reference(v_id), p_idempotency_key,
    p_fingerprint, p_network,
    p_customer ->> 'name', p_customer ->> 'email', p_customer ->> 'phone', p_customer ->> 'address',
    p_customer ->> 'city', p_customer ->> 'postal_code', p_customer ->> 'notes', nullif(p_customer ->> 'gift_note', ''),
    nullif(p_customer ->> 'recipient_name', ''), nullif(p_customer ->> 'recipient_phone', ''),
    nullif(p_customer ->> 'gstin', ''), private.asked_about(p_customer), v_items, v_subtotal,
    p_discount_code, v_discount, v_fee, v_total, p_fee_bps, 'held', v_now, v_now
  )
  returning * into v_order;
  return private.limit_hold(v_order, v_now, p_hold_seconds);
end;
$$;

-- Changes details of an order: p_changes is {column: {"from": text, "to": text}}, '' for empty. Only the note can
-- change after the order is shipped. The GSTIN, and a PIN code of another state (p_moves_state), can change only
-- before the invoice, which shows the place of supply. Returns {outcome}: changed; not_found; sent; invoiced;
-- conflict, with field and value, when a column no longer has its `from` value. Raises 22023.
create or replace function public.change_order_details(p_order_id bigint, p_changes jsonb, p_moves_state boolean)
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
  select p_order_id, key, value ->> 'from', value ->> 'to' from jsonb_each(p_changes)
  where value ->> 'from' <> value ->> 'to';
  update public.orders o
  set customer_name = coalesce(p_changes #>> '{customer_name,to}', o.customer_name),
      customer_phone = coalesce(p_changes #>> '{customer_phone,to}', o.customer_phone),
      customer_address = coalesce(p_changes #>> '{customer_address,to}', o.customer_address),
      customer_city = coalesce(p_changes #>> '{customer_city,to}', o.customer_city),
      customer_postal_code = coalesce(p_changes #>> '{customer_postal_code,to}', o.customer_postal_code),
      customer_gstin = nullif(coalesce(p_changes #>> '{customer_gstin,to}', o.customer_gstin), ''),
      recipient_name = nullif(coalesce(p_changes #>> '{recipient_name,to}', o.recipient_name), ''),
      recipient_phone = nullif(coalesce(p_changes #>> '{recipient_phone,to}', o.recipient_phone), ''),
      admin_note = coalesce(p_changes #>> '{admin_note,to}', o.admin_note)
  where o.id = p_order_id;
  return jsonb_build_object('outcome', 'changed');
end;
$$;

-- Creates a free order of an order's items. p_items is {line key: quantity}. Takes their stock and discounts them in
-- full. Returns {outcome}: placed, with order_id; too_many_items, with line_key; out_of_stock. The caller has locked
-- the order.
create or replace function private.replace_items(p_order public.orders, p_items jsonb, p_key uuid)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_id bigint := nextval(pg_get_serial_sequence('public.orders', 'id'));
  v_wrong text;
  v_items jsonb;
  v_subtotal bigint;
begin
  select wanted.key into v_wrong
  from jsonb_each_text(p_items) wanted
  where wanted.value::bigint > coalesce((
    select sum((item ->> 'quantity')::bigint) from jsonb_array_elements(p_order.items) item
    where private.line_key(item) = wanted.key
  ), 0)
  order by 1
  limit 1;
  if v_wrong is not null then
    return jsonb_build_object('outcome', 'too_many_items', 'line_key', v_wrong);
  end if;
  -- An order has each line key once.
  select jsonb_agg(
      item || jsonb_build_object(
        'quantity', (p_items ->> private.line_key(item))::integer,
        'discount_paise',
        round(coalesce((item ->> 'price')::numeric, 0) * 100)::bigint * (p_items ->> private.line_key(item))::integer
      ) order by line),
    sum(round(coalesce((item ->> 'price')::numeric, 0) * 100)::bigint * (p_items ->> private.line_key(item))::integer)
  into v_items, v_subtotal
  from jsonb_array_elements(p_order.items) with ordinality i (item, line)
  where p_items ? private.line_key(item);
  if not private.reserve_stock_again(v_items) then
    return jsonb_build_object('outcome', 'out_of_stock');
  end if;
  insert into public.orders (
    id, user_id, merchant_transaction_id, customer_name, customer_email, customer_phone, customer_address, customer_city,
    customer_postal_code, recipient_name, recipient_phone, items, subtotal_paise, discount_paise, fee_paise, total_paise,
    fee_bps, status, payment_status, payment_method, hold_state, admin_key, replaces
  )
  values (
    v_id, p_order.user_id, private.order_reference(v_id), p_order.customer_name,
    p_order.customer_email, p_order.customer_phone, p_order.customer_address, p_order.customer_city,
    p_order.customer_postal_code, p_order.recipient_name, p_order.recipient_phone, v_items, v_subtotal,
    v_subtotal, 0, 0, 0, 'COMPLETED', 'COMPLETED', 'replacement', 'taken', p_key, p_order.id
  );
  return jsonb_build_object('outcome', 'placed', 'order_id', v_id);
end;
$$;

-- All data of an account or an address: {account, profile, wishlist, orders, order_changes, payments, refunds,
-- claims, invoices, credit_notes, mails, messages, newsletter, stock_alerts, order_forms}; parts without rows are
-- null. p_email is in lower case; either argument may be null. Names every column that goes out: a new column stays
-- inside until it is added here. The admin's notes, passwords, tokens and internal columns stay inside.
create or replace function private.personal_data(p_user_id uuid, p_email text)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_orders bigint[];
begin
  select array_agg(o.id order by o.id) into v_orders
  from public.orders o
  where o.user_id = p_user_id or (o.user_id is null and lower(o.customer_email) = p_email);
  return jsonb_build_object(
    'account', (
      select jsonb_build_object('email', u.email, 'created_at', u.created_at, 'confirmed_at', u.email_confirmed_at)
      from auth.users u where u.id = p_user_id),
    'profile', (
      select jsonb_build_object('email', p.email, 'full_name', p.full_name, 'phone', p.phone, 'address', p.address,
        'city', p.city, 'postal_code', p.postal_code, 'updated_at', p.updated_at)
      from public.profiles p where p.id = p_user_id),
    'wishlist', (
      select jsonb_agg(jsonb_build_object('product', p.name, 'kept_at', w.kept_at) order by w.kept_at)
      from public.wishlists w join public.products p on p.id = w.product_id where w.user_id = p_user_id),
    'orders', (
      select jsonb_agg(
        jsonb_build_object(
          'id', o.id, 'created_at', o.created_at, 'updated_at', o.updated_at,
          'merchant_transaction_id', o.merchant_transaction_id, 'customer_name', o.customer_name,
          'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
          'customer_address', o.customer_address, 'customer_city', o.customer_city,
          'customer_postal_code', o.customer_postal_code, 'customer_gstin', o.customer_gstin, 'notes', o.notes,
          'gift_note', o.gift_note, 'recipient_name', o.recipient_name, 'recipient_phone', o.recipient_phone,
          'items', o.items, 'products', o.products, 'currency', o.currency)
        || jsonb_build_object(
          'subtotal_paise', o.subtotal_paise, 'discount_code', o.discount_code, 'discount_paise', o.discount_paise,
          'fee_paise', o.fee_paise, 'fee_bps', o.fee_bps, 'total_paise', o.total_paise, 'kept_paise', o.kept_paise,
          'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount,
          'status', o.status, 'payment_status', o.payment_status, 'payment_method', o.payment_method,
          'payment_reference', o.payment_reference, 'razorpay_order_id', o.razorpay_order_id,
          'payment_id', o.payment_id, 'paid_at', o.paid_at)
        || jsonb_build_object(
          'fulfilment', o.fulfilment, 'carrier', o.carrier, 'tracking_number', o.tracking_number,
          'tracking_url', o.tracking_url, 'packed_at', o.packed_at, 'shipped_at', o.shipped_at,
          'delivered_at', o.delivered_at, 'cancelled_at', o.cancelled_at, 'invoice_number', o.invoice_number,
          'delivery_notice', o.delivery_notice, 'channel', o.channel, 'hand_over', o.hand_over,
          'replaces', o.replaces)
        order by o.id)
      from public.orders o where o.id = any (v_orders)),
    'order_changes', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'field', c.field, 'old_value', c.old_value,
        'new_value', c.new_value, 'created_at', c.created_at) order by c.id)
      from public.order_changes c where c.order_id = any (v_orders) and c.field <> 'admin_note'),
    'payments', (
      select jsonb_agg(jsonb_build_object('payment_id', p.payment_id, 'order_id', p.order_id,
        'amount_paise', p.amount_paise, 'state', p.state, 'created_at', p.created_at) order by p.created_at)
      from public.payments p where p.order_id = any (v_orders)),
    'refunds', (
      select jsonb_agg(jsonb_build_object('payment_id', r.payment_id, 'order_id', r.order_id,
        'amount_paise', r.amount_paise, 'state', r.state, 'created_at', r.created_at) order by r.id)
      from public.refunds r where r.order_id = any (v_orders)),
    'claims', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'created_at', c.created_at, 'message', c.message,
        'answer', c.answer, 'answered_at', c.answered_at, 'reason', c.reason,
        'files', (select count(*) from public.claim_files f where f.claim_id = c.id and not f.removing)) order by c.id)
      from public.claims c where c.order_id = any (v_orders)),
    'invoices', (
      select jsonb_agg(i.document || jsonb_build_object('number', i.number) order by i.number)
      from public.invoices i where i.order_id = any (v_orders)),
    'credit_notes', (
      select jsonb_agg(n.document || jsonb_build_object('number', n.number) order by n.number)
      from public.credit_notes n join public.invoices i on i.number = n.invoice_number where i.order_id = any (v_orders)),
    'mails', (
      select jsonb_agg(jsonb_build_object('kind', m.kind, 'created_at', m.created_at, 'sent_at', m.sent_at) order by m.id)
      from public.outbox m
      where m.kind not in ('push', 'admin_alert') and (lower(m.recipient) = p_email or m.order_id = any (v_orders))),
    'messages', (
      select jsonb_agg(jsonb_build_object('created_at', c.created_at, 'name', c.name, 'email', c.email,
        'subject', c.subject, 'message', c.message, 'answered_at', c.answered_at) order by c.id)
      from public.contact_messages c where lower(c.email) = p_email),
    'newsletter', (
      select jsonb_build_object('created_at', s.created_at, 'email', s.email, 'consent_at', s.consent_at,
        'consent_text', s.consent_text, 'confirmed_at', s.confirmed_at, 'unsubscribed_at', s.unsubscribed_at,
        'asked_at', s.asked_at, 'asked_text', s.asked_text)
      from public.subscribers s where s.email = p_email),
    'stock_alerts', (
      select jsonb_agg(jsonb_build_object('product', p.name, 'size', a.size, 'created_at', a.created_at) order by a.id)
      from public.stock_alerts a join public.products p on p.id = a.product_id where a.email = p_email),
    'order_forms', (
      select jsonb_agg(f.fields || jsonb_build_object('sent_at', f.created_at) order by f.id)
      from public.form_entries f where lower(f.fields ->> 'email') = p_email)
  );
end;
$$;

-- Removes the person from orders and keeps what was ordered. Their mails lose address and text. The caller has locked
-- the orders.
create or replace function private.anonymise_orders(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.orders
  set user_id = null, customer_name = null, customer_email = null, customer_phone = null, customer_address = null,
      customer_city = null, customer_postal_code = null, customer_gstin = null, notes = null, gift_note = null,
      recipient_name = null, recipient_phone = null, network = null, admin_note = '', cancel_reason = null,
      payment_reference = null, pay_token = null, tracking_number = null, tracking_url = null
  where id = any (p_ids);
  delete from public.order_changes where order_id = any (p_ids);
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.outbox set recipient = null, payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null;
  delete from public.outbox where order_id = any (p_ids) and sent_at is null;
end;
$$;

-- Removes from paid orders of an erased person what Rule 46 of the CGST Rules does not require on an invoice: phone,
-- notes, gift note and recipient, network, tracking, the words and files of claims, the reasons of refunds, corrected details, and the
-- admin's notes. Name, address, e-mail, items, amounts and documents stay until the term of paid orders; the phone leaves
-- the documents too. Marked files are deleted by take_due_claim_files, their rows after them. The caller has locked the
-- orders.
create or replace function private.erase_kept_orders(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.orders
  set customer_phone = null, notes = null, gift_note = null, recipient_name = null, recipient_phone = null, network = null,
      admin_note = '', cancel_reason = null, pay_token = null, tracking_number = null, tracking_url = null,
      erase_pending = false
  where id = any (p_ids);
  delete from public.order_changes where order_id = any (p_ids) and field <> 'customer_gstin';
  perform private.erase_refund_reasons(p_ids);
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.claim_files set removing = true where order_id = any (p_ids) and not removing;
  update public.outbox set payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null and payload <> '{}';
  update public.invoices set document = jsonb_set(document, '{buyer,phone}', '""')
  where order_id = any (p_ids) and document -> 'buyer' ? 'phone';
  update public.credit_notes set document = jsonb_set(document, '{buyer,phone}', '""')
  where invoice_number in (select i.number from public.invoices i where i.order_id = any (p_ids))
    and document -> 'buyer' ? 'phone';
end;
$$;
