-- Orders that are paid in cash when the parcel arrives, with or without an advance. The previous site works as before: it offers none,
-- and its calls of place_order and issue_credit_note have what they need.

alter table public.orders
  drop constraint orders_hold_state_check,
  add constraint orders_hold_state_check check (hold_state in ('held', 'reserved', 'taken', 'released')),
  add column cash_paise bigint not null default 0 check (cash_paise >= 0),
  add column cash_charge_paise bigint not null default 0 check (cash_charge_paise >= 0),
  add column advance_payment_id text unique,
  add column confirm_seconds integer check (confirm_seconds > 0),
  add column cash_confirmed_at timestamptz;

alter table public.orders alter column stage set expression as (
  case
    when fulfilment <> 'new' then fulfilment
    when private.payment_stage(status, payment_status) = 'paid' then 'to_pack'
    when hold_state = 'reserved' then 'to_confirm'
    when cash_paise > 0 and hold_state = 'taken' and private.payment_stage(status, payment_status) = 'unpaid'
      then 'to_pack'
    else private.payment_stage(status, payment_status)
  end
), add column sold boolean not null generated always as (
  private.payment_stage(status, payment_status) = 'paid'
  or (cash_paise > 0 and coalesce(hold_state = 'taken' and status = 'PENDING' and fulfilment <> 'cancelled', false))
) stored;

comment on column public.orders.cash_paise is
  'To be paid in cash when the parcel arrives; what is left of the total is the advance. 0: all of it is paid online';
comment on column public.orders.advance_payment_id is
  'The payment of the advance of a cash order; payment_id is then that of the cash';
comment on column public.orders.kept_paise is
  'What the shop keeps of a cancelled order: the platform fee of a paid one that its customer cancelled, or the advance of a '
  'cash order that was refused at the door';

create index orders_reserved_idx on public.orders (hold_expires_at) where hold_state = 'reserved';
-- Parcels that came back unpaid, for their credit notes.
create index orders_refused_idx on public.orders (id) where release_reason = 'refused';
-- Cash that is not there yet.
create index orders_cash_due_idx on public.orders (user_id, phone_key) where cash_paise > 0 and status = 'PENDING';

grant select (cash_paise, cash_charge_paise, advance_payment_id, cash_confirmed_at, sold) on public.orders to authenticated;

drop trigger orders_set_released_at on public.orders;
create trigger orders_set_released_at
before update on public.orders
for each row when (old.hold_state in ('held', 'reserved') and new.hold_state = 'released')
execute function private.set_released_at();

alter table public.credit_notes
  alter column refund_id drop not null,
  add column refused_order_id bigint unique references public.orders (id),
  add constraint credit_notes_one_cause check (num_nonnulls(refund_id, refused_order_id) = 1);

insert into public.cost_limits (effect, scope, seconds, most) values
  ('cash_order', 'account', 0, 2), ('cash_order', 'phone', 0, 2), ('cash_order', 'network', 86400, 3),
  ('cash_order', 'shared', 86400, 20), ('cash_order', 'all', 0, 60);

alter table public.products drop constraint products_known_attributes;
alter table public.products add constraint products_known_attributes check (
  case
    when jsonb_typeof(attributes) = 'object' then
      attributes - array[
        'metal', 'purity', 'hallmark', 'plating', 'plating_microns', 'plating_guarantee', 'nickel_free', 'stone',
        'certificate', 'size', 'care', 'origin', 'hsn', 'cash_on_delivery', 'weight_g', 'height_mm', 'width_mm'
      ] = '{}'::jsonb
      -- A key that ends in a unit holds a number, any other key a text.
      and not jsonb_path_exists(attributes,
        '$.keyvalue() ? (@.key like_regex "_(g|mm|microns)$" && @.value.type() <> "number")')
      and not jsonb_path_exists(attributes,
        '$.keyvalue() ? (!(@.key like_regex "_(g|mm|microns)$") && @.value.type() <> "string")')
    else false
  end
);

drop function private.place_cart(uuid, uuid, uuid[], text[], integer[], text, jsonb, bigint, integer, integer, integer, integer, text[], text, text, bigint);
drop function public.place_order(uuid, uuid, jsonb, jsonb, bigint, integer, integer, integer, integer, text[], text, text, bigint);
drop function public.issue_credit_note(bigint, jsonb, integer);

drop view private.bought_orders;

create view private.bought_orders as
select
  id, created_at, updated_at, user_id, merchant_transaction_id, idempotency_key, cart_fingerprint, customer_name,
  customer_email, customer_phone, customer_address, customer_city, customer_postal_code, customer_gstin, notes,
  gift_note, admin_note, items, products, subtotal_paise, discount_code, discount_paise, fee_paise, total_paise,
  fee_bps, currency, amount, total_amount, payment_amount, status, payment_status, payment_method, payment_reference,
  razorpay_order_id, razorpay_key_id, payment_id, paid_at, hold_state, network, hold_expires_at, released_at,
  release_reason, next_check_at, checks, fulfilment, carrier, tracking_number, tracking_url, packed_at, shipped_at,
  delivered_at, cancelled_at, cancel_reason, invoice_number, delivery_notice, channel, hand_over, pay_token,
  admin_key, restocked, paid, stage, search_text, phone_key, replaces, advance_payment_id
from public.orders
where not (cash_paise > 0 and paid_at is null) and stage in ('to_pack', 'packed', 'shipped', 'delivered') and upper(coalesce(payment_status, '')) <> 'REFUNDED'
  and not is_test;

-- What is paid online before anything is sent, in paise: the total, or the advance of a cash order.
create function private.online_paise(p_order public.orders)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_order.total_paise - p_order.cash_paise;
end;
$$;

-- Whether a payment counts for this order: it paid the order, or its advance. Any other is of no use for it.
create function private.is_own_payment(p_order public.orders, p_payment_id text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(p_payment_id in (p_order.payment_id, p_order.advance_payment_id), false);
end;
$$;

-- The uses of an effect by one key since p_since: when each began, how many units, and for how many seconds it lasted.
-- Uses that are facts of other tables are read there. p_line is a last unit (private.line_key).
create or replace function private.cost_uses(
  p_effect text, p_scope text, p_key text, p_since timestamptz, p_now timestamptz, p_line text default null
)
returns table (began_at timestamptz, units double precision, lasted double precision)
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_effect in ('unpaid_hold', 'last_unit', 'last_units') then
    -- Unpaid orders, from their creation to their release or the end of their hold, so an open hold counts in full.
    -- Releasing and holding again gains nothing, because both count. Orders of the admin hold for the admin, and nothing was to be
    -- paid online any more for a cash order that waited for the shop's word.
    return query
    select h.since, h.seconds * case when p_effect = 'last_units' then h.lines else 1 end, h.seconds
    from (
      select greatest(o.created_at, p_since) as since, cardinality(o.last_units) as lines, extract(
          epoch from least(o.released_at, o.hold_expires_at) - greatest(o.created_at, p_since)
        )::double precision as seconds
      from public.orders o
      where o.payment_id is null and o.hold_state in ('held', 'released') and o.admin_key is null
        and o.advance_payment_id is null and o.total_paise > o.cash_paise
        -- No hold of a customer is longer than an hour.
        and o.created_at > p_since - interval '1 hour' and o.hold_expires_at > p_since
        and (p_effect <> 'last_unit' or o.last_units @> array[p_line])
        and case p_scope
          when 'account' then o.user_id::text = p_key
          when 'all' then true
          else private.cost_keys(null, o.network) ->> p_scope = p_key
        end
    ) h
    where h.seconds > 0 and (p_effect <> 'last_units' or h.lines > 0);
  elsif p_effect = 'cash_order' and p_scope in ('network', 'shared') then
    -- The network of an order is kept for a day.
    return query
    select o.created_at, 1::double precision, 0::double precision
    from public.orders o
    where o.network is not null and o.created_at > p_since and o.cash_paise > 0
      and private.cost_keys(null, o.network) ->> p_scope = p_key;
  elsif p_effect = 'cash_order' then
    return query
    select o.created_at, 1::double precision, 0::double precision
    from public.orders o
    where o.cash_paise > 0 and o.status = 'PENDING' and case p_scope
      when 'all' then o.hold_state = 'reserved'
      else (o.hold_state = 'reserved' or o.sold)
        and p_key = case p_scope when 'account' then o.user_id::text else private.phone_hash(o.phone_key) end
    end;
  elsif p_effect = 'failed_payment' then
    return query
    select e.received_at, 1::double precision, 0::double precision
    from public.webhook_events e
    join public.orders o on o.id = e.order_id
    where e.event = 'payment.failed' and e.received_at > p_since and o.user_id::text = p_key;
  elsif p_since = p_now then
    -- The window is 0: rows that are stored now.
    return query
    select p_now, (case p_effect
        when 'message' then (select count(*) from public.contact_messages)
        when 'order_form' then (select count(*) from public.form_entries f where not f.of_order)
        when 'own_form' then (select count(*) from public.form_entries f where f.of_order)
      end)::double precision, 0::double precision;
  else
    return query
    select c.at, 1::double precision, 0::double precision
    from public.costs c
    where c.effect = p_effect and c.scope = p_scope and c.key = p_key and c.at > p_since;
  end if;
end;
$$;

-- Counts each queued mail that is a stranger's. The shop's own are alerts and notifications to the admin, refunds, products that
-- are back in stock, which have a rate of their own, the end of a cash order, and the mails of orders that somebody paid, or the
-- admin made or confirmed.
create or replace function private.count_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.kind in (
    'push', 'admin_alert', 'refund_alert', 'refund_notice', 'back_in_stock', 'order_notice', 'cash_order_ended'
  ) or exists (
    select 1 from public.orders o
    where o.id = new.order_id and (o.paid or o.paid_at is not null or o.admin_key is not null or o.replaces is not null
      or o.cash_confirmed_at is not null
      or exists (select 1 from public.payments p where p.order_id = o.id))
  ) then
    return null;
  end if;
  if private.count_cost('stranger_mail', private.cost_keys(null)) is not null then
    raise exception 'no mail is left for strangers today' using errcode = 'KS003';
  end if;
  return null;
end;
$$;

-- Returns 'used_up' or 'used_by_shopper' when no use is left, else null. A customer is recognised by account and by
-- phone number. Cancelled orders and the order p_without do not count. A caller that adds a use has locked the code.
create or replace function private.discount_used(
  p_code public.discount_codes, p_user_id uuid, p_phone_key text, p_without bigint default null
)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select case
      when count(*) >= p_code.max_uses then 'used_up'
      when count(*) filter (where o.user_id = p_user_id or o.phone_key = p_phone_key) >= p_code.max_per_shopper
        then 'used_by_shopper'
    end
    from public.orders o
    where o.discount_code = p_code.code and o.hold_state <> 'released' and o.fulfilment <> 'cancelled'
      and o.id is distinct from p_without
  );
end;
$$;

-- The 200 newest codes, newest first: rows of discount_codes with `stopped`, `paid` and `open` (numbers of orders)
-- and `given_paise` (what the paid ones took off).
create or replace function public.list_discounts()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(
    to_jsonb(c) - 'stopped_at' - 'created_at' || jsonb_build_object(
      'stopped', c.stopped_at is not null, 'paid', uses.paid, 'open', uses.open, 'given_paise', uses.given
    ) order by c.created_at desc, c.code
  ), '[]')
  from (select * from public.discount_codes order by created_at desc, code limit 200) c
  cross join lateral (
    select count(*) filter (where o.hold_state = 'taken') as paid, count(*) filter (where o.hold_state in ('held', 'reserved')) as open,
      coalesce(sum(o.discount_paise) filter (where o.hold_state = 'taken'), 0) as given
    from public.orders o
    where o.discount_code = c.code and o.hold_state <> 'released' and o.fulfilment <> 'cancelled'
  ) uses;
$$;

-- The result of place_order for outcomes with an order.
create or replace function private.order_result(p_outcome text, p_order public.orders)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return jsonb_build_object('outcome', p_outcome, 'order', jsonb_build_object(
    'id', p_order.id,
    'merchant_transaction_id', p_order.merchant_transaction_id,
    'razorpay_order_id', p_order.razorpay_order_id,
    'payment_id', p_order.payment_id,
    'total_paise', p_order.total_paise,
    'online_paise', private.online_paise(p_order),
    'currency', p_order.currency,
    'hold_expires_at', p_order.hold_expires_at
  ));
end;
$$;

-- The advance of a cash order, in paise: a share in percent, half a paisa up, or an amount, and 0 for none. Razorpay takes a rupee or
-- more, and a rupee or more is left for the door. Same as advanceOf in src/domain/checkout/payment-way.ts.
create function private.cash_advance(p_total_paise bigint, p_cash jsonb)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    when p_cash ->> 'advance_percent' is not null
      then least(greatest((p_total_paise * (p_cash ->> 'advance_percent')::bigint + 50) / 100, 100), p_total_paise - 100)
    when p_cash ->> 'advance_paise' is not null
      then least(greatest((p_cash ->> 'advance_paise')::bigint, 100), p_total_paise - 100)
    else 0
  end;
end;
$$;

-- Takes an order that needs no payment, or no further one, before it is sent: its stock waits for the shop's word, and the
-- customer and the shop get a mail. The caller has locked the order, which holds its stock.
create function private.reserve_order(p_order public.orders)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  update public.orders
  set hold_state = 'reserved',
      hold_expires_at = clock_timestamp() + make_interval(secs => coalesce(confirm_seconds, 86400)),
      last_units = '{}',
      next_check_at = null,
      checks = 0
  where id = p_order.id
  returning * into v_order;
  insert into public.outbox (kind, recipient, order_id, dedupe_key)
  values
    ('cash_order_placed', v_order.customer_email, v_order.id, 'cash_order_placed:' || v_order.id),
    ('order_notice', null, v_order.id, 'order_notice:' || v_order.id)
  on conflict (dedupe_key) do nothing;
  return v_order;
end;
$$;

