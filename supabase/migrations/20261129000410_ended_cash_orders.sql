-- Mends what 1.3.0 missed in orders that are paid at the door: an invoice of one that ends before its cash comes gets a credit note;
-- a refund, a dispute, a late advance and the limits of refunds and orders see the advance; mails that nobody waits for are asked about
-- again when they are sent; what erasure left; which order a row of a courier's list pays; mails of orders that strangers make. Functions
-- keep their arguments, and what they return has new keys at most, so the site of before works on it: its rows of a list have no
-- order_reference, and get not_found for a parcel with several orders.

create index if not exists orders_unpaid_sale_idx on public.orders (id)
where cash_paise > 0 and fulfilment = 'cancelled' and payment_id is null;

insert into public.cost_limits (effect, scope, seconds, most)
values ('cash_order', 'account', 604800, 3), ('cash_order', 'phone', 604800, 3)
on conflict do nothing;

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
      where o.id = p_mail.order_id and o.review_request = 'asked' and o.paid and not o.erase_pending
    )
    else true
  end;
end;
$$;

create or replace function public.claim_outbox(p_limit integer, p_lease_seconds integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform private.check_lease(p_limit, p_lease_seconds);
  delete from public.outbox m
  where m.sent_at is null and m.next_attempt_at <= v_now and (m.locked_until is null or m.locked_until <= v_now)
    and not private.is_wanted(m);
  return query
  with due as (
    select m.id from public.outbox m
    where m.sent_at is null
      and m.next_attempt_at <= v_now
      and (m.locked_until is null or m.locked_until <= v_now)
      and m.attempts < 20
      and (m.kind <> 'push' or m.created_at > v_now - interval '1 day')
    order by m.priority, m.next_attempt_at, m.id
    limit p_limit
    for update skip locked
  ), leased as (
    update public.outbox m
    set locked_until = v_now + make_interval(secs => p_lease_seconds),
        -- Counted before sending, so that a mail that crashes its sender is not retried for ever.
        attempts = attempts + 1
    from due
    where m.id = due.id
    returning m.*
  )
  select jsonb_build_object(
    'id', l.id,
    'kind', l.kind,
    'recipient', l.recipient,
    'payload', l.payload,
    'dedupe_key', l.dedupe_key,
    'order', to_jsonb(o),
    'subscription', to_jsonb(s)
  )
  from leased l
  left join public.orders o on o.id = l.order_id
  left join public.push_subscriptions s on l.kind = 'push' and s.id::text = l.recipient
  order by l.priority, l.id;
end;
$$;

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
  elsif p_effect = 'cash_order' and p_since < p_now then
    -- Those of a network, which an order keeps for a day; of an account or phone, those that the shop did not confirm, so that nobody
    -- keeps a last unit by ordering it again and again. Nothing is sent before an advance is paid.
    return query
    select o.created_at, 1::double precision, 0::double precision
    from public.orders o
    where o.created_at > p_since and o.cash_paise > 0 and (o.advance_payment_id is not null or o.cash_paise = o.total_paise)
      and case p_scope
        when 'account' then o.cash_confirmed_at is null and o.user_id::text = p_key
        when 'phone' then o.cash_confirmed_at is null and private.phone_hash(o.phone_key) = p_key
        else o.network is not null and private.cost_keys(null, o.network) ->> p_scope = p_key
      end;
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

create or replace function private.is_strangers_order(p_order_id bigint)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.orders o
    where o.id = p_order_id
      and not (o.paid or o.paid_at is not null or o.admin_key is not null or o.replaces is not null
        or o.cash_confirmed_at is not null)
      and not exists (select 1 from public.payments p where p.order_id = o.id)
  );
end;
$$;

create or replace function private.address_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.recipient is not null and new.kind <> 'push' and private.is_strangers_order(new.order_id) then
    new.recipient := (select private.confirmed_email(o.user_id) from public.orders o where o.id = new.order_id);
    if new.recipient is null then
      return null;
    end if;
  end if;
  return new;
end;
$$;

