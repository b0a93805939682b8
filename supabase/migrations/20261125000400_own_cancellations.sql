-- Customers' own cancellations of paid orders: each one costs the shop the provider's fee and keeps the product from
-- other customers until it is cancelled, so they are counted. The shop can choose to keep the platform fee.

-- One row per paid order that its customer cancelled. The phone is a hash, the network a keyed hash as in
-- orders.network. A row outlives its account, because a new account would otherwise start from zero. Deleted after 30
-- days (`forget`, subject own_cancellations).
create table public.own_cancellations (
  order_id bigint primary key references public.orders (id) on delete cascade,
  user_id uuid references auth.users (id) on delete set null,
  phone_hash text,
  network text check (char_length(network) <= 60),
  created_at timestamptz not null default now()
);
create index own_cancellations_user_id_idx on public.own_cancellations (user_id);
create index own_cancellations_created_at_idx on public.own_cancellations (created_at);

alter table public.own_cancellations enable row level security;
grant all on table public.own_cancellations to service_role;

alter table public.orders add column kept_paise bigint not null default 0 check (kept_paise >= 0);
comment on column public.orders.kept_paise is
  'The platform fee that the shop keeps of a paid order which its customer cancelled';

-- The largest amount that a new refund of this payment can have. Refunds with an unknown outcome count as made. What the
-- shop keeps of a cancelled order is not refunded.
create or replace function private.refundable_paise(p_payment public.payments)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select p_payment.amount_paise - coalesce(sum(r.amount_paise), 0)
    from public.refunds r
    where r.payment_id = p_payment.payment_id and (r.state <> 'failed' or private.outcome_unknown(r))
  ) - coalesce((
    select o.kept_paise from public.orders o
    where o.id = p_payment.order_id and o.payment_id = p_payment.payment_id
  ), 0);
end;
$$;

-- Sales from p_from up to p_to: one row per paid order (orders 1, paise its total), one per refund of such an order
-- (orders 0, paise negative), including refunds in progress, and one per fee kept of a cancelled order (orders 0).
create or replace function private.sales(p_from timestamptz, p_to timestamptz)
returns table (at timestamptz, orders integer, paise bigint)
language sql
stable
set search_path = ''
as $$
  select o.paid_at, case when o.fulfilment = 'cancelled' then 0 else 1 end,
    case when o.fulfilment = 'cancelled' then o.kept_paise else coalesce(o.total_paise, 0) end
  from public.orders o
  where o.paid_at >= p_from and o.paid_at < p_to and (o.fulfilment <> 'cancelled' or o.kept_paise > 0)
  union all
  select r.created_at, 0, -r.amount_paise
  from public.refunds r
  join public.orders o on o.id = r.order_id and o.payment_id = r.payment_id
  where r.created_at >= p_from and r.created_at < p_to and r.state <> 'failed'
    and o.paid_at is not null and o.fulfilment <> 'cancelled';
$$;

-- Cancels an order for the customer it belongs to (order_ids_of), as cancel_order does. p_paid is what the customer
-- saw, so that giving up an unpaid order never cancels one that was paid in the meantime. Notifies the admin of a
-- cancelled paid order. p_network is the customer's network, a keyed hash. With p_keep_fee the platform fee of a paid
-- order is not refunded; it then needs p_document, its invoice, which the credit note of the refund reduces to the fee
-- (p_revision as in assign_invoice). Raises 22023. Returns {outcome}; only `cancelled` changes the order:
--   cancelled; already; not_found (or another customer's)
--   paid                 the customer gave up an unpaid order, which is now paid
--   not_paid             the customer cancelled a paid order, which is not paid
--   refunded             it was paid, and all of it was or will be refunded
--   ask                  only the shop can cancel: packed or further, a free replacement, disputed, or not paid through
--                        this checkout
--   limit                the account, its phone or its network cancelled two paid orders in 30 days. The admin is
--                        notified and decides
--   check_payment_first  as in cancel_order
--   needs_document, outdated  as in assign_invoice
-- Dropped first: with a second version beside it, a call with five arguments would be ambiguous.
drop function public.cancel_own_order(uuid, bigint, uuid, boolean, boolean);
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
  v_max_cancellations constant integer := 2;
  v_kept bigint := 0;
  v_phone text;
begin
  if p_paid then
    -- Two orders of one customer at once: each counts the other. Before the order, by the lock order.
    perform pg_advisory_xact_lock(hashtextextended('own cancellations', 0));
  end if;
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
    or coalesce(private.is_by_hand(v_order.payment_id), false)
    or exists (
      select 1 from public.payments p
      where p.payment_id = v_order.payment_id and p.dispute is not null and not private.is_closed_dispute(p.dispute)
    )
  then
    return jsonb_build_object('outcome', 'ask');
  end if;
  if p_paid then
    v_phone := encode(sha256(convert_to(v_order.phone_key, 'UTF8')), 'hex');
    if v_max_cancellations <= greatest(
      (select count(*) from public.own_cancellations c
       where c.user_id = p_user_id and c.created_at > now() - interval '30 days'),
      (select count(*) from public.own_cancellations c
       where c.phone_hash = v_phone and c.created_at > now() - interval '30 days'),
      (select count(*) from public.own_cancellations c
       where c.network = p_network and c.created_at > now() - interval '30 days')
    ) then
      perform public.notify_admin(
        'cancel_requested',
        jsonb_build_object('payment_id', v_order.payment_id, 'amount_paise', v_order.total_paise),
        'cancel_requested:' || p_order_id, p_order_id
      );
      return jsonb_build_object('outcome', 'limit');
    end if;
    if p_keep_fee and coalesce(v_order.fee_paise, 0) > 0 and v_order.total_paise - v_order.fee_paise >= 100 then
      if v_order.invoice_number is null and p_document is null then
        return jsonb_build_object('outcome', 'needs_document');
      elsif v_order.invoice_number is null and p_revision <> v_order.updated_at then
        return jsonb_build_object('outcome', 'outdated');
      end if;
      v_kept := v_order.fee_paise;
      update public.orders set kept_paise = v_kept where id = p_order_id;
    end if;
  end if;
  v_answer := public.cancel_order(p_order_id, p_key, 'Cancelled by the customer', true, p_payment_checked);
  if v_answer ->> 'outcome' = 'cancelled' and p_paid then
    insert into public.own_cancellations (order_id, user_id, phone_hash, network)
    values (p_order_id, p_user_id, v_phone, p_network);
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
    perform public.notify_admin(
      'cancelled_by_customer',
      jsonb_build_object('payment_id', v_order.payment_id, 'amount_paise', v_order.total_paise - v_kept),
      'cancelled_by_customer:' || p_order_id, p_order_id
    );
    -- The counter of invoices is the last lock.
    if v_kept > 0 then
      perform private.issue_invoice(p_order_id, p_document);
    end if;
  end if;
  return v_answer;
end;
$$;
grant execute on function public.cancel_own_order(
  uuid, bigint, uuid, boolean, boolean, text, boolean, jsonb, timestamptz
) to service_role;