-- Places or reuses the order of a cart, given as the arrays of private.cart_lines. The outcomes are those of
-- place_order. On any other outcome than placed or reused the caller must roll back. The caller has the customer's
-- advisory lock. p_max_hold_seconds is of release 1.1.0; cost_limits has the limit now.
create function private.place_cart(
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
  p_reduction_paise bigint,
  p_cash jsonb
)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_charge constant bigint := coalesce((p_cash ->> 'charge_paise')::bigint, 0);
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
  perform 1 from public.orders where user_id = p_user_id and hold_state in ('held', 'reserved') order by id for update;
  v_now := clock_timestamp();
  v_expired := private.lock_expired_holds(p_user_id, p_ids, p_sizes, p_quantities, v_now);

  -- Reuses a held order of the same cart if its price is still current and it is paid the same way. The customer's other open
  -- orders are released, and their stock is returned now. One that is reserved stays; ordered again, it is the same order.
  select min(o.id) into v_id
  from public.orders o
  where o.user_id = p_user_id and o.status = 'PENDING' and o.hold_expires_at > v_now
    and (o.hold_state = 'held' or (o.hold_state = 'reserved' and p_cash is not null))
    and o.cart_fingerprint = p_fingerprint
    and o.total_paise = p_expected_total_paise
    and o.discount_code is not distinct from p_discount_code
    and o.total_paise = private.total_with_fee(v_subtotal - o.discount_paise, p_fee_bps) + v_charge
    and o.cash_paise = case when p_cash is null then 0 else o.total_paise - private.cash_advance(o.total_paise, p_cash) end;
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
    set hold_state = 'released', release_reason = 'superseded', ended_by = 'customer',
        next_check_at = v_now + interval '15 minutes'
    where id = any (v_superseded);
  end if;
  if cardinality(v_expired) > 0 then
    perform private.return_stock(v_expired);
    -- The sweep still asks Razorpay about them: their check is due.
    update public.orders set hold_state = 'released', release_reason = 'expired', ended_by = 'customer'
    where id = any (v_expired);
  end if;
  if v_id is not null and v_code.code is not null then
    -- The order may have another phone now, of a customer who has used the code. A code that has ended meanwhile stays.
    v_refusal := private.discount_use_refusal(v_code, p_user_id, p_customer ->> 'phone', v_id);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'discount', 'reason', v_refusal);
    end if;
  end if;
  if v_id is not null and p_cash is not null then
    -- The details may be others than those that were asked about before.
    v_refusal := private.cash_refusal(
      p_user_id, p_ids, p_customer, p_expected_total_paise, p_network, p_cash, v_id
    );
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'no_cash', 'reason', v_refusal);
    end if;
  end if;
  if v_id is not null then
    v_order := private.reuse_order(v_id, p_idempotency_key, p_customer);
    if v_order.hold_state = 'reserved' then
      return private.order_result('reserved', v_order) || '{"repeated": true}';
    end if;
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
  v_total := private.total_with_fee(v_subtotal - v_discount, p_fee_bps) + v_charge;
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
  if p_cash is not null then
    v_refusal := private.cash_refusal(p_user_id, p_ids, p_customer, v_total, p_network, p_cash);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'no_cash', 'reason', v_refusal);
    end if;
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
    discount_paise, fee_paise, total_paise, fee_bps, hold_state, hold_expires_at, next_check_at, cash_paise,
    cash_charge_paise, confirm_seconds, razorpay_key_id, payment_method
  )
  values (
    v_id, v_now, p_user_id, private.order_reference(v_id), p_idempotency_key,
    p_fingerprint, p_network,
    p_customer ->> 'name', p_customer ->> 'email', p_customer ->> 'phone', p_customer ->> 'address',
    p_customer ->> 'city', p_customer ->> 'postal_code', p_customer ->> 'notes', nullif(p_customer ->> 'gift_note', ''),
    nullif(p_customer ->> 'recipient_name', ''), nullif(p_customer ->> 'recipient_phone', ''),
    nullif(p_customer ->> 'gstin', ''), private.asked_about(p_customer), v_items, v_subtotal,
    p_discount_code, v_discount, v_fee, v_total, p_fee_bps, 'held', v_now, v_now,
    case when p_cash is null then 0 else v_total - private.cash_advance(v_total, p_cash) end, v_charge,
    (p_cash ->> 'confirm_seconds')::integer, left(p_cash ->> 'key_id', 60), case when p_cash is not null then 'cash' end
  )
  returning * into v_order;
  if p_cash is not null and private.online_paise(v_order) = 0 then
    return private.order_result('reserved', private.reserve_order(v_order));
  end if;
  return private.limit_hold(v_order, v_now, p_hold_seconds);
end;
$$;

