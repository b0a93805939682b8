-- Payments, and `mark_paid`: the only way to paid, called by verify, webhook, callback and sweep. Lock order and states are
-- described in `orders`.

create table public.payments (
  payment_id text primary key check (payment_id <> '' and char_length(payment_id) <= 100),
  order_id bigint references public.orders (id),
  razorpay_order_id text,
  amount_paise bigint not null check (amount_paise >= 0),
  currency text not null,
  state text not null check (state in ('accepted', 'refund_due', 'refunded', 'unmatched')),
  reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index payments_order_id_idx on public.payments (order_id);
create index payments_open_idx on public.payments (state) where state in ('unmatched', 'refund_due');

create trigger payments_touch_updated_at
before update on public.payments
for each row execute function private.touch_updated_at();

create table public.webhook_events (
  event_id text primary key,
  event text,
  payment_id text,
  received_at timestamptz not null default now()
);

alter table public.payments enable row level security;
alter table public.webhook_events enable row level security;

-- Records a payment. A payment recorded as 'unmatched' can be matched to its order later; no other is overwritten.
create function private.record_payment(
  p_payment_id text, p_order_id bigint, p_razorpay_order_id text, p_amount_paise bigint, p_currency text, p_state text,
  p_reason text default null
)
returns void
language sql
set search_path = ''
as $$
  insert into public.payments as p (payment_id, order_id, razorpay_order_id, amount_paise, currency, state, reason)
  values (p_payment_id, p_order_id, p_razorpay_order_id, p_amount_paise, p_currency, p_state, p_reason)
  on conflict (payment_id) do update
    set order_id = excluded.order_id,
        razorpay_order_id = excluded.razorpay_order_id,
        amount_paise = excluded.amount_paise,
        currency = excluded.currency,
        state = excluded.state,
        reason = excluded.reason
    where p.state = 'unmatched';
$$;

-- Whether a payment with this reason could not be used for its order: the order stays unpaid, and REFUND_DUE until the
-- payment is refunded.
create function private.is_unusable_payment(p_reason text)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select coalesce(p_reason in ('stock_gone', 'order_cancelled'), false);
$$;

-- Settles a captured payment. Idempotent and forward-only: any number of calls in any order end in one state. Returns
-- {outcome}; raises 22023 for bad input.
--   paid            the order is paid now; the confirmation mails are in the outbox
--   already_paid    by this same payment
--   refund_due      the payment is refunded: no stock is left ('stock_gone'), the order had been paid before
--                   ('second_payment'), or it had been cancelled ('order_cancelled')
--   mismatch        not the order's amount or currency: the payment is refunded, the order is unchanged
--   unknown_order   no order of this shop; the payment is recorded as 'unmatched'
--   duplicate_event this event of this payment was handled before
create function public.mark_paid(
  p_razorpay_order_id text,
  p_payment_id text,
  p_amount_paise bigint,
  p_currency text,
  p_method text default null,
  p_event_id text default null,
  p_event text default null
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
    -- The event id is a header that no signature covers: it may only stop a repetition of the same event and payment.
    if not found and exists (
      select 1 from public.webhook_events e
      where e.event_id = p_event_id and e.payment_id = p_payment_id and e.event is not distinct from p_event
    ) then
      return jsonb_build_object('outcome', 'duplicate_event');
    end if;
  end if;

  select * into v_order from public.orders where razorpay_order_id = p_razorpay_order_id for update;
  if not found then
    perform private.record_payment(
      p_payment_id, null, p_razorpay_order_id, p_amount_paise, p_currency, 'unmatched', 'unknown_order'
    );
    return jsonb_build_object('outcome', 'unknown_order');
  end if;

  -- The order's lock also guards its payments, but not one that is still 'unmatched': the admin may be refunding it at
  -- this moment. So its row is locked here, before the products; refund_payment, which locks it too, locks no product.
  select * into v_payment from public.payments where payment_id = p_payment_id for update;
  if found and v_payment.state <> 'unmatched' then
    return jsonb_build_object('outcome', case
      when v_payment.order_id is distinct from v_order.id or v_payment.reason = 'amount_mismatch' then 'mismatch'
      when v_payment.state = 'accepted' or v_order.payment_id = p_payment_id then 'already_paid'
      else 'refund_due'
    end);
  end if;

  if p_amount_paise is distinct from v_order.total_paise or p_currency is distinct from v_order.currency then
    perform private.create_refund(v_order, p_payment_id, p_amount_paise, p_currency, 'amount_mismatch');
    return jsonb_build_object('outcome', 'mismatch');
  end if;

  if v_order.payment_id is not null or v_order.hold_state = 'taken' or v_order.status = 'COMPLETED' then
    v_reason := 'second_payment';
  elsif v_order.fulfilment = 'cancelled' then
    v_reason := 'order_cancelled';
  elsif v_order.payment_status in ('REFUND_DUE', 'REFUNDED', 'PARTIALLY_REFUNDED') then
    v_reason := 'stock_gone';
  elsif v_order.hold_state = 'held' then
    v_reason := null;
  elsif not private.reserve_stock_again(v_order.items) then
    v_reason := 'stock_gone';
  end if;

  if v_reason is not null then
    perform private.create_refund(v_order, p_payment_id, p_amount_paise, p_currency, v_reason);
    if private.is_unusable_payment(v_reason) then
      update public.orders
      set status = 'FAILED',
          payment_status = case when payment_status in ('REFUNDED', 'PARTIALLY_REFUNDED') then payment_status else 'REFUND_DUE' end,
          next_check_at = null
      where id = v_order.id;
    end if;
    return jsonb_build_object('outcome', 'refund_due');
  end if;

  perform private.record_payment(
    p_payment_id, v_order.id, p_razorpay_order_id, p_amount_paise, p_currency, 'accepted'
  );
  update public.orders
  set status = 'COMPLETED',
      payment_status = 'COMPLETED',
      payment_id = p_payment_id,
      payment_method = p_method,
      payment_reference = p_payment_id,
      paid_at = clock_timestamp(),
      hold_state = 'taken',
      next_check_at = null
  where id = v_order.id;
  insert into public.outbox (kind, recipient, order_id, dedupe_key)
  values
    ('order_confirmation', v_order.customer_email, v_order.id, 'order_confirmation:' || v_order.id),
    ('order_notice', null, v_order.id, 'order_notice:' || v_order.id)
  on conflict (dedupe_key) do nothing;
  return jsonb_build_object('outcome', 'paid');
end;
$$;
