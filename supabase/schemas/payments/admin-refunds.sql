-- The refunds that the admin requests.

-- All refunds are created under the order's lock, so their sum never exceeds the payment. claim_refunds and
-- finish_refund send them.

-- Makes a failed refund due again. It keeps its idempotency key unless Razorpay had accepted it: that key would only
-- return the failed refund.
create function private.retry_refund(p_refund_id bigint, p_key uuid)
returns void
language sql
set search_path = ''
as $$
  update public.refunds
  set state = 'due',
      attempts = 0,
      next_attempt_at = clock_timestamp(),
      idempotency_key = case when razorpay_refund_id is null then idempotency_key
        else 'refund_' || replace(gen_random_uuid()::text, '-', '') end,
      razorpay_refund_id = null,
      request_keys = request_keys || p_key
  where id = p_refund_id;
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

-- Creates a refund that is due at once and returns its id. A refund of a payment by hand is finished, because the
-- admin paid it back by hand. Razorpay accepts idempotency keys of up to 40 characters.
create function private.create_admin_refund(
  p_payment public.payments, p_amount_paise bigint, p_reason text, p_key uuid, p_items jsonb default '{}'
)
returns bigint
language plpgsql
set search_path = ''
as $$
declare
  v_id bigint;
begin
  insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, reason, request_keys, items)
  values (
    p_payment.payment_id, p_payment.order_id, p_amount_paise, 'refund_' || replace(p_key::text, '-', ''), p_reason,
    array[p_key], p_items
  )
  returning id into v_id;
  if private.is_by_hand(p_payment.payment_id) then
    perform public.finish_refund(v_id, null);
  end if;
  return v_id;
end;
$$;

-- Refunds part of a paid order and returns quantities to stock. p_restock and p_items are {line key: quantity};
-- p_items says what the amount is for and appears in the customer's mail and the credit note. If a refund of the same
-- amount has failed, it is retried for the new items instead, or unchanged if it may have been made after all.
-- Returns {outcome}: refunding; already (same p_key); not_found; not_paid; too_much, with left_paise; too_many_items,
-- with line_key. Raises 22023.
create function public.request_refund(
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
  -- A failed refund of this amount is tried again, one with an unknown outcome first.
  select r.* into v_failed from public.refunds r
  where r.order_id = p_order_id and private.is_own_payment(v_order, r.payment_id)
    and r.amount_paise = p_amount_paise and private.is_retryable(r)
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
    if not private.outcome_unknown(v_failed) then
      update public.refunds set items = p_items, reason = left(p_reason, 200) where id = v_failed.id and items <> p_items;
    end if;
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
      jsonb_build_object('payment_id', v_payment.payment_id, 'amount_paise', p_amount_paise, 'by_hand_paise', v_by_hand,
        'disputed', private.is_disputed_payment(v_payment), 'reason',
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

-- Refunds all that is left of a payment of this shop that waits for the admin (it matches no order, or is a duplicate purchase),
-- or retries a failed refund of any payment. If the payment must go back in full, the retry has the remaining amount.
-- Returns {outcome}: refunding; already (same p_key); nothing (nothing to refund or retry); not_found. Raises 22023.
create function public.refund_payment(p_payment_id text, p_key uuid)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_payment public.payments;
  v_failed public.refunds;
  v_left bigint;
begin
  if p_key is null then
    raise exception 'a key is required' using errcode = '22023';
  end if;
  v_payment := private.lock_payment(p_payment_id);
  if v_payment.payment_id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if exists (select 1 from public.refunds where payment_id = p_payment_id and p_key = any (request_keys)) then
    return jsonb_build_object('outcome', 'already');
  end if;
  v_left := private.refundable_paise(v_payment);
  if v_payment.state = 'unmatched' and not private.is_foreign(v_payment) and v_left >= 100 then
    update public.payments set state = 'refund_due' where payment_id = p_payment_id;
    perform private.create_admin_refund(
      v_payment, v_left, coalesce(v_payment.reason, 'unknown_order'), p_key
    );
    -- A duplicate purchase has a known customer.
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    select 'refund_notice', o.customer_email, o.id,
      jsonb_build_object(
        'payment_id', p_payment_id, 'amount_paise', v_left, 'reason', v_payment.reason,
        'disputed', private.is_disputed_payment(v_payment)
      ),
      'refund_notice:' || p_payment_id
    from public.orders o
    where o.id = v_payment.order_id and coalesce(btrim(o.customer_email), '') <> ''
    on conflict (dedupe_key) do nothing;
    return jsonb_build_object('outcome', 'refunding');
  end if;
  select * into v_failed from public.refunds r
  where r.payment_id = p_payment_id and r.state = 'failed'
  order by private.outcome_unknown(r) desc, r.id
  limit 1;
  if not found then
    return jsonb_build_object('outcome', 'nothing');
  end if;
  if not private.is_retryable(v_failed) then
    if not private.is_rest_due(v_payment) then
      return jsonb_build_object('outcome', 'nothing');
    end if;
    -- The amount is new, so this is another refund for Razorpay and needs a new key.
    update public.refunds
    set amount_paise = v_left,
        idempotency_key = 'refund_' || replace(gen_random_uuid()::text, '-', '')
    where id = v_failed.id;
  end if;
  perform private.retry_refund(v_failed.id, p_key);
  return jsonb_build_object('outcome', 'refunding');
end;
$$;
