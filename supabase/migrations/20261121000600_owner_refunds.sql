-- Refunds that the owner asks for, and cancelling. The sum of an order's refunds never exceeds what was paid: all of them
-- are made under the order's lock. claim_refunds and finish_refund send them, as they send the shop's own.

-- Made once for each press of a button: the same key is the same refund. More than one when a refund that failed was
-- asked for again. No index of its own: whoever reads it holds the lock of the order or of the payment.
alter table public.refunds add column request_keys uuid[] not null default '{}';

-- Gives pieces back to stock: {product_id: quantity}, all pieces that have not been given back when null. Null answer:
-- done. Otherwise nothing was done and the answer is the id of a piece of which that many were not sold, or were given
-- back before. The caller has locked the order; this locks the pieces.
create function private.put_back(p_order public.orders, p_pieces jsonb)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_sold jsonb;
  v_back jsonb;
  v_wrong text;
begin
  -- Pieces that this shop's stock never gave (imported orders) do not come back to it.
  select coalesce(jsonb_object_agg(id, quantity), '{}') into v_sold
  from (
    select item ->> 'product_id' as id,
      sum((item ->> 'quantity')::bigint) - coalesce((p_order.restocked ->> (item ->> 'product_id'))::bigint, 0) as quantity
    from jsonb_array_elements(case when p_order.hold_state = 'taken' then p_order.items else '[]' end) item
    group by 1
  ) t;
  v_back := coalesce(p_pieces, v_sold);
  select back.key into v_wrong
  from jsonb_each_text(v_back) back
  where p_pieces is not null and back.value::bigint > coalesce((v_sold ->> back.key)::bigint, 0)
  order by 1
  limit 1;
  if v_wrong is not null then
    return v_wrong;
  end if;

  perform 1 from public.products p
  where p.id in (select back.key::uuid from jsonb_each_text(v_back) back where back.value::bigint > 0)
  order by p.id
  for update;
  update public.products p
  set stock = least(p.stock + back.value::bigint, 100000)
  from jsonb_each_text(v_back) back
  where p.id = back.key::uuid and back.value::bigint > 0;
  update public.orders
  set restocked = restocked || (
    select coalesce(jsonb_object_agg(back.key, coalesce((restocked ->> back.key)::bigint, 0) + back.value::bigint), '{}')
    from jsonb_each_text(v_back) back
    where back.value::bigint > 0
  )
  where id = p_order.id;
  return null;
end;
$$;

-- A refund that gave up without the provider's word may have gone through. It is only ever asked for again by its own
-- key; until then its amount counts as gone. One that the provider refused or failed did not go.
create function private.may_have_gone(p_refund public.refunds)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select p_refund.state = 'failed' and p_refund.razorpay_refund_id is null
    and coalesce(p_refund.last_error, '') not like 'refused%';
$$;

-- What a new refund of this payment may be at most.
create function private.free_paise(p_payment public.payments)
returns bigint
language sql
stable
set search_path = ''
as $$
  select p_payment.amount_paise - coalesce(sum(r.amount_paise), 0)
  from public.refunds r
  where r.payment_id = p_payment.payment_id and (r.state <> 'failed' or private.may_have_gone(r));
$$;

-- Asks for a failed refund again: with the provider's key it had, unless the provider has made it and failed with it.
create function private.revive_refund(p_refund_id bigint, p_key uuid)
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

-- A new refund, due at once. The provider takes 40 characters of its key at most.
create function private.add_refund(p_payment public.payments, p_amount_paise bigint, p_reason text, p_key uuid)
returns bigint
language sql
set search_path = ''
as $$
  insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, reason, request_keys)
  values (
    p_payment.payment_id, p_payment.order_id, p_amount_paise, 'refund_' || replace(p_key::text, '-', ''), p_reason,
    array[p_key]
  )
  returning id;
$$;

