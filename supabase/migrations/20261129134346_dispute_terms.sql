-- What Razorpay tells of a dispute: its phase, its reason, the moment until which the shop has to answer, what was taken from the balance.
-- The refund of a fraud dispute is sent while it is open, a dispute that is lost later counts whatever came before, and the admin is
-- reminded a day before a term ends. record_dispute takes new arguments with defaults; the site of before calls it with its four.

alter table public.payments
  add column dispute_facts jsonb not null default '{}' check (jsonb_typeof(dispute_facts) = 'object');

comment on column public.payments.dispute_facts is 'What Razorpay told of each dispute, by dispute id: {phase, reason, respond_by, amount_paise, lost_paise, at}';

-- What a lost dispute took was kept as a sum alone. A payment rarely has two.
update public.payments p
set dispute_facts = (
  select jsonb_object_agg(d.key, jsonb_build_object('lost_paise', p.lost_paise, 'amount_paise', p.lost_paise))
  from (select key from jsonb_each_text(p.disputes) where value = 'lost' order by key limit 1) d
)
where p.lost_paise > 0 and exists (select 1 from jsonb_each_text(p.disputes) d where d.value = 'lost');

create or replace function private.phase_waits(p_phase text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_phase is distinct from 'fraud';
end;
$$;

create or replace function private.phase_rank(p_phase text)
returns integer
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(array_position(array['fraud', 'retrieval', 'chargeback', 'pre_arbitration', 'arbitration'], p_phase), 0);
end;
$$;

create or replace function private.open_disputes(p_payment public.payments)
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

create or replace function private.is_disputed_payment(p_payment public.payments)
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

drop function public.record_dispute(text, text, text, bigint);

create or replace function public.record_dispute(
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

create or replace function private.disputes_due(p_limit integer)
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

create or replace function public.queue_dispute_reminders()
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

create or replace function public.read_today(p_low_stock_below integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with clock as (
    select date_trunc('day', clock_timestamp() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata' as today,
      date_trunc('month', clock_timestamp() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata' as month
  ), money as materialized (
    select * from private.payment_problems()
  ), health as materialized (
    select public.shop_health() as facts
  )
  select jsonb_build_object(
    -- Cash orders to confirm, those that end first at the start, and the cash of sent parcels by courier.
    'toConfirm', jsonb_build_object(
      'count', (select count(*) from public.orders where stage = 'to_confirm'),
      'orders', (select coalesce(jsonb_agg(to_jsonb(t) order by t.hold_expires_at, t.id), '[]') from (
        select id, customer_name, items, products, created_at, status, hold_state, hold_expires_at, cash_paise, payment_id,
          fulfilment
        from public.orders
        where stage = 'to_confirm' order by hold_expires_at, id limit 5) t)
    ),
    'cashDue', private.cash_due(),
    'toPack', jsonb_build_object(
      'count', (select count(*) from public.orders where stage = 'to_pack'),
      -- Oldest first.
      'orders', (select coalesce(jsonb_agg(to_jsonb(t) order by t.created_at, t.id), '[]') from (
        select id, customer_name, items, products, created_at from public.orders
        where stage = 'to_pack' order by created_at, id limit 5) t)
    ),
    -- Packed but not shipped, longest waiting first.
    'toShip', jsonb_build_object(
      'count', (select count(*) from public.orders where stage = 'packed'),
      'orders', (select coalesce(jsonb_agg(to_jsonb(t) order by t.packed_at nulls first, t.id), '[]') from (
        select id, customer_name, items, products, created_at, packed_at from public.orders
        where stage = 'packed' order by packed_at nulls first, id limit 5) t)
    ),
    'toAnswer', jsonb_build_object(
      'count', (select count(*) from public.contact_messages where answered_at is null),
      'messages', (select coalesce(jsonb_agg(to_jsonb(t) order by t.id), '[]') from (
        select id, name, subject, created_at as "createdAt" from public.contact_messages
        where answered_at is null order by id limit 5) t)
    ),
    'claims', jsonb_build_object(
      'count', (select count(*) from public.claims where answer is null),
      'claims', (select coalesce(jsonb_agg(to_jsonb(t) order by t."createdAt"), '[]') from (
        select c.order_id as "orderId", coalesce(o.customer_name, '') as "customerName", c.created_at as "createdAt"
        from public.claims c join public.orders o on o.id = c.order_id
        where c.answer is null order by c.created_at limit 5) t)
    ),
    'newReviews', (select count(*) from public.reviews where state = 'new'),
    'low', jsonb_build_object(
      'count', (select count(*) from public.products
        where stock between 1 and p_low_stock_below - 1 and not hidden and deleted_at is null),
      'products', (select coalesce(jsonb_agg(to_jsonb(t) order by t.stock, t.name, t.id), '[]') from (
        select id, name, stock from public.products
        where stock between 1 and p_low_stock_below - 1 and not hidden and deleted_at is null
        order by stock, name, id limit 5) t)
    ),
    'soldOut', jsonb_build_object(
      'count', (select count(*) from public.products where stock = 0 and not hidden and deleted_at is null),
      'products', (select coalesce(jsonb_agg(to_jsonb(t) order by t.name, t.id), '[]') from (
        select id, name from public.products
        where stock = 0 and not hidden and deleted_at is null order by name, id limit 5) t)
    ),
    'money', jsonb_build_object(
      'count', (select count(*) from money),
      'items', (select coalesce(jsonb_agg(to_jsonb(t) order by t.at, t."paymentId"), '[]') from (
        select kind, payment_id as "paymentId", order_id as "orderId", amount_paise as "amountPaise", at, refundable,
          case when kind = 'dispute' then (
            select jsonb_build_object('phase', d.phase, 'event', d.event, 'respondBy', d.respond_by)
            from public.payments p, private.open_disputes(p) d where p.payment_id = money.payment_id limit 1
          ) end as dispute
        from money order by at, payment_id limit 5) t)
    ),
    -- Stock held by unpaid orders, longest held first. A hold that has ended is being checked at Razorpay: nobody is paying.
    'holds', jsonb_build_object(
      'count', (select count(*) from public.orders where hold_state = 'held' and hold_expires_at > clock_timestamp()),
      'orders', (select coalesce(jsonb_agg(jsonb_build_object(
          'order', jsonb_build_object('id', t.id, 'customer_name', t.customer_name, 'items', t.items),
          'heldSince', t.created_at, 'heldUntil', t.hold_expires_at, 'takesLast', t.last_units <> '{}' and t.admin_key is null
        ) order by t.created_at, t.id), '[]') from (
        select id, customer_name, items, created_at, hold_expires_at, last_units, admin_key from public.orders
        where hold_state = 'held' and hold_expires_at > clock_timestamp() order by created_at, id limit 5) t)
    ),
    'unsentMails', (select count(*) from public.outbox where sent_at is null and attempts >= 5 and kind <> 'push'),
    'mailsStuckSince', (
      select least((facts ->> 'outbox_stuck_since')::timestamptz, (facts ->> 'mail_refused_since')::timestamptz) from health
    ),
    'mailRefusal', (select facts -> 'mail_refusal' from health),
    'notice', public.read_notice(),
    'sales', (
      select jsonb_build_object(
        'todayOrders', coalesce(sum(s.orders) filter (where s.at >= c.today), 0),
        'todayPaise', coalesce(sum(s.paise) filter (where s.at >= c.today), 0),
        'monthOrders', coalesce(sum(s.orders), 0),
        'monthPaise', coalesce(sum(s.paise), 0)
      )
      from clock c
      left join lateral private.sales(c.month, 'infinity') s on true
    ),
    'changes', private.newest_changes()
  );
$$;

create or replace function private.idle_steps(
  p_settings jsonb, p_claim_days integer, p_review_days integer default null, p_cart_hours integer default null
)
returns text[]
language plpgsql
stable
set search_path = ''
as $$
declare
  v_now constant timestamptz := clock_timestamp();
begin
  return (
    select coalesce(array_agg(steps.name) filter (where not steps.is_due), '{}')
    from (values
      -- alertOfSilence: a sweep that comes late looks at how late it is.
      ('silence', not exists (
        select 1 from public.heartbeats h where h.name = 'sweep' and h.last_at > v_now - interval '15 minutes'
      ) or public.shop_health() ->> 'webhook_missing_since' is not null),
      -- probe_mail_server
      ('mail server', exists (select 1 from public.mail_server m where m.is_out)),
      -- queue_dispute_reminders
      ('disputes', exists (select 1 from private.disputes_due(1))),
      -- set_shop_settings
      ('settings', not exists (select 1 from public.shop_settings s where to_jsonb(s) @> p_settings)),
      -- queue_back_in_stock
      ('back in stock', exists (
        select 1 from public.stock_alerts a
        cross join lateral (select * from public.products w where w.id = a.product_id offset 0) p
        where a.confirmed_at is not null and p.stock > 0 and not p.hidden and p.deleted_at is null
          and case
            when a.size is null or p.sizes = '[]' then true
            else private.stock_of_line(p.stock, p.sizes, a.size) > 0
          end
      )),
      -- queue_review_requests
      ('review requests', exists (select 1 from private.review_requests_due(p_review_days, 1))),
      -- end_unconfirmed_orders
      ('cash orders', exists (
        select 1 from public.orders o where o.hold_state = 'reserved' and o.hold_expires_at <= v_now
      )),
      -- queue_cart_mails
      ('cart mails', exists (select 1 from private.left_carts_due(p_cart_hours, 1))),
      -- claim_refunds
      ('refunds', exists (
        select 1 from public.refunds r where r.state = 'due' and r.next_attempt_at <= v_now and not private.awaits_bank(r)
      )),
      -- claim_outbox
      ('outbox', exists (
        select 1 from public.outbox m
        where m.sent_at is null and m.next_attempt_at <= v_now and m.attempts < 20
          and (m.kind <> 'push' or m.created_at > v_now - interval '1 day')
      )),
      -- refunds_to_poll
      ('poll refunds', exists (
        select 1 from public.refunds r
        where (r.state = 'requested' or (r.state = 'failed' and r.unanswered > 0)) and r.next_attempt_at <= v_now
      )),
      ('payment origins', exists (select 1 from public.payments_of_unknown_origin(1))),
      -- orders_to_check
      ('sweep', exists (
        select 1 from public.orders o
        where o.next_check_at <= v_now and o.payment_id is null and o.advance_payment_id is null
          and o.status in ('PENDING', 'FAILED') and o.payment_status in ('PENDING', 'FAILED')
      )),
      -- next_reconciliation
      ('reconcile', exists (select 1 from public.reconciliations r where r.finished_at is null)
        or exists (select 1 from public.provider_health h where h.reconcile and h.unreachable_since is null)
        or not exists (select 1 from public.reconciliations r where r.finished_at > v_now - interval '24 hours')),
      -- Its last look holds (note_catalogue_rest), no product ends (end_deleted_products), and no image is unused.
      ('catalogue', not exists (
        select 1 from public.heartbeats h
        where h.name = 'sweep' and h.rest ->> 'state' = private.catalogue_state()
          and coalesce((h.rest ->> 'until')::timestamptz > v_now, true)
          and not ((h.rest ->> 'complete')::boolean and exists (select 1 from public.unused_pictures(1)))
      ) or exists (select 1 from public.products p where p.deleted_at < v_now - interval '30 days')),
      ('credit notes', exists (select 1 from public.credit_notes_due(1))),
      -- take_due_claim_files
      ('claim files', exists (
        select 1 from public.claim_files f
        where f.removing or (f.created_at < v_now - interval '2 days' and (f.claim_id is null or exists (
          select 1 from public.claims c
          where c.id = f.claim_id and (
            c.created_at < v_now - interval '2 years'
            or c.answered_at < v_now - make_interval(days => coalesce(p_claim_days, 0))
          )
        )))
      )),
      ('forget', not exists (
        select 1 from public.heartbeats h where h.name = 'forget' and h.last_at > v_now - interval '20 hours'
      ))
    ) steps (name, is_due)
  );
end;
$$;

grant execute on function public.record_dispute(text, text, text, bigint, text, text, timestamptz, bigint) to service_role;
grant execute on function public.queue_dispute_reminders() to service_role;
