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