-- Sends money of a paid order back, and pieces back to stock ({product_id: quantity}). {outcome}: refunding; already
-- (this key's); not_found; not_paid; too_much, with left_paise; too_many_pieces, with product_id. An amount that
-- failed before is not asked for a second time: the failed refund itself is tried again.
create function public.request_refund(
  p_order_id bigint, p_key uuid, p_amount_paise bigint, p_reason text, p_restock jsonb default '{}'
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_payment public.payments;
  v_failed public.refunds;
  v_refund_id bigint;
  v_wrong text;
begin
  if p_key is null or p_amount_paise is null or p_amount_paise < 100 or jsonb_typeof(p_restock) is distinct from 'object' then
    raise exception 'a refund needs a key, at least 100 paise, and an object of pieces' using errcode = '22023';
  end if;
  if jsonb_path_exists(p_restock, 'strict $.* ? (@.type() != "number" || @ < 1 || @ > 100000)') then
    raise exception 'quantities must be 1 to 100000' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if exists (select 1 from public.refunds where order_id = p_order_id and p_key = any (request_keys)) then
    return jsonb_build_object('outcome', 'already');
  end if;
  select * into v_payment from public.payments
  where payment_id = v_order.payment_id and order_id = p_order_id and state in ('accepted', 'refunded');
  if not found then
    return jsonb_build_object('outcome', 'not_paid');
  end if;

  -- One that may have gone first: it counts as gone already, so trying it again cannot send too much.
  select r.* into v_failed from public.refunds r
  where r.payment_id = v_payment.payment_id and r.state = 'failed' and r.amount_paise = p_amount_paise
  order by private.may_have_gone(r) desc, r.id
  limit 1;
  if not coalesce(private.may_have_gone(v_failed), false) and p_amount_paise > private.free_paise(v_payment) then
    return jsonb_build_object('outcome', 'too_much', 'left_paise', private.free_paise(v_payment));
  end if;
  v_wrong := private.put_back(v_order, p_restock);
  if v_wrong is not null then
    return jsonb_build_object('outcome', 'too_many_pieces', 'product_id', v_wrong);
  end if;

  if v_failed.id is not null then
    perform private.revive_refund(v_failed.id, p_key);
    return jsonb_build_object('outcome', 'refunding');
  end if;
  v_refund_id := private.add_refund(v_payment, p_amount_paise, left(p_reason, 200), p_key);
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'refund_notice', v_order.customer_email, p_order_id,
      jsonb_build_object('payment_id', v_payment.payment_id, 'amount_paise', p_amount_paise, 'reason',
        case when private.owed_paise(v_order) = 0 then 'owner_rest' else 'owner_part' end),
      'refund_notice:' || v_refund_id
    )
    on conflict (dedupe_key) do nothing;
  end if;
  return jsonb_build_object('outcome', 'refunding');
end;
$$;

-- Cancels an order that has not been shipped. {outcome}: cancelled; already; not_found; shipped; ask_first, with
-- razorpay_order_id: not paid as far as the shop knows, ask the provider and call again with p_asked; elsewhere (paid,
-- but not through this shop: there is no payment to send back). A payment that comes after this goes back, see mark_paid.
create function public.cancel_order(p_order_id bigint, p_key uuid, p_reason text, p_restock boolean, p_asked boolean default false)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_payment public.payments;
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
  end if;
  select * into v_payment from public.payments
  where payment_id = v_order.payment_id and order_id = p_order_id and state in ('accepted', 'refunded');

  if not found then
    if v_order.payment_id is not null or (v_order.stage <> 'unpaid' and v_order.hold_state is null) then
      return jsonb_build_object('outcome', 'elsewhere');
    elsif v_order.razorpay_order_id is not null and not coalesce(p_asked, false) then
      return jsonb_build_object('outcome', 'ask_first', 'razorpay_order_id', v_order.razorpay_order_id);
    end if;
    if v_order.hold_state = 'held' then
      perform private.return_stock(array[p_order_id]);
    end if;
    update public.orders
    set fulfilment = 'cancelled',
        cancelled_at = clock_timestamp(),
        cancel_reason = left(p_reason, 200),
        hold_state = case when hold_state = 'held' then 'released' else hold_state end,
        status = 'FAILED',
        payment_status = case when payment_status in ('REFUND_DUE', 'REFUNDED') then payment_status else 'FAILED' end,
        release_reason = coalesce(release_reason, 'cancelled'),
        -- A bank may still say yes within three days: the sweep goes on asking.
        next_check_at = case when razorpay_order_id is not null and payment_status in ('PENDING', 'FAILED')
          then private.next_check(created_at) end
    where id = p_order_id;
    return jsonb_build_object('outcome', 'cancelled');
  end if;

  if p_restock then
    perform private.put_back(v_order, null);
  end if;
  perform private.revive_refund(r.id, p_key)
  from public.refunds r
  where r.payment_id = v_payment.payment_id and private.may_have_gone(r);
  v_left := private.free_paise(v_payment);
  if v_left >= 100 then
    perform private.add_refund(v_payment, v_left, left(p_reason, 200), p_key);
  end if;
  update public.orders
  set fulfilment = 'cancelled', cancelled_at = clock_timestamp(), cancel_reason = left(p_reason, 200)
  where id = p_order_id;
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'order_cancelled', v_order.customer_email, p_order_id,
      jsonb_build_object('payment_id', v_payment.payment_id, 'amount_paise', case when v_left >= 100 then v_left else 0 end),
      'order_cancelled:' || p_order_id
    )
    on conflict (dedupe_key) do nothing;
  end if;
  return jsonb_build_object('outcome', 'cancelled');
