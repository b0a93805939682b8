-- What a bank gave back to a customer is never refunded again, and while it decides, nothing is sent. Such an order counts as refunded,
-- and its invoice gets a credit note. Besides: an order for cash whose advance was paid is not sold a second time online; a row of a
-- courier's list pays no order of the same parcel that another row or the admin paid, and none that was not sent; ended orders and
-- disputes keep the lock order; a restored backup ends no order that was confirmed since; deleting an account is no way around the limits
-- of cash orders; mails about refunds that are tried again. Functions keep their arguments, and what they return has new keys at most, so
-- the site of before works on it.

-- In the lock order, because payments and refunds of the site of before may be under way.
do $$ begin lock table public.orders, public.refunds, public.payments in share row exclusive mode; end $$;

alter table public.payments
  add column lost_paise bigint not null default 0 check (lost_paise between 0 and amount_paise);

comment on column public.payments.lost_paise is 'What a bank gave back to the customer by lost disputes';

create index payments_lost_idx on public.payments (order_id) where lost_paise > 0;

-- An order may have several credit notes without a refund: of cash that never came, and of what a bank gave back later.
alter table public.credit_notes drop constraint credit_notes_refused_order_id_key, add column credited_paise bigint check (credited_paise > 0);
create index credit_notes_refused_order_id_idx on public.credit_notes (refused_order_id);

