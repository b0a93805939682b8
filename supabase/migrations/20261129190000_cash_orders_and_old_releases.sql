-- What an order at the door promises, and what one caller may take: the shop confirms what it has read, an advance and a recipient's phone
-- count, no key has more than half of what all have, and cash orders have a share of mails of their own. A test order is no purchase, an
-- image that a review has no more goes at once, and an account that is deleted waits for its orders. The site of 1.3.2 confirms without a
-- revision, and reads the words that it does not know as "not possible".
--
-- What served sites of releases before 1.3.1 ends: their rate limits, their cancellations, which were empty, and the maximum of a hold as a
-- parameter. The site of 1.3.2 calls none of it. It still passes limits to count_login_attempt and a term of own_cancellations to forget.

alter table public.cash_refusals add column recipient_hash text;
alter table public.order_changes
add column changed_by text not null default 'shop' check (changed_by in ('shop', 'customer'));
alter table public.pictures add column of_review boolean not null default false;

update public.cost_limits set most = 1800 where effect = 'last_unit' and scope in ('network', 'shared');
update public.cost_limits set seconds = 3600 where effect = 'order_form' and scope in ('network', 'shared');
insert into public.cost_limits (effect, scope, seconds, most, refills)
select 'cash_mail', scope, seconds, most, refills from public.cost_limits where effect = 'stranger_mail';

-- Written by npm run migration
drop function private.lost_cash(public.orders);
drop function private.place_cart(uuid,uuid,uuid[],text[],integer[],text,jsonb,bigint,integer,integer,integer,integer,text[],text,text,bigint,jsonb);
drop function public.confirm_cash_order(bigint,integer);
drop function public.count_login_attempt(text,text,integer,integer,integer);
drop function public.place_order(uuid,uuid,jsonb,jsonb,bigint,integer,integer,integer,integer,text[],text,text,bigint,jsonb);
drop function public.unused_pictures(integer);

create or replace function private.is_wanted(p_mail public.outbox)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return case p_mail.kind
    when 'cart_mail' then exists (
      select 1 from public.orders o where o.id = p_mail.order_id and private.is_left_cart(o)
    )
    when 'review_request' then exists (
      select 1 from public.orders o
      where o.id = p_mail.order_id and o.review_request = 'asked' and o.paid and not o.is_test
        and not o.erase_pending
    )
    else true
  end;
end;
$$;

create function private.record_cost(p_effect text, p_keys jsonb)
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

create or replace function public.count_cost(p_effect text, p_account text default null, p_network text default null)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if p_effect in ('sign_up_mail', 'login_mail') then
    return public.count_code_mail(p_account::uuid, coalesce(p_network, 'ip:unknown'));
  elsif not exists (select 1 from public.cost_limits l where l.effect = p_effect) then
    raise exception 'there is no effect %', p_effect using errcode = '22023';
  end if;
  -- Most forms cause a mail.
  if p_effect = 'form_try' and private.takes_too_much(p_effect, private.cost_keys(p_account, p_network), 'stranger_mail') then
    return false;
  end if;
  return private.count_cost(p_effect, private.cost_keys(p_account, p_network)) is null;
end;
$$;

create function private.has_bought(p_user_id uuid)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.orders o where o.user_id = p_user_id and o.paid and not o.is_test and o.replaces is null
  );
end;
$$;

create function private.mail_share(p_user_id uuid, p_is_cash boolean)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return case
    when private.has_bought(p_user_id) then 'customer_mail'
    when p_is_cash then 'cash_mail'
    else 'stranger_mail'
  end;
end;
$$;

create function private.takes_too_much(p_effect text, p_keys jsonb, p_share text)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
declare
  v_left constant double precision := (
    select min(l.units_left) from private.cost_left(p_share, private.cost_keys(null), 1, clock_timestamp()) l
  );
begin
  return exists (
    select 1 from jsonb_each_text(p_keys) k
    where k.key in ('network', 'shared') and greatest(v_left, 3) <= (
      select count(*) from public.costs c
      where c.effect = p_effect and c.scope = k.key and c.key = k.value and c.at > clock_timestamp() - interval '1 day'
    )
  );
end;
$$;

create or replace function private.count_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_share constant text := coalesce((
    select private.mail_share(o.user_id, true) from public.orders o where o.id = new.order_id and o.cash_paise > 0
  ), 'stranger_mail');
