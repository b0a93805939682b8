-- Reconciliation with Razorpay: refunds and disputes that it reports, and the daily comparison of all payments.

-- ── Reports ──

-- Refunds and disputes as Razorpay reports them, by webhook or in its lists.

-- Leases refunds to ask Razorpay about to one caller: {id, payment_id, razorpay_refund_id}. These are requested
-- refunds, and failed ones that may have been made after all. The caller reads the payment's refunds, calls
-- record_refund for each and then clear_unanswered_refund.
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

-- After all refunds of the payment were read at Razorpay: a failed refund that was not among them was not made.
create function public.clear_unanswered_refund(p_id bigint)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.refunds set unanswered = 0
  where id = p_id and state = 'failed' and razorpay_refund_id is null;
$$;

-- Records a refund as Razorpay reports it. Finds it by its id, else by the receipt (the idempotency key) that the
-- shop sent. Otherwise it was made in Razorpay's dashboard: it is added, and the admin is notified. Returns
-- {outcome}: recorded, with state; unknown_payment. Raises 22023.
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
  -- Serialises callers that look for the refund and insert it.
  v_payment := private.lock_payment(p_payment_id);
  if v_payment.payment_id is null or private.is_foreign(v_payment) then
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
      p_payment_id, v_payment.order_id, p_amount_paise, 'made_at_' || p_razorpay_refund_id, 'made_at_razorpay',
      'requested', p_razorpay_refund_id
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