create or replace function private.lock_products_of_orders(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform 1 from public.products p
  where p.id in (
    select (item ->> 'product_id')::uuid
    from public.orders o, jsonb_array_elements(o.items) item
    where o.id = any (p_order_ids)
  )
  order by p.id
  for update;
end;
$$;

create or replace function private.return_stock(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.lock_products_of_orders(p_order_ids);
  perform private.add_stock((
    select coalesce(jsonb_agg(item), '[]') from public.orders o, jsonb_array_elements(o.items) item
    where o.id = any (p_order_ids)
  ));
end;
$$;

create or replace function private.is_disputed_payment(p_payment public.payments)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_payment.dispute is not null and not private.is_closed_dispute(p_payment.dispute);
end;
$$;

create or replace function private.is_disputed(p_order public.orders)
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

create or replace function private.was_bought_again(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.orders o
    where o.user_id = p_order.user_id and o.id <> p_order.id and o.cart_fingerprint = p_order.cart_fingerprint
      and o.fulfilment <> 'cancelled'
      and case
        when o.cash_paise = 0 then o.status = 'COMPLETED' and o.paid_at > p_order.created_at
        -- The cash comes long after the order, so its advance counts, or else the order itself. One that waits for the shop's word is
        -- never sent once its advance went back.
        else (o.status = 'COMPLETED' or o.hold_state = 'reserved' or o.sold)
          and not (o.hold_state = 'reserved' and private.is_advance_returned(o))
          and p_order.created_at < coalesce((
          select p.created_at from public.payments p where p.payment_id = o.advance_payment_id
        ), o.created_at)
      end
  );
end;
$$;

create or replace function private.remaining_paise(p_payment public.payments)
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

create or replace function private.unrefunded_paise(p_order public.orders)
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

create or replace function private.is_refunded(p_order public.orders)
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

create or replace function private.refundable_paise(p_payment public.payments)
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

create or replace function private.kept_paise(p_payment public.payments)
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

create or replace function private.possibly_refunded_paise(p_payment public.payments)
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

create or replace function private.is_over_refunded(p_payment public.payments)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return p_payment.amount_paise - p_payment.lost_paise < private.possibly_refunded_paise(p_payment);
end;
$$;

create or replace function private.is_retryable(p_refund public.refunds)
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

create or replace function private.is_open_refund(p_refund public.refunds)
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

create or replace function private.lock_payment(p_payment_id text)
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

create or replace function private.awaits_bank(p_refund public.refunds)
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

create or replace function private.alert_failed_refund(p_refund public.refunds)
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

create or replace function public.claim_refunds(p_limit integer, p_lease_seconds integer)
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

create or replace function private.settle_payment(p_payment_id text)
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

create or replace function private.owes_refund(p_order public.orders)
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

create or replace function private.settle_lost_payment(p_payment_id text)
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

create or replace function private.settle_old_disputes()
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

create or replace function public.finish_refund(
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

create or replace function public.request_refund(
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

create or replace function public.refund_payment(p_payment_id text, p_key uuid)
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

create or replace function public.record_dispute(p_payment_id text, p_dispute_id text, p_event text, p_amount_paise bigint)
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
begin
  v_payment := private.lock_payment(p_payment_id);
  if v_payment.payment_id is null or private.is_foreign(v_payment) then
    return jsonb_build_object('outcome', 'unknown_payment');
  end if;
  v_known := v_payment.disputes ->> v_id;
  if v_known = v_event or private.is_closed_dispute(v_known) or (v_known is not null and v_event = 'created') then
    return jsonb_build_object('outcome', 'old');
  end if;
  update public.payments p
  set disputes = p.disputes || jsonb_build_object(v_id, v_event),
      dispute = (
        select d.value from jsonb_each_text(p.disputes || jsonb_build_object(v_id, v_event)) d
        order by private.is_closed_dispute(d.value), d.key = v_id desc
        limit 1
      ),
      lost_paise = case
        when v_event = 'lost' then least(p.amount_paise, p.lost_paise + greatest(0, p_amount_paise))
        else p.lost_paise
      end
  where p.payment_id = p_payment_id;
  if v_event = 'lost' then
    perform private.settle_lost_payment(p_payment_id);
  end if;
  perform public.notify_admin(
    'dispute', jsonb_build_object('payment_id', p_payment_id, 'amount_paise', p_amount_paise, 'event', v_event),
    'dispute:' || v_id || ':' || v_event, v_payment.order_id
  );
  return jsonb_build_object('outcome', 'recorded');
end;
$$;

create or replace function private.end_cash_order(
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

create or replace function public.cancel_order(
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
  set fulfilment = 'cancelled', cancelled_at = clock_timestamp(), cancel_reason = left(p_reason, 200),
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
  elsif v_order.fulfilment <> 'new' or v_order.hand_over or v_order.hold_state is null or v_order.replaces is not null
    or coalesce(private.is_by_hand(v_order.payment_id), false) or private.is_disputed(v_order)
  then
    return jsonb_build_object('outcome', 'ask');
  end if;
  if p_paid and p_keep_fee and v_order.total_paise - coalesce(v_order.fee_paise, 0) >= 100 then
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
    if v_answer ->> 'outcome' = 'cancelled' and not p_paid then
      update public.orders set ended_by = 'customer' where id = p_order_id;
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

create or replace function private.open_refund_state(p_order public.orders)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select case
      when bool_or(r.state <> 'failed') then 'waiting'
      when bool_or(private.is_open_refund(r)) then 'failed'
    end
    from public.refunds r
    where r.order_id = p_order.id and r.state <> 'processed'
      and (num_nonnulls(p_order.payment_id, p_order.advance_payment_id) = 0 or private.is_own_payment(p_order, r.payment_id))
  );
end;
$$;

create or replace function public.list_orders(
  p_filter text, p_all text[], p_any text[], p_after_at timestamptz, p_after_id bigint, p_limit integer
)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_oldest_first boolean := p_filter in ('to_confirm', 'to_pack', 'packed');
  v_order text := case when v_oldest_first then 'asc' else 'desc' end;
  v_at text := 'o.created_at';
  v_where text := 'true';
  v_orders jsonb;
  v_counts jsonb;
begin
  if p_limit is null or p_limit not between 1 and 101 then
    raise exception 'limit must be 1 to 101' using errcode = '22023';
  end if;
  -- The state decides first where it can: it has an index, and is_open_refund reads further rows.
  if p_filter = 'refunds' then
    v_where := 'o.id in (select r.order_id from public.refunds r where r.state <> ''processed'' and private.is_open_refund(r))';
  elsif p_filter = 'refunded' then
    v_at := '(select max(r.created_at) from public.refunds r where r.order_id = o.id)';
    v_where := 'o.id in (select r.order_id from public.refunds r group by 1 having bool_or(r.state = ''processed'')
      and bool_and(r.state = ''processed'' or not private.is_open_refund(r)))';
  elsif p_filter <> 'all' then
    v_where := 'o.stage = $1';
  end if;
  if cardinality(p_all) > 0 then
    v_where := v_where || ' and o.search_text like all ($2)';
  end if;
  if cardinality(p_any) > 0 then
    v_where := v_where || ' and o.search_text like any ($3)';
  end if;
  if p_after_at is not null then
    v_where := v_where
      || format(' and (%s, o.id) %s ($4, $5)', v_at, case when v_oldest_first then '>' else '<' end);
  end if;
  -- Dynamic, so that each combination of filters gets a plan with its own index. All values are parameters.
  execute format(
    $query$
      select coalesce(jsonb_agg(jsonb_build_object(
        'refundedPaise', private.refunded_paise(o), 'openRefund', private.open_refund_state(o),
        'refundSums', (
          select jsonb_build_object(
            'donePaise', coalesce(sum(r.amount_paise) filter (where r.state = 'processed'), 0),
            'openPaise', coalesce(sum(r.amount_paise) filter (where private.is_open_refund(r)), 0),
            'lastAt', max(r.created_at)
          )
          from public.refunds r where r.order_id = o.id having count(*) > 0
        ),
        'order', jsonb_build_object(
        'id', o.id, 'merchant_transaction_id', o.merchant_transaction_id, 'created_at', o.created_at,
        'customer_name', o.customer_name, 'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
        'customer_city', o.customer_city, 'notes', o.notes, 'items', o.items, 'products', o.products,
        'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount, 'status', o.status,
        'payment_status', o.payment_status, 'sold', o.sold, 'fulfilment', o.fulfilment, 'is_test', o.is_test,
        -- The site of before reads it.
        'paid', o.paid,
        'hand_over', o.hand_over, 'cash_paise', o.cash_paise, 'cash_charge_paise', o.cash_charge_paise,
        'advance_payment_id', o.advance_payment_id, 'payment_id', o.payment_id, 'cash_confirmed_at', o.cash_confirmed_at,
        'hold_state', o.hold_state, 'hold_expires_at', o.hold_expires_at
      )) order by page.at %2$s, page.id %2$s), '[]')
      from (
        select o.id, %3$s as at from public.orders o where %1$s order by %3$s %2$s, o.id %2$s limit $6
      ) page
      join public.orders o on o.id = page.id
    $query$,
    v_where, v_order, v_at
  )
  into v_orders
  using p_filter, p_all, p_any, p_after_at, p_after_id, p_limit;

  select jsonb_object_agg(stage, n) into v_counts
  from (select o.stage, count(*) as n from public.orders o group by o.stage) t;
  return jsonb_build_object(
    'orders', v_orders,
    'counts', coalesce(v_counts, '{}') || jsonb_build_object(
      'refunds', (
        select count(distinct r.order_id) from public.refunds r where r.state <> 'processed' and private.is_open_refund(r)
      )
    )
  );
end;
$$;

create or replace function private.payment_problems()
returns table (kind text, payment_id text, order_id bigint, amount_paise bigint, at timestamptz, refundable boolean)
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select case p.reason when 'duplicate_purchase' then 'duplicate' when 'refund_waits' then 'refund_waits' else 'unmatched' end,
    p.payment_id, p.order_id, p.amount_paise, p.created_at, true
  from public.payments p
  where p.state = 'unmatched' and not private.is_foreign(p)
  union all
  select 'dispute', p.payment_id, p.order_id, p.amount_paise, p.updated_at, false
  from public.payments p
  where p.dispute is not null and not private.is_closed_dispute(p.dispute)
  union all
  select 'difference', d.value ->> 'payment_id', null, (d.value ->> 'amount_paise')::bigint, r.finished_at, false
  from (select * from public.reconciliations where finished_at is not null order by id desc limit 1) r,
    jsonb_array_elements(r.differences) d
  where d.value ->> 'resolved' is null
  union all
  select 'mismatch', p.payment_id, p.order_id, p.amount_paise, p.created_at, false
  from public.payments p
  where p.state = 'refund_due' and p.reason = 'amount_mismatch'
  union all
  -- Leaves out a failed refund whose payment was refunded by another one.
  select 'refund_failed', r.payment_id, r.order_id,
    case when private.is_rest_due(p) then least(r.amount_paise, private.refundable_paise(p)) else r.amount_paise end,
      r.updated_at, true
  from public.refunds r
  join public.payments p on p.payment_id = r.payment_id
  where r.state = 'failed' and private.is_open_refund(r)
  union all
  select 'refund_waiting', r.payment_id, r.order_id, r.amount_paise, r.created_at, false
  from public.refunds r
  where (r.state = 'due' and r.last_error is not null)
    or (r.state = 'requested' and r.updated_at < clock_timestamp() - interval '10 days');
end;
$$;

create or replace function public.read_order(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'order', to_jsonb(o) - 'search_text',
      'revision', o.updated_at,
      'refundedPaise', private.refunded_paise(o),
      'openRefund', private.open_refund_state(o),
      'refundablePaise', coalesce(private.unrefunded_paise(o), 0),
      'payments', coalesce((
        select jsonb_agg(jsonb_build_object(
          'paymentId', p.payment_id, 'amountPaise', p.amount_paise, 'state', p.state, 'reason', p.reason,
          'at', p.created_at, 'lostPaise', p.lost_paise
        ) order by p.created_at, p.payment_id)
        from public.payments p where p.order_id = o.id
      ), '[]'),
      'refunds', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', r.id, 'paymentId', r.payment_id, 'amountPaise', r.amount_paise, 'state', r.state, 'reason', r.reason,
          'lastError', r.last_error, 'razorpayRefundId', r.razorpay_refund_id, 'at', r.created_at,
          'triedAt', r.updated_at, 'nextTryAt', r.next_attempt_at,
          'disputed', private.awaits_bank(r)
        ) order by r.id)
        from public.refunds r where r.order_id = o.id
      ), '[]'),
      'mails', coalesce((
        select jsonb_agg(jsonb_build_object(
          'kind', m.kind, 'recipient', m.recipient, 'at', m.created_at, 'sentAt', m.sent_at, 'attempts', m.attempts,
          'lastError', m.last_error
        ) order by m.id)
        from public.outbox m where m.order_id = o.id and m.kind <> 'push'
      ), '[]'),
      'changes', coalesce((
        select jsonb_agg(jsonb_build_object(
          'field', c.field, 'oldValue', c.old_value, 'newValue', c.new_value, 'at', c.created_at
        ) order by c.id)
        from public.order_changes c where c.order_id = o.id
      ), '[]'),
      'facts', private.tax_facts(o),
      'customer', private.customer_order_rank(o.id)
    )
    from public.orders o
    where o.id = p_order_id
  );
