-- Payments, and `mark_paid`, the only way to mark an order as paid: verify, webhook, callback and sweep all call it.
-- The lock order and the states are described in `orders.sql`.

-- ── Records ──

create table public.payments (
  payment_id text primary key check (payment_id <> '' and char_length(payment_id) <= 100),
  order_id bigint references public.orders (id),
  razorpay_order_id text,
  amount_paise bigint not null check (amount_paise >= 0),
  currency text not null,
  -- unmatched: belongs to no order that it can pay. foreign: of another business in the same Razorpay account.
  state text not null check (state in ('accepted', 'refund_due', 'refunded', 'unmatched', 'foreign')),
  reason text,
  dispute text check (char_length(dispute) <= 60),
  disputes jsonb not null default '{}' check (jsonb_typeof(disputes) = 'object'),
  dispute_facts jsonb not null default '{}' check (jsonb_typeof(dispute_facts) = 'object'),
  lost_paise bigint not null default 0 check (lost_paise between 0 and amount_paise),
  -- When a list of Razorpay's payments first included it.
  listed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

comment on column public.payments.dispute is 'The last dispute event at Razorpay, such as ''created''; null: none';
comment on column public.payments.disputes is 'The last event of each dispute, by dispute id';
comment on column public.payments.dispute_facts is 'What Razorpay told of each dispute, by dispute id: {phase, reason, respond_by, amount_paise, lost_paise, at}';
comment on column public.payments.lost_paise is 'What a bank gave back to the customer by lost disputes';

create index payments_order_id_idx on public.payments (order_id);
create index payments_dispute_idx on public.payments (updated_at) where dispute is not null;
create index payments_created_at_idx on public.payments (created_at);
create index payments_open_idx on public.payments (state) where state in ('unmatched', 'refund_due');
create index payments_lost_idx on public.payments (order_id) where lost_paise > 0;
create index payments_unlisted_idx on public.payments (created_at) where listed_at is null;

create trigger payments_touch_updated_at
before update on public.payments
for each row execute function private.touch_updated_at();

alter table public.payments enable row level security;

create table public.webhook_events (
  event_id text primary key,
  event text,
  payment_id text,
  -- Set for failed payments.
  order_id bigint,
  received_at timestamptz not null default now()
);

create index webhook_events_failed_idx on public.webhook_events (received_at) where event = 'payment.failed';
create index webhook_events_order_id_idx on public.webhook_events (order_id) where order_id is not null;

-- Monitors ask for the newest event, and for the event of one payment.
create index webhook_events_received_at_idx on public.webhook_events (received_at);
create index webhook_events_payment_id_idx on public.webhook_events (payment_id);

alter table public.webhook_events enable row level security;

-- Whether a payment is not this shop's, or its origin is not known yet (settle_payment_origin).
create function private.is_foreign(p_payment public.payments)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_payment.state = 'foreign' or (p_payment.state = 'unmatched' and p_payment.reason = 'origin_unknown');
end;
$$;

create function private.is_closed_dispute(p_event text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(p_event in ('won', 'lost', 'closed'), false);
end;
$$;

-- Whether a bank decides in a dispute of this phase, and gives the money back itself. An accepted fraud dispute is refunded by the shop,
-- and closed by that refund. A phase that nobody knows waits.
create function private.phase_waits(p_phase text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_phase is distinct from 'fraud';
end;
$$;

-- The stages of one complaint, in their order: a later one opens again what an earlier one closed.
create function private.phase_rank(p_phase text)
returns integer
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(array_position(array['fraud', 'retrieval', 'chargeback', 'pre_arbitration', 'arbitration'], p_phase), 0);
end;
$$;

-- The open disputes of a payment: {id, event, phase, reason, respond_by}, those that are due first at the start.
create function private.open_disputes(p_payment public.payments)
returns table (id text, event text, phase text, reason text, respond_by timestamptz)
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select d.key, d.value, f.facts ->> 'phase', f.facts ->> 'reason', (f.facts ->> 'respond_by')::timestamptz
  from jsonb_each_text(p_payment.disputes) d
  cross join lateral (select p_payment.dispute_facts -> d.key as facts) f
  where not private.is_closed_dispute(d.value)
  order by 5 nulls last, 1;
end;
$$;

-- Whether a bank decides about this payment: a dispute is open. No refund of it is sent until then, see claim_refunds.
create function private.is_disputed_payment(p_payment public.payments)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_payment.dispute is not null and not private.is_closed_dispute(p_payment.dispute)
    and (p_payment.disputes = '{}' or exists (
      select 1 from jsonb_each_text(p_payment.disputes) d
      where not private.is_closed_dispute(d.value)
        and private.phase_waits(p_payment.dispute_facts -> d.key ->> 'phase')
    ));
end;
$$;

-- Whether a bank decides about money that an order was paid with.
create function private.is_disputed(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.payments p
    where p.payment_id in (p_order.payment_id, p_order.advance_payment_id) and private.is_disputed_payment(p)
  );
end;
$$;

-- Records a payment. An 'unmatched' one can be matched to its order later, and a foreign one if its order turns out
-- to be here (test and live keys were mixed up). No other row is overwritten.
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
    where (p.state = 'unmatched' and excluded.reason is distinct from 'origin_unknown')
      or (p.state = 'foreign' and excluded.state <> 'unmatched');
$$;

-- Whether a payment was taken by hand (cash, transfer), so that Razorpay does not know it.
create function private.is_by_hand(p_payment_id text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return starts_with(p_payment_id, 'hand_');
end;
$$;