-- Records a dispute event and notifies the admin. p_phase, p_reason, p_respond_by (the last moment to answer) and p_deducted_paise (taken
-- from the balance for a lost one, else 0) are Razorpay's. Late events never reopen a closed dispute, unless its complaint has reached a
-- later phase, or set one back to 'created'; a 'lost' always counts. payments.dispute prefers an open dispute. What a dispute took is with
-- the customer, and never refunded again. Returns {outcome}: recorded; old (nothing new); unknown_payment.
create function public.record_dispute(
  p_payment_id text, p_dispute_id text, p_event text, p_amount_paise bigint, p_phase text default null, p_reason text default null,
  p_respond_by timestamptz default null, p_deducted_paise bigint default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_payment public.payments;
  v_id text := left(p_dispute_id, 60);
  v_event text := left(p_event, 60);
  v_known text;
  v_before jsonb;
  v_phase text;
  v_lost bigint;
begin
  v_payment := private.lock_payment(p_payment_id);
  if v_payment.payment_id is null or private.is_foreign(v_payment) then
    return jsonb_build_object('outcome', 'unknown_payment');
  end if;
  v_known := v_payment.disputes ->> v_id;
  v_before := coalesce(v_payment.dispute_facts -> v_id, '{}');
  v_phase := left(coalesce(p_phase, v_before ->> 'phase'), 60);
  if v_known is not null
    and (v_before ->> 'phase' is null or private.phase_rank(v_phase) <= private.phase_rank(v_before ->> 'phase'))
    and (
      v_known = v_event or v_event = 'created' or (private.is_closed_dispute(v_known) and (v_event <> 'lost' or v_known = 'lost'))
    )
  then
    -- Its term may be a new one, or not known yet of a dispute that an earlier version recorded.
    update public.payments p
    set dispute_facts = p.dispute_facts || jsonb_build_object(v_id, v_before || jsonb_build_object(
      'phase', v_phase, 'reason', coalesce(left(p_reason, 200), v_before ->> 'reason'), 'respond_by', p_respond_by,
      'amount_paise', p_amount_paise, 'at', coalesce(v_before ->> 'at', clock_timestamp()::text)
    ))
    where p.payment_id = p_payment_id and not private.is_closed_dispute(v_known) and p_respond_by is not null
      and p_respond_by is distinct from (v_before ->> 'respond_by')::timestamptz;
    return jsonb_build_object('outcome', 'old');
  end if;
  -- The amount of the dispute where Razorpay does not say what it took, or not yet: rather too much than refunded twice.
  v_lost := case
    when v_event = 'lost' then coalesce(nullif(greatest(0, p_deducted_paise), 0), greatest(0, p_amount_paise))
    when private.is_closed_dispute(v_event) then greatest(0, coalesce(p_deducted_paise, 0))
    else 0
  end;
  -- What a dispute took is never counted as less.
  v_lost := greatest(v_lost, coalesce((v_before ->> 'lost_paise')::bigint, 0));
  update public.payments p
  set disputes = p.disputes || jsonb_build_object(v_id, v_event),
      dispute_facts = p.dispute_facts || jsonb_build_object(v_id, jsonb_build_object(
        'phase', v_phase, 'reason', coalesce(left(p_reason, 200), v_before ->> 'reason'),
        'respond_by', coalesce(p_respond_by, (v_before ->> 'respond_by')::timestamptz), 'amount_paise', p_amount_paise,
        'lost_paise', v_lost, 'at', clock_timestamp()
      )),
      dispute = (
        select d.value from jsonb_each_text(p.disputes || jsonb_build_object(v_id, v_event)) d
        order by private.is_closed_dispute(d.value), d.key = v_id desc
        limit 1
      ),
      lost_paise = least(p.amount_paise, p.lost_paise + v_lost - coalesce((v_before ->> 'lost_paise')::bigint, 0))
  where p.payment_id = p_payment_id;
  if v_lost > 0 then
    perform private.settle_lost_payment(p_payment_id);
  end if;
  perform public.notify_admin(
    'dispute',
    jsonb_strip_nulls(jsonb_build_object(
      'payment_id', p_payment_id, 'amount_paise', p_amount_paise, 'event', v_event, 'phase', v_phase, 'reason', left(p_reason, 200),
      'respond_by', p_respond_by, 'lost_paise', nullif(v_lost, 0)
    )),
    'dispute:' || v_id || ':' || v_event || case when v_known is not null and private.is_closed_dispute(v_known) then ':' || v_phase else '' end,
    v_payment.order_id
  );
  return jsonb_build_object('outcome', 'recorded');
end;
$$;

-- Open disputes that have to be answered within a day and are not: the bank is not looking at an answer yet. p_limit rows at most.
create function private.disputes_due(p_limit integer)
returns table (payment_id text, order_id bigint, amount_paise bigint, id text, phase text, reason text, respond_by timestamptz)
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select p.payment_id, p.order_id, (p.dispute_facts -> d.id ->> 'amount_paise')::bigint, d.id, d.phase, d.reason, d.respond_by
  from public.payments p
  cross join lateral private.open_disputes(p) d
  where p.dispute is not null and not private.is_closed_dispute(p.dispute)
    and d.event <> 'under_review'
    and d.respond_by between clock_timestamp() and clock_timestamp() + interval '24 hours'
    -- The mail about the dispute itself has just gone.
    and (p.dispute_facts -> d.id ->> 'at')::timestamptz < clock_timestamp() - interval '6 hours'
    and not exists (select 1 from public.outbox m where m.dedupe_key = 'dispute_due:' || d.id || ':' || d.respond_by)
  limit p_limit;
end;
$$;

-- Reminds the admin, a day before, of disputes that nobody has answered: once for each term. Returns how many.
create function public.queue_dispute_reminders()
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_due record;
  v_count integer := 0;
begin
  for v_due in select * from private.disputes_due(20) loop
    perform public.notify_admin(
      'dispute_due',
      jsonb_strip_nulls(jsonb_build_object(
        'payment_id', v_due.payment_id, 'amount_paise', v_due.amount_paise, 'phase', v_due.phase, 'reason', v_due.reason,
        'respond_by', v_due.respond_by
      )),
      'dispute_due:' || v_due.id || ':' || v_due.respond_by, v_due.order_id
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;

-- ── Reconciliation ──

-- Compares Razorpay's payments, refunds and disputes with the records here. Webhooks can be lost, and the sweep asks
-- only about unpaid orders, so nothing else may find a second payment of a paid order or a refund made in Razorpay's
-- dashboard. Starts once a day, and after Razorpay was unreachable.

create table public.reconciliations (
  id bigint generated always as identity primary key,
  -- The period of the payments and refunds. It starts six days back, because a bank can take five days to authorise a
  -- payment, or at the end of the last reconciliation if that is earlier.
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- The position in Razorpay's lists. They are read page by page; a long list takes several sweeps.
  step text not null default 'payments' check (step in ('payments', 'refunds', 'disputes', 'unlisted')),
  skip integer not null default 0 check (skip >= 0),
  payments integer not null default 0,
  -- Differences: [{kind, payment_id, amount_paise, resolved}]. resolved says what the shop did; null: the admin
  -- decides.
  differences jsonb not null default '[]' check (jsonb_typeof(differences) = 'array'),
  -- Null while it runs.
  finished_at timestamptz default clock_timestamp()
);

create unique index reconciliations_under_way_idx on public.reconciliations ((true)) where finished_at is null;

alter table public.reconciliations enable row level security;

-- One row: since when Razorpay has been unreachable, and whether a reconciliation is due because of it.
create table public.provider_health (
  id boolean primary key default true check (id),
  unreachable_since timestamptz,
  reconcile boolean not null default false
);

alter table public.provider_health enable row level security;

insert into public.provider_health default values;

-- Records whether Razorpay answered. After an outage the next sweep reconciles.
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

-- Returns the running reconciliation, or starts one if none finished in the last 24 hours or one was requested: {id,
-- from, to (Unix seconds), step, skip}; null when none is due. Concurrent callers get the same one, and their work
-- can be repeated safely.
create function public.next_reconciliation()
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_run public.reconciliations;
begin
  select * into v_run from public.reconciliations where finished_at is null;
  if not found then
    if not (select h.reconcile and h.unreachable_since is null from public.provider_health h)
      and exists (select 1 from public.reconciliations r where r.finished_at > v_now - interval '24 hours')
    then
      return null;
    end if;
    update public.provider_health set reconcile = false where reconcile;
    -- Payments of the last two minutes are still being recorded by their webhook.
    insert into public.reconciliations (from_at, to_at, finished_at)
    -- The first one starts at the first order: the sweeps may have failed for longer than six days.
    select least(t.to_at - interval '6 days', coalesce(
      (select max(r.to_at) from public.reconciliations r),
      (select o.created_at from public.orders o order by o.id limit 1)
    )), t.to_at, null
    from (select date_trunc('second', v_now) - interval '2 minutes' as to_at) t
    on conflict do nothing
    returning * into v_run;
    if v_run.id is null then
      return null;
    end if;
  end if;
  return jsonb_build_object(
    'id', v_run.id, 'from', floor(extract(epoch from v_run.from_at))::bigint,
    'to', floor(extract(epoch from v_run.to_at))::bigint,
    'step', v_run.step, 'skip', v_run.skip
  );
end;
$$;

-- Compares a page of Razorpay's captured and refunded payments with the records, and marks them as listed.
-- p_payments: [{id, order_id, amount, amount_refunded}] in paise. Returns [{kind, payment_id, razorpay_order_id,
-- amount_paise, is_ours}]:
--   not_recorded     the payment is unknown, or waits for its order; is_ours if its order is this shop's
--   amount_differs   recorded with another amount
--   refunds_differ   refunded sums differ, apart from refunds in progress
create function public.compare_payments(p_payments jsonb)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.payments p
  set listed_at = clock_timestamp()
  where p.listed_at is null and p.payment_id = any (array(select t ->> 'id' from jsonb_array_elements(p_payments) t));
  return query
  with theirs as (
    select t.id, t.order_id, t.amount, t.amount_refunded
    from jsonb_to_recordset(p_payments) t (id text, order_id text, amount bigint, amount_refunded bigint)
  ), compared as (
    select t.id, t.order_id, t.amount, t.amount_refunded, p.state, p.amount_paise,
      exists (select 1 from public.orders o where o.razorpay_order_id = t.order_id) as is_ours, (
        select coalesce(sum(r.amount_paise), 0) from public.refunds r
        where r.payment_id = t.id and r.state = 'processed'
      ) as refunded, (
        select coalesce(sum(r.amount_paise), 0) from public.refunds r
        where r.payment_id = t.id and r.state in ('requested', 'processed')
      ) as refunding
    from theirs t
    -- `offset 0` makes PostgreSQL look up the payments of this page; a plain join would read all payments.
    left join lateral (select * from public.payments known where known.payment_id = t.id offset 0) p on true
  )
  select jsonb_build_object(
    'kind', case
      when c.state is null or c.state in ('unmatched', 'foreign') then 'not_recorded'
      when c.amount <> c.amount_paise then 'amount_differs'
      else 'refunds_differ'
    end,
    'payment_id', c.id,
    'razorpay_order_id', c.order_id,
    'amount_paise', c.amount,
    'is_ours', c.is_ours
  )
  from compared c
  where c.state is null
    or (c.state in ('unmatched', 'foreign') and c.is_ours)
    or (c.state <> 'foreign' and (
      c.amount <> c.amount_paise
      -- Razorpay's sum includes refunds in progress, ours only processed ones.
      or c.amount_refunded not between c.refunded and c.refunding
    ));
end;
$$;

-- Returns the ids to record of a page of Razorpay's refunds, [{id, payment_id, status}]: refunds of known payments that are not
-- recorded with this status.
create function public.refunds_to_record(p_refunds jsonb)
returns setof text
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select t.id
  from jsonb_to_recordset(p_refunds) t (id text, payment_id text, status text)
  join public.payments p on p.payment_id = t.payment_id and not private.is_foreign(p)
  -- A comparison instead of `not exists`, for which PostgreSQL would read all refunds.
  where (select r.state from public.refunds r where r.razorpay_refund_id = t.id)
    is distinct from case t.status when 'pending' then 'requested' else t.status end;
end;
$$;

-- Payments of a reconciliation's period that Razorpay has not listed: {payment_id, razorpay_order_id, amount_paise}.
-- Leaves out payments of the other mode than p_key_id: live keys do not know test payments.
create function public.unlisted_payments(p_id bigint, p_key_id text, p_limit integer)
returns setof jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select jsonb_build_object(
    'payment_id', p.payment_id, 'razorpay_order_id', p.razorpay_order_id, 'amount_paise', p.amount_paise
  )
  from public.reconciliations r
  join public.payments p on p.created_at between r.from_at and r.to_at
  left join public.orders o on o.id = p.order_id
  where r.id = p_id
    and p.listed_at is null
    and not private.is_foreign(p)
    and not private.is_by_hand(p.payment_id)
    and private.key_mode(coalesce(o.razorpay_key_id, p_key_id)) = private.key_mode(p_key_id)
  order by p.created_at
  limit p_limit;
end;
$$;

-- Marks payments as known to Razorpay that were made before the listed period.
create function public.note_listed(p_payment_ids text[])
returns void
language sql
security definer
set search_path = ''
as $$
  update public.payments set listed_at = clock_timestamp() where payment_id = any (p_payment_ids) and listed_at is null;
$$;

-- Moves a reconciliation to the next position; p_next_step null means finished. Adds the differences and notifies the
-- admin of unresolved ones. Returns false, and does nothing, if another caller has moved it already.
create function public.advance_reconciliation(
  p_id bigint, p_step text, p_skip integer, p_next_step text, p_next_skip integer, p_payments integer, p_differences jsonb
)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_difference jsonb;
begin
  update public.reconciliations
  set step = coalesce(p_next_step, step),
      skip = p_next_skip,
      payments = payments + p_payments,
      differences = differences || p_differences,
      finished_at = case when p_next_step is null then clock_timestamp() end
  where id = p_id and step = p_step and skip = p_skip and finished_at is null;
  if not found then
    return false;
  end if;
  for v_difference in
    select value from jsonb_array_elements(p_differences) where value ->> 'resolved' is null
  loop
    perform public.notify_admin(
      'difference', v_difference, 'difference:' || (v_difference ->> 'kind') || ':' || (v_difference ->> 'payment_id')
    );
  end loop;
  return true;
end;
$$;