end;
$$;

-- Sends back a payment that matches no order, whole and once; or tries a refund again that failed. {outcome}: refunding;
-- already (this key's); nothing (no such thing to do); not_found. The buyer is not known, so no mail.
create function public.refund_payment(p_payment_id text, p_key uuid)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_payment public.payments;
  v_failed public.refunds;
begin
  if p_key is null then
    raise exception 'a key is required' using errcode = '22023';
  end if;
  perform 1 from public.orders o
  where o.id = (select p.order_id from public.payments p where p.payment_id = p_payment_id)
  for update;
  -- Refunds before their payment, as in finish_refund.
  perform 1 from public.refunds r where r.payment_id = p_payment_id order by r.id for update;
  select * into v_payment from public.payments where payment_id = p_payment_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if exists (select 1 from public.refunds where payment_id = p_payment_id and p_key = any (request_keys)) then
    return jsonb_build_object('outcome', 'already');
  end if;
  if v_payment.state = 'unmatched' then
    update public.payments set state = 'refund_due' where payment_id = p_payment_id;
    perform private.add_refund(v_payment, v_payment.amount_paise, 'unknown_order', p_key);
    return jsonb_build_object('outcome', 'refunding');
  end if;
  select * into v_failed from public.refunds r
  where r.payment_id = p_payment_id and r.state = 'failed'
  order by private.may_have_gone(r) desc, r.id
  limit 1;
  if not found or (not private.may_have_gone(v_failed) and v_failed.amount_paise > private.free_paise(v_payment)) then
    return jsonb_build_object('outcome', 'nothing');
  end if;
  perform private.revive_refund(v_failed.id, p_key);
  return jsonb_build_object('outcome', 'refunding');
end;
$$;

revoke execute on function private.put_back(public.orders, jsonb), private.may_have_gone(public.refunds),
  private.free_paise(public.payments), private.revive_refund(bigint, uuid),
  private.add_refund(public.payments, bigint, text, uuid)
from public, anon, authenticated;
revoke execute on function public.request_refund(bigint, uuid, bigint, text, jsonb),
  public.cancel_order(bigint, uuid, text, boolean, boolean), public.refund_payment(text, uuid)
from public, anon, authenticated;
grant execute on function public.request_refund(bigint, uuid, bigint, text, jsonb),
  public.cancel_order(bigint, uuid, text, boolean, boolean), public.refund_payment(text, uuid)
to service_role;