-- Places the order of a customer's cart and holds its stock, or returns the open order of the same key or cart. Returns
-- {outcome, …}:
--   placed, reused   with the order, whose online_paise are to be paid now
--   reserved         with the order: nothing is to be paid before it is sent (p_cash without an advance); repeated when another
--                    request placed it
--   no_cash          with reason, see private.cash_refusal: this order cannot be paid at the door
--   paid             with the order: this key's order is already paid
--   expired          this key's order has ended, or was for another cart or price. The client must use a new key
--   closed           with until, the last day: the notice closes checkout. Open orders can still be reused
--   wait             with reason, until and more: cards (ten failed payments, failed_payment in cost_limits), or one of
--                    private.limit_hold
--   too_many_units   with items and the limit: more of one product or size than one order may have
--   choose_size      with items {product_id, name, size}: no size given, or one that the product does not have
--   discount         with reason and more, see private.discount_refusal: the code cannot be used
--   unknown_product (deleted or hidden), out_of_stock, amount_out_of_range, price_changed
-- A call that places nothing changes nothing: the customer keeps what they hold, and it counts as theirs in the check
-- of stock. A placed or reused order releases the customer's other open orders. Raises 22023 for bad input.
-- p_expected_total_paise is the total shown in the cart; no other amount is ever charged. A hold lasts p_hold_seconds
-- from the last call. p_max_hold_seconds is of release 1.1.0; cost_limits has the limit now. p_network is the caller's
-- network as in private.cost_keys, or null.
-- p_blank (customer fields that may be blank) and p_reduction_paise are for place_admin_order only. With p_blank the
-- order has no account, ignores the notice and may include hidden products. p_reduction_paise is taken off the goods
-- and spread over them like a discount without a code.
-- p_cash: the terms of an order that is paid at the door, null for one that is paid now: {charge_paise, advance_percent or
-- advance_paise, min_paise, max_paise, pins (beginnings of PIN codes; none: all), confirm_seconds, refused_days, key_id (of
-- Razorpay, which says whether it is a test)}. p_fee_bps is then the fee of such an order.
create function public.place_order(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_lines jsonb,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_fee_bps integer,
  p_hold_seconds integer,
  p_max_hold_seconds integer default 2160,
  p_max_units integer default 100000,
  p_blank text[] default null,
  p_discount_code text default null,
  p_network text default null,
  p_reduction_paise bigint default 0,
  p_cash jsonb default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ids uuid[];
  v_sizes text[];
  v_quantities integer[];
  v_fingerprint text;
  v_order public.orders;
  v_answer jsonb;
begin
  if (p_user_id is null) <> (p_blank is not null) or p_idempotency_key is null then
    raise exception 'user and idempotency key are required' using errcode = '22023';
  end if;
  if p_expected_total_paise is null then
    raise exception 'the expected total is required' using errcode = '22023';
  end if;
  if p_fee_bps is null or p_fee_bps not between 0 and 10000 then
    raise exception 'fee_bps must be 0 to 10000' using errcode = '22023';
  end if;
  if p_hold_seconds is null or p_hold_seconds not between 1 and 604800 then
    raise exception 'hold_seconds must be 1 to 604800' using errcode = '22023';
  end if;
  if p_max_hold_seconds is null or p_max_hold_seconds < p_hold_seconds or p_max_units is null or p_max_units < 1 then
    raise exception 'max_hold_seconds must not be below hold_seconds, max_units not below 1' using errcode = '22023';
  end if;
  if p_cash is not null and (jsonb_typeof(p_cash) <> 'object' or p_blank is not null
    or coalesce((p_cash ->> 'charge_paise')::bigint, -1) < 0 or coalesce((p_cash ->> 'confirm_seconds')::bigint, 0) < 1)
  then
    raise exception 'the terms of cash need a charge and the seconds to confirm, and an account' using errcode = '22023';
  end if;
  if p_reduction_paise is null or p_reduction_paise < 0
    or (p_reduction_paise > 0 and (p_blank is null or p_discount_code is not null))
  then
    raise exception 'only the admin lowers a price, and without a code' using errcode = '22023';
  end if;
  perform private.check_customer(p_customer, coalesce(p_blank, '{}'));
  select array_agg(l.product_id order by l.line_number), array_agg(l.size order by l.line_number),
    array_agg(l.quantity order by l.line_number)
  into v_ids, v_sizes, v_quantities
  from private.cart_lines(p_lines) l;

  -- Identifies the cart by products, sizes and quantities, in any order of lines.
  select encode(sha256(convert_to(
    string_agg(l.id || coalesce(to_json(l.size)::text, '') || ':' || l.quantity, ',' order by l.id, l.size), 'UTF8'
  )), 'hex')
  into v_fingerprint
  from unnest(v_ids, v_sizes, v_quantities) l (id, size, quantity);

  -- One call per customer at a time, so that two clicks cannot hold the stock twice.
  perform pg_advisory_xact_lock(hashtextextended('place_order:' || p_user_id, 0));

  select * into v_order from public.orders where user_id = p_user_id and idempotency_key = p_idempotency_key for update;
  if found and (
    v_order.cart_fingerprint is distinct from v_fingerprint or v_order.total_paise <> p_expected_total_paise
    or v_order.discount_code is distinct from p_discount_code or (v_order.cash_paise > 0) <> (p_cash is not null)
  ) then
    return jsonb_build_object('outcome', 'expired');
  elsif v_order.payment_id is not null then
    return private.order_result('paid', v_order);
  elsif v_order.hold_state = 'reserved' or v_order.sold then
    return private.order_result('reserved', v_order);
  elsif v_order.id is not null and (
    v_order.hold_state <> 'held' or v_order.hold_expires_at <= clock_timestamp()
    or v_order.total_paise is distinct from private.total_with_fee(
      private.cart_subtotal(v_ids, v_quantities) - v_order.discount_paise, p_fee_bps
    ) + v_order.cash_charge_paise
  ) then
    return jsonb_build_object('outcome', 'expired');
  end if;

  begin
    v_answer := private.place_cart(
      p_user_id, p_idempotency_key, v_ids, v_sizes, v_quantities, v_fingerprint, p_customer, p_expected_total_paise,
      p_fee_bps, p_hold_seconds, p_max_hold_seconds, p_max_units, p_blank, p_discount_code, p_network, p_reduction_paise,
      p_cash
    );
    if v_answer ->> 'outcome' not in ('placed', 'reused', 'reserved') then
      raise exception 'nothing is placed' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    -- Everything above is rolled back; the variable keeps the answer.
    if v_answer ->> 'reason' in ('minutes', 'network', 'last_pieces') then
      perform public.notify_admin(
        'stock_held', jsonb_build_object('kind', v_answer ->> 'reason'),
        'stock_held:' || (now() at time zone 'Asia/Kolkata')::date
      );
    end if;
  end;
  return v_answer;
end;
$$;

-- Records the payment of a cash order's advance, and reserves the order. The caller has locked and checked the order, which has
-- its stock.
create function private.accept_advance(p_order public.orders, p_payment_id text)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  perform private.record_payment(
    p_payment_id, p_order.id, p_order.razorpay_order_id, private.online_paise(p_order), p_order.currency, 'accepted'
  );
  update public.orders
  set advance_payment_id = p_payment_id, status = 'PENDING', payment_status = 'PENDING', release_reason = null, ended_by = null
  where id = p_order.id
  returning * into v_order;
  perform private.reserve_order(v_order);
end;
$$;

-- Whether this reason means that the payment could not be used for its order. The order stays unpaid, and REFUND_DUE
-- until the payment is refunded.
create or replace function private.is_unusable_payment(p_reason text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(p_reason in (
    'stock_gone', 'discount_gone', 'order_cancelled', 'bought_twice', 'person_removed', 'not_sold', 'price_changed',
    'cash_order_ended'
  ), false);
end;
$$;

-- Whether the same customer paid for the same cart, or ordered it to be paid at the door, in another order after this one was
-- created. Ordering the same cart again after that is a new purchase. The caller has locked the unpaid orders of this cart.
create or replace function private.was_bought_again(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.orders o
    where o.user_id = p_order.user_id and o.id <> p_order.id and o.cart_fingerprint = p_order.cart_fingerprint
      and o.fulfilment <> 'cancelled'
      and case
        when o.status = 'COMPLETED' then o.paid_at > p_order.created_at
        else (o.hold_state = 'reserved' or o.sold) and o.created_at > p_order.created_at
      end
  );
end;
$$;

-- Why an order cannot be bought at its price any more: not_sold (a product is hidden or deleted), discount_gone (its code is
-- over, stopped or used up), price_changed (today it costs more). Null: it can. An order of the admin may have hidden
-- products and keeps its reduction. p_without is another order that is about to give up its use of the code.
create or replace function private.late_refusal(p_order public.orders, p_without bigint)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_code public.discount_codes;
  v_subtotal bigint;
begin
  select case when count(p.id) = count(*) then sum((coalesce(p."offerPrice", p.price) * 100)::bigint * quantity) end
  into v_subtotal
  from jsonb_to_recordset(p_order.items) item (product_id uuid, quantity bigint)
  left join public.products p
    on p.id = item.product_id and p.deleted_at is null and (not p.hidden or p_order.admin_key is not null);
  if v_subtotal is null then
    return 'not_sold';
  end if;
  if p_order.discount_code is not null then
    select * into v_code from public.discount_codes where code = p_order.discount_code for update;
    if private.discount_refusal(
      v_code, p_order.user_id, p_order.customer_phone, v_subtotal, coalesce(p_without, p_order.id)
    ) is not null then
      return 'discount_gone';
    end if;
  end if;
  return case when p_order.total_paise < private.total_with_fee(
    v_subtotal - case when v_code.code is null then p_order.discount_paise else private.discount_of(v_code, v_subtotal) end,
    p_order.fee_bps
  ) + p_order.cash_charge_paise then 'price_changed' end;
end;
$$;

-- Why a payment cannot be used for its order, as in mark_paid; null: it can, and the order has its stock. The caller has
-- locked the unpaid orders of the cart.
create or replace function private.refuse_payment(p_order public.orders, p_is_late boolean)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_holds constant boolean := p_order.hold_state is not distinct from 'held';
  v_twin bigint;
  v_reason text;
begin
  if p_order.payment_id is not null or p_order.hold_state in ('reserved', 'taken') or p_order.status = 'COMPLETED' then
    return 'second_payment';
  elsif p_order.customer_name is null then
    return 'person_removed';
  elsif p_order.fulfilment = 'cancelled' then
    return 'order_cancelled';
  elsif p_order.payment_status in ('REFUND_DUE', 'REFUNDED', 'PARTIALLY_REFUNDED') then
    return 'stock_gone';
  elsif private.was_bought_again(p_order) then
    return case when v_holds or p_order.release_reason = 'bought_twice' then 'bought_twice' else 'duplicate_purchase' end;
  elsif v_holds and not p_is_late then
    return null;
  end if;
  v_twin := case when not v_holds then private.held_twin(p_order) end;
  v_reason := case
    when p_is_late then private.late_refusal(p_order, v_twin)
    when not private.take_discount_again(p_order, v_twin) then 'discount_gone'
  end;
  -- The same cart needs the same stock, so this order takes over what the other one holds.
  if v_reason is null and not v_holds and not private.end_unpaid(v_twin, 'bought_twice')
    and not private.reserve_stock_again(p_order.items)
  then
    return 'stock_gone';
  end if;
  return v_reason;
end;
$$;

-- Confirms a captured payment. Idempotent and forward-only: any number of calls in any order end in the same state.
-- p_made_at decides, not when the call comes: a bank can report a payment days later. Returns {outcome}; raises 22023 for
-- bad input.
--   paid                the order is now paid, or the advance of a cash order is; its mails are in the outbox
--   already_paid        by this same payment
--   refund_due          the payment is refunded: no stock is left ('stock_gone'), the order was already paid
--                       ('second_payment') or cancelled ('order_cancelled'), it had ended and its discount code was
--                       used up since ('discount_gone'), the same customer paid for the same cart in another order
--                       while this one was open ('bought_twice'), its person was removed ('person_removed'), or it was
--                       paid late and cannot be bought so any more (private.late_refusal)
--   refund_waits        the same or a mismatch, but this customer caused too many refunds: the payment is recorded as
--                       'unmatched' with its order, until the admin refunds it
--   mismatch            wrong amount or currency: the payment is refunded, the order is unchanged
--   duplicate_purchase  the order had ended unpaid, and the same customer has since paid for the same cart. The
--                       payment is recorded as 'unmatched' with its order, until the admin refunds it
--   unknown_order       no such order here; the payment is recorded, and settle_payment_origin finds out whose it is
--   other_mode          a test payment for a live order, or the reverse; nothing is recorded
--   duplicate_event     this event of this payment was handled before, and the payment has its order
create or replace function public.mark_paid(
  p_razorpay_order_id text,
  p_payment_id text,
  p_amount_paise bigint,
  p_currency text,
  p_method text default null,
  p_event_id text default null,
  p_event text default null,
  p_key_id text default null,
  -- The admin is notified of stock below this number; null: not at all.
  p_low_stock_below integer default null,
  -- When the payment was made, as Razorpay says. Null, as release 1.1.0 calls it: now.
  p_made_at timestamptz default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_payment public.payments;
  v_reason text;
  v_ends boolean;
begin
  if coalesce(p_razorpay_order_id, '') = '' or coalesce(p_payment_id, '') !~ '^[A-Za-z0-9_-]{3,64}$' then
    raise exception 'razorpay_order_id and payment_id are required' using errcode = '22023';
  end if;
  if p_amount_paise is null or p_amount_paise <= 0 or coalesce(p_currency, '') = '' then
    raise exception 'amount and currency are required' using errcode = '22023';
  end if;

  if p_event_id is not null then
    insert into public.webhook_events (event_id, event, payment_id)
    values (p_event_id, p_event, p_payment_id)
    on conflict (event_id) do nothing;
    -- The event id is a header without a signature, so it may only stop a repeat of the same event and payment.
    if not found and exists (
      select 1 from public.webhook_events e
      where e.event_id = p_event_id and e.payment_id = p_payment_id and e.event is not distinct from p_event
    ) and not exists (
      -- Resent by hand now that its order is known.
      select 1 from public.payments p where p.payment_id = p_payment_id and p.state = 'unmatched'
    ) then
      return jsonb_build_object('outcome', 'duplicate_event');
    end if;
  end if;

  -- Locks the order and the customer's other unpaid orders of the same cart. Of two payments for one cart, the second
  -- waits here and then sees the result of the first.
  perform 1 from public.orders o
  where o.id in (
    select paid.id from public.orders paid where paid.razorpay_order_id = p_razorpay_order_id
    union
    select twin.id from public.orders paid
    join public.orders twin on twin.user_id = paid.user_id and twin.cart_fingerprint = paid.cart_fingerprint
    where paid.razorpay_order_id = p_razorpay_order_id and twin.payment_id is null and twin.hold_state is not null
  )
  order by o.id
  for update;
  select * into v_order from public.orders where razorpay_order_id = p_razorpay_order_id;
  if not found then
    perform private.record_payment(
      p_payment_id, null, p_razorpay_order_id, p_amount_paise, p_currency, 'unmatched', 'origin_unknown'
    );
    return jsonb_build_object('outcome', 'unknown_order');
  end if;
  if p_key_id is not null and v_order.razorpay_key_id is not null
    and private.key_mode(p_key_id) <> private.key_mode(v_order.razorpay_key_id)
  then
    return jsonb_build_object('outcome', 'other_mode');
  end if;

  -- The lock on the order covers its payments, but not one that is still 'unmatched': the admin may be refunding it
  -- right now. So its row is locked here, before the products. refund_payment locks it too, and locks no product.
  select * into v_payment from public.payments where payment_id = p_payment_id for update;
  if found and v_payment.state not in ('unmatched', 'foreign') then
    return jsonb_build_object('outcome', case
      when v_payment.order_id is distinct from v_order.id or v_payment.reason = 'amount_mismatch' then 'mismatch'
      when v_payment.state = 'accepted' or v_order.payment_id = p_payment_id then 'already_paid'
      else 'refund_due'
    end);
  end if;
  if v_payment.reason in ('duplicate_purchase', 'refund_waits') then
    return jsonb_build_object('outcome', v_payment.reason);
  end if;

  v_reason := case
    when p_amount_paise is distinct from private.online_paise(v_order) or p_currency is distinct from v_order.currency
      then 'amount_mismatch'
    else private.refuse_payment(v_order, private.is_late(v_order, coalesce(p_made_at, clock_timestamp())))
  end;
  -- A wrong amount leaves the order as it is.
  v_ends := v_reason is distinct from 'amount_mismatch';
  if v_reason is not null then
    if v_ends and v_order.hold_state = 'held' then
      perform private.return_stock(array[v_order.id]);
      perform private.end_unpaid(v_order.id, v_reason);
    end if;
    -- After too many refunds that were not the shop's act, the admin decides. A 'duplicate_purchase' waits anyway.
    if v_reason <> 'duplicate_purchase' and v_order.ended_by is distinct from 'shop'
      and private.count_cost(
        'fee_lost', private.cost_keys(v_order.user_id::text, v_order.network, v_order.phone_key)
      ) is not null
    then
      v_reason := 'refund_waits';
    end if;
  end if;

  if v_reason in ('duplicate_purchase', 'refund_waits') then
    perform private.record_payment(
      p_payment_id, v_order.id, p_razorpay_order_id, p_amount_paise, p_currency, 'unmatched', v_reason
    );
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'refund_alert', null, v_order.id,
      jsonb_build_object('payment_id', p_payment_id, 'amount_paise', p_amount_paise, 'reason', v_reason),
      'refund_alert:' || p_payment_id
    )
    on conflict (dedupe_key) do nothing;
    update public.orders
    set next_check_at = null,
        status = case when status = 'PENDING' then 'FAILED' else status end,
        payment_status = case when payment_status = 'PENDING' then 'FAILED' else payment_status end
    where id = v_order.id and v_ends;
    return jsonb_build_object('outcome', v_reason);
  end if;
  if v_reason is not null then
    perform private.create_refund(v_order, p_payment_id, p_amount_paise, p_currency, v_reason);
    if private.is_unusable_payment(v_reason) then
      update public.orders
      set status = 'FAILED',
          payment_status = case
            when payment_status in ('REFUNDED', 'PARTIALLY_REFUNDED') then payment_status
            else 'REFUND_DUE'
          end,
          next_check_at = null
      where id = v_order.id;
    end if;
    return jsonb_build_object('outcome', case when v_ends then 'refund_due' else 'mismatch' end);
  end if;

  perform private.push_running_out(v_order, p_low_stock_below);
  if v_order.cash_paise > 0 then
    perform private.accept_advance(v_order, p_payment_id);
  else
    perform private.complete_order(v_order, p_payment_id, p_method, p_payment_id);
  end if;
  return jsonb_build_object('outcome', 'paid');
end;
$$;

-- Ends an unpaid order: returns its stock, sets FAILED and the next check. Leaves a paid order alone. Returns
-- {outcome}: released; already (it had ended, only the next check is set); paid. Raises P0002 for an unknown order.
create or replace function public.release_order(p_order_id bigint, p_reason text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    raise exception 'there is no order %', p_order_id using errcode = 'P0002';
  end if;
  if v_order.payment_id is not null or v_order.hold_state in ('reserved', 'taken') or v_order.status = 'COMPLETED' then
    return jsonb_build_object('outcome', 'paid');
  end if;
  if v_order.payment_status in ('REFUND_DUE', 'REFUNDED', 'PARTIALLY_REFUNDED') or v_order.hold_state is null then
    return jsonb_build_object('outcome', 'already');
  end if;
  if v_order.hold_state = 'held' then
    perform private.return_stock(array[p_order_id]);
  end if;
  update public.orders
  set hold_state = 'released',
      status = 'FAILED',
      payment_status = 'FAILED',
      release_reason = case when status = 'FAILED' then release_reason else left(p_reason, 200) end,
      ended_by = case
        when status = 'FAILED' then ended_by
        when p_reason in ('ended_by_admin', 'payment_provider', 'unknown_at_provider') then 'shop'
        else 'customer'
      end,
      checks = 0,
      next_check_at = private.next_check(coalesce(hold_expires_at, created_at))
  where id = p_order_id;
  return jsonb_build_object('outcome', case when v_order.status = 'FAILED' then 'already' else 'released' end);
end;
$$;

-- Leases unpaid orders that are due for a check to one caller: {id, razorpay_order_id, holds_stock}, those that hold
-- stock first. The caller asks Razorpay and then calls mark_paid or release_order. While Razorpay has no final
-- answer, the lease doubles with each check, up to six hours.
-- An order without a Razorpay order id cannot have been paid, so it is released here and not returned. An order whose
-- hold ended a day ago without a final answer returns its stock here, so that no stock is held for ever. A later
-- payment reserves the stock again, or is refunded.
create or replace function public.orders_to_check(p_limit integer, p_lease_seconds integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_ids bigint[];
  v_never_paid bigint[];
  v_holding bigint[];
  v_overdue bigint[];
begin
  perform private.check_lease(p_limit, p_lease_seconds);
  select
    array_agg(due.id),
    array_agg(due.id) filter (where due.razorpay_order_id is null),
    array_agg(due.id) filter (where due.hold_state = 'held' and (due.razorpay_order_id is null or due.is_overdue)),
    array_agg(due.id) filter (where due.hold_state = 'held' and due.razorpay_order_id is not null and due.is_overdue)
  into v_ids, v_never_paid, v_holding, v_overdue
  from (
    select o.id, o.razorpay_order_id, o.hold_state, o.hold_expires_at < v_now - interval '1 day' as is_overdue
    from public.orders o
    where o.next_check_at <= v_now
      and o.payment_id is null and o.advance_payment_id is null
      and o.status in ('PENDING', 'FAILED')
      and o.payment_status in ('PENDING', 'FAILED')
    order by (o.hold_state = 'held') desc, o.next_check_at
    limit p_limit
    for update skip locked
  ) due;

  if v_holding is not null then
    perform private.return_stock(v_holding);
  end if;
  update public.orders
  set hold_state = 'released', release_reason = 'no_answer', ended_by = 'shop'
  where id = any (v_overdue);
  if v_never_paid is not null then
    update public.orders
    set hold_state = 'released', status = 'FAILED', payment_status = 'FAILED',
        release_reason = coalesce(release_reason, 'expired'), ended_by = coalesce(ended_by, 'customer'),
        next_check_at = null
    where id = any (v_never_paid);
  end if;

  return query
  with leased as (
    update public.orders o
    set next_check_at = v_now
          + least(make_interval(secs => p_lease_seconds) * 2 ^ least(o.checks, 10), interval '6 hours'),
        checks = o.checks + 1
    where o.id = any (v_ids) and o.id <> all (coalesce(v_never_paid, '{}'))
    returning o.*
  )
  select jsonb_build_object(
    'id', l.id, 'razorpay_order_id', l.razorpay_order_id, 'holds_stock', l.hold_state = 'held'
  )
  from leased l
  order by (l.hold_state = 'held') desc, l.id;
end;
$$;

-- The refunded amount of the order's own payments, including refunds in progress. Without an own payment, of all its
-- payments.
create or replace function private.refunded_paise(p_order public.orders)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select coalesce(sum(r.amount_paise), 0)
    from public.refunds r
    where r.order_id = p_order.id and r.state <> 'failed'
      and (num_nonnulls(p_order.payment_id, p_order.advance_payment_id) = 0 or private.is_own_payment(p_order, r.payment_id))
  );
end;
$$;

-- What remains of the order's own payments. Refunds in progress count as made, failed ones do not because they can be
-- retried. Null without a recorded payment, and while the advance of a cash order is the only one.
create or replace function private.unrefunded_paise(p_order public.orders)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select sum(p.amount_paise - coalesce((
      select sum(r.amount_paise) from public.refunds r where r.payment_id = p.payment_id and r.state <> 'failed'
    ), 0))
    from public.payments p
    where p_order.payment_id is not null and private.is_own_payment(p_order, p.payment_id) and p.order_id = p_order.id
      and p.state in ('accepted', 'refunded')
  );
end;
$$;

-- Whether everything that was paid for an order went back.
create function private.is_refunded(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return not exists (
    select 1 from public.payments p
    where p.order_id = p_order.id and private.is_own_payment(p_order, p.payment_id) and p.amount_paise > coalesce((
      select sum(r.amount_paise) from public.refunds r where r.payment_id = p.payment_id and r.state = 'processed'
    ), 0)
  );
end;
$$;

-- The largest amount that a new refund of this payment can have. Refunds with an unknown outcome count as made. What the
-- shop keeps of a cancelled order is not refunded.
create or replace function private.refundable_paise(p_payment public.payments)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select p_payment.amount_paise - coalesce(sum(r.amount_paise), 0)
    from public.refunds r
    where r.payment_id = p_payment.payment_id and (r.state <> 'failed' or private.outcome_unknown(r))
  ) - coalesce((
    select o.kept_paise from public.orders o
    where o.id = p_payment.order_id and private.is_own_payment(o, p_payment.payment_id)
  ), 0);
end;
$$;

-- Whether part of a payment that must be refunded in full is still to be refunded, for example after a partial refund
-- in Razorpay's dashboard. That is an unusable payment, or the payment of a cancelled order. Razorpay's minimum is
-- one rupee.
create or replace function private.is_rest_due(p_payment public.payments)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
      p_payment.state = 'refund_due'
      or exists (
        select 1 from public.orders o
        where o.id = p_payment.order_id and private.is_own_payment(o, p_payment.payment_id) and o.fulfilment = 'cancelled'
      )
    )
    and private.refundable_paise(p_payment) >= 100;
end;
$$;

-- Records Razorpay's answer. Without p_error the refund is 'processed', or 'requested' if p_processed is false. With
-- p_error it is retried later; after ten attempts, or if Razorpay accepted it and it failed there, it is 'failed' and
-- the admin gets a mail. A processed refund stays processed. The refund that completes a payment also ends refunds of
-- it that were never sent. Returns {state}; raises P0002.
create or replace function public.finish_refund(
  p_id bigint, p_razorpay_refund_id text, p_error text default null, p_processed boolean default true
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_refund public.refunds;
  v_payment public.payments;
  v_order public.orders;
  v_state text;
  v_refunded bigint;
begin
  select * into v_refund from public.refunds where id = p_id;
  if not found then
    raise exception 'there is no refund %', p_id using errcode = 'P0002';
  end if;
  -- Orders before refunds, by the lock order.
  select * into v_order from public.orders where id = v_refund.order_id for update;
  select * into v_refund from public.refunds where id = p_id for update;
  select * into v_payment from public.payments where payment_id = v_refund.payment_id for update;
  if v_refund.state = 'processed' then
    return jsonb_build_object('state', 'processed');
  end if;

  v_state := case
    when p_error is null and coalesce(p_processed, true) then 'processed'
    when p_error is null then 'requested'
    when p_razorpay_refund_id is not null or v_refund.attempts >= 10 then 'failed'
    when v_refund.state = 'due' then 'due'
    else v_refund.state
  end;
  update public.refunds
  set state = v_state,
      razorpay_refund_id = coalesce(p_razorpay_refund_id, razorpay_refund_id),
      unanswered = case
        when p_razorpay_refund_id is not null then 0
        when p_error like 'refused%' then greatest(unanswered - 1, 0)
        else unanswered
      end,
      last_error = left(p_error, 500),
      -- A refund that is not sent again is polled, see refunds_to_poll.
      next_attempt_at = clock_timestamp()
        + case when v_state = 'due' then private.backoff(attempts) else interval '10 minutes' end
  where id = p_id;

  if v_state = 'failed' and v_refund.state <> 'failed' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'refund_alert', null, v_refund.order_id,
      jsonb_build_object(
        'payment_id', v_refund.payment_id, 'amount_paise', v_refund.amount_paise, 'reason', 'refund_failed'
      ),
      'refund_failed:' || p_id
    )
    on conflict (dedupe_key) do nothing;
  elsif v_state = 'processed' then
    select sum(amount_paise) into v_refunded
    from public.refunds where payment_id = v_payment.payment_id and state = 'processed';
    if v_refunded >= v_payment.amount_paise then
      update public.payments set state = 'refunded' where payment_id = v_payment.payment_id;
      -- The rest was refunded in Razorpay's dashboard, so refunds that were never sent have nothing left to send.
      update public.refunds set state = 'failed', last_error = 'nothing is left to refund'
      where payment_id = v_payment.payment_id and state = 'due' and unanswered = 0;
    end if;
    if v_order.payment_id is not null and private.is_own_payment(v_order, v_payment.payment_id) then
      update public.orders o
      set payment_status = case when private.is_refunded(o) then 'REFUNDED' else 'PARTIALLY_REFUNDED' end
      where o.id = v_order.id;
    elsif v_order.payment_status = 'REFUND_DUE' and not exists (
      select 1 from public.payments p
      where p.order_id = v_order.id and p.state = 'refund_due' and private.is_unusable_payment(p.reason)
    ) then
      update public.orders set payment_status = 'REFUNDED' where id = v_order.id;
    end if;
  end if;
  return jsonb_build_object('state', v_state);
end;
$$;

-- The key of the second refund of one request, when two payments give a part each.
create function private.second_key(p_key uuid)
returns uuid
language plpgsql
immutable
set search_path = ''
as $$
begin
  return md5('second:' || p_key)::uuid;
end;
$$;

-- Refunds part of a paid order and returns quantities to stock. p_restock and p_items are {line key: quantity};
-- p_items says what the amount is for and appears in the customer's mail and the credit note. If a refund of the same
-- amount has failed, it is retried for the new items instead, or unchanged if it may have been made after all.
-- Returns {outcome}: refunding; already (same p_key); not_found; not_paid; too_much, with left_paise; too_many_items,
-- with line_key. Raises 22023.
create or replace function public.request_refund(
  p_order_id bigint, p_key uuid, p_amount_paise bigint, p_reason text, p_restock jsonb default '{}',
  p_items jsonb default '{}'
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_payment public.payments;
  v_rest public.payments;
  v_failed public.refunds;
  v_refund_id bigint;
  v_left bigint;
  v_wrong text;
begin
  if p_key is null or p_amount_paise is null or p_amount_paise < 100
    or jsonb_typeof(p_restock) is distinct from 'object' or jsonb_typeof(p_items) is distinct from 'object'
  then
    raise exception 'a refund needs a key, at least 100 paise, and an object of quantities' using errcode = '22023';
  end if;
  if jsonb_path_exists(
    jsonb_build_array(p_restock, p_items), 'strict $[*].* ? (@.type() != "number" || @ < 1 || @ > 100000)'
  ) then
    raise exception 'quantities must be 1 to 100000' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if exists (select 1 from public.refunds where order_id = p_order_id and p_key = any (request_keys)) then
    return jsonb_build_object('outcome', 'already');
  end if;
  -- It comes from one payment if that has enough, by Razorpay rather than by hand. A cash order's advance and its cash may give a part each.
  select * into v_payment from public.payments p
  where v_order.payment_id is not null and private.is_own_payment(v_order, p.payment_id) and p.order_id = p_order_id
    and p.state in ('accepted', 'refunded')
  order by private.refundable_paise(p) >= p_amount_paise desc, private.is_by_hand(p.payment_id), p.payment_id
  limit 1;
  if not found then
    return jsonb_build_object('outcome', 'not_paid');
  end if;
  v_left := private.refundable_paise(v_payment);
  select * into v_rest from public.payments p
  where v_left < p_amount_paise and private.is_own_payment(v_order, p.payment_id) and p.order_id = p_order_id
    and p.payment_id <> v_payment.payment_id and p.state in ('accepted', 'refunded');

  -- One with an unknown outcome first: its amount is already subtracted, so that a retry cannot refund too much.
  select r.* into v_failed from public.refunds r
  where r.payment_id = v_payment.payment_id and r.state = 'failed' and r.amount_paise = p_amount_paise
  order by private.outcome_unknown(r) desc, r.id
  limit 1;
  if not coalesce(private.outcome_unknown(v_failed), false)
    and p_amount_paise > v_left + coalesce(private.refundable_paise(v_rest), 0)
  then
    return jsonb_build_object('outcome', 'too_much', 'left_paise', v_left + coalesce(private.refundable_paise(v_rest), 0));
  end if;
  v_wrong := private.restock(v_order, p_restock);
  if v_wrong is not null then
    return jsonb_build_object('outcome', 'too_many_items', 'line_key', v_wrong);
  end if;

  if v_failed.id is not null then
    perform private.retry_refund(v_failed.id, p_key);
    if private.outcome_unknown(v_failed) or v_failed.items = p_items then
      return jsonb_build_object('outcome', 'refunding');
    end if;
    update public.refunds set items = p_items, reason = left(p_reason, 200) where id = v_failed.id;
    v_refund_id := v_failed.id;
  elsif v_left < p_amount_paise and v_left > 0 then
    v_refund_id := private.create_admin_refund(v_payment, v_left, left(p_reason, 200), p_key, p_items);
    perform private.create_admin_refund(
      v_rest, p_amount_paise - v_left, left(p_reason, 200), private.second_key(p_key)
    );
  elsif v_left < p_amount_paise then
    v_refund_id := private.create_admin_refund(v_rest, p_amount_paise, left(p_reason, 200), p_key, p_items);
  else
    v_refund_id := private.create_admin_refund(v_payment, p_amount_paise, left(p_reason, 200), p_key, p_items);
  end if;
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'refund_notice', v_order.customer_email, p_order_id,
      jsonb_build_object('payment_id', v_payment.payment_id, 'amount_paise', p_amount_paise, 'reason',
        case when private.unrefunded_paise(v_order) = 0 then 'final_refund' else 'partial_refund' end,
        'items', (
          select coalesce(jsonb_agg(
            jsonb_build_object('name', item ->> 'name', 'quantity', p_items -> private.line_key(item))
          ), '[]')
          from jsonb_path_query(v_order.items, 'lax $[*] ? (@.type() == "object")') item
          where p_items ? private.line_key(item)
        )),
      'refund_notice:' || v_refund_id || case when v_failed.id is null then '' else ':' || p_key end
    )
    on conflict (dedupe_key) do nothing;
  end if;
  return jsonb_build_object('outcome', 'refunding');
end;
$$;

-- Sets the fulfilment of an order. The customer gets one mail per carrier and tracking number (which may be empty),
-- and one on delivery. Returns {outcome}: changed; same; not_found; cancelled; not_paid; not_confirmed; refunded (in full, so
-- nothing is to be sent); too_far_back; needs_document (shipping issues the invoice, see assign_invoice); outdated
-- (p_revision, as in assign_invoice). Raises 22023.
create or replace function public.set_fulfilment(
  p_order_id bigint, p_state text, p_carrier text default null, p_tracking_number text default null,
  p_tracking_url text default null, p_document jsonb default null, p_revision timestamptz default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_now timestamptz := clock_timestamp();
  v_steps constant text[] := array['new', 'packed', 'shipped', 'delivered'];
  v_from integer;
  v_to integer := array_position(v_steps, p_state);
begin
  if v_to is null then
    raise exception 'state must be new, packed, shipped or delivered' using errcode = '22023';
  end if;
  if p_state = 'shipped' and coalesce(btrim(p_carrier), '') = '' then
    raise exception 'shipping needs a carrier' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_order.fulfilment = 'cancelled' then
    return jsonb_build_object('outcome', 'cancelled');
  end if;
  v_from := array_position(v_steps, v_order.fulfilment);
  -- A handed-over order goes back to packed, because it was never shipped.
  if v_to < v_from - 1 and not (v_from = 4 and v_to = 2 and v_order.shipped_at is null) then
    return jsonb_build_object('outcome', 'too_far_back');
  end if;
  if v_to > v_from and v_from <= 2 then
    if private.unrefunded_paise(v_order) = 0 or exists (
      select 1 from public.payments p where p.payment_id = v_order.advance_payment_id and p.state = 'refunded'
    ) then
      return jsonb_build_object('outcome', 'refunded');
    end if;
    if v_order.hold_state = 'reserved' then
      return jsonb_build_object('outcome', 'not_confirmed');
    end if;
    if not v_order.sold then
      return jsonb_build_object('outcome', 'not_paid');
    end if;
  end if;
  if v_to = v_from and (p_state <> 'shipped' or (v_order.carrier, v_order.tracking_number, v_order.tracking_url)
    is not distinct from (p_carrier, nullif(p_tracking_number, ''), nullif(p_tracking_url, '')))
  then
    return jsonb_build_object('outcome', 'same');
  end if;
  -- Shipping issues the invoice in the same transaction. An order that was already shipped is left as it is.
  if v_to >= 3 and v_to > v_from and v_order.invoice_number is null and p_document is null then
    return jsonb_build_object('outcome', 'needs_document');
  end if;
  if v_to >= 3 and v_to > v_from and v_order.invoice_number is null and p_revision <> v_order.updated_at then
    return jsonb_build_object('outcome', 'outdated');
  end if;

  update public.orders
  set fulfilment = p_state,
      carrier = case when p_state = 'shipped' then p_carrier when v_to >= 3 then carrier end,
      tracking_number = case
        when p_state = 'shipped' then nullif(p_tracking_number, '')
        when v_to >= 3 then tracking_number
      end,
      tracking_url = case when p_state = 'shipped' then nullif(p_tracking_url, '') when v_to >= 3 then tracking_url end,
      packed_at = case when v_to >= 2 then coalesce(packed_at, v_now) end,
      shipped_at = case when v_to = 3 or (v_to = 4 and v_from = 3) then coalesce(shipped_at, v_now) end,
      delivered_at = case when v_to = 4 then coalesce(delivered_at, v_now) end
  where id = p_order_id;

  if p_state = 'shipped' and coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'shipped_notice', v_order.customer_email, p_order_id,
      jsonb_build_object(
        'carrier', p_carrier, 'tracking_number', nullif(p_tracking_number, ''),
        'tracking_url', nullif(p_tracking_url, '')
      ),
      'shipped_notice:' || p_order_id || ':' || md5(lower(p_carrier) || '|' || lower(coalesce(p_tracking_number, '')))
    )
    on conflict (dedupe_key) do nothing;
  end if;
  -- A customer who took the order along needs no such mail.
  if p_state = 'delivered' and v_from < 4 and not v_order.hand_over
    and coalesce(btrim(v_order.customer_email), '') <> ''
  then
    insert into public.outbox (kind, recipient, order_id, dedupe_key)
    values ('delivered_notice', v_order.customer_email, p_order_id, 'delivered_notice:' || p_order_id)
    on conflict (dedupe_key) do nothing;
  end if;
  if v_to >= 3 and v_to > v_from and v_order.invoice_number is null then
    perform private.issue_invoice(p_order_id, p_document);
  end if;
  return jsonb_build_object('outcome', 'changed');
end;
$$;

-- Ends an order that nobody will pay at the door. p_why: not_confirmed, cancelled or refused. Returns its stock if p_restock, and
-- its advance if p_return_advance; else the shop keeps that. Mails the customer. The caller has locked the order, which is
-- reserved or sold and not paid.
create function private.end_cash_order(
  p_order public.orders, p_why text, p_restock boolean, p_return_advance boolean, p_ended_by text
)
returns void
language plpgsql
set search_path = ''
as $$
declare
  -- What is left of the advance: some of it may have gone back in Razorpay's dashboard.
  v_left constant bigint := coalesce((
    select private.refundable_paise(p) from public.payments p where p.payment_id = p_order.advance_payment_id
  ), 0);
  v_returned constant bigint := case when p_return_advance and v_left >= 100 then v_left else 0 end;
  v_kept constant bigint := case when p_return_advance then 0 else v_left end;
begin
  if p_restock then
    perform private.return_stock(array[p_order.id]);
  end if;
  update public.orders
  set hold_state = case when p_restock then 'released' else hold_state end,
      status = 'FAILED',
      payment_status = case
        when v_returned > 0 then 'REFUND_DUE'
        when p_order.advance_payment_id is not null and v_left = 0 then 'REFUNDED'
        else 'FAILED'
      end,
      release_reason = p_why,
      ended_by = p_ended_by,
      kept_paise = v_kept
  where id = p_order.id;
  if v_returned > 0 then
    update public.payments set state = 'refund_due', reason = 'cash_order_ended'
    where payment_id = p_order.advance_payment_id;
    insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, reason)
    values (
      p_order.advance_payment_id, p_order.id, v_returned, 'refund_' || p_order.advance_payment_id, 'cash_order_ended'
    )
    on conflict (idempotency_key) do nothing;
  end if;
  if coalesce(btrim(p_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'cash_order_ended', p_order.customer_email, p_order.id,
      jsonb_build_object('why', p_why, 'returned_paise', v_returned, 'kept_paise', v_kept),
      'cash_order_ended:' || p_order.id
    )
    on conflict (dedupe_key) do nothing;
  end if;
end;
$$;

-- Cancels an order that has not been shipped, and refunds what remains of its payment. A payment that arrives later
-- is refunded, see mark_paid. Raises 22023. Returns {outcome}:
--   cancelled; already; not_found; shipped
--   check_payment_first  with razorpay_order_id: not paid according to the database. The caller asks Razorpay, calls
--                        mark_paid if there is a payment, and calls again with p_payment_checked
--   paid_elsewhere       paid, but not through this shop, so there is no payment to refund
create or replace function public.cancel_order(
  p_order_id bigint, p_key uuid, p_reason text, p_restock boolean, p_payment_checked boolean default false
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_payment public.payments;
  v_own public.payments;
  v_left bigint := 0;
begin
  if p_key is null then
    raise exception 'a key is required' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.fulfilment = 'cancelled' then
    return jsonb_build_object('outcome', 'already');
  elsif v_order.fulfilment in ('shipped', 'delivered') then
    return jsonb_build_object('outcome', 'shipped');
  elsif v_order.hold_state = 'reserved' or (v_order.sold and not v_order.paid) then
    perform private.end_cash_order(v_order, 'cancelled', p_restock or v_order.hold_state = 'reserved', true, 'shop');
    update public.orders
    set fulfilment = 'cancelled', cancelled_at = clock_timestamp(), cancel_reason = left(p_reason, 200)
    where id = p_order_id;
    return jsonb_build_object('outcome', 'cancelled');
  end if;
  select * into v_payment from public.payments
  where payment_id = v_order.payment_id and order_id = p_order_id and state in ('accepted', 'refunded');

  if not found then
    if v_order.payment_id is not null or (v_order.stage <> 'unpaid' and v_order.hold_state is null) then
      return jsonb_build_object('outcome', 'paid_elsewhere');
    elsif v_order.razorpay_order_id is not null and not coalesce(p_payment_checked, false) then
      return jsonb_build_object('outcome', 'check_payment_first', 'razorpay_order_id', v_order.razorpay_order_id);
    end if;
    if v_order.hold_state = 'held' or (v_order.replaces is not null and p_restock) then
      perform private.return_stock(array[p_order_id]);
    end if;
    update public.orders
    set fulfilment = 'cancelled',
        cancelled_at = clock_timestamp(),
        cancel_reason = left(p_reason, 200),
        hold_state = case when hold_state = 'held' or replaces is not null then 'released' else hold_state end,
        status = 'FAILED',
        payment_status = case when payment_status in ('REFUND_DUE', 'REFUNDED') then payment_status else 'FAILED' end,
        release_reason = coalesce(release_reason, 'cancelled'),
        ended_by = 'shop',
        -- A bank can still authorise a payment for three days, so the sweep continues to check.
        next_check_at = case when razorpay_order_id is not null and payment_status in ('PENDING', 'FAILED')
          then private.next_check(coalesce(hold_expires_at, created_at)) end
    where id = p_order_id;
    return jsonb_build_object('outcome', 'cancelled');
  end if;

  if p_restock then
    perform private.restock(v_order, null);
  end if;
  perform private.retry_refund(r.id, p_key)
  from public.refunds r
  where r.order_id = p_order_id and private.is_own_payment(v_order, r.payment_id) and private.outcome_unknown(r);
  -- A cash order that had an advance has two payments.
  for v_own in
    select * from public.payments p
    where p.order_id = p_order_id and private.is_own_payment(v_order, p.payment_id) and p.state in ('accepted', 'refunded')
      and private.refundable_paise(p) >= 100
    order by p.payment_id = v_order.payment_id desc
  loop
    v_left := v_left + private.refundable_paise(v_own);
    perform private.create_admin_refund(
      v_own, private.refundable_paise(v_own), left(p_reason, 200),
      case when v_own.payment_id = v_order.payment_id then p_key else private.second_key(p_key) end
    );
  end loop;
  update public.orders
  set fulfilment = 'cancelled', cancelled_at = clock_timestamp(), cancel_reason = left(p_reason, 200)
  where id = p_order_id;
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'order_cancelled', v_order.customer_email, p_order_id,
      jsonb_build_object(
        'payment_id', v_payment.payment_id, 'amount_paise', v_left
      ),
      'order_cancelled:' || p_order_id
    )
    on conflict (dedupe_key) do nothing;
  end if;
  return jsonb_build_object('outcome', 'cancelled');
end;
$$;

-- Cancels an order for the customer it belongs to (order_ids_of), as cancel_order does. p_paid is what the customer
-- saw, so that giving up an unpaid order never cancels one that was paid in the meantime. Notifies the admin of a
-- cancelled paid order. p_network is the customer's network, a keyed hash. With p_keep_fee the platform fee of a paid
-- order is not refunded, or what is left of the payment if that is less; it then needs p_document, its invoice, which
-- the credit note of the refund reduces to the fee (p_revision as in assign_invoice). Raises 22023. Returns {outcome};
-- only `cancelled` changes the order:
--   cancelled; already; not_found (or another customer's)
--   paid                 the customer gave up an unpaid order, which is now paid
--   not_paid             the customer cancelled a paid order, which is not paid
--   refunded             it was paid, and all of it was or will be refunded
--   ask                  only the shop can cancel: packed or further, a free replacement, disputed, or not paid through
--                        this checkout
--   limit                the account, its phone or its network caused too many refunds (fee_lost). The admin is notified
--                        and decides
--   check_payment_first  as in cancel_order
--   needs_document, outdated  as in assign_invoice
create or replace function public.cancel_own_order(
  p_user_id uuid, p_order_id bigint, p_key uuid, p_paid boolean, p_payment_checked boolean default false,
  p_network text default null, p_keep_fee boolean default false, p_document jsonb default null,
  p_revision timestamptz default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_answer jsonb;
  v_kept bigint := 0;
begin
  select * into v_order from public.orders
  where id = p_order_id and id in (select private.order_ids_of(p_user_id))
  for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.fulfilment = 'cancelled' then
    return jsonb_build_object('outcome', 'already');
  elsif v_order.paid and not p_paid then
    return jsonb_build_object('outcome', 'paid');
  elsif v_order.payment_id is not null and not v_order.paid then
    return jsonb_build_object('outcome', 'refunded');
  elsif p_paid and not v_order.paid then
    return jsonb_build_object('outcome', 'not_paid');
  elsif v_order.fulfilment <> 'new' or v_order.hand_over or v_order.hold_state is null or v_order.replaces is not null
    or coalesce(private.is_by_hand(v_order.payment_id), false)
    or exists (
      select 1 from public.payments p
      where p.payment_id = v_order.payment_id and p.dispute is not null and not private.is_closed_dispute(p.dispute)
    )
  then
    return jsonb_build_object('outcome', 'ask');
  end if;
  if p_paid and p_keep_fee and v_order.total_paise - coalesce(v_order.fee_paise, 0) >= 100 then
    v_kept := least(coalesce(v_order.fee_paise, 0), greatest(0, (
      select private.refundable_paise(p) from public.payments p where p.payment_id = v_order.payment_id
    )));
    if v_kept > 0 and v_order.invoice_number is null and p_document is null then
      return jsonb_build_object('outcome', 'needs_document');
    elsif v_kept > 0 and v_order.invoice_number is null and p_revision <> v_order.updated_at then
      return jsonb_build_object('outcome', 'outdated');
    end if;
  end if;

  begin
    update public.orders set kept_paise = v_kept where id = p_order_id and v_kept > 0;
    v_answer := public.cancel_order(p_order_id, p_key, 'Cancelled by the customer', true, p_payment_checked);
    if v_answer ->> 'outcome' = 'cancelled' and not p_paid then
      update public.orders set ended_by = 'customer' where id = p_order_id;
    end if;
    if v_answer ->> 'outcome' <> 'cancelled' or (not p_paid and v_order.hold_state not in ('reserved', 'taken')) then
      return v_answer;
    end if;
    -- Counted last: the costs come after orders and products in the lock order. A cash order without an advance costs nothing.
    if coalesce(v_order.payment_id, v_order.advance_payment_id) is not null and private.count_cost('fee_lost', private.cost_keys(p_user_id::text, p_network, v_order.phone_key)) is not null then
      raise exception 'too many refunds' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    perform public.notify_admin(
      'cancel_requested',
      jsonb_build_object(
        'payment_id', coalesce(v_order.payment_id, v_order.advance_payment_id),
        'amount_paise', private.online_paise(v_order)
      ),
      'cancel_requested:' || p_order_id, p_order_id
    );
    return jsonb_build_object('outcome', 'limit');
  end;
  if v_kept > 0 then
    -- The goods go back, the fee does not: the credit note is for all items.
    update public.refunds r
    set items = (
      select jsonb_object_agg(private.line_key(item), (item ->> 'quantity')::integer)
      from jsonb_array_elements(v_order.items) item
    )
    where r.order_id = p_order_id and p_key = any (r.request_keys);
    update public.outbox m set payload = m.payload || jsonb_build_object('kept_paise', v_kept)
    where m.dedupe_key = 'order_cancelled:' || p_order_id;
  end if;
  perform public.notify_admin(
    'cancelled_by_customer',
    -- Nothing was paid for a cash order without an advance.
    jsonb_strip_nulls(jsonb_build_object(
      'payment_id', coalesce(v_order.payment_id, v_order.advance_payment_id),
      'amount_paise', nullif(private.online_paise(v_order) - v_kept, 0)
    )),
    'cancelled_by_customer:' || p_order_id, p_order_id
  );
  -- The counter of invoices is the last lock.
  if v_kept > 0 then
    perform private.issue_invoice(p_order_id, p_document);
  end if;
  return v_answer;
end;
$$;

-- Cash on delivery: who may have it, the shop's word, parcels that come back, and the cash that couriers bring. How an order is
-- paid at all, and how a cash order ends, are the core's (orders.sql, checkout.sql, fulfilment.sql). The terms are those of the
-- site's settings, as place_order gets them in p_cash.

-- ── Who may have it ──

-- Parcels that nobody paid at the door. The account and the phone get no cash on delivery until the term is over, or the shop
-- forgives it.
create table public.cash_refusals (
  id bigint generated always as identity primary key,
  order_id bigint not null unique references public.orders (id),
  user_id uuid references auth.users (id) on delete set null,
  -- See private.phone_hash.
  phone_hash text,
  -- Written by the admin, shown to the admin only.
  reason text not null default '' check (char_length(reason) <= 200),
  created_at timestamptz not null default now(),
  forgiven_at timestamptz
);

create index cash_refusals_user_id_idx on public.cash_refusals (user_id);
create index cash_refusals_phone_hash_idx on public.cash_refusals (phone_hash);
create index cash_refusals_created_at_idx on public.cash_refusals (created_at);

alter table public.cash_refusals enable row level security;

-- Why these products cannot be paid at the door by this customer; null: they can. p_without is an order of the customer's that does
-- not count, because it is this one. With p_locks, of two orders at once the second waits for the first.
--   account      the account has no confirmed e-mail address
--   refused      the account or the phone did not pay a parcel at the door (p_cash.refused_days)
--   too_little, too_much  the total is outside of p_cash.min_paise and max_paise
--   pin          the PIN code begins with none of p_cash.pins
--   product      a product is sold paid online only: its fact 'cash_on_delivery' is given, and is not 'yes'
--   phone        the phone cannot be called in India
--   open_orders  the account, phone or network has as many cash orders open as cost_limits allow, or the shop has
--   no_mail      no mail is left for strangers today, and the order's mail would be one
create function private.cash_refusal(
  p_user_id uuid, p_ids uuid[], p_customer jsonb, p_total_paise bigint, p_network text, p_cash jsonb,
  p_without bigint default null, p_locks boolean default true
)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_phone constant text := private.phone_key(p_customer ->> 'phone');
  v_pin constant text := regexp_replace(coalesce(p_customer ->> 'postal_code', ''), '[^0-9]', '', 'g');
  v_keys constant jsonb := private.cost_keys(p_user_id::text, p_network, v_phone);
  v_is_open boolean;
begin
  if private.confirmed_email(p_user_id) is null then
    return 'account';
  elsif exists (
    select 1 from public.cash_refusals r
    where (r.user_id = p_user_id or r.phone_hash = v_keys ->> 'phone') and r.forgiven_at is null
      and r.created_at > now() - make_interval(days => (p_cash ->> 'refused_days')::integer)
  ) then
    return 'refused';
  elsif p_total_paise < (p_cash ->> 'min_paise')::bigint then
    return 'too_little';
  elsif p_total_paise > (p_cash ->> 'max_paise')::bigint then
    return 'too_much';
  elsif jsonb_typeof(p_cash -> 'pins') = 'array' and not exists (
    select 1 from jsonb_array_elements_text(p_cash -> 'pins') pin where starts_with(v_pin, pin)
  ) then
    return 'pin';
  elsif exists (
    select 1 from public.products p
    where p.id = any (p_ids) and lower(coalesce(nullif(btrim(p.attributes ->> 'cash_on_delivery'), ''), 'yes')) <> 'yes'
  ) then
    return 'product';
  elsif not private.is_indian_phone(p_customer ->> 'phone') then
    return 'phone';
  elsif p_without is not null and exists (
    select 1 from public.orders o
    where o.id = p_without and o.hold_state = 'reserved' and o.phone_key is not distinct from v_phone
  ) then
    -- It is counted and mailed already.
    return null;
  end if;
  v_is_open := case
    when p_locks then private.cost_refusal('cash_order', v_keys) is not null
    else exists (select 1 from private.cost_left('cash_order', v_keys, 1, clock_timestamp()) l where l.again_at is not null)
  end;
  return case
    when v_is_open then 'open_orders'
    when p_locks and not private.has_mail_left() then 'no_mail'
  end;
end;
$$;

-- Why this cart cannot be paid at the door, see private.cash_refusal; null: it can. Reserves nothing, and place_order decides.
-- p_customer has phone and postal_code.
create function public.cash_offer(
  p_user_id uuid, p_product_ids uuid[], p_customer jsonb, p_total_paise bigint, p_network text, p_cash jsonb
)
returns text
language sql
security definer
set search_path = ''
as $$
  select private.cash_refusal(
    p_user_id, p_product_ids, p_customer, p_total_paise, p_network, p_cash,
    null, false
  );
$$;

-- ── The shop's word ──

-- Confirms a reserved order: it is sold, and can be packed. Mails the customer. Returns {outcome}: confirmed; already;
-- not_found; ended (it is no order that waits for this).
create function public.confirm_cash_order(p_order_id bigint, p_low_stock_below integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.hold_state is distinct from 'reserved' then
    return jsonb_build_object('outcome', case when v_order.cash_confirmed_at is null then 'ended' else 'already' end);
  end if;
  perform private.push_running_out(v_order, p_low_stock_below);
  update public.orders set hold_state = 'taken', cash_confirmed_at = clock_timestamp() where id = p_order_id;
  insert into public.outbox (kind, recipient, order_id, dedupe_key)
  values ('cash_order_confirmed', v_order.customer_email, p_order_id, 'cash_order_confirmed:' || p_order_id)
  on conflict (dedupe_key) do nothing;
  return jsonb_build_object('outcome', 'confirmed');
end;
$$;

-- Ends up to p_limit orders that the shop did not confirm in time, and returns how many: their stock comes back, and so does an
-- advance.
create function public.end_unconfirmed_orders(p_limit integer)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_count integer := 0;
begin
  for v_order in
    select * from public.orders
    where hold_state = 'reserved' and hold_expires_at <= clock_timestamp()
    order by id
    limit p_limit
    for update skip locked
  loop
    perform private.end_cash_order(v_order, 'not_confirmed', true, true, 'shop');
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;

-- ── Parcels that come back ──

-- Records that a sent order was not paid at the door and comes back. Its stock returns if p_restock; p_return_advance says whether an
-- advance goes back. A credit note follows for its invoice. The account and the phone are remembered. Returns {outcome}: refused;
-- already; not_found; paid (its cash is there: refund it instead); not_sent (there is no parcel that is paid at the door).
create function public.refuse_cash_order(p_order_id bigint, p_reason text, p_restock boolean, p_return_advance boolean)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.fulfilment = 'cancelled' and v_order.release_reason = 'refused' then
    return jsonb_build_object('outcome', 'already');
  elsif v_order.payment_id is not null then
    return jsonb_build_object('outcome', 'paid');
  elsif v_order.cash_paise = 0 or v_order.fulfilment not in ('shipped', 'delivered') or not v_order.sold then
    return jsonb_build_object('outcome', 'not_sent');
  end if;
  perform private.end_cash_order(v_order, 'refused', p_restock, p_return_advance, 'customer');
  update public.orders
  set fulfilment = 'cancelled', cancelled_at = clock_timestamp(), cancel_reason = left('Refused at the door. ' || coalesce(p_reason, ''), 200)
  where id = p_order_id;
  insert into public.cash_refusals (order_id, user_id, phone_hash, reason)
  values (
    p_order_id, v_order.user_id,
    case when v_order.phone_key is not null then private.phone_hash(v_order.phone_key) end,
    left(coalesce(p_reason, ''), 200)
  )
  on conflict (order_id) do nothing;
  return jsonb_build_object('outcome', 'refused');
end;
$$;

-- Lets the customer of a refused order have cash on delivery again. Returns whether that changed anything.
create function public.forgive_cash_refusal(p_order_id bigint)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.cash_refusals set forgiven_at = now() where order_id = p_order_id and forgiven_at is null;
  return found;
end;
$$;

-- What the admin sees beside a cash order: {refusals: [{orderId, at, reason}]} of its account and phone, newest first, that are not
-- forgiven, its own included.
create function public.read_cash_order(p_order_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object('refusals', coalesce((
    select jsonb_agg(jsonb_build_object('orderId', r.order_id, 'at', r.created_at, 'reason', r.reason) order by r.created_at desc)
    from public.cash_refusals r
    where r.forgiven_at is null
      and (r.order_id = o.id or r.user_id = o.user_id or r.phone_hash = private.phone_hash(o.phone_key))
  ), '[]'))
  from public.orders o
  where o.id = p_order_id;
$$;

-- ── The cash ──

-- What couriers still have to bring, those with the oldest parcel first: [{carrier, count, paise, oldestAt}]. A parcel counts from
-- the day it was sent.
create function private.cash_due()
returns jsonb
language sql
stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(t) order by t."oldestAt"), '[]')
  from (
    select coalesce(o.carrier, '') as carrier, count(*) as count, sum(o.cash_paise) as paise,
      min(coalesce(o.shipped_at, o.delivered_at)) as "oldestAt"
    from public.orders o
    where o.cash_paise > 0 and o.status = 'PENDING' and o.fulfilment in ('shipped', 'delivered') and o.sold
    group by 1
  ) t;
$$;

-- Records that the cash of an order is there. The caller has locked it. Returns an outcome: received; already (with this reference);
-- paid_twice (it was paid before, by another); too_little or too_much, and nothing is recorded; refused (the parcel came back);
-- not_sold.
create function private.receive_cash(p_order public.orders, p_amount_paise bigint, p_reference text)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_payment_id constant text := 'hand_' || p_order.id;
  v_reference constant text := nullif(left(btrim(p_reference), 100), '');
begin
  if p_order.payment_id is not null then
    return case
      when p_order.payment_reference is not distinct from v_reference then 'already' else 'paid_twice'
    end;
  elsif p_order.release_reason = 'refused' then
    return 'refused';
  elsif p_order.cash_paise = 0 or not p_order.sold then
    return 'not_sold';
  elsif p_amount_paise <> p_order.cash_paise then
    return case when p_amount_paise < p_order.cash_paise then 'too_little' else 'too_much' end;
  end if;
  perform private.record_payment(v_payment_id, p_order.id, null, p_order.cash_paise, p_order.currency, 'accepted');
  update public.orders
  set status = 'COMPLETED',
      -- A part of the advance may have gone back.
      payment_status = case
        when exists (select 1 from public.refunds r where r.order_id = p_order.id and r.state = 'processed')
          then 'PARTIALLY_REFUNDED'
        else 'COMPLETED'
      end,
      payment_id = v_payment_id, payment_method = 'cash',
      payment_reference = v_reference, paid_at = clock_timestamp()
  where id = p_order.id;
  return 'received';
end;
$$;

-- Records the cash of one order by hand: {outcome}, as private.receive_cash; not_found.
create function public.receive_cash(p_order_id bigint, p_amount_paise bigint, p_reference text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  return jsonb_build_object('outcome', case
    when v_order.id is null then 'not_found'
    else private.receive_cash(v_order, p_amount_paise, p_reference)
  end);
end;
$$;

-- Records a courier's list of remitted cash: p_rows [{row, tracking_number, order_id, amount_paise, reference}], where order_id is null
-- if the list has none. A row is of the order with its tracking number, else of its order id. Without p_save nothing is stored.
-- Returns {rows: [{row, order_id, outcome, due_paise}], missing: [{order_id, carrier, due_paise, at}]}. Outcomes as
-- private.receive_cash, and not_found. missing: parcels of the same couriers, sent no later than the last one that this list names,
-- whose cash is still to come. A row that cannot be recorded keeps no other from it.
create function public.record_remittance(p_rows jsonb, p_save boolean)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_rows jsonb;
  v_order public.orders;
  v_row jsonb;
  v_outcome text;
  v_done jsonb := '[]';
  v_missing jsonb;
begin
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) > 5000 then
    raise exception 'a list of at most 5000 rows is required' using errcode = '22023';
  end if;
  -- One reading of the cash orders, because a list has thousands of rows.
  select coalesce(jsonb_agg(r.value || jsonb_build_object('found', coalesce(t.id, n.id)) order by r.ordinality), '[]')
  into v_rows
  from jsonb_array_elements(p_rows) with ordinality r
  left join (
    select lower(o.tracking_number) as number, max(o.id) as id
    from public.orders o
    where o.cash_paise > 0 and o.tracking_number <> ''
    group by 1
  ) t on t.number = lower(btrim(r.value ->> 'tracking_number'))
  left join public.orders n on n.id = (r.value ->> 'order_id')::bigint and n.cash_paise > 0;
  perform 1 from public.orders o
  where o.id in (select (r ->> 'found')::bigint from jsonb_array_elements(v_rows) r)
  order by o.id
  for update;
  begin
    for v_row in select r from jsonb_array_elements(v_rows) r loop
      -- Read again: a row before this one may have paid it.
      select * into v_order from public.orders where id = (v_row ->> 'found')::bigint;
      v_outcome := case
        when v_order.id is null then 'not_found'
        else private.receive_cash(v_order, (v_row ->> 'amount_paise')::bigint, v_row ->> 'reference')
      end;
      v_done := v_done || jsonb_build_object(
        'row', v_row -> 'row', 'order_id', v_order.id, 'outcome', v_outcome, 'due_paise', v_order.cash_paise
      );
    end loop;
    select coalesce(jsonb_agg(jsonb_build_object(
      'order_id', o.id, 'carrier', coalesce(o.carrier, ''), 'due_paise', o.cash_paise,
      'at', coalesce(o.shipped_at, o.delivered_at)
    ) order by o.id), '[]')
    into v_missing
    from public.orders o
    join (
      select p.carrier, max(coalesce(p.shipped_at, p.delivered_at)) as last_at
      from public.orders p
      where p.id in (select (d ->> 'order_id')::bigint from jsonb_array_elements(v_done) d)
      group by 1
    ) paid on paid.carrier is not distinct from o.carrier and coalesce(o.shipped_at, o.delivered_at) <= paid.last_at
    where o.cash_paise > 0 and o.status = 'PENDING' and o.fulfilment in ('shipped', 'delivered') and o.sold
      and o.id not in (select (d ->> 'order_id')::bigint from jsonb_array_elements(v_done) d where d ->> 'order_id' is not null);
    if not p_save then
      raise exception 'nothing is kept' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    null;
  end;
  return jsonb_build_object('rows', v_done, 'missing', v_missing);
end;
$$;

-- Returns the invoice of an order, issued now if it has none: {outcome, invoice?} with the invoice as in
-- private.invoice_of. outcome: assigned; already; not_found; not_paid (also for cancelled and fully refunded orders);
-- outdated (the order has changed since p_revision, its updated_at when p_document was made; null skips the check).
create or replace function public.assign_invoice(p_order_id bigint, p_document jsonb, p_revision timestamptz default null)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_order.invoice_number is null and (v_order.fulfilment = 'cancelled' or not v_order.sold) then
    return jsonb_build_object('outcome', 'not_paid');
  end if;
  if v_order.invoice_number is null and p_revision <> v_order.updated_at then
    return jsonb_build_object('outcome', 'outdated');
  end if;
  perform private.issue_invoice(p_order_id, p_document);
  return jsonb_build_object(
    'outcome', case when v_order.invoice_number is null then 'assigned' else 'already' end,
    'invoice', private.invoice_of(p_order_id)
  );
end;
$$;

-- Whether an order was invoiced, sent to be paid at the door, and came back.
create function private.is_refused_sale(p_order public.orders)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_order.cash_paise > 0 and p_order.fulfilment = 'cancelled' and p_order.release_reason = 'refused'
    and p_order.invoice_number is not null;
end;
$$;

-- What needs a credit note, of orders with an invoice: processed refunds, and the cash of orders that were refused at the door
-- (refundId and reason null, all items). {refundId, orderId, amountPaise, reason, items, invoice}, with `invoice` as in private.invoice_of.
-- Only the oldest per order, because a credit note depends on those before it.
create or replace function public.credit_notes_due(p_limit integer, p_order_id bigint default null)
returns setof jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select jsonb_build_object(
    'refundId', due.id, 'orderId', due.order_id, 'amountPaise', due.amount_paise, 'reason', due.reason,
    'items', due.items,
    'invoice', private.invoice_of(due.order_id)
  )
  from (
    select distinct on (cause.order_id) cause.*
    from (
      select r.id, r.order_id, r.amount_paise, r.reason, r.items
      from public.refunds r
      join public.orders o
        on o.id = r.order_id and private.is_own_payment(o, r.payment_id) and o.invoice_number is not null
      where r.state = 'processed' and not r.has_credit_note
      union all
      select null, o.id, o.cash_paise, null, (
        select jsonb_object_agg(private.line_key(item), (item ->> 'quantity')::integer)
        from jsonb_array_elements(o.items) item
      )
      from public.orders o
      where o.release_reason = 'refused' and private.is_refused_sale(o)
        and not exists (select 1 from public.credit_notes c where c.refused_order_id = o.id)
    ) cause
    where p_order_id is null or cause.order_id = p_order_id
    order by cause.order_id, cause.id nulls first
  ) due
  order by due.order_id
  limit p_limit;
end;
$$;

-- Issues the credit note of a refund, or of the order p_refused_order_id. p_earlier is the number of credit notes of the invoice
-- when the document was made. Returns {outcome}: issued, with number; already; changed (another credit note was issued in
-- between); not_due. Raises 22023 without a document.
create function public.issue_credit_note(
  p_refund_id bigint, p_document jsonb, p_earlier integer, p_refused_order_id bigint default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_counter public.document_counters;
  v_number text;
begin
  if jsonb_typeof(p_document) is distinct from 'object' then
    raise exception 'a credit note needs its document' using errcode = '22023';
  end if;
  select o.* into v_order from public.orders o
  where o.id = coalesce((select r.order_id from public.refunds r where r.id = p_refund_id), p_refused_order_id)
  for update;
  if v_order.invoice_number is null or not (
    case when p_refund_id is null then private.is_refused_sale(v_order) else exists (
      select 1 from public.refunds r
      where r.id = p_refund_id and r.state = 'processed' and private.is_own_payment(v_order, r.payment_id)
    ) end
  ) then
    return jsonb_build_object('outcome', 'not_due');
  elsif exists (
    select 1 from public.credit_notes where refund_id = p_refund_id or refused_order_id = p_refused_order_id
  ) then
    return jsonb_build_object('outcome', 'already');
  elsif (select count(*) from public.credit_notes where invoice_number = v_order.invoice_number) <> p_earlier then
    return jsonb_build_object('outcome', 'changed');
  end if;
  update public.refunds set has_credit_note = true where id = p_refund_id;
  if v_order.is_test then
    v_counter := row('credit_note', 'test', coalesce(p_refund_id, 1000000000 + p_refused_order_id), clock_timestamp());
    v_number := 'TEST/' || coalesce('C' || p_refund_id, 'R' || p_refused_order_id);
  else
    v_counter := private.next_document('credit_note');
    v_number := private.document_number(
      (select credit_note_prefix from public.shop_settings), v_counter.financial_year, v_counter.last_serial
    );
  end if;
  insert into public.credit_notes (
    number, refund_id, refused_order_id, invoice_number, financial_year, serial, issued_at, document
  )
  values (
    v_number, p_refund_id, p_refused_order_id, v_order.invoice_number, v_counter.financial_year, v_counter.last_serial,
    v_counter.last_issued_at, p_document
  );
  return jsonb_build_object('outcome', 'issued', 'number', v_number);
end;
$$;

-- Whether damage can be reported: the order is shipped or delivered, and not refunded in full. A free replacement
-- counts as paid, and so does cash that a courier has not remitted yet.
create or replace function private.is_claimable(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return p_order.fulfilment in ('shipped', 'delivered') and p_order.sold;
end;
$$;

-- Notifies the admin of products that this sale sells out, or takes below p_low_stock_below. Stock held by other
-- unpaid or unconfirmed orders is not sold yet. Counts all sizes of a product together. Locks the products, so that of two
-- concurrent sales one is the last. The caller has locked the order and has not yet marked it as sold.
create or replace function private.push_running_out(p_order public.orders, p_low_stock_below integer)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_pieces jsonb;
begin
  if p_low_stock_below is null or not exists (select 1 from public.push_subscriptions) then
    return;
  end if;
  perform 1 from public.products p
  where p.id in (select (item ->> 'product_id')::uuid from jsonb_array_elements(p_order.items) item)
  order by p.id
  for update;
  select jsonb_agg(jsonb_build_object('name', p.name, 'left', n.unsold) order by n.unsold, p.name) into v_pieces
  from (
    select (item ->> 'product_id')::uuid as product_id, sum((item ->> 'quantity')::bigint) as quantity
    from jsonb_array_elements(p_order.items) item
    group by 1
  ) sold
  join public.products p on p.id = sold.product_id and p.deleted_at is null
  cross join lateral (
    select p.stock + coalesce(sum((item ->> 'quantity')::bigint), 0) as unsold
    from public.orders o, jsonb_array_elements(o.items) item
    where o.hold_state in ('held', 'reserved') and o.id <> p_order.id and (item ->> 'product_id')::uuid = p.id
  ) n
  where n.unsold = 0 or (n.unsold < p_low_stock_below and n.unsold + sold.quantity >= p_low_stock_below);
  if v_pieces is not null then
    perform private.queue_push('stock', jsonb_build_object('pieces', v_pieces), 'stock:' || p_order.id);
  end if;
end;
$$;

-- Sales from p_from up to p_to: one row per paid order (orders 1, paise its total), one per refund of such an order
-- (orders 0, paise negative), including refunds in progress, and one per fee kept of a cancelled order, or advance of an order
-- that was refused at the door (orders 0).
create or replace function private.sales(p_from timestamptz, p_to timestamptz)
returns table (at timestamptz, orders integer, paise bigint)
language sql
stable
set search_path = ''
as $$
  select o.paid_at, case when o.fulfilment = 'cancelled' then 0 else 1 end,
    case when o.fulfilment = 'cancelled' then o.kept_paise else coalesce(o.total_paise, 0) end
  from public.orders o
  where o.paid_at >= p_from and o.paid_at < p_to and (o.fulfilment <> 'cancelled' or o.kept_paise > 0) and not o.is_test
  union all
  select o.cancelled_at, 0, o.kept_paise
  from public.orders o
  where o.cancelled_at >= p_from and o.cancelled_at < p_to and o.kept_paise > 0 and o.paid_at is null and not o.is_test
  union all
  select r.created_at, 0, -r.amount_paise
  from public.refunds r
  join public.orders o on o.id = r.order_id and private.is_own_payment(o, r.payment_id)
  where r.created_at >= p_from and r.created_at < p_to and r.state <> 'failed'
    and o.paid_at is not null and o.fulfilment <> 'cancelled' and not o.is_test;
$$;

-- Best-selling products of the orders paid from p_from up to p_to, by quantity less refunds: [{productId, name,
-- pieces, paise}]. paise are less discounts, without the platform fee.
create or replace function private.best_sellers(p_from timestamptz, p_to timestamptz, p_limit integer)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(best) order by best.pieces desc, best.paise desc, best.name), '[]')
  from (
    select line.item ->> 'product_id' as "productId",
      (array_agg(line.item ->> 'name' order by o.paid_at desc, o.id desc))[1] as name,
      sum(line.pieces)::bigint as pieces,
      sum(round(line.pieces * ((line.item ->> 'price')::numeric * 100
        - coalesce((line.item ->> 'discount_paise')::numeric, 0) / (line.item ->> 'quantity')::numeric)))::bigint as paise
    from private.bought_orders o
    cross join lateral (
      select i.item, (i.item ->> 'quantity')::numeric - coalesce((
        select sum((r.items ->> private.line_key(i.item))::numeric)
        from public.refunds r
        where r.order_id = o.id and r.payment_id in (o.payment_id, o.advance_payment_id) and r.state <> 'failed'
      ), 0) as pieces
      from jsonb_array_elements(case when jsonb_typeof(o.items) = 'array' then o.items else '[]' end) i (item)
      where jsonb_typeof(i.item -> 'quantity') = 'number' and jsonb_typeof(i.item -> 'price') = 'number'
    ) line
    where o.paid_at >= p_from and o.paid_at < p_to and line.pieces > 0
    group by 1
    order by 3 desc, 4 desc, 2
    limit p_limit
  ) best;
$$;

-- Customers with their purchases less refunds: {total, customers: [{name, phone, email, city, account, orders, paise,
-- firstAt, lastAt, lastOrderId}]}; name and contact details are of their last order. p_all and p_any are LIKE
-- patterns as in list_orders; one order of the customer must match. p_sort: 'recent', 'spent' or 'orders', highest
-- first. Reads all orders, because their sums are not stored.
create or replace function public.list_customers(p_all text[], p_any text[], p_sort text, p_offset integer, p_limit integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with by_phone as (
    select phone_key, min(user_id::text) as account from public.orders
    where user_id is not null and phone_key is not null
    group by 1
  ), by_email as (
    select lower(customer_email) as email, min(user_id::text) as account from public.orders
    where user_id is not null and customer_email <> '' group by 1
  ), bought as materialized (
    -- The same customer as in private.order_customers.
    select coalesce(
        o.user_id::text, p.account, e.account, o.phone_key, nullif(lower(o.customer_email), ''), 'order ' || o.id
      ) as customer,
      o.id, coalesce(o.paid_at, o.created_at) as at, o.user_id is not null as account,
      coalesce(o.total_paise, round(least(coalesce(o.total_amount, o.payment_amount, 0), 1e9) * 100)::bigint)
        - coalesce(r.paise, 0) as paise,
      o.search_text like all (p_all) and (cardinality(p_any) = 0 or o.search_text like any (p_any)) as matches
    from private.bought_orders o
    left join by_phone p on o.user_id is null and p.phone_key = o.phone_key
    left join by_email e on o.user_id is null and e.email = lower(o.customer_email)
    -- The same as private.refunded_paise, for all orders at once.
    left join (
      select f.order_id, sum(f.amount_paise)::bigint as paise
      from public.refunds f
      join public.orders own on own.id = f.order_id and private.is_own_payment(own, f.payment_id)
      where f.state <> 'failed'
      group by 1
    ) r on r.order_id = o.id
  ), customers as materialized (
    select count(*) as orders, sum(paise) as paise, min(at) as first_at, max(at) as last_at, bool_or(account) as account,
      (array_agg(id order by at desc, id desc))[1] as last_id
    from bought
    group by customer
    having bool_or(matches)
  ), page as (
    select * from customers
    order by case p_sort when 'spent' then paise when 'orders' then orders end desc nulls last, last_at desc, last_id desc
    offset greatest(p_offset, 0) limit least(greatest(p_limit, 0), 100)
  )
  select jsonb_build_object(
    'total', (select count(*) from customers),
    'customers', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', coalesce(o.customer_name, ''), 'phone', coalesce(o.customer_phone, ''),
        'email', coalesce(o.customer_email, ''),
        'city', coalesce(o.customer_city, ''), 'account', p.account, 'orders', p.orders, 'paise', p.paise,
        'firstAt', p.first_at, 'lastAt', p.last_at, 'lastOrderId', p.last_id
      ) order by case p_sort when 'spent' then p.paise when 'orders' then p.orders end desc nulls last,
        p.last_at desc, p.last_id desc)
      from page p
      join public.orders o on o.id = p.last_id
    ), '[]')
  );