create or replace function private.count_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.kind in ('push', 'admin_alert', 'refund_alert', 'refund_notice', 'back_in_stock') or new.sent_at is not null
    or (new.order_id is not null and not private.is_strangers_order(new.order_id))
  then
    return null;
  elsif new.kind in ('order_notice', 'cash_order_ended') then
    -- They follow a mail that had room, and an order must end without room, too. Without the lock of private.cost_refusal, because
    -- the sweep ends several, and each locks its products.
    insert into public.costs (effect, scope) values ('stranger_mail', 'all');
  elsif private.count_cost('stranger_mail', private.cost_keys(null)) is not null then
    raise exception 'no mail is left for strangers today' using errcode = 'KS003';
  end if;
  return null;
end;
$$;

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
    select count(*) filter (where o.paid_at is not null) as paid, count(*) filter (where o.paid_at is null) as open,
      coalesce(sum(o.discount_paise) filter (where o.paid_at is not null), 0) as given
    from public.orders o
    where o.discount_code = c.code and o.hold_state <> 'released' and o.fulfilment <> 'cancelled'
  ) uses;
$$;

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
    ) + v_order.cash_charge_paise
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
    end if;
  end;
  return v_answer;
end;
$$;

create or replace function private.is_disputed(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.payments p
    where p.payment_id in (p_order.payment_id, p_order.advance_payment_id) and p.dispute is not null
      and not private.is_closed_dispute(p.dispute)
  );
end;
$$;

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
        when o.cash_paise = 0 then o.status = 'COMPLETED' and o.paid_at > p_order.created_at
        -- The cash comes long after the order.
        else (o.status = 'COMPLETED' or o.hold_state = 'reserved' or o.sold) and o.created_at > p_order.created_at
      end
  );
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
  elsif v_holds and not p_is_late then
    return null;
  elsif private.lost_cash(p_order) then
    return 'cash_order_ended';
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

create or replace function private.is_advance_returned(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return p_order.payment_id is null and exists (
    select 1 from public.payments p where p.payment_id = p_order.advance_payment_id and p.state = 'refunded'
  );
end;
$$;

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
  -- The part of two that the admin pays back by hand.
  v_by_hand bigint := 0;
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
  -- A failed refund of this amount is tried again, one with an unknown outcome first: its amount is already subtracted, so that a
  -- retry cannot refund too much.
  select r.* into v_failed from public.refunds r
  join public.payments p on p.payment_id = r.payment_id
  where r.order_id = p_order_id and private.is_own_payment(v_order, r.payment_id) and r.state = 'failed'
    and r.amount_paise = p_amount_paise
    and (private.outcome_unknown(r) or private.refundable_paise(p) >= p_amount_paise)
  order by private.outcome_unknown(r) desc, r.id
  limit 1;
  -- A new one comes from one payment if that has enough, by Razorpay rather than by hand. A cash order's advance and its cash may give
  -- a part each.
  select * into v_payment from public.payments p
  where v_order.payment_id is not null and private.is_own_payment(v_order, p.payment_id) and p.order_id = p_order_id
    and p.state in ('accepted', 'refunded')
  order by coalesce(p.payment_id = v_failed.payment_id, false) desc,
    private.refundable_paise(p) >= p_amount_paise desc, private.is_by_hand(p.payment_id), p.payment_id
  limit 1;
  if not found then
    return jsonb_build_object('outcome', 'not_paid');
  end if;
  v_left := private.refundable_paise(v_payment);
  -- Razorpay refunds no less than a rupee.
  if v_left < 100 and not private.is_by_hand(v_payment.payment_id) then
    v_left := 0;
  end if;
  select * into v_rest from public.payments p
  where v_left < p_amount_paise and private.is_own_payment(v_order, p.payment_id) and p.order_id = p_order_id
    and p.payment_id <> v_payment.payment_id and p.state in ('accepted', 'refunded');

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
    v_by_hand := p_amount_paise - v_left;
    perform private.create_admin_refund(v_rest, v_by_hand, left(p_reason, 200), private.second_key(p_key));
  elsif v_left < p_amount_paise then
    v_payment := v_rest;
    v_refund_id := private.create_admin_refund(v_payment, p_amount_paise, left(p_reason, 200), p_key, p_items);
  else
    v_refund_id := private.create_admin_refund(v_payment, p_amount_paise, left(p_reason, 200), p_key, p_items);
  end if;
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'refund_notice', v_order.customer_email, p_order_id,
      jsonb_build_object('payment_id', v_payment.payment_id, 'amount_paise', p_amount_paise, 'by_hand_paise', v_by_hand, 'reason',
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
    if private.unrefunded_paise(v_order) = 0 or private.is_advance_returned(v_order) then
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

create or replace function private.end_cash_order(
  p_order public.orders, p_why text, p_restock boolean, p_return_advance boolean, p_ended_by text
)
returns void
language plpgsql
set search_path = ''
as $$
declare
  -- Some of the advance may have gone back in Razorpay's dashboard.
  v_left constant bigint := coalesce((
    select private.refundable_paise(p) from public.payments p where p.payment_id = p_order.advance_payment_id
  ), 0);
  v_returned constant bigint := case when p_return_advance and v_left >= 100 then v_left else 0 end;
  v_kept constant bigint := case when p_return_advance then 0 else v_left end;
  v_before constant bigint := case when p_order.advance_payment_id is null then 0 else private.online_paise(p_order) - v_left end;
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
      jsonb_build_object(
        'why', p_why, 'returned_paise', v_returned, 'kept_paise', v_kept, 'returned_before_paise', v_before
      ),
      'cash_order_ended:' || p_order.id
    )
    on conflict (dedupe_key) do nothing;
  end if;
end;
$$;

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
  v_by_hand bigint := 0;
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
    v_by_hand := v_by_hand + case when private.is_by_hand(v_own.payment_id) then private.refundable_paise(v_own) else 0 end;
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
        'payment_id', case when v_left > v_by_hand then coalesce(v_order.advance_payment_id, v_order.payment_id) else v_order.payment_id end,
        'amount_paise', v_left, 'by_hand_paise', case when v_left > v_by_hand then v_by_hand else 0 end
      ),
      'order_cancelled:' || p_order_id
    )
    on conflict (dedupe_key) do nothing;
  end if;
  return jsonb_build_object('outcome', 'cancelled');
