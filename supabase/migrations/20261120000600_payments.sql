-- Payments and refunds: what money came, and what must go back. The lock order is described with the orders.

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

create table public.refunds (
  id bigint generated always as identity primary key,
  payment_id text not null references public.payments (payment_id),
  order_id bigint references public.orders (id),
  amount_paise bigint not null check (amount_paise > 0),
  -- Sent to the provider with every try, so that trying again never refunds twice.
  idempotency_key text not null unique check (idempotency_key ~ '^[A-Za-z0-9_-]{10,}$'),
  reason text,
  -- due: to be asked for. requested: taken by the provider, under way. processed: done. failed: a person must look.
  state text not null default 'due' check (state in ('due', 'requested', 'processed', 'failed')),
  razorpay_refund_id text unique,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index refunds_payment_id_idx on public.refunds (payment_id);
create index refunds_order_id_idx on public.refunds (order_id);
create index refunds_due_idx on public.refunds (next_attempt_at) where state = 'due';

create table public.webhook_events (
  event_id text primary key,
  event text,
  payment_id text,
  received_at timestamptz not null default now()
);

create trigger payments_touch_updated_at
before update on public.payments
for each row execute function private.touch_updated_at();
create trigger refunds_touch_updated_at
before update on public.refunds
for each row execute function private.touch_updated_at();

alter table public.payments enable row level security;
alter table public.refunds enable row level security;
alter table public.webhook_events enable row level security;
revoke all on public.payments, public.refunds, public.webhook_events from public, anon, authenticated;
grant all on public.payments, public.refunds, public.webhook_events to service_role;

-- Takes the stock of a released order again: all of it or nothing. The caller has locked the order.
create function private.take_stock_again(p_items jsonb)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_available bigint;
begin
  if jsonb_typeof(p_items) is distinct from 'array' or jsonb_array_length(p_items) = 0 then
    return false;
  end if;
  perform 1 from public.products p
  where p.id in (select (item ->> 'product_id')::uuid from jsonb_array_elements(p_items) item)
  order by p.id
  for update;
  select count(*) into v_available
  from jsonb_array_elements(p_items) item
  join public.products p on p.id = (item ->> 'product_id')::uuid and p.stock >= (item ->> 'quantity')::integer;
  if v_available < jsonb_array_length(p_items) then
    return false;
  end if;
  update public.products p
  set stock = p.stock - (item ->> 'quantity')::integer
  from jsonb_array_elements(p_items) item
  where p.id = (item ->> 'product_id')::uuid;
  return true;
end;
$$;

-- Records a payment. One that came before its order was known may find it later; nothing else is overwritten.
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

-- A payment that buys nothing goes back whole: one refund for a payment, ever. The owner is told; the buyer too, unless
-- the amount was wrong, which the owner settles with them.
create function private.owe_refund(
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
  if p_reason <> 'amount_mismatch' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values ('refund_notice', p_order.customer_email, p_order.id, v_payload, 'refund_notice:' || p_payment_id)
    on conflict (dedupe_key) do nothing;
  end if;
end;
$$;

revoke execute on function private.take_stock_again(jsonb),
  private.record_payment(text, bigint, text, bigint, text, text, text),
  private.owe_refund(public.orders, text, bigint, text, text)
from public, anon, authenticated;