$$;

-- Whether money that should go back has not: 'waiting' while the shop works on a refund, 'failed' when the admin must
-- act, else null. A failed refund does not count when another one has refunded its payment.
create or replace function private.open_refund_state(p_order public.orders)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select case
      when bool_or(r.state <> 'failed') then 'waiting'
      when bool_or(private.outcome_unknown(r) or r.amount_paise <= private.refundable_paise(p)
        or private.is_rest_due(p)) then 'failed'
    end
    from public.refunds r
    join public.payments p on p.payment_id = r.payment_id
    where r.order_id = p_order.id and r.state <> 'processed'
      and (num_nonnulls(p_order.payment_id, p_order.advance_payment_id) = 0 or private.is_own_payment(p_order, r.payment_id))
  );
end;
$$;

-- A page of orders: {orders: [{order, refundedPaise, openRefund, refundSums}], counts}. p_filter: 'all', a stage, 'refunds' for
-- those with a refund that is not done, or 'refunded' for those whose refunds are all done. 'to_confirm', 'to_pack' and 'packed' are
-- sorted oldest first, 'refunded' by its last refund, newest first, all others newest first. p_all and p_any are LIKE patterns for
-- search_text: all of p_all and one of p_any must match. The page starts after the order (p_after_at, p_after_id), where
-- p_after_at is what the list is sorted by. `refundSums` is {donePaise, openPaise, lastAt}, or null without a refund.
create or replace function public.list_orders(
  p_filter text, p_all text[], p_any text[], p_after_at timestamptz, p_after_id bigint, p_limit integer
)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_oldest_first boolean := p_filter in ('to_confirm', 'to_pack', 'packed');
  v_order text := case when v_oldest_first then 'asc' else 'desc' end;
  v_at text := 'o.created_at';
  v_where text := 'true';
  v_orders jsonb;
  v_counts jsonb;
