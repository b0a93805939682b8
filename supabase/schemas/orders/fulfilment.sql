-- Fulfilment: what the admin and the customer do with an order after it was placed.

-- ── Steps ──

-- Steps: new, packed, shipped, delivered. An order moves forward by any number of steps, and back by one to correct a
-- mistake. Only an order that is a sale moves forward (orders.sold). Cancelled is final.

-- Sets the fulfilment of an order. The customer gets one mail per carrier and tracking number (which may be empty),
-- and one on delivery. Returns {outcome}: changed; same; not_found; cancelled; not_paid; not_confirmed; refunded (in full, so
-- nothing is to be sent); too_far_back; needs_document (shipping issues the invoice, see assign_invoice); outdated
-- (p_revision, as in assign_invoice). Raises 22023.
create function public.set_fulfilment(
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

-- ── Cancellation ──

-- A customer's own cancellation of a paid order costs the shop the provider's fee, and it kept the product from other
-- customers. So they are counted (fee_lost in cost_limits), and the shop can choose to keep the platform fee.

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
  -- Some of the advance may have gone back in Razorpay's dashboard, or by the bank.
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
        'why', p_why, 'returned_paise', v_returned, 'kept_paise', v_kept, 'returned_before_paise', v_before,
        'disputed', private.is_disputed(p_order)
      ),
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
create function public.cancel_order(
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
  where r.order_id = p_order_id and private.is_own_payment(v_order, r.payment_id) and private.outcome_unknown(r)
    and private.is_retryable(r);
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
  update public.orders o
  set fulfilment = 'cancelled', cancelled_at = clock_timestamp(), cancel_reason = left(p_reason, 200), ended_by = 'shop',
      -- A bank may have given it back before.
      payment_status = case when private.is_refunded(o) then 'REFUNDED' else o.payment_status end
  where o.id = p_order_id;
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'order_cancelled', v_order.customer_email, p_order_id,
      jsonb_build_object(
        'payment_id', case when v_left > v_by_hand then coalesce(v_order.advance_payment_id, v_order.payment_id) else v_order.payment_id end,
        'amount_paise', v_left, 'by_hand_paise', case when v_left > v_by_hand then v_by_hand else 0 end,
        'disputed', private.is_disputed(v_order)
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
-- order without terms of its own (orders.terms) is not refunded, or what is left of the payment if that is less; it then needs p_document, its invoice, which
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
create function public.cancel_own_order(
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
  v_refund_paise bigint;
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
  elsif v_order.fulfilment <> 'new' or v_order.hand_over or private.is_disputed(v_order)
    or (private.answers_of(v_order.state, v_order.kind)).customer_may = 'nothing'
  then
    return jsonb_build_object('outcome', 'ask');
  end if;
  if p_paid and coalesce(not (v_order.terms ->> 'returns_platform_fee')::boolean, p_keep_fee) and v_order.total_paise - coalesce(v_order.fee_paise, 0) >= 100 then
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
    -- What goes back by itself: less than was paid when a bank gave back some of it before.
    select coalesce(sum(private.refundable_paise(p)), 0) into v_refund_paise
    from public.payments p where p.order_id = p_order_id and private.is_own_payment(v_order, p.payment_id);
    v_answer := public.cancel_order(p_order_id, p_key, 'Cancelled by the customer', true, p_payment_checked);
    if v_answer ->> 'outcome' = 'cancelled' then
      update public.orders set ended_by = 'customer' where id = p_order_id;
      perform private.record_kept_units(v_order);
    end if;
    if v_answer ->> 'outcome' <> 'cancelled' or (not p_paid and v_order.hold_state not in ('reserved', 'taken')) then
      return v_answer;
    end if;
    -- Counted last: the costs come after orders and products in the lock order. A cash order without an advance costs nothing.
    if v_refund_paise > 0 and private.count_cost('fee_lost', private.cost_keys(p_user_id::text, p_network, v_order.phone_key)) is not null then
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
  -- The customer reads who ended the order.
  update public.outbox m set payload = m.payload || jsonb_build_object('by', 'customer')
  where m.dedupe_key in ('order_cancelled:' || p_order_id, 'cash_order_ended:' || p_order_id);
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
        'amount_paise', nullif(v_refund_paise, 0)
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

-- ── Order details ──

-- Corrections of an order's details by the admin, and the admin's note, each stored with the old value; and what its customer changed
-- of one that waits for the shop's word, by ordering the same cart again.
create table public.order_changes (
  id bigint generated always as identity primary key,
  order_id bigint not null references public.orders (id),
  field text not null check (field in (
    'customer_name', 'customer_phone', 'customer_address', 'customer_city', 'customer_postal_code', 'customer_gstin',
    'recipient_name', 'recipient_phone', 'admin_note'
  )),
  old_value text not null,
  new_value text not null check (char_length(new_value) <= 2000),
  created_at timestamptz not null default now(),
  changed_by text not null default 'shop' check (changed_by in ('shop', 'customer'))
);

create index order_changes_order_id_idx on public.order_changes (order_id);

alter table public.order_changes enable row level security;

-- Changes details of an order: p_changes is {column: {"from": text, "to": text}}, '' for empty. Only the note can
-- change after the order is shipped. The GSTIN, and a PIN code of another state (p_moves_state), can change only
-- before the invoice, which shows the place of supply. Returns {outcome}: changed; not_found; sent; invoiced;
-- conflict, with field and value, when a column no longer has its `from` value. Raises 22023.
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
