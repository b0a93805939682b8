-- What an order at the door promises. The shop confirms what it has read, and hears when its customer changes it. An advance is used within
-- the limits of cash orders; a refusal is remembered for the recipient's phone, too; advances that went back after nobody answered count as
-- lost fees; a question says nothing of somebody else's phone; and the alert about used-up mails survives the rollback. The site of before
-- confirms without a revision.

alter table public.cash_refusals add column recipient_hash text;
create index cash_refusals_recipient_hash_idx on public.cash_refusals (recipient_hash);

alter table public.order_changes add column changed_by text not null default 'shop' check (changed_by in ('shop', 'customer'));

-- Records one use in `costs`, whether a limit has room for it or not.
create or replace function private.record_cost(p_effect text, p_keys jsonb)
returns void
language plpgsql
set search_path = ''
as $$
begin
  insert into public.costs (effect, scope, key)
  select distinct p_effect, l.scope, p_keys ->> l.scope
  from public.cost_limits l
  where l.effect = p_effect and p_keys ? l.scope and l.seconds > 0;
end;
$$;

-- Records one use in `costs`, unless a limit refuses it. Returns when it will be allowed; null: it is recorded.
create or replace function private.count_cost(p_effect text, p_keys jsonb)
returns timestamptz
language plpgsql
set search_path = ''
as $$
declare
  v_again_at timestamptz := private.cost_refusal(p_effect, p_keys);
begin
  if v_again_at is null then
    perform private.record_cost(p_effect, p_keys);
  end if;
  return v_again_at;
end;
$$;

-- The hashes of a customer's and a recipient's phone, without those that cannot be called.
create or replace function private.phone_hashes(p_phone text, p_recipient_phone text)
returns text[]
language plpgsql
stable
set search_path = ''
as $$
begin
  return array_remove(array[
    private.phone_hash(private.phone_key(p_phone)), private.phone_hash(private.phone_key(p_recipient_phone))
  ], null);
end;
$$;

-- The parcels after p_since that an account or one of these phones (private.phone_hashes) did not pay at the door, and that the shop has
-- not forgiven.
create or replace function private.refused_parcels(p_user_id uuid, p_phones text[], p_since timestamptz)
returns setof public.cash_refusals
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select * from public.cash_refusals r
  where (r.user_id = p_user_id or r.phone_hash = any (p_phones) or r.recipient_hash = any (p_phones))
    and r.forgiven_at is null and r.created_at > p_since;
end;
$$;