end;
$$;

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
    or coalesce(private.is_by_hand(v_order.payment_id), false) or private.is_disputed(v_order)
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
  if not private.is_strangers_order(p_order_id) then
    perform public.notify_admin(
      'cancelled_by_customer',
      -- Nothing was paid for a cash order without an advance.
      jsonb_strip_nulls(jsonb_build_object(
        'payment_id', coalesce(v_order.payment_id, v_order.advance_payment_id),
        'amount_paise', nullif(private.online_paise(v_order) - v_kept, 0)
      )),
      'cancelled_by_customer:' || p_order_id, p_order_id
    );
  end if;
  -- The counter of invoices is the last lock.
  if v_kept > 0 then
    perform private.issue_invoice(p_order_id, p_document);
  end if;
  return v_answer;
end;
$$;

create or replace function private.is_paid_online_only(p_product public.products)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return lower(coalesce(nullif(btrim(p_product.attributes ->> 'cash_on_delivery'), ''), 'yes')) <> 'yes';
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
  v_keys constant jsonb := private.cost_keys(p_user_id::text, p_network, v_phone);
  v_this public.orders;
  v_this_keys jsonb;
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
    -- The mail of an open order is sent.
    when p_locks and v_this.id is null and not private.has_mail_left() then 'no_mail'
  end;
end;
$$;

