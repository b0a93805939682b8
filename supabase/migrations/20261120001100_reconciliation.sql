-- Razorpay compared with the records.

-- ── Reports ──

-- What Razorpay reports of refunds and disputes, whoever made them: by its events, and by its lists when it is asked.

-- Refunds to ask Razorpay about, leased to one caller: {id, payment_id, razorpay_refund_id}. Those that it works on, and
-- failed ones that may have been made after all. The caller reads the payment's refunds and calls record_refund for each,
-- then settle_refund_look.
create function public.refunds_to_poll(p_limit integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.check_lease(p_limit, 60);
  return query
  with due as (
    select r.id from public.refunds r
    where (r.state = 'requested' or (r.state = 'failed' and r.unanswered > 0)) and r.next_attempt_at <= clock_timestamp()
    order by r.next_attempt_at, r.id
    limit p_limit
    for update skip locked
  ), leased as (
    update public.refunds r
    set next_attempt_at = clock_timestamp() + greatest(interval '10 minutes', (clock_timestamp() - r.created_at) / 4)
    from due
    where r.id = due.id
    returning r.*
  )
  select jsonb_build_object('id', l.id, 'payment_id', l.payment_id, 'razorpay_refund_id', l.razorpay_refund_id)
  from leased l
  order by l.id;
end;
$$;

-- After a look at all refunds of its payment at Razorpay: a failed refund that was not among them was not made.
create function public.settle_refund_look(p_id bigint)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.refunds set unanswered = 0
  where id = p_id and state = 'failed' and razorpay_refund_id is null;
$$;

-- Records a refund as Razorpay has it, by its id, by the receipt (the idempotency key) that the shop sent, or as a new one
-- made in Razorpay's dashboard; the admin is told of these. Returns {outcome}: recorded, with state; unknown_payment.
-- Raises 22023.
create function public.record_refund(
  p_payment_id text, p_razorpay_refund_id text, p_amount_paise bigint, p_status text, p_receipt text default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_payment public.payments;
  v_id bigint;
begin
  if coalesce(p_razorpay_refund_id, '') = '' or p_amount_paise is null or p_amount_paise <= 0
    or p_status is null or p_status not in ('pending', 'processed', 'failed')
  then
    raise exception 'a refund has an id, an amount and a status' using errcode = '22023';
  end if;
  -- Lets one caller at a time look for the refund and insert it.
  v_payment := private.lock_payment(p_payment_id);
  if v_payment.payment_id is null then
    return jsonb_build_object('outcome', 'unknown_payment');
  end if;
  select r.id into v_id from public.refunds r
  where r.payment_id = p_payment_id
    and (r.razorpay_refund_id = p_razorpay_refund_id
      or (r.razorpay_refund_id is null and r.idempotency_key = p_receipt and r.amount_paise = p_amount_paise))
  order by r.razorpay_refund_id nulls last
  limit 1;
  if v_id is null then
    insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, reason, state, razorpay_refund_id)
    values (
      p_payment_id, v_payment.order_id, p_amount_paise, 'made_at_' || p_razorpay_refund_id, 'made_at_razorpay', 'requested',
      p_razorpay_refund_id
    )
    returning id into v_id;
    perform public.notify_admin(
      'refund_made_at_razorpay', jsonb_build_object('payment_id', p_payment_id, 'amount_paise', p_amount_paise),
      'refund_made:' || p_razorpay_refund_id, v_payment.order_id
    );
  end if;
  return jsonb_build_object('outcome', 'recorded') || public.finish_refund(
    v_id, p_razorpay_refund_id, case when p_status = 'failed' then 'failed at Razorpay' end, p_status = 'processed'
  );
end;
$$;

-- Records what Razorpay says of a dispute, and tells the admin. Returns {outcome}: recorded, unknown_payment.
create function public.record_dispute(p_payment_id text, p_dispute_id text, p_event text, p_amount_paise bigint)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order_id bigint;
begin
  update public.payments set dispute = left(p_event, 60) where payment_id = p_payment_id returning order_id into v_order_id;
  if not found then
    return jsonb_build_object('outcome', 'unknown_payment');
  end if;
  perform public.notify_admin(
    'dispute', jsonb_build_object('payment_id', p_payment_id, 'amount_paise', p_amount_paise, 'event', left(p_event, 60)),
    'dispute:' || left(p_dispute_id, 60) || ':' || left(p_event, 60), v_order_id
  );
  return jsonb_build_object('outcome', 'recorded');
end;
$$;

-- ── Reconciliation ──

-- Reconciliation: what Razorpay has of the last days, compared with what is recorded here. Webhooks can be lost and the
-- sweep asks about unpaid orders only, so a second payment of a paid order, or a refund made in Razorpay's dashboard, may
-- be found by nothing else. Runs once a day, and after Razorpay could not be reached.

create table public.reconciliations (
  id bigint generated always as identity primary key,
  from_at timestamptz not null,
  to_at timestamptz not null,
  payments integer not null,
  -- What was found: [{kind, payment_id, amount_paise, resolved}]; resolved tells what the shop did, null: the admin decides.
  differences jsonb not null default '[]' check (jsonb_typeof(differences) = 'array'),
  finished_at timestamptz not null default clock_timestamp()
);
alter table public.reconciliations enable row level security;

-- One row: since when Razorpay does not answer, and whether a reconciliation is due because it did not.
create table public.provider_health (
  id boolean primary key default true check (id),
  unreachable_since timestamptz,
  reconcile boolean not null default false
);
alter table public.provider_health enable row level security;
insert into public.provider_health default values;

-- Notes whether Razorpay answered. After an outage the next sweep reconciles.
create function public.note_provider(p_reachable boolean)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.provider_health
  set reconcile = reconcile or (p_reachable and unreachable_since is not null),
      unreachable_since = case when not p_reachable then coalesce(unreachable_since, clock_timestamp()) end
  where (unreachable_since is null) <> p_reachable;
$$;

-- Whether a reconciliation is due: none in the last 24 hours, or one was asked for.
create function public.is_reconciliation_due()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (select h.reconcile and h.unreachable_since is null from public.provider_health h)
    or not exists (select 1 from public.reconciliations r where r.finished_at > clock_timestamp() - interval '24 hours');
end;
$$;

-- Compares captured and refunded payments at Razorpay, created between p_from and p_to, with those recorded here.
-- p_payments: [{id, order_id, amount, amount_refunded}] in paise. Returns [{kind, payment_id, razorpay_order_id,
-- amount_paise, is_ours}]:
--   not_recorded     nothing is known of this payment, or it waits for its order; is_ours when its order is this shop's
--   amount_differs   recorded with another amount
--   refunds_differ   refunded at Razorpay and here are different sums, refunds in progress apart
--   not_at_razorpay  recorded here in that time, but not in the list; payments of the other mode than p_key_id's are left
--                    out: live keys do not know the payments of a test
create function public.compare_payments(p_payments jsonb, p_from timestamptz, p_to timestamptz, p_key_id text)
returns setof jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  with theirs as (
    select t.id, t.order_id, t.amount, t.amount_refunded
    from jsonb_to_recordset(p_payments) t (id text, order_id text, amount bigint, amount_refunded bigint)
  ), compared as (
    select t.id, t.order_id, t.amount, t.amount_refunded, p.state, p.amount_paise, (
        select coalesce(sum(r.amount_paise), 0) from public.refunds r
        where r.payment_id = t.id and r.state = 'processed'
      ) as refunded, (
        select coalesce(sum(r.amount_paise), 0) from public.refunds r
        where r.payment_id = t.id and r.state in ('requested', 'processed')
      ) as refunding
    from theirs t
    left join public.payments p on p.payment_id = t.id
  )
  select jsonb_build_object(
    'kind', case
      when c.state is null or c.state = 'unmatched' then 'not_recorded'
      when c.amount <> c.amount_paise then 'amount_differs'
      else 'refunds_differ'
    end,
    'payment_id', c.id,
    'razorpay_order_id', c.order_id,
    'amount_paise', c.amount,
    'is_ours', exists (select 1 from public.orders o where o.razorpay_order_id = c.order_id)
  )
  from compared c
  where c.state is null
    or (c.state = 'unmatched' and exists (select 1 from public.orders o where o.razorpay_order_id = c.order_id))
    or c.amount <> c.amount_paise
    -- A refund that Razorpay works on is in its sum already, and in ours when it is processed.
    or c.amount_refunded not between c.refunded and c.refunding
  union all
  select jsonb_build_object(
    'kind', 'not_at_razorpay', 'payment_id', p.payment_id, 'razorpay_order_id', p.razorpay_order_id,
    'amount_paise', p.amount_paise, 'is_ours', p.order_id is not null
  )
  from public.payments p
  left join public.orders o on o.id = p.order_id
  where p.created_at between p_from and p_to
    and not private.is_by_hand(p.payment_id)
    and private.key_mode(coalesce(o.razorpay_key_id, p_key_id)) = private.key_mode(p_key_id)
    and not exists (select 1 from theirs t where t.id = p.payment_id);
end;
$$;

-- Keeps the result of a reconciliation and tells the admin of the differences that nobody has resolved.
create function public.finish_reconciliation(p_from timestamptz, p_to timestamptz, p_payments integer, p_differences jsonb)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_difference jsonb;
begin
  insert into public.reconciliations (from_at, to_at, payments, differences)
  values (p_from, p_to, p_payments, p_differences);
  update public.provider_health set reconcile = false where id;
  for v_difference in
    select value from jsonb_array_elements(p_differences) where value ->> 'resolved' is null
  loop
    perform public.notify_admin(
      'difference', v_difference, 'difference:' || (v_difference ->> 'kind') || ':' || (v_difference ->> 'payment_id')
    );
  end loop;
end;
$$;