begin
  if new.kind in ('push', 'admin_alert', 'refund_alert', 'refund_notice', 'back_in_stock') or new.sent_at is not null
    or (new.order_id is not null and not private.is_strangers_order(new.order_id))
  then
    return null;
  elsif new.kind in ('order_notice', 'cash_order_ended') then
    -- They follow a mail that had room, and an order must end without room, too. Without the lock of private.cost_refusal, because
    -- the sweep ends several, and each locks its products.
    perform private.record_cost(v_share, private.cost_keys(null));
  elsif private.count_cost(v_share, private.cost_keys(null)) is not null then
    raise exception 'no mail is left for strangers today' using errcode = 'KS003';
  end if;
  return null;
end;
$$;

create or replace function public.count_code_mail(p_user_id uuid, p_network text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_keys constant jsonb := private.cost_keys(p_user_id::text, p_network);
  v_share constant text := private.mail_share(p_user_id, false);
begin
  if private.cost_refusal('code_mail', v_keys) is not null or private.takes_too_much('code_mail', v_keys, v_share) or not private.has_mail_left(v_share) then
    return false;
  end if;
  perform private.count_cost('code_mail', v_keys);
  perform private.count_cost(v_share, private.cost_keys(null));
  return true;
end;
$$;

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
    and o.total_paise = private.total_with_fee(v_subtotal - o.discount_paise, p_fee_bps) + v_charge + private.rounding_of(o)
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
  v_total := private.cash_amount(private.total_with_fee(v_subtotal - v_discount, p_fee_bps) + v_charge, p_cash);
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

create function public.place_order(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_lines jsonb,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_fee_bps integer,
  p_hold_seconds integer,
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
  if p_max_units is null or p_max_units < 1 then
    raise exception 'max_units must not be below 1' using errcode = '22023';
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
      p_fee_bps, p_hold_seconds, p_max_units, p_blank, p_discount_code, p_network, p_reduction_paise,
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
      perform private.has_mail_left(private.mail_share(p_user_id, true));
    end if;
  end;
  return v_answer;
end;
$$;

create or replace function public.place_admin_order(
  p_key uuid, p_lines jsonb, p_customer jsonb, p_channel text, p_hand_over boolean, p_expected_total_paise bigint,
  p_fee_bps integer, p_hold_seconds integer, p_method text, p_reference text, p_token text,
  p_reduction_paise bigint default 0
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_answer jsonb;
begin
  if p_key is null or p_hand_over is null or coalesce(p_method, 'cash') not in ('cash', 'upi', 'bank')
    or (p_method is null) <> (p_token is not null)
  then
    raise exception 'an order needs a key, a way of payment, and a token when it is paid by link' using errcode = '22023';
  end if;
  -- One call per key at a time, so that two clicks make one order.
  perform pg_advisory_xact_lock(hashtextextended('place_admin_order:' || p_key, 0));
  select * into v_order from public.orders where admin_key = p_key;
  if found then
    return private.order_result(
      case when v_order.payment_id is not null or v_order.hold_state = 'held' then 'already' else 'expired' end, v_order
    );
  end if;

  v_answer := public.place_order(
    null, p_key, p_lines, p_customer, p_expected_total_paise, p_fee_bps, p_hold_seconds,
    p_blank => array['email']
      || case when p_hand_over then array['address', 'city', 'postal_code'] end
      || case when p_hand_over and p_method is not null then array['phone'] end,
    p_reduction_paise => p_reduction_paise
  );
  if v_answer ->> 'outcome' <> 'placed' then
    return v_answer;
  end if;
  update public.orders
  set admin_key = p_key,
      channel = p_channel,
      hand_over = p_hand_over,
      pay_token = p_token,
      customer_email = nullif(btrim(customer_email), '')
  where id = (v_answer #>> '{order,id}')::bigint
  returning * into v_order;
  if p_method is not null then
    perform private.complete_order(v_order, 'hand_' || v_order.id, p_method, nullif(btrim(p_reference), ''));
  end if;
  return v_answer;
end;
$$;

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

create index cash_refusals_recipient_hash_idx on public.cash_refusals (recipient_hash);

create function private.phone_hashes(p_phone text, p_recipient_phone text)
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

create function private.refused_parcels(p_user_id uuid, p_phones text[], p_since timestamptz)
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
    ) then 'refused'
    -- The mail of an open order is sent.
    when p_locks and v_this.id is null and v_advance = 0
      and not private.has_mail_left(private.mail_share(p_user_id, true)) then 'no_mail'
  end;
end;
$$;

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
  elsif exists (
    select 1 from public.orders o where o.replaces = p_order_id and o.fulfilment in ('new', 'packed')
  ) then
    return jsonb_build_object('outcome', 'replaced');
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

create or replace function private.is_claimable(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return p_order.sold and (p_order.fulfilment = 'delivered' or (p_order.fulfilment = 'shipped' and p_order.paid));
end;
$$;

create or replace function private.follow_review()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_before jsonb := case when tg_op <> 'INSERT' and old.state = 'published' then to_jsonb(old) - 'order_id' end;
  v_after jsonb := case when tg_op <> 'DELETE' and new.state = 'published' then to_jsonb(new) - 'order_id' end;
  v_image_before text := case when tg_op <> 'INSERT' then old.image end;
  v_image_after text := case when tg_op <> 'DELETE' then new.image end;
begin
  if v_image_before is distinct from v_image_after then
    delete from public.pictures where path = v_image_after;
    insert into public.pictures (path, dropped_at, of_review)
    select v_image_before, now(), true where v_image_before is not null
    on conflict (path) do update set dropped_at = excluded.dropped_at, of_review = true;
  end if;
  if v_before is distinct from v_after then
    insert into public.product_changes (version, product_id, name, kind)
    select private.next_catalogue_version(), p.id, p.name, 'changed'
    from public.products p
    where p.id = case tg_op when 'DELETE' then old.product_id else new.product_id end
      and not p.hidden and p.deleted_at is null;
  end if;
  return null;
end;
$$;

create or replace function private.review_requests_due(p_days integer, p_limit integer)
returns setof bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select o.id from public.orders o
  where o.fulfilment = 'delivered' and o.review_request is null
    and o.delivered_at <= now() - make_interval(days => p_days)
    and o.delivered_at > now() - make_interval(days => p_days + 30)
    and o.paid and not o.is_test and not o.erase_pending and o.replaces is null and coalesce(btrim(o.customer_email), '') <> ''
    and not exists (select 1 from public.claims c where c.order_id = o.id and c.answer is null)
    and exists (select 1 from private.reviewable_products(o))
  order by o.delivered_at
  limit p_limit;
end;
$$;

create or replace function private.order_to_review(p_order_id bigint, p_link_version integer, p_days integer, p_lock boolean)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  if p_lock then
    perform 1 from public.orders o where o.id = p_order_id for update;
  end if;
  select * into v_order from public.orders o
  where o.id = p_order_id and o.link_version = p_link_version and o.review_request = 'asked' and o.paid
    and not o.is_test and o.fulfilment = 'delivered' and o.delivered_at > now() - make_interval(days => p_days);
  return v_order;
end;
$$;

create function public.unused_pictures(p_limit integer, p_of_reviews boolean default false)
returns setof text
language sql
security definer
stable
set search_path = ''
as $$
  select u.path
  from public.pictures u
  where case
      when p_of_reviews then u.of_review and u.dropped_at is not null
      else coalesce(u.dropped_at + interval '10 minutes', u.uploaded_at + interval '1 day') < now()
    end
    -- Counts instead of `exists`, for which PostgreSQL reads all orders instead of the index.
    and 0 = (select count(*) from public.products p where p.images @> array[u.path])
    and 0 = (select count(*) from public.reviews r where r.image = u.path)
    and 0 = (select count(*) from public.orders o where o.items @> jsonb_build_array(jsonb_build_object('image', u.path)))
    and 0 = (
      select count(*) from public.orders o
      where o.products is not null and o.products @> jsonb_build_array(jsonb_build_object('image', u.path))
    )
  order by coalesce(u.dropped_at, u.uploaded_at)
  limit greatest(p_limit, 0);
$$;

create function public.count_login_attempt(
  p_address text, p_device text, p_limit_per_source integer default null, p_limit_overall integer default null,
  p_window_seconds integer default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_again_at timestamptz;
begin
  if coalesce(p_address, '') = '' then
    raise exception 'an address is required' using errcode = '22023';
  end if;
  v_again_at := private.count_cost('admin_login', private.login_keys(p_address, p_device));
  return jsonb_build_object(
    'allowed', v_again_at is null,
    'retry_after', greatest(1, ceil(extract(epoch from v_again_at - clock_timestamp())))::integer
  );
end;
$$;

create or replace function public.note_sweep(p_stranger_mails integer default null)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- A setting that is too small must not stop the heartbeat.
  v_mails constant integer := case when p_stranger_mails is not null then greatest(p_stranger_mails, 12) end;
begin
  insert into public.heartbeats (name, last_at) values ('sweep', clock_timestamp())
  on conflict (name) do update set last_at = excluded.last_at;
  update public.cost_limits l set most = shares.most
  from (values ('stranger_mail', v_mails), ('cash_mail', v_mails), ('customer_mail', v_mails / 2)) shares (effect, most)
  where l.effect = shares.effect and l.most <> shares.most;
  delete from public.costs c
  where c.at < clock_timestamp() - make_interval(secs => coalesce((
    select max(l.seconds) from public.cost_limits l where l.effect = c.effect
  ), 0));
end;
$$;

create or replace function public.shop_health()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    with newest_payment as (
      select p.payment_id, p.created_at from public.payments p
      where p.created_at between clock_timestamp() - interval '7 days' and clock_timestamp() - interval '1 hour'
        -- Razorpay may report another site's payment to that site only.
        and p.state <> 'foreign'
      order by p.created_at desc
      limit 1
    ), oldest_mail as (
      select min(m.created_at) as created_at from public.outbox m
      where m.sent_at is null and m.attempts < 20 and m.kind <> 'push'
        and (m.last_error is null or m.last_error like 'unreachable %')
    )
    select jsonb_build_object(
      'sweep_at', (select h.last_at from public.heartbeats h where h.name = 'sweep'),
      'sweep_expected_since', (select h.since from public.heartbeats h where h.name = 'sweep'),
      'forget_at', (select h.last_at from public.heartbeats h where h.name = 'forget'),
      'forget_expected_since', (select h.since from public.heartbeats h where h.name = 'forget'),
      'outbox_waiting', (
        select count(*) from public.outbox m where m.sent_at is null and m.attempts < 20 and m.kind <> 'push'
      ),
      'outbox_given_up', (
        select count(*) from public.outbox m where m.sent_at is null and m.attempts >= 20 and m.kind <> 'push'
      ),
      'outbox_stuck_since', (
        select m.created_at from oldest_mail m
        where m.created_at < clock_timestamp() - interval '15 minutes'
          and not exists (select 1 from public.outbox s where s.sent_at > m.created_at and s.kind <> 'push')
      ),
      'mail_refused_since', private.mail_out_since(15),
      'mail_refused_by', (select m.scope from public.mail_server m where private.mail_out_since(15) is not null),
      'mail_refusal', (select m.refusal from public.mail_server m where private.mail_out_since(15) is not null),
      'sign_ups_refused', (
        select count(*) from private.cost_uses(
          'sign_up_refused', 'all', '', clock_timestamp() - interval '1 hour', clock_timestamp()
        )
      ),
      'mails_used_up', exists (
        select 1
        from (values ('stranger_mail'), ('cash_mail'), ('customer_mail')) share (effect)
        cross join private.cost_left(share.effect, private.cost_keys(null), 1, clock_timestamp()) l
        where l.again_at is not null
      ),
      'webhook_at', (select max(e.received_at) from public.webhook_events e),
      'webhook_missing_since', (
        select p.created_at from newest_payment p
        where not exists (select 1 from public.webhook_events e where e.payment_id = p.payment_id)
          and ((select max(e.received_at) from public.webhook_events e) > p.created_at) is not true
      )
    )
  );
end;
$$;

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
          'payment_id', o.payment_id, 'paid_at', o.paid_at,
          'cash_paise', o.cash_paise, 'cash_charge_paise', o.cash_charge_paise,
          'advance_payment_id', o.advance_payment_id, 'cash_confirmed_at', o.cash_confirmed_at)
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
        'new_value', c.new_value, 'changed_by', c.changed_by, 'created_at', c.created_at) order by c.id)
      from public.order_changes c where c.order_id = any (v_orders) and c.field <> 'admin_note'),
    'payments', (
      select jsonb_agg(jsonb_build_object('payment_id', p.payment_id, 'order_id', p.order_id,
        'amount_paise', p.amount_paise, 'state', p.state, 'created_at', p.created_at) order by p.created_at)
      from public.payments p where p.order_id = any (v_orders)),
    'refunds', (
      select jsonb_agg(jsonb_build_object('payment_id', r.payment_id, 'order_id', r.order_id,
        'amount_paise', r.amount_paise, 'state', r.state, 'created_at', r.created_at) order by r.id)
      from public.refunds r where r.order_id = any (v_orders)),
    'cash_refusals', (
      select jsonb_agg(jsonb_build_object('order_id', r.order_id, 'created_at', r.created_at,
        'forgiven_at', r.forgiven_at) order by r.id)
      from public.cash_refusals r where r.order_id = any (v_orders) or r.user_id = p_user_id),
    'claims', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'created_at', c.created_at, 'message', c.message,
        'answer', c.answer, 'answered_at', c.answered_at, 'reason', c.reason,
        'files', (select count(*) from public.claim_files f where f.claim_id = c.id and not f.removing)) order by c.id)
      from public.claims c where c.order_id = any (v_orders)),
    'reviews', (
      select jsonb_agg(jsonb_build_object('order_id', r.order_id, 'product', p.name, 'created_at', r.created_at,
        'stars', r.stars, 'words', r.words, 'name', r.name, 'town', r.town, 'image', r.image, 'state', r.state,
        'answer', r.answer) order by r.id)
      from public.reviews r join public.products p on p.id = r.product_id where r.order_id = any (v_orders)),
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
    'cart_mails', (
      select jsonb_build_object('refused_at', r.refused_at)
      from public.cart_mail_refusals r where r.address_hash = private.address_hash(p_email)),
    'order_forms', (
      select jsonb_agg(f.fields || jsonb_build_object('sent_at', f.created_at) order by f.id)
      from public.form_entries f where lower(f.fields ->> 'email') = p_email)
  );
