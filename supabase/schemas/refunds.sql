-- Refunds: the table, the sums, refunds of unusable payments, sending refunds to Razorpay, and the admin's refunds.

create table public.refunds (
  id bigint generated always as identity primary key,
  payment_id text not null references public.payments (payment_id),
  order_id bigint references public.orders (id),
  amount_paise bigint not null check (amount_paise > 0),
  -- Sent with every attempt, so that a repeated attempt never refunds twice.
  idempotency_key text not null unique check (idempotency_key ~ '^[A-Za-z0-9_-]{10,}$'),
  reason text,
  -- The refunded quantities, {line key: quantity}, for the credit note. Empty when only an amount was given.
  items jsonb not null default '{}' check (jsonb_typeof(items) = 'object'),
  -- due: to be sent to Razorpay. requested: accepted by Razorpay, not finished. processed: done. failed: the admin
  -- decides.
  state text not null default 'due' check (state in ('due', 'requested', 'processed', 'failed')),
  razorpay_refund_id text unique,
  has_credit_note boolean not null default false,
  attempts integer not null default 0,
  -- Attempts with an unknown outcome: no answer, a 409, or a crash. Reading Razorpay's refunds clears it.
  unanswered integer not null default 0 check (unanswered >= 0),
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Idempotency keys of the admin's requests, so that a repeated request creates no second refund. Several when a
  -- failed refund was retried. Not indexed: readers hold the lock of the order or the payment.
  request_keys uuid[] not null default '{}'
);

create index refunds_payment_id_idx on public.refunds (payment_id);
create index refunds_order_id_idx on public.refunds (order_id);
create index refunds_due_idx on public.refunds (next_attempt_at) where state = 'due';
create index refunds_poll_idx on public.refunds (next_attempt_at)
where state = 'requested' or (state = 'failed' and unanswered > 0);
create index refunds_open_idx on public.refunds (order_id) where state <> 'processed';
create index refunds_without_credit_note_idx on public.refunds (order_id, id)
where state = 'processed' and not has_credit_note;
create index refunds_created_at_idx on public.refunds (created_at);

create trigger refunds_touch_updated_at
before update on public.refunds
for each row execute function private.touch_updated_at();

alter table public.refunds enable row level security;

-- ── Refunds of unusable payments ──