-- Why these products cannot be paid at the door by this customer; null: they can. p_without is an open order of the customer's that
-- does not count, because it is this one. With p_locks, of two orders at once the second waits for the first. Without them it is a
-- question, which says nothing of a phone that no order of this account has had: it may be anybody's.
--   account      the account has no confirmed e-mail address
--   refused      the account, its phone or the recipient's did not pay a parcel at the door (p_cash.refused_days)
--   too_little, too_much  the total is outside of p_cash.min_paise and max_paise
--   pin          the PIN code begins with none of p_cash.pins
--   product      a product is sold paid online only
--   phone        the phone cannot be called in India
--   open_orders  the account, phone or network has as many cash orders open as cost_limits allow, or the shop has; or as many advances
--                went back, of orders that the shop could not confirm
--   no_mail      no mail is left for strangers today, and the order's mail would be one, because nothing is paid before
create or replace function private.cash_refusal(
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
  v_is_own constant boolean := p_locks
    or exists (select 1 from public.orders o where o.user_id = p_user_id and o.phone_key = v_phone);
  v_keys constant jsonb := private.cost_keys(p_user_id::text, p_network, case when v_is_own then v_phone end);
  v_advance constant bigint := private.cash_advance(p_total_paise, p_cash);
  v_this public.orders;
  v_this_keys jsonb;
begin
  if private.confirmed_email(p_user_id) is null then
    return 'account';
  elsif exists (
    select 1 from private.refused_parcels(
      p_user_id,
      case when v_is_own then private.phone_hashes(p_customer ->> 'phone', p_customer ->> 'recipient_phone') end,
      now() - make_interval(days => (p_cash ->> 'refused_days')::integer)
    )
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
    select 1 from public.products p where p.id = any (p_ids) and private.is_paid_online_only(p)
  ) then
    return 'product';
  elsif not private.is_indian_phone(p_customer ->> 'phone') then
    return 'phone';
  end if;
  if p_locks then
    perform private.cost_refusal('cash_order', v_keys);
  end if;
  select * into v_this from public.orders where id = p_without and hold_state = 'reserved';
  v_this_keys := private.cost_keys(v_this.user_id::text, v_this.network, v_this.phone_key);
  return case
    when exists (
      select 1 from private.cost_left('cash_order', v_keys, 1, clock_timestamp()) l
      where l.units_left + case when v_this.id is not null and v_this_keys ->> l.scope = v_keys ->> l.scope then 1 else 0 end < 1
    ) then 'open_orders'
    when v_advance > 0 and exists (
      select 1 from private.cost_left('fee_lost', v_keys, 1, clock_timestamp()) l where l.again_at is not null
    ) then 'open_orders'
    -- The mail of an open order is sent.
    when p_locks and v_this.id is null and v_advance = 0
      and not private.has_mail_left() then 'no_mail'
  end;
end;
$$;

drop function private.lost_cash(public.orders);

-- Whether an order could not be placed for cash any more when its advance comes: since then its customer did not pay a parcel at the
-- door, or as many cash orders are open as cost_limits allow, because an order counts only with its advance. One that has to take its
-- stock again (p_again) may also have a product that is sold paid online only now. Without the locks of private.cost_refusal, which
-- come after those of products: payments at the same moment may open one order more.
create function private.lost_cash(p_order public.orders, p_again boolean)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
declare
  v_keys constant jsonb := private.cost_keys(p_order.user_id::text, p_order.network, p_order.phone_key);
begin
  return p_order.cash_paise > 0 and (
    exists (
      select 1 from private.refused_parcels(
        p_order.user_id, private.phone_hashes(p_order.customer_phone, p_order.recipient_phone), p_order.created_at
      )
    )
    or p_again and exists (
      select 1 from jsonb_to_recordset(p_order.items) item (product_id uuid)
      join public.products p on p.id = item.product_id
      where private.is_paid_online_only(p)
    )
    or exists (select 1 from private.cost_left('cash_order', v_keys, 1, clock_timestamp()) l where l.again_at is not null)
  );
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
  elsif private.lost_cash(p_order, p_is_late or not v_holds) then
    return 'cash_order_ended';
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

drop function public.confirm_cash_order(bigint, integer);

-- Confirms a reserved order: it is sold, and can be packed. Mails the customer. Returns {outcome}: confirmed; already;
-- not_found; ended (it is no order that waits for this); refunded (its advance went back); outdated (the order has changed since
-- p_revision, the updated_at that the admin has read; null skips the check).
create function public.confirm_cash_order(p_order_id bigint, p_low_stock_below integer, p_revision timestamptz default null)
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
  elsif private.is_advance_returned(v_order) then
    return jsonb_build_object('outcome', 'refunded');
  elsif p_revision <> v_order.updated_at then
    return jsonb_build_object('outcome', 'outdated');
  end if;
  perform private.push_running_out(v_order, p_low_stock_below);
  update public.orders set hold_state = 'taken', cash_confirmed_at = clock_timestamp() where id = p_order_id;
  insert into public.outbox (kind, recipient, order_id, dedupe_key)
  values ('cash_order_confirmed', v_order.customer_email, p_order_id, 'cash_order_confirmed:' || p_order_id)
  on conflict (dedupe_key) do nothing;
  return jsonb_build_object('outcome', 'confirmed');
end;
$$;

grant execute on function public.confirm_cash_order to service_role;

-- Ends up to p_limit orders that the shop did not confirm in time, and returns how many: their stock comes back, and so does an
-- advance, whose fee is lost: it counts as such, because nobody answered.
create or replace function public.end_unconfirmed_orders(p_limit integer)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ids bigint[];
  v_order public.orders;
begin
  select coalesce(array_agg(o.id), '{}') into v_ids from (
    select id from public.orders
    where hold_state = 'reserved' and hold_expires_at <= clock_timestamp()
    order by id
    limit p_limit
    for update skip locked
  ) o;
  perform private.lock_products_of_orders(v_ids);
  for v_order in select * from public.orders where id = any (v_ids) order by id loop
    perform private.end_cash_order(v_order, 'not_confirmed', true, true, 'shop');
    if v_order.advance_payment_id is not null then
      perform private.record_cost(
        'fee_lost', private.cost_keys(v_order.user_id::text, v_order.network, v_order.phone_key)
      );
    end if;
  end loop;
  return cardinality(v_ids);
end;
$$;

-- Records that a sent order was not paid at the door and comes back. Its stock returns if p_restock; p_return_advance says whether an
-- advance goes back. A credit note follows for its invoice. The account and the phone are remembered. Returns {outcome}: refused;
-- already; not_found; paid (its cash is there: refund it instead); not_sent (there is no parcel that is paid at the door).
create or replace function public.refuse_cash_order(p_order_id bigint, p_reason text, p_restock boolean, p_return_advance boolean)
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
  insert into public.cash_refusals (order_id, user_id, phone_hash, recipient_hash, reason)
  values (
    p_order_id, v_order.user_id, private.phone_hash(v_order.phone_key),
    private.phone_hash(private.phone_key(v_order.recipient_phone)), left(coalesce(p_reason, ''), 200)
  )
  on conflict (order_id) do nothing;
  return jsonb_build_object('outcome', 'refused');
end;
$$;

-- Updates an open order with the latest details and key. Of one that waits for the shop's word it records what is different and tells
-- the admin, once a day: the shop may have called already.
create or replace function private.reuse_order(p_order_id bigint, p_key uuid, p_customer jsonb)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_before jsonb;
  v_order public.orders;
begin
  select to_jsonb(o) into v_before from public.orders o where o.id = p_order_id;
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
  if v_order.hold_state = 'reserved' then
    insert into public.order_changes (order_id, field, old_value, new_value, changed_by)
    select p_order_id, f.field, f.before, f.after, 'customer'
    from (
      select key as field, coalesce(v_before ->> key, '') as before, coalesce(value #>> '{}', '') as after
      from jsonb_each(to_jsonb(v_order))
      where key in (
        'customer_name', 'customer_phone', 'customer_address', 'customer_city', 'customer_postal_code', 'customer_gstin',
        'recipient_name', 'recipient_phone'
      )
    ) f
    where f.before <> f.after;
    if found then
      perform public.notify_admin(
        'cash_order_changed', '{}', 'cash_order_changed:' || p_order_id || ':' || private.india_date(now()), p_order_id
      );
    end if;
  end if;
  return v_order;
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
-- p_cash: the terms of an order that is paid at the door, null for one that is paid now: {whole_rupees, charge_paise, advance_percent or
-- advance_paise, min_paise, max_paise, pins (beginnings of PIN codes; none: all), confirm_seconds, refused_days, key_id (of
-- Razorpay, which says whether it is a test)}. p_fee_bps is then the fee of such an order.
create or replace function public.place_order(
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
    ) + v_order.cash_charge_paise + private.rounding_of(v_order)
    or (p_cash is not null and v_order.cash_paise <> v_order.total_paise - private.cash_advance(v_order.total_paise, p_cash))
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
    elsif v_answer ->> 'reason' = 'no_mail' then
      -- Its alert was rolled back, too.
      perform private.has_mail_left();
    end if;
  end;
  return v_answer;
end;
$$;

-- One order with everything that belongs to it: {order, revision, refundedPaise, openRefund, refundablePaise,
-- payments, refunds, mails, changes, facts, customer}, or null. `facts` is private.tax_facts, `customer`
-- private.customer_order_rank.
create or replace function public.read_order(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'order', to_jsonb(o) - 'search_text',
      'revision', o.updated_at,
      'refundedPaise', private.refunded_paise(o),
      'openRefund', private.open_refund_state(o),
      'refundablePaise', coalesce(private.unrefunded_paise(o), 0),
      'payments', coalesce((
        select jsonb_agg(jsonb_build_object(
          'paymentId', p.payment_id, 'amountPaise', p.amount_paise, 'state', p.state, 'reason', p.reason,
          'at', p.created_at, 'lostPaise', p.lost_paise
        ) order by p.created_at, p.payment_id)
        from public.payments p where p.order_id = o.id
      ), '[]'),
      'refunds', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', r.id, 'paymentId', r.payment_id, 'amountPaise', r.amount_paise, 'state', r.state, 'reason', r.reason,
          'lastError', r.last_error, 'razorpayRefundId', r.razorpay_refund_id, 'at', r.created_at,
          'triedAt', r.updated_at, 'nextTryAt', r.next_attempt_at,
          'disputed', private.awaits_bank(r)
        ) order by r.id)
        from public.refunds r where r.order_id = o.id
      ), '[]'),
      'mails', coalesce((
        select jsonb_agg(jsonb_build_object(
          'kind', m.kind, 'recipient', m.recipient, 'at', m.created_at, 'sentAt', m.sent_at, 'attempts', m.attempts,
          'lastError', m.last_error
        ) order by m.id)
        from public.outbox m where m.order_id = o.id and m.kind <> 'push'
      ), '[]'),
      'changes', coalesce((
        select jsonb_agg(jsonb_build_object(
          'field', c.field, 'oldValue', c.old_value, 'newValue', c.new_value, 'at', c.created_at,
          'by', c.changed_by
        ) order by c.id)
        from public.order_changes c where c.order_id = o.id
      ), '[]'),
      'facts', private.tax_facts(o),
      'customer', private.customer_order_rank(o.id)
    )
    from public.orders o
    where o.id = p_order_id
  );
end;
$$;

-- What the admin sees beside a cash order: {refusals: [{orderId, at, reason}]} of its account and phone, newest first, that are not
-- forgiven, its own included.
create or replace function public.read_cash_order(p_order_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object('refusals', coalesce((
    select jsonb_agg(jsonb_build_object('orderId', r.order_id, 'at', r.created_at, 'reason', r.reason) order by r.created_at desc)
    from public.cash_refusals r
    where r.forgiven_at is null and (r.order_id = o.id or r.id in (
      select p.id from private.refused_parcels(
        o.user_id, private.phone_hashes(o.customer_phone, o.recipient_phone), '-infinity'
      ) p
    ))
  ), '[]'))
  from public.orders o
  where o.id = p_order_id;
$$;