end;
$$;

create or replace function public.delete_account(p_user_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- In the LOCK ORDER of `orders.sql`.
  perform 1 from public.orders where user_id = p_user_id order by id for update;
  delete from auth.users where id = p_user_id;
  return found;
end;
$$;

create or replace function public.erase_address(p_email text)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_account uuid := private.account_of(p_email);
  v_kept integer;
begin
  -- In the LOCK ORDER of `orders.sql`.
  perform 1 from public.orders where user_id = v_account order by id for update;
  -- Counted first, because the orders are detached from the account below.
  select count(*) into v_kept
  from public.orders o
  where (o.user_id = v_account or (o.user_id is null and lower(o.customer_email) = lower(p_email)))
    and not (o.stage in ('unpaid', 'cancelled', 'other') and private.is_forgettable(o));
  perform private.forget_person(v_account, lower(p_email));
  delete from auth.users where id = v_account;
  return v_kept;
end;
$$;

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

create or replace function public.forget(p_terms jsonb, p_limit integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- Orders first, by the lock order.
  v_subjects constant text[] := array[
    'unpaid_orders', 'paid_orders', 'erased_orders', 'delivered_orders', 'claim_words', 'unpublished_reviews', 'cash_refusals',
    'order_networks', 'unconfirmed_accounts', 'auth_log', 'order_forms', 'contact_messages', 'newsletter_requests', 'stock_alert_requests', 'stock_alerts', 'sent_mails', 'mail_records', 'unsent_mails', 'notifications', 'devices',
    'admin_sessions', 'failed_payments', 'payment_events', 'comparisons', 'catalogue_changes'
  ];
  v_terms constant jsonb := jsonb_build_object(
    'erased_orders', 1, 'delivered_orders', 180, 'claim_words', 365, 'unpublished_reviews', 365, 'cash_refusals', 180,
    'unconfirmed_accounts', 30, 'auth_log', 30
  ) || p_terms;
  v_now timestamptz := clock_timestamp();
  v_subject text;
  v_count integer;
  v_most integer := 0;
  v_forgotten jsonb := '{}';
begin
  if p_limit is null or p_limit not between 1 and 10000 or jsonb_typeof(p_terms) is distinct from 'object'
    -- own_cancellations is a subject of release 1.3.2, which ends nothing.
    or exists (select 1 from jsonb_object_keys(p_terms) k where k <> all (v_subjects || 'own_cancellations'::text))
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

create or replace function private.idle_steps(
  p_settings jsonb, p_claim_days integer, p_review_days integer default null, p_cart_hours integer default null
)
returns text[]
language plpgsql
stable
set search_path = ''
as $$
declare
  v_now constant timestamptz := clock_timestamp();
begin
  return (
    select coalesce(array_agg(steps.name) filter (where not steps.is_due), '{}')
    from (values
      -- alertOfSilence: a sweep that comes late looks at how late it is.
      ('silence', not exists (
        select 1 from public.heartbeats h where h.name = 'sweep' and h.last_at > v_now - interval '15 minutes'
      ) or public.shop_health() ->> 'webhook_missing_since' is not null),
      -- probe_mail_server
      ('mail server', exists (select 1 from public.mail_server m where m.is_out)),
      -- queue_dispute_reminders
      ('disputes', exists (select 1 from private.disputes_due(1))),
      -- set_shop_settings
      ('settings', not exists (select 1 from public.shop_settings s where to_jsonb(s) @> p_settings)),
      -- queue_back_in_stock
      ('back in stock', exists (
        select 1 from public.stock_alerts a
        cross join lateral (select * from public.products w where w.id = a.product_id offset 0) p
        where a.confirmed_at is not null and p.stock > 0 and not p.hidden and p.deleted_at is null
          and case
            when a.size is null or p.sizes = '[]' then true
            else private.stock_of_line(p.stock, p.sizes, a.size) > 0
          end
      )),
      -- queue_review_requests
      ('review requests', exists (select 1 from private.review_requests_due(p_review_days, 1))),
      -- end_unconfirmed_orders
      ('cash orders', exists (
        select 1 from public.orders o where o.hold_state = 'reserved' and o.hold_expires_at <= v_now
      )),
      -- queue_cart_mails
      ('cart mails', exists (select 1 from private.left_carts_due(p_cart_hours, 1))),
      -- claim_refunds
      ('refunds', exists (
        select 1 from public.refunds r where r.state = 'due' and r.next_attempt_at <= v_now and not private.awaits_bank(r)
      )),
      -- claim_outbox
      ('outbox', exists (
        select 1 from public.outbox m
        where m.sent_at is null and m.next_attempt_at <= v_now and m.attempts < 20
          and (m.kind <> 'push' or m.created_at > v_now - interval '1 day')
      )),
      -- refunds_to_poll
      ('poll refunds', exists (
        select 1 from public.refunds r
        where (r.state = 'requested' or (r.state = 'failed' and r.unanswered > 0)) and r.next_attempt_at <= v_now
      )),
      ('payment origins', exists (select 1 from public.payments_of_unknown_origin(1))),
      -- orders_to_check
      ('sweep', exists (
        select 1 from public.orders o
        where o.next_check_at <= v_now and o.payment_id is null and o.advance_payment_id is null
          and o.status in ('PENDING', 'FAILED') and o.payment_status in ('PENDING', 'FAILED')
      )),
      -- next_reconciliation
      ('reconcile', exists (select 1 from public.reconciliations r where r.finished_at is null)
        or exists (select 1 from public.provider_health h where h.reconcile and h.unreachable_since is null)
        or not exists (select 1 from public.reconciliations r where r.finished_at > v_now - interval '24 hours')),
      -- Its last look holds (note_catalogue_rest), no product ends (end_deleted_products), and no image is unused.
      ('catalogue', not exists (
        select 1 from public.heartbeats h
        where h.name = 'sweep' and h.rest ->> 'state' = private.catalogue_state()
          and coalesce((h.rest ->> 'until')::timestamptz > v_now, true)
          and not ((h.rest ->> 'complete')::boolean and exists (select 1 from public.unused_pictures(1)))
      ) or exists (select 1 from public.unused_pictures(1, true))
      or exists (select 1 from public.products p where p.deleted_at < v_now - interval '30 days')),
      ('credit notes', exists (select 1 from public.credit_notes_due(1))),
      -- take_due_claim_files
      ('claim files', exists (
        select 1 from public.claim_files f
        where f.removing or (f.created_at < v_now - interval '2 days' and (f.claim_id is null or exists (
          select 1 from public.claims c
          where c.id = f.claim_id and (
            c.created_at < v_now - interval '2 years'
            or c.answered_at < v_now - make_interval(days => coalesce(p_claim_days, 0))
          )
        )))
      )),
      ('forget', not exists (
        select 1 from public.heartbeats h where h.name = 'forget' and h.last_at > v_now - interval '20 hours'
      ))
    ) steps (name, is_due)
  );
end;
$$;

grant execute on function public.confirm_cash_order(bigint,integer,timestamp with time zone) to service_role;
grant execute on function public.count_login_attempt(text,text,integer,integer,integer) to service_role;
grant execute on function public.place_order(uuid,uuid,jsonb,jsonb,bigint,integer,integer,integer,text[],text,text,bigint,jsonb) to service_role;
grant execute on function public.unused_pictures(integer,boolean) to service_role;

drop function private.hit_rate_limit(text,integer,integer);
drop function public.hit_rate_limits(text[],integer[],integer[]);
-- end

drop table public.own_cancellations, public.rate_limits;