end;
$$;

create or replace function private.is_cash_use(p_order public.orders, p_scope text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_order.cash_paise > 0 and (p_order.advance_payment_id is not null or p_order.cash_paise = p_order.total_paise)
    and (p_order.cash_confirmed_at is null or p_scope not in ('account', 'phone'));
end;
$$;

create or replace function private.cost_uses(
  p_effect text, p_scope text, p_key text, p_since timestamptz, p_now timestamptz, p_line text default null
)
returns table (began_at timestamptz, units double precision, lasted double precision)
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_effect in ('unpaid_hold', 'last_unit', 'last_units') then
    -- Unpaid orders, from their creation to their release or the end of their hold, so an open hold counts in full.
    -- Releasing and holding again gains nothing, because both count. Orders of the admin hold for the admin, and nothing was to be
    -- paid online any more for a cash order that waited for the shop's word.
    return query
    select h.since, h.seconds * case when p_effect = 'last_units' then h.lines else 1 end, h.seconds
    from (
      select greatest(o.created_at, p_since) as since, cardinality(o.last_units) as lines, extract(
          epoch from least(o.released_at, o.hold_expires_at) - greatest(o.created_at, p_since)
        )::double precision as seconds
      from public.orders o
      where o.payment_id is null and o.hold_state in ('held', 'released') and o.admin_key is null
        and o.advance_payment_id is null and o.total_paise > o.cash_paise
        -- No hold of a customer is longer than an hour.
        and o.created_at > p_since - interval '1 hour' and o.hold_expires_at > p_since
        and (p_effect <> 'last_unit' or o.last_units @> array[p_line])
        and case p_scope
          when 'account' then o.user_id::text = p_key
          when 'all' then true
          else private.cost_keys(null, o.network) ->> p_scope = p_key
        end
    ) h
    where h.seconds > 0 and (p_effect <> 'last_units' or h.lines > 0);
  elsif p_effect = 'cash_order' and p_since < p_now then
    -- An order keeps its network for a day.
    return query
    select o.created_at, 1::double precision, 0::double precision
    from public.orders o
    where o.created_at > p_since and private.is_cash_use(o, p_scope)
      and case p_scope
        when 'account' then o.user_id::text = p_key
        when 'phone' then private.phone_hash(o.phone_key) = p_key
        else o.network is not null and private.cost_keys(null, o.network) ->> p_scope = p_key
      end
    union all
    -- Those of deleted accounts.
    select c.at, 1::double precision, 0::double precision
    from public.costs c
    where c.effect = p_effect and c.scope = p_scope and c.key = p_key and c.at > p_since;
  elsif p_effect = 'cash_order' then
    return query
    select o.created_at, 1::double precision, 0::double precision
    from public.orders o
    where o.cash_paise > 0 and o.status = 'PENDING' and case p_scope
      when 'all' then o.hold_state = 'reserved'
      else (o.hold_state = 'reserved' or o.sold)
        and p_key = case p_scope when 'account' then o.user_id::text else private.phone_hash(o.phone_key) end
    end;
  elsif p_effect = 'failed_payment' then
    return query
    select e.received_at, 1::double precision, 0::double precision
    from public.webhook_events e
    join public.orders o on o.id = e.order_id
    where e.event = 'payment.failed' and e.received_at > p_since and o.user_id::text = p_key;
  elsif p_since = p_now then
    -- The window is 0: rows that are stored now.
    return query
    select p_now, (case p_effect
        when 'message' then (select count(*) from public.contact_messages)
        when 'order_form' then (select count(*) from public.form_entries f where not f.of_order)
        when 'own_form' then (select count(*) from public.form_entries f where f.of_order)
      end)::double precision, 0::double precision;
  else
    return query
    select c.at, 1::double precision, 0::double precision
    from public.costs c
    where c.effect = p_effect and c.scope = p_scope and c.key = p_key and c.at > p_since;
  end if;
end;
$$;

create or replace function private.cash_refusal(
  p_user_id uuid, p_ids uuid[], p_customer jsonb, p_total_paise bigint, p_network text, p_cash jsonb,
  p_without bigint default null, p_locks boolean default true
)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_phone constant text := private.phone_key(p_customer ->> 'phone');
  v_pin constant text := regexp_replace(coalesce(p_customer ->> 'postal_code', ''), '[^0-9]', '', 'g');
  v_keys constant jsonb := private.cost_keys(p_user_id::text, p_network, v_phone);
  v_this public.orders;
  v_this_keys jsonb;
begin
  if private.confirmed_email(p_user_id) is null then
    return 'account';
  elsif exists (
    select 1 from public.cash_refusals r
    where (r.user_id = p_user_id or r.phone_hash = v_keys ->> 'phone') and r.forgiven_at is null
      and r.created_at > now() - make_interval(days => (p_cash ->> 'refused_days')::integer)
  ) then
    return 'refused';
  elsif p_total_paise < (p_cash ->> 'min_paise')::bigint then
    return 'too_little';
  elsif p_total_paise > (p_cash ->> 'max_paise')::bigint then
    return 'too_much';
  elsif jsonb_typeof(p_cash -> 'pins') = 'array' and not exists (
    select 1 from jsonb_array_elements_text(p_cash -> 'pins') pin where starts_with(v_pin, pin)
  ) then
    return 'pin';
  elsif exists (
    select 1 from public.products p where p.id = any (p_ids) and private.is_paid_online_only(p)
  ) then
    return 'product';
  elsif not private.is_indian_phone(p_customer ->> 'phone') then
    return 'phone';
  end if;
  if p_locks then
    perform private.cost_refusal('cash_order', v_keys);
  end if;
  select * into v_this from public.orders where id = p_without and hold_state = 'reserved';
  v_this_keys := private.cost_keys(v_this.user_id::text, v_this.network, v_this.phone_key);
  return case
    when exists (
      select 1 from private.cost_left('cash_order', v_keys, 1, clock_timestamp()) l
      where l.units_left + case when v_this.id is not null and v_this_keys ->> l.scope = v_keys ->> l.scope then 1 else 0 end < 1
    ) then 'open_orders'
    -- The mail of an open order is sent.
    when p_locks and v_this.id is null and private.cash_advance(p_total_paise, p_cash) = 0
      and not private.has_mail_left() then 'no_mail'
  end;
end;
$$;

create or replace function public.end_unconfirmed_orders(p_limit integer)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ids bigint[];
  v_order public.orders;
begin
  select coalesce(array_agg(o.id), '{}') into v_ids from (
    select id from public.orders
    where hold_state = 'reserved' and hold_expires_at <= clock_timestamp()
    order by id
    limit p_limit
    for update skip locked
  ) o;
  perform private.lock_products_of_orders(v_ids);
  for v_order in select * from public.orders where id = any (v_ids) order by id loop
    perform private.end_cash_order(v_order, 'not_confirmed', true, true, 'shop');
  end loop;
  return cardinality(v_ids);
end;
$$;

create or replace function public.record_remittance(p_rows jsonb, p_save boolean)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_rows jsonb;
  v_order public.orders;
  v_row jsonb;
  v_outcome text;
  v_done jsonb := '[]';
  v_missing jsonb;
begin
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) > 5000 then
    raise exception 'a list of at most 5000 rows is required' using errcode = '22023';
  end if;
  -- One reading of the cash orders, because a list has thousands of rows.
  with listed as (
    select r.ordinality as place, r.value as entry, private.tracking_key(r.value ->> 'tracking_number') as parcel,
      (r.value ->> 'order_id')::bigint as order_id, lower(coalesce(r.value ->> 'order_reference', '')) as reference
    from jsonb_array_elements(p_rows) with ordinality r
  ), cash as materialized (
    select o.id, private.tracking_key(o.tracking_number) as parcel, lower(o.merchant_transaction_id) as reference,
      o.payment_reference, o.sold and o.payment_id is null as is_open,
      o.fulfilment in ('shipped', 'delivered') or coalesce(o.release_reason = 'refused', false) as is_sent,
      -- Couriers use a number again after months. One that was paid by hand is still an order of the same parcel.
      count(*) over (
        partition by private.tracking_key(o.tracking_number) order by coalesce(o.shipped_at, o.delivered_at, o.created_at)
        range between interval '30 days' preceding and interval '30 days' following
      ) as orders_of_parcel
    from public.orders o
    where o.cash_paise > 0
  ), sent as (
    select distinct on (l.place) l.place, c.id, not n.is_named and c.is_open and c.orders_of_parcel > 1 as is_unclear
    from listed l
    join cash c on c.parcel = l.parcel and c.parcel <> ''
    cross join lateral (
      select coalesce(c.id = l.order_id and starts_with(c.reference, l.reference), false) as is_named
    ) n
    -- A list may be read again.
    order by l.place, n.is_named desc, coalesce(c.payment_reference = btrim(l.entry ->> 'reference'), false) desc,
      c.is_open desc, c.id desc
  )
  select coalesce(jsonb_agg(l.entry || jsonb_build_object(
    'found', case when s.is_unclear then null else coalesce(s.id, c.id) end, 'is_unclear', coalesce(s.is_unclear, false)
  ) order by l.place), '[]')
  into v_rows
  from listed l
  left join sent s on s.place = l.place
  left join cash c on s.id is null and c.id = l.order_id and starts_with(c.reference, l.reference) and c.is_sent
    and '' in (l.parcel, c.parcel);
  perform 1 from public.orders o
  where o.id in (select (r ->> 'found')::bigint from jsonb_array_elements(v_rows) r)
  order by o.id
  for update;
  begin
    for v_row in select r from jsonb_array_elements(v_rows) r loop
      -- Read again: a row before this one may have paid it.
      select * into v_order from public.orders where id = (v_row ->> 'found')::bigint;
      v_outcome := case
        -- Release 1.3.0 sends no order_reference, and does not know this outcome.
        when (v_row ->> 'is_unclear')::boolean and v_row ? 'order_reference' then 'several_orders'
        when v_order.id is null then 'not_found'
        else private.receive_cash(v_order, (v_row ->> 'amount_paise')::bigint, v_row ->> 'reference')
      end;
      v_done := v_done || jsonb_build_object(
        'row', v_row -> 'row', 'order_id', v_order.id, 'outcome', v_outcome, 'due_paise', v_order.cash_paise
      );
    end loop;
    select coalesce(jsonb_agg(jsonb_build_object(
      'order_id', o.id, 'carrier', coalesce(o.carrier, ''), 'due_paise', o.cash_paise,
      'at', coalesce(o.shipped_at, o.delivered_at)
    ) order by o.id), '[]')
    into v_missing
    from public.orders o
    join (
      select lower(btrim(coalesce(p.carrier, ''))) as carrier, max(coalesce(p.shipped_at, p.delivered_at)) as last_at
      from public.orders p
      where p.id in (select (d ->> 'order_id')::bigint from jsonb_array_elements(v_done) d)
      group by 1
    ) paid on paid.carrier = lower(btrim(coalesce(o.carrier, '')))
      and coalesce(o.shipped_at, o.delivered_at) <= paid.last_at
    where o.cash_paise > 0 and o.status = 'PENDING' and o.fulfilment in ('shipped', 'delivered') and o.sold
      and o.id not in (select (d ->> 'order_id')::bigint from jsonb_array_elements(v_done) d where d ->> 'order_id' is not null)
      and private.tracking_key(o.tracking_number) not in (
        select private.tracking_key(r ->> 'tracking_number') from jsonb_array_elements(v_rows) r
        where (r ->> 'is_unclear')::boolean
      );
    if not p_save then
      raise exception 'nothing is kept' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    null;
  end;
  return jsonb_build_object('rows', v_done, 'missing', v_missing);