begin
  if p_limit is null or p_limit not between 1 and 101 then
    raise exception 'limit must be 1 to 101' using errcode = '22023';
  end if;
  if p_filter = 'refunds' then
    v_where := 'o.id in (select r.order_id from public.refunds r where r.state <> ''processed'')';
  elsif p_filter = 'refunded' then
    v_at := '(select max(r.created_at) from public.refunds r where r.order_id = o.id)';
    v_where := 'o.id in (select r.order_id from public.refunds r group by 1 having bool_and(r.state = ''processed''))';
  elsif p_filter <> 'all' then
    v_where := 'o.stage = $1';
  end if;
  if cardinality(p_all) > 0 then
    v_where := v_where || ' and o.search_text like all ($2)';
  end if;
  if cardinality(p_any) > 0 then
    v_where := v_where || ' and o.search_text like any ($3)';
  end if;
  if p_after_at is not null then
    v_where := v_where
      || format(' and (%s, o.id) %s ($4, $5)', v_at, case when v_oldest_first then '>' else '<' end);
  end if;
  -- Dynamic, so that each combination of filters gets a plan with its own index. All values are parameters.
  execute format(
    $query$
      select coalesce(jsonb_agg(jsonb_build_object(
        'refundedPaise', private.refunded_paise(o), 'openRefund', private.open_refund_state(o),
        'refundSums', (
          select jsonb_build_object(
            'donePaise', coalesce(sum(r.amount_paise) filter (where r.state = 'processed'), 0),
            'openPaise', coalesce(sum(r.amount_paise) filter (where r.state <> 'processed'), 0),
            'lastAt', max(r.created_at)
          )
          from public.refunds r where r.order_id = o.id having count(*) > 0
        ),
        'order', jsonb_build_object(
        'id', o.id, 'merchant_transaction_id', o.merchant_transaction_id, 'created_at', o.created_at,
        'customer_name', o.customer_name, 'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
        'customer_city', o.customer_city, 'notes', o.notes, 'items', o.items, 'products', o.products,
        'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount, 'status', o.status,
        'payment_status', o.payment_status, 'sold', o.sold, 'fulfilment', o.fulfilment, 'is_test', o.is_test,
        -- The site of before reads it.
        'paid', o.paid,
        'hand_over', o.hand_over, 'cash_paise', o.cash_paise, 'cash_charge_paise', o.cash_charge_paise,
        'advance_payment_id', o.advance_payment_id, 'payment_id', o.payment_id, 'cash_confirmed_at', o.cash_confirmed_at,
        'hold_state', o.hold_state, 'hold_expires_at', o.hold_expires_at
      )) order by page.at %2$s, page.id %2$s), '[]')
      from (
        select o.id, %3$s as at from public.orders o where %1$s order by %3$s %2$s, o.id %2$s limit $6
      ) page
      join public.orders o on o.id = page.id
    $query$,
    v_where, v_order, v_at
  )
  into v_orders
  using p_filter, p_all, p_any, p_after_at, p_after_id, p_limit;

  select jsonb_object_agg(stage, n) into v_counts
  from (select o.stage, count(*) as n from public.orders o group by o.stage) t;
  return jsonb_build_object(
    'orders', v_orders,
    'counts', coalesce(v_counts, '{}') || jsonb_build_object(
      'refunds', (select count(distinct r.order_id) from public.refunds r where r.state <> 'processed')
    )
  );