create or replace function private.lost_cash(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
declare
  v_keys constant jsonb := private.cost_keys(p_order.user_id::text, null, p_order.phone_key);
begin
  return p_order.cash_paise > 0 and (
    exists (
      select 1 from public.cash_refusals r
      where (r.user_id = p_order.user_id or r.phone_hash = v_keys ->> 'phone') and r.forgiven_at is null
        and r.created_at > p_order.created_at
    )
    or exists (
      select 1 from jsonb_to_recordset(p_order.items) item (product_id uuid)
      join public.products p on p.id = item.product_id
      where private.is_paid_online_only(p)
    )
    or exists (select 1 from private.cost_left('cash_order', v_keys, 1, clock_timestamp()) l where l.again_at is not null)
  );
end;
$$;

create or replace function public.confirm_cash_order(p_order_id bigint, p_low_stock_below integer)
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
  v_order public.orders;
  v_count integer := 0;
begin
  for v_order in
    select * from public.orders o
    where o.hold_state = 'reserved' and o.hold_expires_at <= clock_timestamp() and not private.is_disputed(o)
    order by o.id
    limit p_limit
    for update skip locked
  loop
    perform private.end_cash_order(v_order, 'not_confirmed', true, true, 'shop');
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;

create or replace function private.receive_cash(p_order public.orders, p_amount_paise bigint, p_reference text)
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
        when exists (
          select 1 from public.refunds r
          where r.order_id = p_order.id and r.state = 'processed' and r.payment_id = p_order.advance_payment_id
        ) then 'PARTIALLY_REFUNDED'
        else 'COMPLETED'
      end,
      payment_id = v_payment_id, payment_method = 'cash',
      payment_reference = v_reference, paid_at = clock_timestamp()
  where id = p_order.id;
  return 'received';
end;
$$;

create or replace function private.tracking_key(p_number text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return upper(regexp_replace(coalesce(p_number, ''), '[\s\u00a0]', '', 'g'));
end;
$$;

create or replace function public.record_remittance(p_rows jsonb, p_save boolean)
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
  with listed as (
    select r.ordinality as place, r.value as entry, private.tracking_key(r.value ->> 'tracking_number') as parcel,
      (r.value ->> 'order_id')::bigint as order_id, lower(coalesce(r.value ->> 'order_reference', '')) as reference
    from jsonb_array_elements(p_rows) with ordinality r
  ), cash as materialized (
    select o.id, private.tracking_key(o.tracking_number) as parcel, lower(o.merchant_transaction_id) as reference,
      o.payment_reference, o.sold and o.payment_id is null as is_open
    from public.orders o
    where o.cash_paise > 0
  ), open_parcels as (
    select c.parcel, count(*) as orders from cash c where c.is_open group by 1
  ), sent as (
    select distinct on (l.place) l.place, c.id, not n.is_named and coalesce(p.orders, 0) > 1 as is_unclear
    from listed l
    join cash c on c.parcel = l.parcel and c.parcel <> ''
    cross join lateral (
      select coalesce(c.id = l.order_id and starts_with(c.reference, l.reference), false) as is_named
    ) n
    left join open_parcels p on p.parcel = c.parcel
    -- Couriers use a number again, and a list may be read again.
    order by l.place, n.is_named desc, coalesce(c.payment_reference = btrim(l.entry ->> 'reference'), false) desc,
      c.is_open desc, c.id desc
  )
  select coalesce(jsonb_agg(l.entry || jsonb_build_object(
    'found', case when s.is_unclear then null else coalesce(s.id, c.id) end, 'is_unclear', coalesce(s.is_unclear, false)
  ) order by l.place), '[]')
  into v_rows
  from listed l
  left join sent s on s.place = l.place
  left join cash c on s.id is null and c.id = l.order_id and starts_with(c.reference, l.reference)
    and '' in (l.parcel, c.parcel);
  perform 1 from public.orders o
  where o.id in (select (r ->> 'found')::bigint from jsonb_array_elements(v_rows) r)
  order by o.id
  for update;
  begin
    for v_row in select r from jsonb_array_elements(v_rows) r loop
      -- Read again: a row before this one may have paid it.
      select * into v_order from public.orders where id = (v_row ->> 'found')::bigint;
      v_outcome := case
        -- Release 1.3.0 sends no order_reference, and does not know this outcome.
        when (v_row ->> 'is_unclear')::boolean and v_row ? 'order_reference' then 'several_orders'
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
      select lower(btrim(coalesce(p.carrier, ''))) as carrier, max(coalesce(p.shipped_at, p.delivered_at)) as last_at
      from public.orders p
      where p.id in (select (d ->> 'order_id')::bigint from jsonb_array_elements(v_done) d)
      group by 1
    ) paid on paid.carrier = lower(btrim(coalesce(o.carrier, '')))
      and coalesce(o.shipped_at, o.delivered_at) <= paid.last_at
    where o.cash_paise > 0 and o.status = 'PENDING' and o.fulfilment in ('shipped', 'delivered') and o.sold
      and o.id not in (select (d ->> 'order_id')::bigint from jsonb_array_elements(v_done) d where d ->> 'order_id' is not null)
      and private.tracking_key(o.tracking_number) not in (
        select private.tracking_key(r ->> 'tracking_number') from jsonb_array_elements(v_rows) r
        where (r ->> 'is_unclear')::boolean
      );
    if not p_save then
      raise exception 'nothing is kept' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    null;
  end;
  return jsonb_build_object('rows', v_done, 'missing', v_missing);
end;
$$;

create or replace function private.is_unpaid_sale(p_order public.orders)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_order.cash_paise > 0 and p_order.fulfilment = 'cancelled' and p_order.payment_id is null
    and p_order.invoice_number is not null;
end;
$$;

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
      select null, o.id, o.cash_paise, o.release_reason, (
        select jsonb_object_agg(private.line_key(item), (item ->> 'quantity')::integer)
        from jsonb_array_elements(o.items) item
      )
      from public.orders o
      where o.cash_paise > 0 and o.fulfilment = 'cancelled' and o.payment_id is null and private.is_unpaid_sale(o)
        and not exists (select 1 from public.credit_notes c where c.refused_order_id = o.id)
    ) cause
    where p_order_id is null or cause.order_id = p_order_id
    order by cause.order_id, cause.id nulls first
  ) due
  order by due.order_id
  limit p_limit;