end;
$$;

create or replace function private.is_without_cash(p_order public.orders)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_order.cash_paise > 0 and p_order.fulfilment = 'cancelled' and p_order.payment_id is null;
end;
$$;

create or replace function private.uncredited_paise(p_order public.orders)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_order.fulfilment <> 'cancelled' or p_order.invoice_number is null or private.is_disputed(p_order) then
    return 0;
  end if;
  return greatest(0, case when private.is_without_cash(p_order) then p_order.cash_paise else 0 end + (
    select coalesce(sum(greatest(0, least(p.lost_paise, p.amount_paise - private.possibly_refunded_paise(p)))), 0)
    from public.payments p
    where p.order_id = p_order.id and p.lost_paise > 0 and private.is_own_payment(p_order, p.payment_id)
  ) - (
    select coalesce(sum(coalesce(c.credited_paise, p_order.cash_paise)), 0)
    from public.credit_notes c where c.refused_order_id = p_order.id
  ));
end;
$$;

create or replace function public.credit_notes_due(p_limit integer, p_order_id bigint default null)
returns setof jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select jsonb_build_object(
    'refundId', due.id, 'orderId', due.order_id, 'amountPaise', due.amount_paise, 'reason', due.reason,
    'items', due.items,
    'invoice', private.invoice_of(due.order_id)
  )
  from (
    select distinct on (cause.order_id) cause.*
    from (
      select r.id, r.order_id, r.amount_paise, r.reason, r.items
      from public.refunds r
      join public.orders o
        on o.id = r.order_id and private.is_own_payment(o, r.payment_id) and o.invoice_number is not null
      where r.state = 'processed' and not r.has_credit_note
      union all
      select null, o.id, private.uncredited_paise(o), case
        when private.is_without_cash(o) and not exists (select 1 from public.credit_notes n where n.refused_order_id = o.id)
          then o.release_reason
        else 'lost'
      end, (
        select jsonb_object_agg(private.line_key(item), (item ->> 'quantity')::integer)
        from jsonb_array_elements(o.items) item
      )
      from public.orders o
      where o.id in (
          select c.id from public.orders c
          where c.cash_paise > 0 and c.fulfilment = 'cancelled' and c.payment_id is null and c.invoice_number is not null
            and not exists (select 1 from public.credit_notes n where n.refused_order_id = c.id)
          union all
          select p.order_id from public.payments p where p.lost_paise > 0
        )
        and private.uncredited_paise(o) > 0
    ) cause
    where p_order_id is null or cause.order_id = p_order_id
    order by cause.order_id, cause.id nulls first
  ) due
  order by due.order_id
  limit p_limit;