-- Records an unusable payment and its full refund, once per payment. Mails the admin, and the customer unless the
-- amount was wrong, which the admin settles with them.
create function private.create_refund(
  p_order public.orders, p_payment_id text, p_amount_paise bigint, p_currency text, p_reason text
)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_payload jsonb := jsonb_build_object('payment_id', p_payment_id, 'amount_paise', p_amount_paise, 'reason', p_reason);
begin
  perform private.record_payment(
    p_payment_id, p_order.id, p_order.razorpay_order_id, p_amount_paise, p_currency, 'refund_due', p_reason
  );
  insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, reason)
  values (p_payment_id, p_order.id, p_amount_paise, 'refund_' || p_payment_id, p_reason)
  on conflict (idempotency_key) do nothing;

  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  values ('refund_alert', null, p_order.id, v_payload, 'refund_alert:' || p_payment_id)
  on conflict (dedupe_key) do nothing;
  if p_reason <> 'amount_mismatch' and coalesce(btrim(p_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values ('refund_notice', p_order.customer_email, p_order.id, v_payload, 'refund_notice:' || p_payment_id)
    on conflict (dedupe_key) do nothing;
  end if;
end;
$$;

-- ── Sums ──

-- The refunded amount of the order's own payments, including refunds in progress. Without an own payment, of all its
-- payments.
create function private.refunded_paise(p_order public.orders)
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

-- What remains of a payment after lost disputes. Refunds in progress count as made, failed ones do not because they can be retried.
create function private.remaining_paise(p_payment public.payments)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return greatest(0, p_payment.amount_paise - p_payment.lost_paise - (
    select coalesce(sum(r.amount_paise), 0) from public.refunds r where r.payment_id = p_payment.payment_id and r.state <> 'failed'
  ));
end;
$$;

-- What remains of the order's own payments. Null without a recorded payment, and while the advance of a cash order is the only one.
create function private.unrefunded_paise(p_order public.orders)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select sum(private.remaining_paise(p))
    from public.payments p
    where p_order.payment_id is not null and private.is_own_payment(p_order, p.payment_id) and p.order_id = p_order.id
      and p.state in ('accepted', 'refunded')
  );
end;
$$;

-- Whether the advance of a cash order went back before the cash came: nothing is paid for it then.
create function private.is_advance_returned(p_order public.orders)
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

-- Whether everything that was paid for an order went back, by refunds or by lost disputes.
create function private.is_refunded(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return not exists (
    select 1 from public.payments p
    where p.order_id = p_order.id and private.is_own_payment(p_order, p.payment_id) and p.amount_paise > p.lost_paise + coalesce((
      select sum(r.amount_paise) from public.refunds r where r.payment_id = p.payment_id and r.state = 'processed'
    ), 0)
  );
end;
$$;

-- Whether a failed refund may still have been made, because an attempt ended without an answer. Such a refund is only
-- retried with its own idempotency key. False when Razorpay refused the refund, or accepted it and then failed.
create function private.outcome_unknown(p_refund public.refunds)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_refund.state = 'failed' and p_refund.razorpay_refund_id is null
    and p_refund.unanswered > 0;
end;
$$;

-- What the shop keeps of a payment whose order was cancelled.
create function private.kept_paise(p_payment public.payments)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return coalesce((
    select o.kept_paise from public.orders o
    where o.id = p_payment.order_id and private.is_own_payment(o, p_payment.payment_id)
  ), 0);
end;
$$;

-- The refunds of a payment that were made, will be, or may have been: all but those that failed for certain.
create function private.possibly_refunded_paise(p_payment public.payments)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select coalesce(sum(r.amount_paise), 0)
    from public.refunds r
    where r.payment_id = p_payment.payment_id and (r.state <> 'failed' or private.outcome_unknown(r))
  );
end;
$$;

-- Whether the refunds of a payment are more than lost disputes leave of it.
create function private.is_over_refunded(p_payment public.payments)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return p_payment.amount_paise - p_payment.lost_paise < private.possibly_refunded_paise(p_payment);
end;
$$;

-- The largest amount that a new refund of this payment can have. Refunds with an unknown outcome count as made. What a bank took
-- back is with the customer, and what the shop keeps of a cancelled order is not refunded.
create function private.refundable_paise(p_payment public.payments)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return greatest(
    0,
    p_payment.amount_paise - p_payment.lost_paise - private.possibly_refunded_paise(p_payment) - private.kept_paise(p_payment)
  );
end;
$$;

-- Whether a failed refund can be tried again without giving back more than its payment has. One with an unknown outcome counts as made
-- already.
create function private.is_retryable(p_refund public.refunds)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return p_refund.state = 'failed' and exists (
    select 1 from public.payments p
    where p.payment_id = p_refund.payment_id and case
      when private.outcome_unknown(p_refund) then not private.is_over_refunded(p)
      else p_refund.amount_paise <= private.refundable_paise(p)
    end
  );
end;
$$;

-- Whether part of a payment that must be refunded in full is still to be refunded, for example after a partial refund
-- in Razorpay's dashboard. That is an unusable payment, or the payment of a cancelled order. Razorpay's minimum is
-- one rupee.
create function private.is_rest_due(p_payment public.payments)
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

-- Whether a refund is still to reach the customer: the shop works on it, or the admin can try it again.
create function private.is_open_refund(p_refund public.refunds)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return p_refund.state in ('due', 'requested') or private.is_retryable(p_refund) or (p_refund.state = 'failed' and exists (
    select 1 from public.payments p where p.payment_id = p_refund.payment_id and private.is_rest_due(p)
  ));
end;
$$;

-- Locks a payment with its order and refunds, in the lock order of `orders.sql` (refunds before their payment, as in
-- finish_refund). A payment may be recorded before its order is known, which mark_paid then adds. Returns the payment, or null.
create function private.lock_payment(p_payment_id text)
returns public.payments
language plpgsql
set search_path = ''
as $$
declare
  v_payment public.payments;
begin
  perform 1 from public.orders o
  where o.id in (
    select p.order_id from public.payments p where p.payment_id = p_payment_id
    union all
    select w.id from public.payments p
    join public.orders w on w.razorpay_order_id = p.razorpay_order_id
    where p.payment_id = p_payment_id
  )
  order by o.id
  for update;
  perform 1 from public.refunds r where r.payment_id = p_payment_id order by r.id for update;
  select * into v_payment from public.payments where payment_id = p_payment_id for update;
  return v_payment;
end;
$$;

-- ── Sending ──

-- Whether a refund waits, because a bank decides about its payment: the bank may give the money back itself.
create function private.awaits_bank(p_refund public.refunds)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.payments p where p.payment_id = p_refund.payment_id and private.is_disputed_payment(p)
  );
end;
$$;