end;
$$;

create or replace function public.issue_credit_note(
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
    case when p_refund_id is null then private.is_unpaid_sale(v_order) else exists (
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

create or replace function private.reviewable_products(p_order public.orders)
returns setof public.products
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select p.* from public.products p
  where p.id in (
    -- An imported order may have items of any shape.
    select case when id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then id::uuid end
    from (select jsonb_path_query(p_order.items, 'lax $[*].product_id') #>> '{}' as id) item
  )
    and not p.hidden and p.deleted_at is null
  order by p.name, p.id;
end;
$$;

create or replace function public.allow_refund(
  p_session_id bigint, p_order_id bigint, p_payment_id text, p_amount_paise bigint, p_limit_paise bigint
)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_amount bigint := p_amount_paise;
begin
  if v_amount is null then
    select sum(private.refundable_paise(p) + (
      select coalesce(sum(r.amount_paise), 0) from public.refunds r
      where r.payment_id = p.payment_id and private.outcome_unknown(r)
    )) into v_amount
    from public.payments p
    where case
      when p_payment_id is not null then p.payment_id = p_payment_id
      else p.payment_id in (
        select unnest(array[o.payment_id, o.advance_payment_id]) from public.orders o where o.id = p_order_id
      )
    end;
  end if;
  v_amount := greatest(coalesce(v_amount, 0), 0);
  update public.admin_sessions set unconfirmed_paise = unconfirmed_paise + v_amount
  where id = p_session_id and unconfirmed_paise + v_amount <= p_limit_paise;
  return found;
end;
$$;

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
  where r.created_at >= p_from and r.created_at < p_to and r.state <> 'failed' and not o.is_test
    and case
      when o.paid_at is not null then o.fulfilment <> 'cancelled'
      -- An advance that was kept, and went back later after all.
      else o.kept_paise > 0 and r.created_at > o.cancelled_at
    end;
$$;

create or replace function private.is_left_cart(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return p_order.hold_state = 'released' and p_order.released_at > now() - interval '1 day'
    and p_order.status = 'FAILED' and p_order.payment_status = 'FAILED' and p_order.payment_id is null
    and p_order.fulfilment = 'new'
    and not exists (select 1 from public.payments p where p.order_id = p_order.id)
    and p_order.admin_key is null and p_order.replaces is null and not p_order.erase_pending
    -- Ended by time, or because Razorpay could not be reached. The admin's own end is none of these.
    and (p_order.ended_by = 'customer' or p_order.release_reason = 'payment_provider')
    and p_order.release_reason not in ('superseded', 'bought_twice')
    and coalesce(private.confirmed_email(p_order.user_id) = lower(btrim(p_order.customer_email)), false)
    and not exists (
      select 1 from public.cart_mail_refusals r where r.address_hash = private.address_hash(p_order.customer_email)
    )
    and not exists (
      select 1 from public.orders other
      where (other.user_id = p_order.user_id or lower(other.customer_email) = lower(p_order.customer_email))
        and (other.id > p_order.id or other.hold_state in ('held', 'reserved') or other.paid_at > p_order.created_at
          or (other.id <> p_order.id and other.cart_mailed_at > now() - interval '30 days'))
    )
    and private.is_all_in_stock(p_order.items);
end;
$$;

create or replace function private.left_carts_due(p_hours integer, p_limit integer)
returns setof bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_hours is null or private.closed_until() is not null or not private.has_cart_mail_left() then
    return;
  end if;
  return query
  select o.id from public.orders o
  where o.hold_state = 'released' and o.cart_mailed_at is null
    and o.released_at <= now() - make_interval(hours => p_hours) and o.released_at > now() - interval '1 day'
    and private.is_left_cart(o)
  order by o.released_at, o.id
  limit p_limit;
end;
$$;

create or replace function public.refuse_cart_mails(p_address_hash text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.cart_mail_refusals (address_hash) values (p_address_hash) on conflict (address_hash) do nothing;
  -- One that is being sent is left to its sender: private.is_wanted is asked before another attempt.
  delete from public.outbox
  where kind = 'cart_mail' and sent_at is null and locked_until is null and payload ->> 'address_hash' = p_address_hash;
end;
$$;

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
  update public.cash_refusals set reason = '' where order_id = any (p_ids);
  perform private.detach_reviews(p_ids);
  delete from public.order_changes where order_id = any (p_ids);
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.outbox set recipient = null, payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null;
  delete from public.outbox where order_id = any (p_ids) and sent_at is null;
end;
$$;

create or replace function private.erase_kept_orders(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.erase_contact(p_ids);
  update public.orders
  set network = null, admin_note = '', cancel_reason = null, pay_token = null, tracking_number = null, tracking_url = null,
      erase_pending = false, review_request = 'ended', cart_mail_of = null
  where id = any (p_ids);
  update public.cash_refusals set reason = '' where order_id = any (p_ids);
  delete from public.reviews where order_id = any (p_ids);
  delete from public.order_changes where order_id = any (p_ids) and field <> 'customer_gstin';
  perform private.erase_refund_reasons(p_ids);
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.claim_files set removing = true where order_id = any (p_ids) and not removing;
  update public.outbox set payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null and payload <> '{}';
end;
$$;

create or replace function private.forget_person(p_user_id uuid, p_email text)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_all bigint[];
  v_ids bigint[];
begin
  select array_agg(t.id) into v_all
  from (
    select o.id from public.orders o
    where o.user_id = p_user_id or (o.user_id is null and lower(o.customer_email) = p_email)
    order by o.id
    for update
  ) t;
  select array_agg(o.id) into v_ids
  from public.orders o
  where o.id = any (v_all) and o.stage in ('unpaid', 'cancelled', 'other') and private.is_forgettable(o);
  perform private.anonymise_orders(v_ids);
  update public.orders set erase_pending = true where id = any (v_all) and id <> all (coalesce(v_ids, '{}'));
  select array_agg(o.id) into v_ids
  from public.orders o
  where o.id = any (v_all) and o.erase_pending and private.has_ended(o);
  perform private.erase_kept_orders(v_ids);
  delete from public.stock_alerts where email = p_email;
  update public.outbox set recipient = null, payload = '{}', last_error = null
  where sent_at is not null and lower(recipient) = p_email;
  update public.outbox set payload = '{}', last_error = null
  where sent_at is not null and kind = 'contact_message' and lower(payload ->> 'email') = p_email;
  -- The customer of an order that is kept still gets what the shop owes them.
  delete from public.outbox m
  where m.sent_at is null and lower(m.recipient) = p_email and (m.order_id is null or not private.is_wanted(m));
  delete from public.outbox
  where sent_at is null and kind = 'contact_message' and lower(payload ->> 'email') = p_email;
  delete from public.contact_messages where lower(email) = p_email;
  delete from public.subscribers where email = p_email;
  delete from public.form_entries where lower(fields ->> 'email') = p_email;
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

create trigger outbox_address_mail
before insert on public.outbox
for each row execute function private.address_mail();

drop function private.is_refused_sale(public.orders);
drop index public.orders_refused_idx;

-- Reasons of parcels that were refused, of customers that are erased already.
update public.cash_refusals r set reason = ''
where r.reason <> '' and exists (
  select 1 from public.orders o where o.id = r.order_id and (o.customer_name is null or o.review_request = 'ended')
);