end;
$$;

create or replace function public.issue_credit_note(
  p_refund_id bigint, p_document jsonb, p_earlier integer, p_refused_order_id bigint default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_counter public.document_counters;
  v_number text;
  v_uncredited bigint;
  -- Earlier credit notes of the order without a refund.
  v_before integer;
begin
  if jsonb_typeof(p_document) is distinct from 'object' then
    raise exception 'a credit note needs its document' using errcode = '22023';
  end if;
  select o.* into v_order from public.orders o
  where o.id = coalesce((select r.order_id from public.refunds r where r.id = p_refund_id), p_refused_order_id)
  for update;
  if p_refund_id is null then
    v_uncredited := private.uncredited_paise(v_order);
    select count(*) into v_before from public.credit_notes where refused_order_id = p_refused_order_id;
  end if;
  if (v_uncredited = 0 and v_before > 0) or exists (select 1 from public.credit_notes where refund_id = p_refund_id) then
    return jsonb_build_object('outcome', 'already');
  elsif v_order.invoice_number is null or not (
    case when p_refund_id is null then v_uncredited > 0 else exists (
      select 1 from public.refunds r
      where r.id = p_refund_id and r.state = 'processed' and private.is_own_payment(v_order, r.payment_id)
    ) end
  ) then
    return jsonb_build_object('outcome', 'not_due');
  elsif (select count(*) from public.credit_notes where invoice_number = v_order.invoice_number) <> p_earlier then
    return jsonb_build_object('outcome', 'changed');
  end if;
  update public.refunds set has_credit_note = true where id = p_refund_id;
  if v_order.is_test then
    v_counter := row(
      'credit_note', 'test', coalesce(p_refund_id, 1000000000 + 100000000 * v_before + p_refused_order_id), clock_timestamp()
    );
    v_number := 'TEST/' || coalesce('C' || p_refund_id, 'R' || p_refused_order_id || coalesce('/' || nullif(v_before, 0) + 1, ''));
  else
    v_counter := private.next_document('credit_note');
    v_number := private.document_number(
      (select credit_note_prefix from public.shop_settings), v_counter.financial_year, v_counter.last_serial
    );
  end if;
  insert into public.credit_notes (
    number, refund_id, refused_order_id, credited_paise, invoice_number, financial_year, serial, issued_at, document
  )
  values (
    v_number, p_refund_id, p_refused_order_id, v_uncredited, v_order.invoice_number, v_counter.financial_year, v_counter.last_serial,
    v_counter.last_issued_at, p_document
  );
  return jsonb_build_object('outcome', 'issued', 'number', v_number);
end;
$$;

create or replace function private.anonymise_orders(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  -- The limits of cash orders read these columns, and an account that is deleted is no way around them.
  insert into public.costs (effect, scope, key, at)
  select 'cash_order', k.key, k.value, o.created_at
  from public.orders o
  cross join jsonb_each_text(private.cost_keys(null, o.network, o.phone_key) - 'all') k
  where o.id = any (p_ids) and private.is_cash_use(o, k.key) and o.created_at > now() - interval '7 days';
  update public.orders
  set user_id = null, customer_name = null, customer_email = null, customer_phone = null, customer_address = null,
      customer_city = null, customer_postal_code = null, customer_gstin = null, notes = null, gift_note = null,
      recipient_name = null, recipient_phone = null, network = null, admin_note = '', cancel_reason = null,
      payment_reference = null, pay_token = null, tracking_number = null, tracking_url = null
  where id = any (p_ids);
  update public.cash_refusals set reason = '' where order_id = any (p_ids);
  perform private.detach_reviews(p_ids);
  delete from public.order_changes where order_id = any (p_ids);
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.outbox set recipient = null, payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null;
  delete from public.outbox where order_id = any (p_ids) and sent_at is null;
end;
$$;

create or replace function private.erase_refund_reasons(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.refunds set reason = 'Refund' where order_id = any (p_order_ids) and reason <> 'Refund';
  update public.credit_notes set document = jsonb_set(document, '{reason}', '"Refund"')
  where invoice_number in (select i.number from public.invoices i where i.order_id = any (p_order_ids))
    and document ? 'reason' and refused_order_id is null;
end;
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

create or replace function public.after_restore(p_backup_at timestamptz, p_last_order bigint, p_last_invoice text,
  p_last_credit_note text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_last_order bigint;
  v_mails integer;
  v_sessions integer;
  v_sequence record;
begin
  if p_backup_at is null or p_backup_at > v_now or p_last_order is null or p_last_order < 0 then
    raise exception 'the time of the backup and the highest order number are required' using errcode = '22023';
  end if;

  insert into public.document_counters as c (series, financial_year, last_serial, last_issued_at)
  select d.series, n.financial_year, n.serial, v_now
  from (values ('invoice', p_last_invoice), ('credit_note', p_last_credit_note)) d (series, number)
  cross join lateral private.parse_document_number(d.series, d.number) n
  where d.number is not null
  on conflict (series, financial_year) do update
    set last_serial = greatest(c.last_serial, excluded.last_serial),
        last_issued_at = greatest(c.last_issued_at, excluded.last_issued_at);

  v_last_order := greatest(p_last_order, (select coalesce(max(id), 0) from public.orders));
  -- The dedupe keys of mails and refunds contain ids. Gaps are harmless.
  for v_sequence in
    select format('%I.%I', s.schemaname, s.sequencename) as name, coalesce(s.last_value, s.start_value) as last
    from pg_catalog.pg_sequences s where s.schemaname = 'public'
  loop
    perform setval(v_sequence.name::regclass, case
      when v_sequence.name = pg_get_serial_sequence('public.orders', 'id') then greatest(v_last_order, v_sequence.last)
      else v_sequence.last + 1000000
    end);
  end loop;

  -- Before the mails, which would notify the devices.
  v_sessions := public.end_admin_sessions(null, true);
  insert into public.outbox (kind, order_id, dedupe_key, sent_at)
  select m.kind, o.id, m.kind || ':' || o.id, v_now
  from public.orders o
  cross join (values ('order_confirmation'), ('order_notice'), ('cash_order_placed')) m (kind)
  where o.created_at <= p_backup_at and o.payment_id is null and o.razorpay_order_id is not null
    and o.hold_expires_at < v_now
  on conflict (dedupe_key) do nothing;
  update public.outbox set sent_at = v_now, locked_until = null where sent_at is null and created_at <= p_backup_at;
  get diagnostics v_mails = row_count;
  update public.orders
  set hold_expires_at = greatest(hold_expires_at, v_now + make_interval(secs => coalesce(confirm_seconds, 86400)))
  where hold_state = 'reserved';
  -- The shortest wait of `reviews.askAfterDays` is a day.
  update public.orders set review_request = 'asked'
  where fulfilment = 'delivered' and review_request is null and delivered_at < v_now - interval '1 day';
  -- One that is held ends later, and no mail comes a day after the end.
  update public.orders set cart_mailed_at = v_now
  where hold_state in ('held', 'released') and payment_id is null and cart_mailed_at is null
    and (hold_state = 'held' or released_at > v_now - interval '1 day');

  -- The backup may be of a release that did not keep what a bank gave back.
  perform private.settle_old_disputes();
  update public.provider_health set reconcile = true, unreachable_since = null where id;
  update public.catalogue_version set version = version + 1000000 where id;
  return jsonb_build_object(
    'orders_after', v_last_order, 'mails', v_mails, 'sessions', v_sessions
  );
end;
$$;

drop function private.is_unpaid_sale(public.orders);

select private.settle_old_disputes();