-- Leases refunds to send to Razorpay to one caller: {id, payment_id, amount_paise, idempotency_key}. If the caller
-- crashes before finish_refund, the lease expires and the refund is claimed again with the same key.
create function public.claim_refunds(p_limit integer, p_lease_seconds integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform private.check_lease(p_limit, p_lease_seconds);
  return query
  with due as (
    select r.id from public.refunds r
    where r.state = 'due' and r.next_attempt_at <= v_now and not private.awaits_bank(r)
    order by r.next_attempt_at, r.id
    limit p_limit
    for update skip locked
  ), leased as (
    update public.refunds r
    set next_attempt_at = v_now + make_interval(secs => p_lease_seconds),
        -- Counted before the attempt, because a caller that crashes may have made it.
        attempts = attempts + 1,
        unanswered = unanswered + 1
    from due
    where r.id = due.id
    returning r.*
  )
  select jsonb_build_object(
    'id', l.id,
    'payment_id', l.payment_id,
    'amount_paise', l.amount_paise,
    'idempotency_key', l.idempotency_key
  )
  from leased l
  order by l.id;
end;
$$;

-- Tells the admin that a refund failed, once for each refund.
create function private.alert_failed_refund(p_refund public.refunds)
returns void
language sql
set search_path = ''
as $$
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  values (
    'refund_alert', null, p_refund.order_id,
    jsonb_build_object('payment_id', p_refund.payment_id, 'amount_paise', p_refund.amount_paise, 'reason', 'refund_failed'),
    'refund_failed:' || p_refund.id
  )
  on conflict (dedupe_key) do nothing;
$$;

-- Marks a payment as refunded once all of it is with the customer, and ends its refunds that are to be sent when more than the payment
-- would go back: some went back in Razorpay's dashboard, or by a bank. Razorpay is asked about an attempt without an answer. The admin
-- hears of a rest. The caller has locked the payment.
create function private.settle_payment(p_payment_id text)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_payment public.payments;
  v_refund public.refunds;
begin
  update public.payments p set state = 'refunded'
  where p.payment_id = p_payment_id and p.amount_paise <= p.lost_paise + (
    select coalesce(sum(r.amount_paise), 0) from public.refunds r where r.payment_id = p.payment_id and r.state = 'processed'
  );
  select * into v_payment from public.payments where payment_id = p_payment_id;
  if private.is_over_refunded(v_payment) then
    for v_refund in
      update public.refunds set state = 'failed', last_error = 'less is left to refund'
      where payment_id = p_payment_id and state = 'due'
      returning *
    loop
      if private.remaining_paise(v_payment) - private.kept_paise(v_payment) >= 100 then
        perform private.alert_failed_refund(v_refund);
      end if;
    end loop;
  end if;
end;
$$;

-- Whether a payment that its order cannot use is still to go back.
create function private.owes_refund(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.payments p
    where p.order_id = p_order.id and p.state = 'refund_due' and private.is_unusable_payment(p.reason)
  );
end;
$$;

-- What follows when a bank gave back a payment, or part of it: for its refunds, its order, and what the shop kept of a cancelled order.
-- The caller has locked the order and the payment.
create function private.settle_lost_payment(p_payment_id text)
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.settle_payment(p_payment_id);
  update public.orders o
  set kept_paise = least(o.kept_paise, (
        select coalesce(sum(private.remaining_paise(p)), 0) from public.payments p
        where p.order_id = o.id and private.is_own_payment(o, p.payment_id)
      )),
      payment_status = case
        when (o.payment_status = 'REFUND_DUE' or o.fulfilment = 'cancelled') and private.is_refunded(o)
          and not private.owes_refund(o) then 'REFUNDED'
        else o.payment_status
      end
  where o.id = (select p.order_id from public.payments p where p.payment_id = p_payment_id);
end;
$$;

-- Counts the whole of a payment as lost whose dispute was lost before 1.3.2, which did not keep the amount: it is nearly always the whole.
create function private.settle_old_disputes()
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.payments p set lost_paise = p.amount_paise
  where p.lost_paise = 0 and exists (select 1 from jsonb_each_text(p.disputes) d where d.value = 'lost');
  perform private.settle_lost_payment(p.payment_id) from public.payments p where p.lost_paise > 0;
end;
$$;

-- Records Razorpay's answer. Without p_error the refund is 'processed', or 'requested' if p_processed is false. With
-- p_error it is retried later; after ten attempts, or if Razorpay accepted it and it failed there, it is 'failed' and
-- the admin gets a mail. A processed refund stays processed, and private.settle_payment follows. Returns {state}; raises
-- P0002.
create function public.finish_refund(
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
    perform private.alert_failed_refund(v_refund);
  elsif v_state = 'processed' then
    perform private.settle_payment(v_payment.payment_id);
    if v_order.payment_id is not null and private.is_own_payment(v_order, v_payment.payment_id) then
      update public.orders o
      set payment_status = case when private.is_refunded(o) then 'REFUNDED' else 'PARTIALLY_REFUNDED' end
      where o.id = v_order.id;
    elsif v_order.payment_status = 'REFUND_DUE' and not private.owes_refund(v_order) then
      update public.orders set payment_status = 'REFUNDED' where id = v_order.id;
    end if;
  end if;
  return jsonb_build_object('state', v_state);
end;
$$;

-- ── The admin's refunds ──

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