end;
$$;

-- What the admin has to do today. Lists have at most five entries; counts include all. `changes` is
-- private.newest_changes, `sales` sums private.sales, `mailsStuckSince` is that of shop_health, `notice` is read_notice.
create or replace function public.read_today(p_low_stock_below integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with clock as (
    select date_trunc('day', clock_timestamp() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata' as today,
      date_trunc('month', clock_timestamp() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata' as month
  ), money as materialized (
    select * from private.payment_problems()
  )
  select jsonb_build_object(
    -- Cash orders to confirm, those that end first at the start, and the cash of sent parcels by courier.
    'toConfirm', jsonb_build_object(
      'count', (select count(*) from public.orders where stage = 'to_confirm'),
      'orders', (select coalesce(jsonb_agg(to_jsonb(t) order by t.hold_expires_at, t.id), '[]') from (
        select id, customer_name, items, products, created_at, status, hold_state, hold_expires_at, cash_paise, payment_id,
          fulfilment
        from public.orders
        where stage = 'to_confirm' order by hold_expires_at, id limit 5) t)
    ),
    'cashDue', private.cash_due(),
    'toPack', jsonb_build_object(
      'count', (select count(*) from public.orders where stage = 'to_pack'),
      -- Oldest first.
      'orders', (select coalesce(jsonb_agg(to_jsonb(t) order by t.created_at, t.id), '[]') from (
        select id, customer_name, items, products, created_at from public.orders
        where stage = 'to_pack' order by created_at, id limit 5) t)
    ),
    -- Packed but not shipped, longest waiting first.
    'toShip', jsonb_build_object(
      'count', (select count(*) from public.orders where stage = 'packed'),
      'orders', (select coalesce(jsonb_agg(to_jsonb(t) order by t.packed_at nulls first, t.id), '[]') from (
        select id, customer_name, items, products, created_at, packed_at from public.orders
        where stage = 'packed' order by packed_at nulls first, id limit 5) t)
    ),
    'toAnswer', jsonb_build_object(
      'count', (select count(*) from public.contact_messages where answered_at is null),
      'messages', (select coalesce(jsonb_agg(to_jsonb(t) order by t.id), '[]') from (
        select id, name, subject, created_at as "createdAt" from public.contact_messages
        where answered_at is null order by id limit 5) t)
    ),
    'claims', jsonb_build_object(
      'count', (select count(*) from public.claims where answer is null),
      'claims', (select coalesce(jsonb_agg(to_jsonb(t) order by t."createdAt"), '[]') from (
        select c.order_id as "orderId", coalesce(o.customer_name, '') as "customerName", c.created_at as "createdAt"
        from public.claims c join public.orders o on o.id = c.order_id
        where c.answer is null order by c.created_at limit 5) t)
    ),
    'newReviews', (select count(*) from public.reviews where state = 'new'),
    'low', jsonb_build_object(
      'count', (select count(*) from public.products
        where stock between 1 and p_low_stock_below - 1 and not hidden and deleted_at is null),
      'products', (select coalesce(jsonb_agg(to_jsonb(t) order by t.stock, t.name, t.id), '[]') from (
        select id, name, stock from public.products
        where stock between 1 and p_low_stock_below - 1 and not hidden and deleted_at is null
        order by stock, name, id limit 5) t)
    ),
    'soldOut', jsonb_build_object(
      'count', (select count(*) from public.products where stock = 0 and not hidden and deleted_at is null),
      'products', (select coalesce(jsonb_agg(to_jsonb(t) order by t.name, t.id), '[]') from (
        select id, name from public.products
        where stock = 0 and not hidden and deleted_at is null order by name, id limit 5) t)
    ),
    'money', jsonb_build_object(
      'count', (select count(*) from money),
      'items', (select coalesce(jsonb_agg(to_jsonb(t) order by t.at, t."paymentId"), '[]') from (
        select kind, payment_id as "paymentId", order_id as "orderId", amount_paise as "amountPaise", at, refundable
        from money order by at, payment_id limit 5) t)
    ),
    -- Stock held by unpaid orders, longest held first. A hold that has ended is being checked at Razorpay: nobody is paying.
    'holds', jsonb_build_object(
      'count', (select count(*) from public.orders where hold_state = 'held' and hold_expires_at > clock_timestamp()),
      'orders', (select coalesce(jsonb_agg(jsonb_build_object(
          'order', jsonb_build_object('id', t.id, 'customer_name', t.customer_name, 'items', t.items),
          'heldSince', t.created_at, 'heldUntil', t.hold_expires_at, 'takesLast', t.last_units <> '{}' and t.admin_key is null
        ) order by t.created_at, t.id), '[]') from (
        select id, customer_name, items, created_at, hold_expires_at, last_units, admin_key from public.orders
        where hold_state = 'held' and hold_expires_at > clock_timestamp() order by created_at, id limit 5) t)
    ),
    'unsentMails', (select count(*) from public.outbox where sent_at is null and attempts >= 5 and kind <> 'push'),
    'mailsStuckSince', public.shop_health() -> 'outbox_stuck_since',
    'notice', public.read_notice(),
    'sales', (
      select jsonb_build_object(
        'todayOrders', coalesce(sum(s.orders) filter (where s.at >= c.today), 0),
        'todayPaise', coalesce(sum(s.paise) filter (where s.at >= c.today), 0),
        'monthOrders', coalesce(sum(s.orders), 0),
        'monthPaise', coalesce(sum(s.paise), 0)
      )
      from clock c
      left join lateral private.sales(c.month, 'infinity') s on true
    ),
    'changes', private.newest_changes()
  );
$$;

-- Whether an order has ended and no sale took place, so that tax law does not require its data: no money ever came for it,
-- or all of it was of no use and went back.
create or replace function private.is_forgettable(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return coalesce(p_order.hold_state, '') not in ('held', 'reserved') and not p_order.sold
    and p_order.next_check_at is null and p_order.payment_id is null and p_order.paid_at is null and p_order.invoice_number is null
    and (
      private.payment_stage(p_order.status, p_order.payment_status) = 'unpaid'
      or (p_order.status = 'FAILED' and p_order.payment_status = 'REFUNDED')
    )
    and not exists (select 1 from public.payments p where p.order_id = p_order.id and p.state <> 'refunded');
end;
$$;

-- Whether nobody needs the phone, the notes or a claim of an order any more: it is delivered, cancelled, handed over or
-- refunded in full, no refund or cash is under way, and no claim waits for its answer.
create or replace function private.has_ended(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return not (p_order.sold and not p_order.paid) and (
      p_order.fulfilment in ('delivered', 'cancelled') or p_order.hand_over
      -- Paid, and all of it went back.
      or private.unrefunded_paise(p_order) = 0
      -- Never paid: the payments that came were of no use and went back.
      or (p_order.payment_id is null and coalesce(p_order.hold_state, '') not in ('held', 'reserved')
        and p_order.next_check_at is null)
    )
    and not exists (
      select 1 from public.refunds r where r.order_id = p_order.id and r.state in ('due', 'requested')
    )
    and not exists (
      select 1 from public.payments p where p.order_id = p_order.id and p.state in ('unmatched', 'refund_due')
    )
    and not exists (select 1 from public.claims c where c.order_id = p_order.id and c.answer is null);
end;
$$;

-- Deletes or anonymises up to p_limit rows of one subject that are older than p_before. Returns how many. Ids are
-- passed as arrays, because PostgreSQL may scan the whole table for a join. Takes locks in the order of `orders.sql`, and
-- skips locked orders.
create or replace function private.forget_subject(p_subject text, p_before timestamptz, p_limit integer)
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_ids bigint[];
  v_count integer;
begin
  case p_subject
    when 'unpaid_orders' then
      -- One whose person was erased does not wait for the term.
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        where o.stage in ('unpaid', 'cancelled', 'other') and o.payment_id is null
          and num_nonnulls(o.user_id, o.customer_name, o.customer_email, o.customer_phone, o.customer_address, o.notes) > 0
          and (o.created_at < p_before or o.erase_pending)
          and private.is_forgettable(o)
        order by o.id
        limit p_limit
        for update skip locked
      ) t;
      perform private.anonymise_orders(v_ids);
      return coalesce(cardinality(v_ids), 0);
    when 'paid_orders' then
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        where o.created_at < p_before and coalesce(o.paid_at, o.created_at) < p_before
          and num_nonnulls(o.user_id, o.customer_name, o.customer_email, o.customer_phone, o.customer_address, o.notes) > 0
        order by o.created_at
        limit p_limit
        for update skip locked
      ) t;
      perform private.anonymise_orders(v_ids);
      perform private.anonymise_documents(v_ids);
      perform private.erase_refund_reasons(v_ids);
      return coalesce(cardinality(v_ids), 0);
    when 'delivered_orders' then
      -- One that was shipped and never marked as delivered ends too.
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        where num_nonnulls(o.customer_phone, o.notes, o.gift_note, o.recipient_name, o.recipient_phone) > 0
          and coalesce(o.delivered_at, o.cancelled_at, o.shipped_at, o.paid_at) < p_before
          and (private.has_ended(o) or o.shipped_at is not null)
          and not exists (select 1 from public.claims c where c.order_id = o.id and c.answer is null)
        order by coalesce(o.delivered_at, o.cancelled_at, o.shipped_at, o.paid_at)
        limit p_limit
        for update skip locked
      ) t;
      perform private.erase_contact(v_ids);
      return coalesce(cardinality(v_ids), 0);
    when 'unconfirmed_accounts' then
      delete from auth.users where id = any (array(
        select id from auth.users where email_confirmed_at is null and created_at < p_before order by created_at limit p_limit));
    when 'auth_log' then
      -- Auth's own table: a project can do without it, and can keep it from this role.
      if to_regclass('auth.audit_log_entries') is null
        or not has_table_privilege('auth.audit_log_entries', 'select, delete')
      then
        return 0;
      end if;
      execute 'delete from auth.audit_log_entries where id = any (array(
        select id from auth.audit_log_entries where created_at < $1 limit $2))'
      using p_before, p_limit;
    when 'erased_orders' then
      -- Not by age: as soon as the order has ended.
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        -- Without a name: nobody paid it, and its person was removed.
        where o.erase_pending and (private.has_ended(o) or o.customer_name is null)
        order by o.id
        limit p_limit
        for update skip locked
      ) t;
      perform private.erase_kept_orders(v_ids);
      return coalesce(cardinality(v_ids), 0);
    when 'claim_words' then
      update public.claims set message = '', reason = '' where id = any (array(
        select id from public.claims
        where answered_at < p_before and (message <> '' or reason <> '') order by answered_at limit p_limit));
    when 'unpublished_reviews' then
      delete from public.reviews where id = any (array(
        select id from public.reviews
        where state <> 'published' and created_at < p_before order by created_at limit p_limit));
    when 'cash_refusals' then
      delete from public.cash_refusals where id = any (array(
        select id from public.cash_refusals where created_at < p_before order by created_at limit p_limit));
    when 'own_cancellations' then
      delete from public.own_cancellations where order_id = any (array(
        select order_id from public.own_cancellations
        where created_at < p_before order by created_at limit p_limit));
    when 'order_networks' then
      update public.orders set network = null where id = any (array(
        select id from public.orders
        where network is not null and created_at < p_before order by id limit p_limit for update skip locked));
    when 'order_forms' then
      delete from public.form_entries where id = any (array(
        select id from public.form_entries where created_at < p_before order by created_at limit p_limit));
    when 'contact_messages' then
      delete from public.contact_messages where id = any (array(
        select id from public.contact_messages where created_at < p_before order by created_at limit p_limit));
    when 'newsletter_requests' then
      delete from public.subscribers where id = any (array(
        select id from public.subscribers
        where confirmed_at is null and unsubscribed_at is null and asked_at < p_before
        order by asked_at limit p_limit));
    when 'stock_alert_requests' then
      delete from public.stock_alerts where id = any (array(
        select id from public.stock_alerts
        where confirmed_at is null and created_at < p_before order by created_at limit p_limit));
    when 'stock_alerts' then
      delete from public.stock_alerts where id = any (array(
        select id from public.stock_alerts where created_at < p_before order by created_at limit p_limit));
    when 'sent_mails' then
      update public.outbox set recipient = null, payload = '{}', last_error = null where id = any (array(
        select id from public.outbox
        where sent_at < p_before and (recipient is not null or payload <> '{}')
        order by sent_at limit p_limit));
    when 'mail_records' then
      delete from public.outbox where id = any (array(
        select id from public.outbox where sent_at < p_before order by sent_at limit p_limit));
    when 'unsent_mails' then
      delete from public.outbox where id = any (array(
        select id from public.outbox
        where sent_at is null and created_at < p_before order by id limit p_limit));
    when 'notifications' then
      delete from public.outbox where id = any (array(
        select id from public.outbox where kind = 'push' and created_at < p_before order by created_at limit p_limit));
    when 'devices' then
      delete from public.push_subscriptions where id = any (array(
        select id from public.push_subscriptions
        where session_id is null and created_at < p_before order by id limit p_limit));
    when 'admin_sessions' then
      delete from public.admin_sessions where id = any (array(
        select id from public.admin_sessions where least(expires_at, revoked_at) < p_before order by id limit p_limit));
    when 'failed_payments' then
      delete from public.webhook_events where event_id = any (array(
        select event_id from public.webhook_events
        where event = 'payment.failed' and received_at < p_before order by received_at limit p_limit));
    when 'payment_events' then
      delete from public.webhook_events where event_id = any (array(
        select event_id from public.webhook_events where received_at < p_before order by received_at limit p_limit));
    when 'comparisons' then
      delete from public.reconciliations where id = any (array(
        select id from public.reconciliations
        where finished_at < p_before and id < (select max(id) from public.reconciliations)
        order by id limit p_limit));
    when 'catalogue_changes' then
      -- Unpublished changes stay.
      delete from public.product_changes where version = any (array(
        select version from public.product_changes
        where at < p_before and version <= (select max(b.version) from public.builds b where b.state = 'published')
        order by at limit p_limit));
    else
      raise exception 'there is no subject %', p_subject using errcode = '22023';
  end case;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

-- Deletes data that is older than its term, once in 20 hours. p_terms is {subject: days}; p_limit is the maximum of
-- rows per subject and call. Returns {outcome, forgotten: {subject: rows}}: more (call again), done, not_due (nothing
-- was done). Raises 22023 unless p_terms has the subjects of private.forget_subject, each at least one day. Those that
-- an earlier release does not know may be missing, and then have their own terms.
create or replace function public.forget(p_terms jsonb, p_limit integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- Orders first, by the lock order.
  v_subjects constant text[] := array[
    'unpaid_orders', 'paid_orders', 'erased_orders', 'delivered_orders', 'claim_words', 'unpublished_reviews', 'cash_refusals', 'own_cancellations',
    'order_networks', 'unconfirmed_accounts', 'auth_log', 'order_forms', 'contact_messages', 'newsletter_requests', 'stock_alert_requests', 'stock_alerts', 'sent_mails', 'mail_records', 'unsent_mails', 'notifications', 'devices',
    'admin_sessions', 'failed_payments', 'payment_events', 'comparisons', 'catalogue_changes'
  ];
  v_terms constant jsonb := jsonb_build_object(
    'erased_orders', 1, 'delivered_orders', 180, 'claim_words', 365, 'unpublished_reviews', 365, 'cash_refusals', 180, 'own_cancellations', 30,
    'unconfirmed_accounts', 30, 'auth_log', 30
  ) || p_terms;
  v_now timestamptz := clock_timestamp();
  v_subject text;
  v_count integer;
  v_most integer := 0;
  v_forgotten jsonb := '{}';
begin
  if p_limit is null or p_limit not between 1 and 10000 or jsonb_typeof(p_terms) is distinct from 'object'
    or exists (select 1 from jsonb_object_keys(p_terms) k where k <> all (v_subjects))
    or exists (select 1 from unnest(v_subjects) s where (v_terms ->> s) is null or (v_terms ->> s)::integer < 1)
  then
    raise exception 'a limit and one term of at least a day for each subject are required' using errcode = '22023';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('kasavu forget', 0))
    or exists (select 1 from public.heartbeats h where h.name = 'forget' and h.last_at > v_now - interval '20 hours')
  then
    return jsonb_build_object('outcome', 'not_due', 'forgotten', '{}'::jsonb);
  end if;
  foreach v_subject in array v_subjects loop
    v_count := private.forget_subject(v_subject, v_now - make_interval(days => (v_terms ->> v_subject)::integer), p_limit);
    v_most := greatest(v_most, v_count);
    if v_count > 0 then
      v_forgotten := v_forgotten || jsonb_build_object(v_subject, v_count);
    end if;
  end loop;
  if v_most < p_limit then
    update public.heartbeats set last_at = clock_timestamp() where name = 'forget';
  end if;
  return jsonb_build_object('outcome', case when v_most < p_limit then 'done' else 'more' end, 'forgotten', v_forgotten);
end;
$$;

-- The service alone calls the new functions.
grant all on table public.cash_refusals to service_role;
grant all on sequence public.cash_refusals_id_seq to service_role;
grant execute on function public.place_order(uuid, uuid, jsonb, jsonb, bigint, integer, integer, integer, integer, text[], text, text, bigint, jsonb),
  public.cash_offer(uuid, uuid[], jsonb, bigint, text, jsonb),
  public.confirm_cash_order(bigint, integer),
  public.end_unconfirmed_orders(integer),
  public.refuse_cash_order(bigint, text, boolean, boolean),
  public.forgive_cash_refusal(bigint),
  public.read_cash_order(bigint),
  public.receive_cash(bigint, bigint, text),
  public.record_remittance(jsonb, boolean),
  public.issue_credit_note(bigint, jsonb, integer, bigint) to service_role;
