-- The sum of an order is rows: goods, discount, and a row for each charge. A state answers questions once: orders.state and orders.kind, and
-- the table of answers. An order keeps the terms it was placed at. The site of 1.3.2 calls place_order with the fee and the charge for cash,
-- of which its orders get the same rows, passes no terms, and reads the columns that it knows, which are still written.

create function private.order_state(
  p_stage text, p_status text, p_payment_status text, p_hold_state text, p_fulfilment text, p_release_reason text
)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    -- An imported order has no stock here, and texts of its own.
    when p_hold_state is null then case
      when p_fulfilment = 'cancelled' then case when p_stage = 'unpaid' then 'cancelled' else 'cancelled_paid' end
      when p_stage = 'paid' then 'paid'
      when p_stage = 'unpaid' then 'ended'
      else 'refunded'
    end
    when p_fulfilment = 'cancelled' then case
      when p_status = 'COMPLETED' then 'cancelled_paid'
      when p_hold_state <> 'released' then 'written_off'
      when p_release_reason = 'refused' then 'refused'
      else 'cancelled'
    end
    when p_hold_state = 'held' then 'open'
    when p_hold_state = 'reserved' then 'to_confirm'
    when p_hold_state = 'taken' then case
      when p_stage = 'paid' then 'paid'
      when p_status = 'PENDING' then 'due'
      when p_status = 'COMPLETED' then 'refunded'
      else 'unknown'
    end
    when p_payment_status = 'REFUND_DUE' then 'owed'
    when p_payment_status in ('REFUNDED', 'PARTIALLY_REFUNDED') then 'returned'
    when p_status = 'PENDING' then 'left'
    when p_status = 'FAILED' then 'ended'
    else 'unknown'
  end;
end;
$$;

create function private.order_kind(
  p_hold_state text, p_replaces bigint, p_cash_paise bigint, p_total_paise bigint, p_admin_key uuid, p_payment_id text,
  p_key_id text
)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    when starts_with(p_key_id, 'rzp_test_') then 'test'
    when p_replaces is not null then 'replacement'
    when p_hold_state is null then 'imported'
    when p_admin_key is not null and starts_with(p_payment_id, 'hand_') then 'hand'
    when p_admin_key is not null then 'link'
    when p_cash_paise > 0 and p_cash_paise < p_total_paise then 'door_advance'
    when p_cash_paise > 0 then 'door'
    else 'now'
  end;
end;
$$;

grant execute on function private.order_state(text, text, text, text, text, text) to service_role;
grant execute on function private.order_kind(text, bigint, bigint, bigint, uuid, text, text) to service_role;

create function private.rows_paise(p_rows jsonb, p_kind text default null)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select coalesce(sum((sum_row ->> 'paise')::bigint), 0)
    from jsonb_array_elements(p_rows) sum_row
    where p_kind is null or sum_row ->> 'kind' = p_kind
  );
end;
$$;

create function private.sum_rows(p_goods_paise bigint, p_discount jsonb, p_charges jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
declare
  v_discount constant bigint := coalesce((p_discount ->> 'paise')::bigint, 0);
  v_goods constant bigint := p_goods_paise - v_discount;
  v_rows jsonb := jsonb_build_array(jsonb_build_object('kind', 'goods', 'paise', p_goods_paise));
  v_total bigint := v_goods;
  v_charge jsonb;
  v_paise bigint;
begin
  if v_discount > 0 then
    v_rows := v_rows || jsonb_strip_nulls(
      jsonb_build_object('kind', 'discount', 'paise', -v_discount, 'label', p_discount ->> 'label')
    );
  end if;
  for v_charge in
    select charge from jsonb_array_elements(p_charges) with ordinality c (charge, place)
    where charge ->> 'kind' not in ('goods', 'discount')
    order by place
  loop
    v_paise := case
      when v_charge ? 'bps' then (v_goods * (v_charge ->> 'bps')::integer + 5000) / 10000
      when v_charge ? 'to' then (v_total + (v_charge ->> 'to')::integer / 2)
        / (v_charge ->> 'to')::integer * (v_charge ->> 'to')::integer - v_total
      else (v_charge ->> 'paise')::bigint
    end;
    v_rows := v_rows || (v_charge || jsonb_build_object('paise', v_paise));
    v_total := v_total + v_paise;
  end loop;
  return v_rows;
end;
$$;

create function private.charges_of_before(p_fee_bps integer, p_cash_charge_paise bigint)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case when p_fee_bps > 0
    then jsonb_build_array(jsonb_build_object('kind', 'fee', 'bps', p_fee_bps, 'tax', 'fee', 'refund', 'share'))
    else '[]' end
    || case when p_cash_charge_paise > 0 then jsonb_build_array(
      jsonb_build_object('kind', 'cash_charge', 'paise', p_cash_charge_paise, 'tax', 'goods', 'refund', 'last')
    ) else '[]' end;
end;
$$;

create function private.rows_of_columns(
  p_total_paise bigint, p_subtotal_paise bigint, p_code text, p_discount_paise bigint, p_fee_paise bigint, p_fee_bps integer,
  p_cash_charge_paise bigint
)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
declare
  v_rows jsonb;
begin
  if p_subtotal_paise is null or p_total_paise is null then
    return null;
  end if;
  v_rows := private.sum_rows(
    p_subtotal_paise, jsonb_build_object('label', p_code, 'paise', p_discount_paise),
    private.charges_of_before(p_fee_bps, p_cash_charge_paise)
  );
  if private.rows_paise(v_rows, 'fee') <> coalesce(p_fee_paise, 0) then
    -- The share is not known, so the fee stays what it was.
    v_rows := private.sum_rows(
      p_subtotal_paise, jsonb_build_object('label', p_code, 'paise', p_discount_paise),
      jsonb_build_array(jsonb_build_object('kind', 'fee', 'paise', p_fee_paise, 'tax', 'fee', 'refund', 'share'))
        || private.charges_of_before(0, p_cash_charge_paise)
    );
  end if;
  -- Every order of before adds up. One that does not has no rows, and shows its total alone.
  return case when private.rows_paise(v_rows) = p_total_paise then v_rows end;
end;
$$;

alter table public.orders add column sum_rows jsonb;
-- One statement writes the whole table anew: it fills the rows of all orders, without a trigger and without a new updated_at, which is the
-- revision that an open page has read.
alter table public.orders
alter column sum_rows type jsonb using coalesce(sum_rows, private.rows_of_columns(
  total_paise, subtotal_paise, discount_code, discount_paise, fee_paise, fee_bps, cash_charge_paise
)),
add constraint orders_sum_rows_check check (sum_rows is null or private.rows_paise(sum_rows) = total_paise),
add column terms jsonb check (jsonb_typeof(terms) = 'object'),
add column state text not null generated always as (
  private.order_state(
    private.payment_stage(status, payment_status), status, payment_status, hold_state, fulfilment, release_reason
  )
) stored,
add column kind text not null generated always as (
  private.order_kind(hold_state, replaces, cash_paise, total_paise, admin_key, payment_id, razorpay_key_id)
) stored;

insert into public.cost_limits (effect, scope, seconds, most)
values
  ('cash_last_unit', 'account', 604800, 1), ('cash_last_unit', 'phone', 604800, 1),
  ('cash_last_unit', 'network', 604800, 1), ('cash_last_unit', 'shared', 604800, 1), ('cash_last_unit', 'all', 604800, 2);

create type private.cart as (
  user_id uuid,
  idempotency_key uuid,
  ids uuid[],
  sizes text[],
  quantities integer[],
  fingerprint text,
  customer jsonb,
  expected_total_paise bigint,
  charges jsonb,
  hold_seconds integer,
  max_units integer,
  blank text[],
  discount_code text,
  network text,
  reduction_paise bigint,
  cash jsonb,
  terms jsonb
);

-- Written by npm run migration
drop view private.bought_orders;
drop function private.place_cart(uuid,uuid,uuid[],text[],integer[],text,jsonb,bigint,integer,integer,integer,text[],text,text,bigint,jsonb);
drop function private.reuse_order(bigint,uuid,jsonb);
drop function public.place_admin_order(uuid,jsonb,jsonb,text,boolean,bigint,integer,integer,text,text,text,bigint);
drop function public.place_order(uuid,uuid,jsonb,jsonb,bigint,integer,integer,integer,text[],text,text,bigint,jsonb);

create function private.row_amounts(p_rows jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select jsonb_agg(jsonb_build_array(sum_row -> 'kind', sum_row -> 'paise') order by place)
    from jsonb_array_elements(p_rows) with ordinality r (sum_row, place)
    where sum_row ->> 'paise' <> '0'
  );
end;
$$;

create function private.check_charges(p_charges jsonb)
returns void
language plpgsql
immutable
set search_path = ''
as $$
begin
  if jsonb_typeof(p_charges) is distinct from 'array' or jsonb_array_length(p_charges) > 20 then
    raise exception 'charges must be a list of at most 20' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_charges) charge
    where jsonb_typeof(charge) <> 'object'
      or coalesce(charge ->> 'kind', '') !~ '^[a-z][a-z_]{0,39}$' or charge ->> 'kind' in ('goods', 'discount')
      or jsonb_typeof(charge -> 'label') is distinct from 'string' or char_length(charge ->> 'label') not between 1 and 80
      or (charge ->> 'tax' in ('goods', 'fee')) is not true or (charge ->> 'refund' in ('share', 'last')) is not true
      or (charge ? 'paise')::integer + (charge ? 'bps')::integer + (charge ? 'to')::integer <> 1
      -- Compared as text, so that 1.5 or 1e9 is refused instead of rounded.
      or coalesce(charge ->> 'paise', charge ->> 'bps', charge ->> 'to', '') !~ '^[0-9]{1,9}$'
      or (charge ->> 'bps')::integer > 10000 or (charge ->> 'to')::integer not between 1 and 10000
  ) then
    raise exception 'a charge needs a kind, a label, tax, refund, and paise, bps or to' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_charges) charge group by charge ->> 'kind' having count(*) > 1
  ) or exists (
    select 1 from jsonb_array_elements(p_charges) with ordinality c (charge, place)
    where charge ? 'to' and place < jsonb_array_length(p_charges)
  ) then
    raise exception 'each charge may be there once, and rounding is the last' using errcode = '22023';
  end if;
end;
$$;

create view private.state_answers as
select * from (values
  ('open', 'waiting', 'none', false, false, 'none', 'never', 'pay', 'nobody', 'payment'),
  ('left', 'none', 'none', false, false, 'none', 'never', 'give_up', 'written', 'payment'),
  ('ended', 'none', 'none', false, false, 'none', 'never', 'give_up', 'written', 'nothing'),
  ('to_confirm', 'waiting', 'advance', false, false, 'none', 'never', 'cancel', 'nobody', 'shop'),
  ('due', 'sold', 'advance', true, false, 'none', 'delivered', 'cancel', 'nobody', 'cash'),
  ('paid', 'sold', 'all', true, true, 'total', 'sent', 'cancel', 'nobody', 'nothing'),
  ('refunded', 'sold', 'none', false, false, 'total', 'never', 'nothing', 'nobody', 'nothing'),
  ('owed', 'none', 'back', false, false, 'none', 'never', 'nothing', 'written', 'nothing'),
  ('returned', 'none', 'none', false, false, 'none', 'never', 'nothing', 'written', 'nothing'),
  ('cancelled', 'none', 'back', false, false, 'none', 'never', 'nothing', 'written', 'nothing'),
  ('cancelled_paid', 'gone', 'kept', false, false, 'kept', 'never', 'nothing', 'written', 'nothing'),
  ('refused', 'none', 'kept', false, false, 'kept', 'never', 'nothing', 'customer', 'nothing'),
  ('written_off', 'gone', 'kept', false, false, 'kept', 'never', 'nothing', 'written', 'nothing'),
  -- The cautious answers: nothing is sold twice, given back or counted.
  ('unknown', 'sold', 'none', false, false, 'none', 'never', 'nothing', 'written', 'nothing')
) s (state, takes_stock, money, is_sale, is_purchase, income, claim, customer_may, ended_by, waits_for);

create view private.kind_answers as
select * from (values
  ('now', true, true, false, false, true, true),
  ('door', true, true, false, true, true, true),
  ('door_advance', true, true, true, true, true, true),
  ('link', true, true, false, false, true, true),
  ('hand', true, true, false, false, true, false),
  ('imported', false, true, false, false, true, false),
  ('replacement', true, false, false, false, false, false),
  ('test', true, false, false, false, false, true)
) k (kind, has_stock, has_money, has_advance, has_cash, counts, may_end);

create view private.order_answers as
select
  s.state,
  k.kind,
  case when k.has_stock then s.takes_stock else 'none' end as takes_stock,
  case when not k.has_money or (s.money = 'advance' and not k.has_advance) then 'none' else s.money end as money,
  s.is_sale,
  s.waits_for = 'cash' and k.has_cash as cash_open,
  s.is_purchase and k.counts as is_purchase,
  case when k.counts then s.income else 'none' end as income,
  s.claim,
  case when not k.has_stock or (s.customer_may = 'cancel' and not k.may_end) then 'nothing' else s.customer_may end as customer_may,
  s.ended_by,
  s.waits_for
from private.state_answers s
cross join private.kind_answers k;

create function private.answers_of(p_state text, p_kind text)
returns private.order_answers
language plpgsql
stable
set search_path = ''
as $$
declare
  v_answers private.order_answers;
begin
  select * into strict v_answers from private.order_answers a where a.state = p_state and a.kind = p_kind;
  return v_answers;
end;
$$;

create or replace function private.is_wanted(p_mail public.outbox)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return case p_mail.kind
    when 'cart_mail' then exists (
      select 1 from public.orders o where o.id = p_mail.order_id and private.is_left_cart(o)
    )
    when 'review_request' then exists (
      select 1 from public.orders o
      join private.order_answers a on a.state = o.state and a.kind = o.kind
      where o.id = p_mail.order_id and o.review_request = 'asked' and a.is_purchase and not o.erase_pending
    )
    else true
  end;
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
      join private.order_answers a on a.state = o.state and a.kind = o.kind
      where o.payment_id is null and a.takes_stock in ('waiting', 'none') and o.admin_key is null
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
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    -- The first two are the predicate of an index.
    where o.cash_paise > 0 and o.status = 'PENDING' and case p_scope
      when 'all' then a.waits_for = 'shop'
      else a.waits_for in ('shop', 'cash')
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

create function private.keys_of_line(p_keys jsonb, p_line text)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select jsonb_object_agg(k.key, k.value || ' ' || p_line) from jsonb_each_text(p_keys) k;
$$;

create or replace function private.has_bought(p_user_id uuid)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.orders o
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    where o.user_id = p_user_id and a.is_purchase
  );
end;
$$;

create or replace function private.is_strangers_order(p_order_id bigint)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.orders o
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    where o.id = p_order_id
      and not (a.is_sale or o.paid_at is not null or o.admin_key is not null or o.replaces is not null
        or o.cash_confirmed_at is not null)
      and not exists (select 1 from public.payments p where p.order_id = o.id)
  );
end;
$$;

create or replace function private.discount_used(
  p_code public.discount_codes, p_user_id uuid, p_phone_key text, p_without bigint default null
)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select case
      when count(*) >= p_code.max_uses then 'used_up'
      when count(*) filter (where o.user_id = p_user_id or o.phone_key = p_phone_key) >= p_code.max_per_shopper
        then 'used_by_shopper'
    end
    from public.orders o
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    where o.discount_code = p_code.code and a.takes_stock in ('waiting', 'sold')
      and o.id is distinct from p_without
  );
end;
$$;

create or replace function public.list_discounts()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(
    to_jsonb(c) - 'stopped_at' - 'created_at' || jsonb_build_object(
      'stopped', c.stopped_at is not null, 'paid', uses.paid, 'open', uses.open, 'given_paise', uses.given
    ) order by c.created_at desc, c.code
  ), '[]')
  from (select * from public.discount_codes order by created_at desc, code limit 200) c
  cross join lateral (
    select count(*) filter (where a.income = 'total') as paid, count(*) filter (where a.waits_for <> 'nothing') as open,
      coalesce(sum(o.discount_paise) filter (where a.income = 'total'), 0) as given
    from public.orders o
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    where o.discount_code = c.code and a.takes_stock in ('waiting', 'sold')
  ) uses;
$$;

create function private.last_units_of(p_order public.orders)
returns text[]
language sql
stable
set search_path = ''
as $$
  select coalesce(array_agg(private.line_key(i)), '{}')
  from jsonb_array_elements(p_order.items) i
  join public.products p on p.id = (i ->> 'product_id')::uuid
  where private.stock_of_line(p.stock, p.sizes, i ->> 'size') <= 0;
$$;

create or replace function private.limit_hold(p_order public.orders, p_now timestamptz, p_hold_seconds integer)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  -- Enough time to pay.
  v_min constant integer := least(300, p_hold_seconds);
  v_short constant integer := 180;
  v_keys jsonb := private.cost_keys(p_order.user_id::text, p_order.network);
  v_order public.orders := p_order;
  v_until timestamptz := p_now + make_interval(secs => p_hold_seconds);
  v_limit record;
  v_max_lines integer;
begin
  v_order.last_units := private.last_units_of(p_order);
  for v_limit in
    select 'minutes' as reason, l.scope, l.units_left as seconds_left, l.again_at, null as line
    from private.cost_left('unpaid_hold', v_keys, v_min, p_now) l
    union all
    select 'network', l.scope, l.units_left, l.again_at, u.line
    from unnest(v_order.last_units) u (line), private.cost_left('last_unit', v_keys, v_min, p_now, u.line) l
    union all
    select 'last_pieces', l.scope, l.units_left / nullif(cardinality(v_order.last_units), 0), l.again_at, null
    from private.cost_left('last_units', v_keys, v_min * cardinality(v_order.last_units), p_now) l
    where v_order.last_units <> '{}'
  loop
    continue when p_order.user_id is null;
    if v_limit.again_at is not null and v_limit.reason = 'network' and v_limit.scope = 'all' then
      -- A reopened checkout keeps its hold, as long as there is time to pay.
      if p_order.hold_expires_at < p_now + interval '1 minute' and exists (
        select 1 from public.orders o
        where o.id <> p_order.id and o.last_units @> array[v_limit.line] and o.payment_id is null
          and o.created_at > p_now - interval '2 hours'
          and (o.user_id = p_order.user_id or private.share_network(o.network, p_order.network))
      ) then
        return jsonb_build_object('outcome', 'wait', 'reason', 'network', 'until', v_limit.again_at);
      end if;
      v_until := least(v_until, p_order.created_at + make_interval(secs => v_short));
    elsif v_limit.again_at is not null and p_order.hold_expires_at < p_now + make_interval(secs => v_min) then
      if v_limit.reason = 'last_pieces' then
        select l.most / v_min into v_max_lines
        from public.cost_limits l
        where l.effect = 'last_units' and l.scope = 'account';
      end if;
      return jsonb_strip_nulls(jsonb_build_object(
        'outcome', 'wait', 'reason', v_limit.reason, 'limit', v_max_lines,
        'until', case when cardinality(v_order.last_units) <= coalesce(v_max_lines, 50) then v_limit.again_at end
      ));
    end if;
    if v_limit.again_at is null or v_limit.scope <> 'all' then
      -- The present hold is counted already.
      v_until := least(v_until, greatest(p_order.hold_expires_at, p_now) + make_interval(secs => v_limit.seconds_left));
    end if;
  end loop;
  update public.orders o
  set last_units = v_order.last_units,
      hold_expires_at = greatest(o.hold_expires_at, v_until),
      next_check_at = greatest(o.hold_expires_at, v_until)
  where o.id = p_order.id
  returning * into v_order;
  return private.order_result('placed', v_order);
end;
$$;

create function private.reusable_order(p_cart private.cart, p_now timestamptz)
returns bigint
language plpgsql
set search_path = ''
as $$
declare
  v_subtotal constant bigint := private.cart_subtotal(p_cart.ids, p_cart.quantities);
begin
  return (
    select min(o.id)
    from public.orders o
    where o.user_id = p_cart.user_id and o.status = 'PENDING' and o.hold_expires_at > p_now
      and (o.hold_state = 'held' or (o.hold_state = 'reserved' and p_cart.cash is not null))
      and o.cart_fingerprint = p_cart.fingerprint
      and o.total_paise = p_cart.expected_total_paise
      and o.discount_code is not distinct from p_cart.discount_code
      and private.is_priced_so(o, v_subtotal, p_cart.charges)
      and o.cash_paise = case when p_cart.cash is null then 0
        else o.total_paise - private.cash_advance(o.total_paise, p_cart.cash) end
  );
end;
$$;

create function private.release_for_cart(p_cart private.cart, p_superseded bigint[], p_expired bigint[], p_now timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform 1 from public.products p
  where p.id = any (p_cart.ids)
    or p.id in (
      select (item ->> 'product_id')::uuid
      from public.orders o, jsonb_array_elements(o.items) item
      where o.id = any (p_superseded || p_expired)
    )
  order by p.id
  for update;

  if cardinality(p_superseded) > 0 then
    perform private.return_stock(p_superseded);
    -- The customer may still be paying one of them in another tab.
    update public.orders
    set hold_state = 'released', release_reason = 'superseded', ended_by = 'customer',
        next_check_at = p_now + interval '15 minutes'
    where id = any (p_superseded);
  end if;
  if cardinality(p_expired) > 0 then
    perform private.return_stock(p_expired);
    -- The sweep still asks Razorpay about them: their check is due.
    update public.orders set hold_state = 'released', release_reason = 'expired', ended_by = 'customer'
    where id = any (p_expired);
  end if;
end;
$$;

create function private.reuse_cart(p_cart private.cart, p_order_id bigint, p_code public.discount_codes, p_now timestamptz)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_order public.orders;
  v_refusal text;
  v_answer jsonb;
begin
  if p_code.code is not null then
    -- The order may have another phone now, of a customer who has used the code. A code that has ended meanwhile stays.
    v_refusal := private.discount_use_refusal(p_code, p_cart.user_id, p_cart.customer ->> 'phone', p_order_id);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'discount', 'reason', v_refusal);
    end if;
  end if;
  if p_cart.cash is not null then
    -- The details may be others than those that were asked about before.
    v_refusal := private.cash_refusal(
      p_cart.user_id, p_cart.ids, p_cart.customer, p_cart.expected_total_paise, p_cart.network, p_cart.cash, p_order_id
    );
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'no_cash', 'reason', v_refusal);
    end if;
  end if;
  v_order := private.reuse_order(p_order_id, p_cart.idempotency_key, p_cart.customer, p_cart.terms);
  if v_order.hold_state = 'reserved' then
    return private.order_result('reserved', v_order) || '{"repeated": true}';
  end if;
  v_answer := private.limit_hold(v_order, p_now, p_cart.hold_seconds);
  return case when v_answer ->> 'outcome' = 'placed' then v_answer || '{"outcome": "reused"}' else v_answer end;
end;
$$;

create function private.cart_refusal(p_cart private.cart, p_now timestamptz)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_answer jsonb;
  v_found jsonb;
begin
  if p_cart.blank is null and private.closed_until() is not null then
    return jsonb_build_object('outcome', 'closed', 'until', private.closed_until());
  end if;
  select jsonb_build_object('outcome', 'wait', 'until', max(l.again_at), 'reason', 'cards') into v_answer
  from private.cost_left('failed_payment', private.cost_keys(p_cart.user_id::text), 1, p_now) l
  having max(l.again_at) is not null;
  if v_answer is not null then
    return v_answer;
  end if;

  select jsonb_agg(l.id order by l.line_number) into v_found
  from unnest(p_cart.ids) with ordinality l (id, line_number)
  where not exists (
    select 1 from public.products p
    where p.id = l.id and (not p.hidden or p_cart.blank is not null) and p.deleted_at is null
  );
  if v_found is not null then
    return jsonb_build_object('outcome', 'unknown_product', 'product_ids', v_found);
  end if;
  select jsonb_agg(jsonb_build_object('product_id', p.id, 'name', p.name, 'size', l.size) order by l.line_number)
  into v_found
  from unnest(p_cart.ids, p_cart.sizes) with ordinality l (id, size, line_number)
  join public.products p on p.id = l.id
  where case when l.size is null then p.sizes <> '[]'
    else not p.sizes @> jsonb_build_array(jsonb_build_object('size', l.size)) end;
  if v_found is not null then
    return jsonb_build_object('outcome', 'choose_size', 'items', v_found);
  end if;
  v_found := private.lines_above(p_cart, p_cart.max_units);
  if v_found is not null then
    return jsonb_build_object('outcome', 'too_many_units', 'items', v_found, 'limit', p_cart.max_units);
  end if;
  v_found := private.lines_above(p_cart, null);
  return case when v_found is not null then jsonb_build_object('outcome', 'out_of_stock', 'items', v_found) end;
end;
$$;

create function private.lines_above(p_cart private.cart, p_most integer)
returns jsonb
language plpgsql
set search_path = ''
as $$
begin
  return (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'product_id', p.id, 'size', l.size, 'name', private.sized_name(p.name, l.size),
      'requested', l.quantity, 'available', a.available
    )) order by l.line_number)
    from unnest(p_cart.ids, p_cart.sizes, p_cart.quantities) with ordinality l (id, size, quantity, line_number)
    join public.products p on p.id = l.id
    cross join lateral (select coalesce(p_most, private.stock_of_line(p.stock, p.sizes, l.size)) as available) a
    where l.quantity > a.available
  );
end;
$$;

create function private.price_cart(p_cart private.cart, p_code public.discount_codes)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_items jsonb;
  v_subtotal bigint;
  v_discount bigint := p_cart.reduction_paise;
  v_refusal jsonb;
  v_rows jsonb;
  v_total bigint;
begin
  select
    jsonb_agg(jsonb_build_object('product_id', p.id, 'name', private.sized_name(p.name, l.size), 'quantity', l.quantity,
      'price', coalesce(p."offerPrice", p.price), 'image', p.images[1])
      || case when l.size is null then '{}' else jsonb_build_object('size', l.size) end order by l.line_number),
    sum((coalesce(p."offerPrice", p.price) * 100)::bigint * l.quantity)
  into v_items, v_subtotal
  from unnest(p_cart.ids, p_cart.sizes, p_cart.quantities) with ordinality l (id, size, quantity, line_number)
  join public.products p on p.id = l.id;

  if p_cart.discount_code is not null then
    v_refusal := private.discount_refusal(p_code, p_cart.user_id, p_cart.customer ->> 'phone', v_subtotal);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'discount') || v_refusal;
    end if;
    v_discount := private.discount_of(p_code, v_subtotal);
  elsif v_discount > 0 and v_discount >= v_subtotal then
    return jsonb_build_object('outcome', 'amount_out_of_range', 'total_paise', 0);
  end if;

  v_rows := private.sum_rows(
    v_subtotal, jsonb_build_object('label', p_cart.discount_code, 'paise', v_discount), p_cart.charges
  );
  v_total := private.rows_paise(v_rows);
  if v_total not between 100 and 100000000 then
    return jsonb_build_object('outcome', 'amount_out_of_range', 'total_paise', v_total);
  end if;
  if v_discount > 0 then
    v_items := private.spread_discount(v_items, v_discount);
  end if;
  if v_total <> p_cart.expected_total_paise then
    -- The site of release 1.3.2 reads the parts.
    return jsonb_build_object('outcome', 'price_changed', 'subtotal_paise', v_subtotal, 'discount_paise', v_discount,
      'fee_paise', private.rows_paise(v_rows, 'fee'), 'total_paise', v_total, 'items', v_items);
  end if;
  return jsonb_build_object('items', v_items, 'rows', v_rows);
end;
$$;

create function private.insert_order(p_cart private.cart, p_items jsonb, p_rows jsonb, p_now timestamptz)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_id constant bigint := nextval(pg_get_serial_sequence('public.orders', 'id'));
  v_total constant bigint := private.rows_paise(p_rows);
  v_customer constant jsonb := p_cart.customer;
  v_order public.orders;
begin
  insert into public.orders (
    id, created_at, user_id, merchant_transaction_id, idempotency_key, cart_fingerprint, network,
    customer_name, customer_email, customer_phone, customer_address, customer_city, customer_postal_code,
    notes, gift_note, recipient_name, recipient_phone, customer_gstin, asked_about, items, sum_rows, discount_code, total_paise,
    subtotal_paise, discount_paise, fee_paise, fee_bps, cash_charge_paise,
    hold_state, hold_expires_at, next_check_at, cash_paise, confirm_seconds, razorpay_key_id, payment_method, terms
  )
  values (
    v_id, p_now, p_cart.user_id, private.order_reference(v_id), p_cart.idempotency_key, p_cart.fingerprint, p_cart.network,
    v_customer ->> 'name', v_customer ->> 'email', v_customer ->> 'phone', v_customer ->> 'address',
    v_customer ->> 'city', v_customer ->> 'postal_code', v_customer ->> 'notes', nullif(v_customer ->> 'gift_note', ''),
    nullif(v_customer ->> 'recipient_name', ''), nullif(v_customer ->> 'recipient_phone', ''),
    nullif(v_customer ->> 'gstin', ''), private.asked_about(v_customer), p_items, p_rows, p_cart.discount_code, v_total,
    -- The site of release 1.3.2 reads these.
    private.rows_paise(p_rows, 'goods'), -private.rows_paise(p_rows, 'discount'), private.rows_paise(p_rows, 'fee'), coalesce((
      select (sum_row ->> 'bps')::integer from jsonb_array_elements(p_rows) sum_row where sum_row ->> 'kind' = 'fee'
    ), 0), private.rows_paise(p_rows, 'cash_charge'),
    'held', p_now, p_now,
    case when p_cart.cash is null then 0 else v_total - private.cash_advance(v_total, p_cart.cash) end,
    (p_cart.cash ->> 'confirm_seconds')::integer, left(p_cart.cash ->> 'key_id', 60),
    case when p_cart.cash is not null then 'cash' end, p_cart.terms
  )
  returning * into v_order;
  return v_order;
end;
$$;

create function private.place_cart(p_cart private.cart)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_now timestamptz;
  v_expired bigint[];
  v_id bigint;
  v_code public.discount_codes;
  v_answer jsonb;
  v_refusal text;
  v_order public.orders;
begin
  perform 1 from public.orders where user_id = p_cart.user_id and hold_state in ('held', 'reserved') order by id for update;
  v_now := clock_timestamp();
  v_expired := private.lock_expired_holds(p_cart.user_id, p_cart.ids, p_cart.sizes, p_cart.quantities, v_now);
  v_id := private.reusable_order(p_cart, v_now);
  if p_cart.discount_code is not null then
    -- Serialises orders with the same code, so that its uses are counted one by one.
    select * into v_code from public.discount_codes where code = p_cart.discount_code for update;
  end if;
  perform private.release_for_cart(p_cart, array(
    select o.id from public.orders o
    where o.user_id = p_cart.user_id and o.hold_state = 'held' and o.id is distinct from v_id
  ), v_expired, v_now);
  if v_id is not null then
    return private.reuse_cart(p_cart, v_id, v_code, v_now);
  end if;

  v_answer := private.cart_refusal(p_cart, v_now);
  if v_answer is not null then
    return v_answer;
  end if;
  v_answer := private.price_cart(p_cart, v_code);
  if v_answer ? 'outcome' then
    return v_answer;
  end if;
  if p_cart.cash is not null then
    v_refusal := private.cash_refusal(
      p_cart.user_id, p_cart.ids, p_cart.customer, p_cart.expected_total_paise, p_cart.network, p_cart.cash
    );
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'no_cash', 'reason', v_refusal);
    end if;
  end if;

  perform private.add_stock((
    select jsonb_agg(jsonb_build_object('product_id', l.id, 'size', l.size, 'quantity', -l.quantity))
    from unnest(p_cart.ids, p_cart.sizes, p_cart.quantities) l (id, size, quantity)
  ));
  v_order := private.insert_order(p_cart, v_answer -> 'items', v_answer -> 'rows', v_now);
  if p_cart.cash is not null and private.online_paise(v_order) = 0 then
    v_refusal := private.last_unit_refusal(v_order);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'no_cash', 'reason', v_refusal);
    end if;
    return private.order_result('reserved', private.reserve_order(v_order));
  end if;
  return private.limit_hold(v_order, v_now, p_cart.hold_seconds);
end;
$$;

create function private.is_priced_so(p_order public.orders, p_goods_paise bigint, p_charges jsonb)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(private.row_amounts(p_order.sum_rows) = private.row_amounts(private.sum_rows(
    p_goods_paise, jsonb_build_object('paise', -private.rows_paise(p_order.sum_rows, 'discount')), p_charges
  )), false);
end;
$$;

create or replace function private.reserve_order(p_order public.orders)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_order public.orders;
  v_last_units constant text[] := case when p_order.kind = 'door' then private.last_units_of(p_order) else '{}' end;
begin
  update public.orders
  set hold_state = 'reserved',
      hold_expires_at = clock_timestamp() + make_interval(secs => least(
        coalesce(confirm_seconds, 86400), case when v_last_units = '{}' then 2147483647 else 172800 end
      )),
      last_units = v_last_units,
      next_check_at = null,
      checks = 0
  where id = p_order.id
  returning * into v_order;
  insert into public.outbox (kind, recipient, order_id, dedupe_key)
  values
    ('cash_order_placed', v_order.customer_email, v_order.id, 'cash_order_placed:' || v_order.id),
    ('order_notice', null, v_order.id, 'order_notice:' || v_order.id)
  on conflict (dedupe_key) do nothing;
  return v_order;
end;
$$;

create function private.reuse_order(p_order_id bigint, p_key uuid, p_customer jsonb, p_terms jsonb)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_before jsonb;
  v_order public.orders;
begin
  select to_jsonb(o) into v_before from public.orders o where o.id = p_order_id;
  update public.orders
  set idempotency_key = p_key,
      customer_name = p_customer ->> 'name',
      customer_email = p_customer ->> 'email',
      customer_phone = p_customer ->> 'phone',
      customer_address = p_customer ->> 'address',
      customer_city = p_customer ->> 'city',
      customer_postal_code = p_customer ->> 'postal_code',
      notes = p_customer ->> 'notes',
      gift_note = nullif(p_customer ->> 'gift_note', ''),
      recipient_name = nullif(p_customer ->> 'recipient_name', ''),
      recipient_phone = nullif(p_customer ->> 'recipient_phone', ''),
      customer_gstin = nullif(p_customer ->> 'gstin', ''),
      asked_about = private.asked_about(p_customer),
      -- What its customer reads now. One that waits for the shop's word was placed before.
      terms = case when hold_state = 'held' then coalesce(p_terms, terms) else terms end
  where id = p_order_id
  returning * into v_order;
  if v_order.hold_state = 'reserved' then
    insert into public.order_changes (order_id, field, old_value, new_value, changed_by)
    select p_order_id, f.field, f.before, f.after, 'customer'
    from (
      select key as field, coalesce(v_before ->> key, '') as before, coalesce(value #>> '{}', '') as after
      from jsonb_each(to_jsonb(v_order))
      where key in (
        'customer_name', 'customer_phone', 'customer_address', 'customer_city', 'customer_postal_code', 'customer_gstin',
        'recipient_name', 'recipient_phone'
      )
    ) f
    where f.before <> f.after;
    if found then
      perform public.notify_admin(
        'cash_order_changed', '{}', 'cash_order_changed:' || p_order_id || ':' || private.india_date(now()), p_order_id
      );
    end if;
  end if;
  return v_order;
end;
$$;

create function public.place_order(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_lines jsonb,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_fee_bps integer default null,
  p_hold_seconds integer default null,
  p_max_units integer default 100000,
  p_blank text[] default null,
  p_discount_code text default null,
  p_network text default null,
  p_reduction_paise bigint default 0,
  p_cash jsonb default null,
  p_charges jsonb default null,
  p_terms jsonb default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ids uuid[];
  v_sizes text[];
  v_quantities integer[];
  v_fingerprint text;
  v_order public.orders;
  v_answer jsonb;
  v_charges constant jsonb := coalesce(
    p_charges, private.charges_of_before(p_fee_bps, coalesce((p_cash ->> 'charge_paise')::bigint, 0))
  );
begin
  if (p_user_id is null) <> (p_blank is not null) or p_idempotency_key is null then
    raise exception 'user and idempotency key are required' using errcode = '22023';
  end if;
  if p_expected_total_paise is null then
    raise exception 'the expected total is required' using errcode = '22023';
  end if;
  if p_charges is not null then
    perform private.check_charges(p_charges);
  elsif p_fee_bps is null or p_fee_bps not between 0 and 10000 then
    raise exception 'fee_bps must be 0 to 10000' using errcode = '22023';
  end if;
  if p_hold_seconds is null or p_hold_seconds not between 1 and 604800 then
    raise exception 'hold_seconds must be 1 to 604800' using errcode = '22023';
  end if;
  if p_max_units is null or p_max_units < 1 then
    raise exception 'max_units must not be below 1' using errcode = '22023';
  end if;
  if p_cash is not null and (jsonb_typeof(p_cash) <> 'object' or p_blank is not null
    or coalesce((p_cash ->> 'charge_paise')::bigint, 0) < 0 or coalesce((p_cash ->> 'confirm_seconds')::bigint, 0) < 1)
  then
    raise exception 'the terms of cash need the seconds to confirm, and an account' using errcode = '22023';
  end if;
  if p_reduction_paise is null or p_reduction_paise < 0
    or (p_reduction_paise > 0 and (p_blank is null or p_discount_code is not null))
  then
    raise exception 'only the admin lowers a price, and without a code' using errcode = '22023';
  end if;
  perform private.check_customer(p_customer, coalesce(p_blank, '{}'));
  select array_agg(l.product_id order by l.line_number), array_agg(l.size order by l.line_number),
    array_agg(l.quantity order by l.line_number)
  into v_ids, v_sizes, v_quantities
  from private.cart_lines(p_lines) l;

  -- Identifies the cart by products, sizes and quantities, in any order of lines.
  select encode(sha256(convert_to(
    string_agg(l.id || coalesce(to_json(l.size)::text, '') || ':' || l.quantity, ',' order by l.id, l.size), 'UTF8'
  )), 'hex')
  into v_fingerprint
  from unnest(v_ids, v_sizes, v_quantities) l (id, size, quantity);

  -- One call per customer at a time, so that two clicks cannot hold the stock twice.
  perform pg_advisory_xact_lock(hashtextextended('place_order:' || p_user_id, 0));

  select * into v_order from public.orders where user_id = p_user_id and idempotency_key = p_idempotency_key for update;
  if found and (
    v_order.cart_fingerprint is distinct from v_fingerprint or v_order.total_paise <> p_expected_total_paise
    or v_order.discount_code is distinct from p_discount_code or (v_order.cash_paise > 0) <> (p_cash is not null)
  ) then
    return jsonb_build_object('outcome', 'expired');
  elsif v_order.payment_id is not null then
    return private.order_result('paid', v_order);
  elsif v_order.hold_state = 'reserved' or v_order.sold then
    return private.order_result('reserved', v_order);
  elsif v_order.id is not null and (
    v_order.hold_state <> 'held' or v_order.hold_expires_at <= clock_timestamp()
    or not private.is_priced_so(v_order, private.cart_subtotal(v_ids, v_quantities), v_charges)
    or (p_cash is not null and v_order.cash_paise <> v_order.total_paise - private.cash_advance(v_order.total_paise, p_cash))
  ) then
    return jsonb_build_object('outcome', 'expired');
  end if;

  begin
    v_answer := private.place_cart(row(
      p_user_id, p_idempotency_key, v_ids, v_sizes, v_quantities, v_fingerprint, p_customer, p_expected_total_paise,
      v_charges, p_hold_seconds, p_max_units, p_blank, p_discount_code, p_network, p_reduction_paise, p_cash, p_terms
    )::private.cart);
    if v_answer ->> 'outcome' not in ('placed', 'reused', 'reserved') then
      raise exception 'nothing is placed' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    -- Everything above is rolled back; the variable keeps the answer.
    if v_answer ->> 'reason' in ('minutes', 'network', 'last_pieces') then
      perform public.notify_admin(
        'stock_held', jsonb_build_object('kind', v_answer ->> 'reason'),
        'stock_held:' || (now() at time zone 'Asia/Kolkata')::date
      );
    elsif v_answer ->> 'reason' = 'no_mail' then
      -- Its alert was rolled back, too.
      perform private.has_mail_left(private.mail_share(p_user_id, true));
    end if;
  end;
  return v_answer;
end;
$$;

create function public.place_admin_order(
  p_key uuid, p_lines jsonb, p_customer jsonb, p_channel text, p_hand_over boolean, p_expected_total_paise bigint,
  p_fee_bps integer, p_hold_seconds integer, p_method text, p_reference text, p_token text,
  p_reduction_paise bigint default 0, p_charges jsonb default null, p_terms jsonb default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_answer jsonb;
begin
  if p_key is null or p_hand_over is null or coalesce(p_method, 'cash') not in ('cash', 'upi', 'bank')
    or (p_method is null) <> (p_token is not null)
  then
    raise exception 'an order needs a key, a way of payment, and a token when it is paid by link' using errcode = '22023';
  end if;
  -- One call per key at a time, so that two clicks make one order.
  perform pg_advisory_xact_lock(hashtextextended('place_admin_order:' || p_key, 0));
  select * into v_order from public.orders where admin_key = p_key;
  if found then
    return private.order_result(
      case when v_order.payment_id is not null or v_order.state = 'open' then 'already' else 'expired' end, v_order
    );
  end if;

  v_answer := public.place_order(
    null, p_key, p_lines, p_customer, p_expected_total_paise, p_fee_bps, p_hold_seconds,
    p_blank => array['email']
      || case when p_hand_over then array['address', 'city', 'postal_code'] end
      || case when p_hand_over and p_method is not null then array['phone'] end,
    p_reduction_paise => p_reduction_paise, p_charges => p_charges, p_terms => p_terms
  );
  if v_answer ->> 'outcome' <> 'placed' then
    return v_answer;
  end if;
  update public.orders
  set admin_key = p_key,
      channel = p_channel,
      hand_over = p_hand_over,
      pay_token = p_token,
      customer_email = nullif(btrim(customer_email), '')
  where id = (v_answer #>> '{order,id}')::bigint
  returning * into v_order;
  if p_method is not null then
    perform private.complete_order(v_order, 'hand_' || v_order.id, p_method, nullif(btrim(p_reference), ''));
  end if;
  return v_answer;
end;
$$;

create or replace function public.read_payment_link(p_order_id bigint, p_token text)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'state', case
      when a.is_sale then 'paid'
      when a.customer_may = 'pay' and o.hold_expires_at > clock_timestamp()
        and o.razorpay_order_id is not null
        then 'open'
      else 'ended'
    end,
    'order', jsonb_build_object(
      'id', o.id, 'items', o.items, 'sum_rows', o.sum_rows, 'total_paise', o.total_paise,
      -- The site of release 1.3.2 reads the parts.
      'subtotal_paise', o.subtotal_paise, 'discount_paise', o.discount_paise, 'fee_paise', o.fee_paise,
      'currency', o.currency, 'razorpay_order_id', o.razorpay_order_id, 'hold_expires_at', o.hold_expires_at
    ),
    'customer', jsonb_build_object(
      'name', o.customer_name, 'email', coalesce(o.customer_email, ''), 'phone', o.customer_phone
    )
  )
  from public.orders o
  join private.order_answers a on a.state = o.state and a.kind = o.kind
  where o.id = p_order_id and o.pay_token = p_token;
$$;

create or replace function private.late_refusal(p_order public.orders, p_without bigint)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_code public.discount_codes;
  v_subtotal bigint;
begin
  select case when count(p.id) = count(*) then sum((coalesce(p."offerPrice", p.price) * 100)::bigint * quantity) end
  into v_subtotal
  from jsonb_to_recordset(p_order.items) item (product_id uuid, quantity bigint)
  left join public.products p
    on p.id = item.product_id and p.deleted_at is null and (not p.hidden or p_order.admin_key is not null);
  if v_subtotal is null then
    return 'not_sold';
  end if;
  if p_order.discount_code is not null then
    select * into v_code from public.discount_codes where code = p_order.discount_code for update;
    if private.discount_refusal(
      v_code, p_order.user_id, p_order.customer_phone, v_subtotal, coalesce(p_without, p_order.id)
    ) is not null then
      return 'discount_gone';
    end if;
  end if;
  return case when p_order.total_paise < private.rows_paise(private.sum_rows(
    v_subtotal,
    jsonb_build_object('paise', case when v_code.code is null then -private.rows_paise(p_order.sum_rows, 'discount')
      else private.discount_of(v_code, v_subtotal) end),
    p_order.sum_rows
  )) then 'price_changed' end;
end;
$$;

create or replace function private.refuse_payment(p_order public.orders, p_is_late boolean)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_holds constant boolean := p_order.hold_state is not distinct from 'held';
  v_twin bigint;
  v_reason text;
begin
  -- A cash order whose units did not come back is still 'taken', and over.
  if p_order.payment_id is not null or p_order.status = 'COMPLETED'
    or (p_order.hold_state in ('reserved', 'taken') and p_order.fulfilment <> 'cancelled')
  then
    return 'second_payment';
  elsif p_order.customer_name is null then
    return 'person_removed';
  elsif p_order.fulfilment = 'cancelled' then
    return 'order_cancelled';
  elsif p_order.payment_status in ('REFUND_DUE', 'REFUNDED', 'PARTIALLY_REFUNDED') then
    return 'stock_gone';
  elsif private.was_bought_again(p_order) then
    return case when v_holds or p_order.release_reason = 'bought_twice' then 'bought_twice' else 'duplicate_purchase' end;
  elsif private.lost_cash(p_order, p_is_late or not v_holds) then
    return 'cash_order_ended';
  elsif v_holds and not p_is_late then
    return null;
  end if;
  v_twin := case when not v_holds then private.held_twin(p_order) end;
  v_reason := case
    when p_is_late then private.late_refusal(p_order, v_twin)
    when not private.take_discount_again(p_order, v_twin) then 'discount_gone'
  end;
  -- The same cart needs the same stock, so this order takes over what the other one holds.
  if v_reason is null and not v_holds and not private.end_unpaid(v_twin, 'bought_twice')
    and not private.reserve_stock_again(p_order.items)
  then
    return 'stock_gone';
  end if;
  return v_reason;
end;
$$;

create or replace function public.release_order(p_order_id bigint, p_reason text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    raise exception 'there is no order %', p_order_id using errcode = 'P0002';
  end if;
  if v_order.payment_id is not null or v_order.status = 'COMPLETED'
    or (v_order.hold_state in ('reserved', 'taken') and v_order.fulfilment <> 'cancelled')
  then
    return jsonb_build_object('outcome', 'paid');
  end if;
  -- A cancelled order that is still 'taken' did not return its units to stock.
  if v_order.payment_status in ('REFUND_DUE', 'REFUNDED', 'PARTIALLY_REFUNDED') or v_order.hold_state is null
    or v_order.hold_state = 'taken'
  then
    return jsonb_build_object('outcome', 'already');
  end if;
  if v_order.hold_state = 'held' then
    perform private.return_stock(array[p_order_id]);
  end if;
  update public.orders
  set hold_state = 'released',
      status = 'FAILED',
      payment_status = 'FAILED',
      release_reason = case when status = 'FAILED' then release_reason else left(p_reason, 200) end,
      ended_by = case
        when status = 'FAILED' then ended_by
        when p_reason in ('ended_by_admin', 'payment_provider', 'unknown_at_provider') then 'shop'
        else 'customer'
      end,
      checks = 0,
      next_check_at = private.next_check(coalesce(hold_expires_at, created_at))
  where id = p_order_id;
  return jsonb_build_object('outcome', case when v_order.status = 'FAILED' then 'already' else 'released' end);
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
  set fulfilment = 'cancelled', cancelled_at = clock_timestamp(), cancel_reason = left(p_reason, 200), ended_by = 'shop',
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
  elsif v_order.fulfilment <> 'new' or v_order.hand_over or private.is_disputed(v_order)
    or (private.answers_of(v_order.state, v_order.kind)).customer_may = 'nothing'
  then
    return jsonb_build_object('outcome', 'ask');
  end if;
  if p_paid and coalesce(not (v_order.terms ->> 'returns_platform_fee')::boolean, p_keep_fee) and v_order.total_paise - coalesce(v_order.fee_paise, 0) >= 100 then
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
    if v_answer ->> 'outcome' = 'cancelled' then
      update public.orders set ended_by = 'customer' where id = p_order_id;
      perform private.record_kept_units(v_order);
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
  -- The customer reads who ended the order.
  update public.outbox m set payload = m.payload || jsonb_build_object('by', 'customer')
  where m.dedupe_key in ('order_cancelled:' || p_order_id, 'cash_order_ended:' || p_order_id);
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

create function private.last_unit_refusal(p_order public.orders)
returns text
language plpgsql
stable
set search_path = ''
as $$
declare
  v_keys constant jsonb := private.cost_keys(p_order.user_id::text, p_order.network, p_order.phone_key);
begin
  return case when exists (
    select 1
    from unnest(private.last_units_of(p_order)) u (line)
    cross join lateral private.cost_left('cash_last_unit', private.keys_of_line(v_keys, u.line), 1, clock_timestamp()) l
    where l.again_at is not null
  ) then 'last_unit' end;
end;
$$;

create function private.record_kept_units(p_order public.orders)
returns void
language sql
set search_path = ''
as $$
  select private.record_cost('cash_last_unit', private.keys_of_line(
    private.cost_keys(p_order.user_id::text, p_order.network, p_order.phone_key), u.line
  ))
  from unnest(p_order.last_units) u (line)
  where p_order.state = 'to_confirm' and p_order.kind = 'door';
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
    perform private.record_kept_units(v_order);
    if v_order.advance_payment_id is not null then
      perform private.record_cost(
        'fee_lost', private.cost_keys(v_order.user_id::text, v_order.network, v_order.phone_key)
      );
    end if;
  end loop;
  return cardinality(v_ids);
end;
$$;

create or replace function public.refuse_cash_order(p_order_id bigint, p_reason text, p_restock boolean, p_return_advance boolean)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.fulfilment = 'cancelled' and v_order.release_reason = 'refused' then
    return jsonb_build_object('outcome', 'already');
  elsif v_order.payment_id is not null then
    return jsonb_build_object('outcome', 'paid');
  elsif v_order.cash_paise = 0 or v_order.fulfilment not in ('shipped', 'delivered') or not v_order.sold then
    return jsonb_build_object('outcome', 'not_sent');
  elsif exists (
    select 1 from public.orders o where o.replaces = p_order_id and o.fulfilment in ('new', 'packed')
  ) then
    return jsonb_build_object('outcome', 'replaced');
  end if;
  perform private.end_cash_order(
    v_order, 'refused', p_restock, coalesce(not (v_order.terms ->> 'keeps_advance')::boolean, p_return_advance), 'customer'
  );
  update public.orders
  set fulfilment = 'cancelled', cancelled_at = clock_timestamp(), cancel_reason = left('Refused at the door. ' || coalesce(p_reason, ''), 200)
  where id = p_order_id;
  insert into public.cash_refusals (order_id, user_id, phone_hash, recipient_hash, reason)
  values (
    p_order_id, v_order.user_id, private.phone_hash(v_order.phone_key),
    private.phone_hash(private.phone_key(v_order.recipient_phone)), left(coalesce(p_reason, ''), 200)
  )
  on conflict (order_id) do nothing;
  return jsonb_build_object('outcome', 'refused');
end;
$$;

create or replace function private.cash_due()
returns jsonb
language sql
stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(t) order by t."oldestAt"), '[]')
  from (
    select coalesce(o.carrier, '') as carrier, count(*) as count, sum(o.cash_paise) as paise,
      min(coalesce(o.shipped_at, o.delivered_at)) as "oldestAt"
    from public.orders o
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    -- The first two are the predicate of an index.
    where o.cash_paise > 0 and o.status = 'PENDING' and o.fulfilment in ('shipped', 'delivered') and a.cash_open
    group by 1
  ) t;
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
      o.payment_reference, a.waits_for = 'cash' as is_open,
      o.fulfilment in ('shipped', 'delivered') or coalesce(o.release_reason = 'refused', false) as is_sent,
      -- Couriers use a number again after months. One that was paid by hand is still an order of the same parcel.
      count(*) over (
        partition by private.tracking_key(o.tracking_number) order by coalesce(o.shipped_at, o.delivered_at, o.created_at)
        range between interval '30 days' preceding and interval '30 days' following
      ) as orders_of_parcel
    from public.orders o
    join private.order_answers a on a.state = o.state and a.kind = o.kind
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
        when (v_row ->> 'is_unclear')::boolean then 'several_orders'
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
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    join (
      select lower(btrim(coalesce(p.carrier, ''))) as carrier, max(coalesce(p.shipped_at, p.delivered_at)) as last_at
      from public.orders p
      where p.id in (select (d ->> 'order_id')::bigint from jsonb_array_elements(v_done) d)
      group by 1
    ) paid on paid.carrier = lower(btrim(coalesce(o.carrier, '')))
      and coalesce(o.shipped_at, o.delivered_at) <= paid.last_at
    where o.cash_paise > 0 and o.status = 'PENDING' and o.fulfilment in ('shipped', 'delivered') and a.cash_open
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

create or replace function private.issue_invoice(p_order_id bigint, p_document jsonb)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_number text;
  v_is_test boolean;
  v_counter public.document_counters;
begin
  select invoice_number, kind = 'test' into v_number, v_is_test from public.orders where id = p_order_id;
  if v_number is not null then
    return v_number;
  end if;
  if jsonb_typeof(p_document) is distinct from 'object' then
    raise exception 'an invoice needs its document' using errcode = '22023';
  end if;
  if v_is_test then
    v_counter := row('invoice', 'test', p_order_id, clock_timestamp());
    v_number := 'TEST/' || p_order_id;
  else
    v_counter := private.next_document('invoice');
    v_number := private.document_number(
      (select invoice_prefix from public.shop_settings), v_counter.financial_year, v_counter.last_serial
    );
  end if;
  insert into public.invoices (number, order_id, financial_year, serial, issued_at, document)
  values (v_number, p_order_id, v_counter.financial_year, v_counter.last_serial, v_counter.last_issued_at, p_document);
  update public.orders set invoice_number = v_number where id = p_order_id;
  return v_number;
end;
$$;

create or replace function public.assign_invoice(p_order_id bigint, p_document jsonb, p_revision timestamptz default null)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_order.invoice_number is null and not (private.answers_of(v_order.state, v_order.kind)).is_sale then
    return jsonb_build_object('outcome', 'not_paid');
  end if;
  if v_order.invoice_number is null and p_revision <> v_order.updated_at then
    return jsonb_build_object('outcome', 'outdated');
  end if;
  perform private.issue_invoice(p_order_id, p_document);
  return jsonb_build_object(
    'outcome', case when v_order.invoice_number is null then 'assigned' else 'already' end,
    'invoice', private.invoice_of(p_order_id)
  );
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
  if v_order.kind = 'test' then
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

create or replace function private.is_claimable(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return case (private.answers_of(p_order.state, p_order.kind)).claim
    when 'sent' then p_order.fulfilment in ('shipped', 'delivered')
    when 'delivered' then p_order.fulfilment = 'delivered'
    else false
  end;
end;
$$;

create or replace function private.replace_items(p_order public.orders, p_items jsonb, p_key uuid)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_id bigint := nextval(pg_get_serial_sequence('public.orders', 'id'));
  v_wrong text;
  v_items jsonb;
  v_subtotal bigint;
begin
  select wanted.key into v_wrong
  from jsonb_each_text(p_items) wanted
  where wanted.value::bigint > coalesce((
    select sum((item ->> 'quantity')::bigint) from jsonb_array_elements(p_order.items) item
    where private.line_key(item) = wanted.key
  ), 0)
  order by 1
  limit 1;
  if v_wrong is not null then
    return jsonb_build_object('outcome', 'too_many_items', 'line_key', v_wrong);
  end if;
  -- An order has each line key once.
  select jsonb_agg(
      item || jsonb_build_object(
        'quantity', (p_items ->> private.line_key(item))::integer,
        'discount_paise',
        round(coalesce((item ->> 'price')::numeric, 0) * 100)::bigint * (p_items ->> private.line_key(item))::integer
      ) order by line),
    sum(round(coalesce((item ->> 'price')::numeric, 0) * 100)::bigint * (p_items ->> private.line_key(item))::integer)
  into v_items, v_subtotal
  from jsonb_array_elements(p_order.items) with ordinality i (item, line)
  where p_items ? private.line_key(item);
  if not private.reserve_stock_again(v_items) then
    return jsonb_build_object('outcome', 'out_of_stock');
  end if;
  insert into public.orders (
    id, user_id, merchant_transaction_id, customer_name, customer_email, customer_phone, customer_address, customer_city,
    customer_postal_code, recipient_name, recipient_phone, items, sum_rows, subtotal_paise, discount_paise, fee_paise, total_paise,
    fee_bps, status, payment_status, payment_method, hold_state, admin_key, replaces, terms
  )
  values (
    v_id, p_order.user_id, private.order_reference(v_id), p_order.customer_name,
    p_order.customer_email, p_order.customer_phone, p_order.customer_address, p_order.customer_city,
    p_order.customer_postal_code, p_order.recipient_name, p_order.recipient_phone, v_items,
    private.sum_rows(v_subtotal, jsonb_build_object('paise', v_subtotal), '[]'), v_subtotal,
    v_subtotal, 0, 0, 0, 'COMPLETED', 'COMPLETED', 'replacement', 'taken', p_key, p_order.id, p_order.terms
  );
  return jsonb_build_object('outcome', 'placed', 'order_id', v_id);
end;
$$;

create or replace function private.review_requests_due(p_days integer, p_limit integer)
returns setof bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select o.id from public.orders o
  join private.order_answers a on a.state = o.state and a.kind = o.kind
  where o.fulfilment = 'delivered' and o.review_request is null
    and o.delivered_at <= now() - make_interval(days => p_days)
    and o.delivered_at > now() - make_interval(days => p_days + 30)
    and a.is_purchase and not o.erase_pending and coalesce(btrim(o.customer_email), '') <> ''
    and not exists (select 1 from public.claims c where c.order_id = o.id and c.answer is null)
    and exists (select 1 from private.reviewable_products(o))
  order by o.delivered_at
  limit p_limit;
end;
$$;

create or replace function private.order_to_review(p_order_id bigint, p_link_version integer, p_days integer, p_lock boolean)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  if p_lock then
    perform 1 from public.orders o where o.id = p_order_id for update;
  end if;
  select o.* into v_order from public.orders o
  join private.order_answers a on a.state = o.state and a.kind = o.kind
  where o.id = p_order_id and o.link_version = p_link_version and o.review_request = 'asked' and a.is_purchase
    and o.fulfilment = 'delivered' and o.delivered_at > now() - make_interval(days => p_days);
  return v_order;
end;
$$;

create or replace function private.push_running_out(p_order public.orders, p_low_stock_below integer)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_pieces jsonb;
begin
  if p_low_stock_below is null or not exists (select 1 from public.push_subscriptions) then
    return;
  end if;
  perform 1 from public.products p
  where p.id in (select (item ->> 'product_id')::uuid from jsonb_array_elements(p_order.items) item)
  order by p.id
  for update;
  select jsonb_agg(jsonb_build_object('name', p.name, 'left', n.unsold) order by n.unsold, p.name) into v_pieces
  from (
    select (item ->> 'product_id')::uuid as product_id, sum((item ->> 'quantity')::bigint) as quantity
    from jsonb_array_elements(p_order.items) item
    group by 1
  ) sold
  join public.products p on p.id = sold.product_id and p.deleted_at is null
  cross join lateral (
    select p.stock + coalesce(sum((item ->> 'quantity')::bigint), 0) as unsold
    from public.orders o
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    cross join jsonb_array_elements(o.items) item
    where a.takes_stock = 'waiting' and o.id <> p_order.id and (item ->> 'product_id')::uuid = p.id
  ) n
  where n.unsold = 0 or (n.unsold < p_low_stock_below and n.unsold + sold.quantity >= p_low_stock_below);
  if v_pieces is not null then
    perform private.queue_push('stock', jsonb_build_object('pieces', v_pieces), 'stock:' || p_order.id);
  end if;
end;
$$;

create view private.bought_orders as
select
  o.id, o.created_at, o.updated_at, o.user_id, o.merchant_transaction_id, o.idempotency_key, o.cart_fingerprint,
  o.customer_name, o.customer_email, o.customer_phone, o.customer_address, o.customer_city, o.customer_postal_code,
  o.customer_gstin, o.notes, o.gift_note, o.admin_note, o.items, o.products, o.subtotal_paise, o.discount_code,
  o.discount_paise, o.fee_paise, o.total_paise, o.fee_bps, o.currency, o.amount, o.total_amount, o.payment_amount,
  o.status, o.payment_status, o.payment_method, o.payment_reference, o.razorpay_order_id, o.razorpay_key_id,
  o.payment_id, o.paid_at, o.hold_state, o.network, o.hold_expires_at, o.released_at, o.release_reason,
  o.next_check_at, o.checks, o.fulfilment, o.carrier, o.tracking_number, o.tracking_url, o.packed_at, o.shipped_at,
  o.delivered_at, o.cancelled_at, o.cancel_reason, o.invoice_number, o.delivery_notice, o.channel, o.hand_over,
  o.pay_token, o.admin_key, o.restocked, o.paid, o.stage, o.search_text, o.phone_key, o.replaces, o.advance_payment_id
from public.orders o
join private.order_answers a on a.state = o.state and a.kind = o.kind
where a.is_purchase;

create or replace function private.sales(p_from timestamptz, p_to timestamptz)
returns table (at timestamptz, orders integer, paise bigint)
language sql
stable
set search_path = ''
as $$
  select o.paid_at, case when a.income = 'total' then 1 else 0 end,
    case when a.income = 'total' then coalesce(o.total_paise, 0) else o.kept_paise end
  from public.orders o
  join private.order_answers a on a.state = o.state and a.kind = o.kind
  where o.paid_at >= p_from and o.paid_at < p_to and (a.income = 'total' or (a.income = 'kept' and o.kept_paise > 0))
  union all
  select o.cancelled_at, 0, o.kept_paise
  from public.orders o
  join private.order_answers a on a.state = o.state and a.kind = o.kind
  where o.cancelled_at >= p_from and o.cancelled_at < p_to and o.kept_paise > 0 and o.paid_at is null and a.income = 'kept'
  union all
  select r.created_at, 0, -r.amount_paise
  from public.refunds r
  join public.orders o on o.id = r.order_id and private.is_own_payment(o, r.payment_id)
  join private.order_answers a on a.state = o.state and a.kind = o.kind
  where r.created_at >= p_from and r.created_at < p_to and r.state <> 'failed'
    and case
      when o.paid_at is not null then a.income = 'total'
      -- An advance that was kept, and went back later after all.
      else a.income <> 'none' and o.kept_paise > 0 and r.created_at > o.cancelled_at
    end;
$$;

create or replace function public.sales_figures(p_period text, p_day date default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_today date := (v_now at time zone 'Asia/Kolkata')::date;
  v_length interval := case p_period
    when 'week' then interval '7 days'
    when 'month' then interval '1 month'
    when 'year' then interval '1 year'
  end;
  v_step interval := case p_period when 'year' then interval '1 month' else interval '1 day' end;
  v_first date;
  v_next date;
  v_before date;
  v_from timestamptz;
  v_to timestamptz;
  v_before_to timestamptz;
begin
  if v_length is null then
    raise exception 'a period is week, month or year' using errcode = '22023';
  end if;
  v_first := date_trunc(p_period, coalesce(p_day, v_today)::timestamp)::date;
  v_next := (v_first + v_length)::date;
  v_before := (v_first - v_length)::date;
  v_from := private.india_midnight(v_first);
  v_to := private.india_midnight(v_next);
  v_before_to := case
    when v_now < v_to then least(v_from, private.india_midnight(v_before) + greatest(v_now - v_from, interval '0'))
    else v_from
  end;
  return (
    with sold as materialized (
      select
        date_trunc(
          case p_period when 'year' then 'month' else 'day' end, s.at at time zone 'Asia/Kolkata'
        )::date as bar,
        s.orders, s.paise
      from private.sales(v_from, v_to) s
    ), sums as (
      select bar, sum(orders) as orders, sum(paise) as paise from sold group by bar
    )
    select jsonb_build_object(
      'period', p_period, 'today', v_today, 'from', v_first, 'to', v_next - 1,
      'orders', coalesce(sum(s.orders), 0), 'paise', coalesce(sum(s.paise), 0),
      'refundedPaise', coalesce(-sum(s.paise) filter (where s.paise < 0), 0),
      'cancelledPaise', (
        select coalesce(sum(r.amount_paise), 0)
        from public.refunds r
        join public.orders o on o.id = r.order_id and private.is_own_payment(o, r.payment_id)
        join private.order_answers a on a.state = o.state and a.kind = o.kind
        where r.created_at >= v_from and r.created_at < v_to and r.state <> 'failed'
          and o.paid_at is not null and a.income = 'kept'
      ),
      'bars', (
        select jsonb_agg(
          jsonb_build_object('from', d.day::date, 'orders', coalesce(b.orders, 0), 'paise', coalesce(b.paise, 0))
          order by d.day
        )
        from generate_series(v_first::timestamp, v_next::timestamp - v_step, v_step) d (day)
        left join sums b on b.bar = d.day::date
      ),
      'before', (
        select jsonb_build_object(
          'from', v_before, 'to', ((v_before_to - interval '1 microsecond') at time zone 'Asia/Kolkata')::date,
          'orders', coalesce(sum(e.orders), 0), 'paise', coalesce(sum(e.paise), 0)
        )
        from private.sales(private.india_midnight(v_before), v_before_to) e
      ),
      'best', private.best_sellers(v_from, v_to, 10),
      'cartMails', private.cart_mail_figures(v_from, v_to)
    )
    from sold s
  );
end;
$$;

create or replace function private.is_left_cart(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return p_order.state = 'ended' and p_order.released_at > now() - interval '1 day' and p_order.payment_id is null
    and p_order.fulfilment = 'new'
    and not exists (select 1 from public.payments p where p.order_id = p_order.id)
    and p_order.admin_key is null and p_order.replaces is null and not p_order.erase_pending
    -- Ended by time, or because Razorpay could not be reached. The admin's own end is none of these.
    and (p_order.ended_by = 'customer' or p_order.release_reason = 'payment_provider')
    and p_order.release_reason not in ('superseded', 'bought_twice')
    and coalesce(private.confirmed_email(p_order.user_id) = lower(btrim(p_order.customer_email)), false)
    and not exists (
      select 1 from public.cart_mail_refusals r where r.address_hash = private.address_hash(p_order.customer_email)
    )
    and not exists (
      select 1 from public.orders other
      join private.order_answers a on a.state = other.state and a.kind = other.kind
      where (other.user_id = p_order.user_id or lower(other.customer_email) = lower(p_order.customer_email))
        and (other.id > p_order.id or a.takes_stock = 'waiting' or other.paid_at > p_order.created_at
          or (other.id <> p_order.id and other.cart_mailed_at > now() - interval '30 days'))
    )
    and private.is_all_in_stock(p_order.items);
end;
$$;

create or replace function private.left_carts_due(p_hours integer, p_limit integer)
returns setof bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_hours is null or private.closed_until() is not null or not private.has_cart_mail_left() then
    return;
  end if;
  return query
  select o.id from public.orders o
  -- The first two are the predicate of an index.
  where o.hold_state = 'released' and o.cart_mailed_at is null
    and o.released_at <= now() - make_interval(hours => p_hours) and o.released_at > now() - interval '1 day'
    and private.is_left_cart(o)
  order by o.released_at, o.id
  limit p_limit;
end;
$$;

create or replace function public.queue_cart_mails(p_hours integer, p_limit integer)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_count integer := 0;
begin
  for v_order in
    select o.* from public.orders o
    where o.id = any (array(select private.left_carts_due(p_hours, p_limit)))
      -- Once more, of the row that is locked: a payment may have come.
      and o.state = 'ended' and o.cart_mailed_at is null
    order by o.id
    for update skip locked
  loop
    -- Takes the lock of the share, so that no other mail comes between this answer and the count.
    exit when private.cost_refusal('stranger_mail', private.cost_keys(null)) is not null
      or not private.has_cart_mail_left();
    update public.orders set cart_mailed_at = clock_timestamp() where id = v_order.id;
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'cart_mail', lower(btrim(v_order.customer_email)), v_order.id,
      jsonb_build_object('address_hash', private.address_hash(v_order.customer_email)), 'cart_mail:' || v_order.id
    )
    on conflict (dedupe_key) do nothing;
    v_count := v_count + 1;
  end loop;
  return v_count;
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
        'hand_over', o.hand_over, 'cash_paise', o.cash_paise, 'cash_charge_paise', o.cash_charge_paise, 'sum_rows', o.sum_rows,
        'advance_payment_id', o.advance_payment_id, 'payment_id', o.payment_id, 'cash_confirmed_at', o.cash_confirmed_at,
        'hold_state', o.hold_state, 'hold_expires_at', o.hold_expires_at, 'state', o.state, 'kind', o.kind
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
      'advanceLeftPaise', coalesce((
        select private.refundable_paise(p) from public.payments p where p.payment_id = o.advance_payment_id
      ), 0),
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
          'field', c.field, 'oldValue', c.old_value, 'newValue', c.new_value, 'at', c.created_at,
          'by', c.changed_by
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
          fulfilment, state, kind
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

create or replace function private.personal_data(p_user_id uuid, p_email text)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_orders bigint[];
begin
  select array_agg(o.id order by o.id) into v_orders
  from public.orders o
  where o.user_id = p_user_id or (o.user_id is null and lower(o.customer_email) = p_email);
  return jsonb_build_object(
    'account', (
      select jsonb_build_object('email', u.email, 'created_at', u.created_at, 'confirmed_at', u.email_confirmed_at)
      from auth.users u where u.id = p_user_id),
    'profile', (
      select jsonb_build_object('email', p.email, 'full_name', p.full_name, 'phone', p.phone, 'address', p.address,
        'city', p.city, 'postal_code', p.postal_code, 'updated_at', p.updated_at)
      from public.profiles p where p.id = p_user_id),
    'wishlist', (
      select jsonb_agg(jsonb_build_object('product', p.name, 'kept_at', w.kept_at) order by w.kept_at)
      from public.wishlists w join public.products p on p.id = w.product_id where w.user_id = p_user_id),
    'orders', (
      select jsonb_agg(
        jsonb_build_object(
          'id', o.id, 'created_at', o.created_at, 'updated_at', o.updated_at,
          'merchant_transaction_id', o.merchant_transaction_id, 'customer_name', o.customer_name,
          'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
          'customer_address', o.customer_address, 'customer_city', o.customer_city,
          'customer_postal_code', o.customer_postal_code, 'customer_gstin', o.customer_gstin, 'notes', o.notes,
          'gift_note', o.gift_note, 'recipient_name', o.recipient_name, 'recipient_phone', o.recipient_phone,
          'items', o.items, 'products', o.products, 'sum_rows', o.sum_rows, 'currency', o.currency)
        || jsonb_build_object(
          'subtotal_paise', o.subtotal_paise, 'discount_code', o.discount_code, 'discount_paise', o.discount_paise,
          'fee_paise', o.fee_paise, 'fee_bps', o.fee_bps, 'total_paise', o.total_paise, 'kept_paise', o.kept_paise,
          'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount,
          'status', o.status, 'payment_status', o.payment_status, 'payment_method', o.payment_method,
          'payment_reference', o.payment_reference, 'razorpay_order_id', o.razorpay_order_id,
          'payment_id', o.payment_id, 'paid_at', o.paid_at,
          'cash_paise', o.cash_paise, 'cash_charge_paise', o.cash_charge_paise,
          'advance_payment_id', o.advance_payment_id, 'cash_confirmed_at', o.cash_confirmed_at)
        || jsonb_build_object(
          'fulfilment', o.fulfilment, 'carrier', o.carrier, 'tracking_number', o.tracking_number,
          'tracking_url', o.tracking_url, 'packed_at', o.packed_at, 'shipped_at', o.shipped_at,
          'delivered_at', o.delivered_at, 'cancelled_at', o.cancelled_at, 'invoice_number', o.invoice_number,
          'delivery_notice', o.delivery_notice, 'terms', o.terms, 'channel', o.channel, 'hand_over', o.hand_over,
          'replaces', o.replaces)
        order by o.id)
      from public.orders o where o.id = any (v_orders)),
    'order_changes', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'field', c.field, 'old_value', c.old_value,
        'new_value', c.new_value, 'changed_by', c.changed_by, 'created_at', c.created_at) order by c.id)
      from public.order_changes c where c.order_id = any (v_orders) and c.field <> 'admin_note'),
    'payments', (
      select jsonb_agg(jsonb_build_object('payment_id', p.payment_id, 'order_id', p.order_id,
        'amount_paise', p.amount_paise, 'state', p.state, 'created_at', p.created_at) order by p.created_at)
      from public.payments p where p.order_id = any (v_orders)),
    'refunds', (
      select jsonb_agg(jsonb_build_object('payment_id', r.payment_id, 'order_id', r.order_id,
        'amount_paise', r.amount_paise, 'state', r.state, 'created_at', r.created_at) order by r.id)
      from public.refunds r where r.order_id = any (v_orders)),
    'cash_refusals', (
      select jsonb_agg(jsonb_build_object('order_id', r.order_id, 'created_at', r.created_at,
        'forgiven_at', r.forgiven_at) order by r.id)
      from public.cash_refusals r where r.order_id = any (v_orders) or r.user_id = p_user_id),
    'claims', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'created_at', c.created_at, 'message', c.message,
        'answer', c.answer, 'answered_at', c.answered_at, 'reason', c.reason,
        'files', (select count(*) from public.claim_files f where f.claim_id = c.id and not f.removing)) order by c.id)
      from public.claims c where c.order_id = any (v_orders)),
    'reviews', (
      select jsonb_agg(jsonb_build_object('order_id', r.order_id, 'product', p.name, 'created_at', r.created_at,
        'stars', r.stars, 'words', r.words, 'name', r.name, 'town', r.town, 'image', r.image, 'state', r.state,
        'answer', r.answer) order by r.id)
      from public.reviews r join public.products p on p.id = r.product_id where r.order_id = any (v_orders)),
    'invoices', (
      select jsonb_agg(i.document || jsonb_build_object('number', i.number) order by i.number)
      from public.invoices i where i.order_id = any (v_orders)),
    'credit_notes', (
      select jsonb_agg(n.document || jsonb_build_object('number', n.number) order by n.number)
      from public.credit_notes n join public.invoices i on i.number = n.invoice_number where i.order_id = any (v_orders)),
    'mails', (
      select jsonb_agg(jsonb_build_object('kind', m.kind, 'created_at', m.created_at, 'sent_at', m.sent_at) order by m.id)
      from public.outbox m
      where m.kind not in ('push', 'admin_alert') and (lower(m.recipient) = p_email or m.order_id = any (v_orders))),
    'messages', (
      select jsonb_agg(jsonb_build_object('created_at', c.created_at, 'name', c.name, 'email', c.email,
        'subject', c.subject, 'message', c.message, 'answered_at', c.answered_at) order by c.id)
      from public.contact_messages c where lower(c.email) = p_email),
    'newsletter', (
      select jsonb_build_object('created_at', s.created_at, 'email', s.email, 'consent_at', s.consent_at,
        'consent_text', s.consent_text, 'confirmed_at', s.confirmed_at, 'unsubscribed_at', s.unsubscribed_at,
        'asked_at', s.asked_at, 'asked_text', s.asked_text)
      from public.subscribers s where s.email = p_email),
    'stock_alerts', (
      select jsonb_agg(jsonb_build_object('product', p.name, 'size', a.size, 'created_at', a.created_at) order by a.id)
      from public.stock_alerts a join public.products p on p.id = a.product_id where a.email = p_email),
    'cart_mails', (
      select jsonb_build_object('refused_at', r.refused_at)
      from public.cart_mail_refusals r where r.address_hash = private.address_hash(p_email)),
    'order_forms', (
      select jsonb_agg(f.fields || jsonb_build_object('sent_at', f.created_at) order by f.id)
      from public.form_entries f where lower(f.fields ->> 'email') = p_email)
  );
end;
$$;

create or replace function private.is_forgettable(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
declare
  v_answers constant private.order_answers := private.answers_of(p_order.state, p_order.kind);
begin
  return v_answers.takes_stock in ('none', 'gone') and not v_answers.is_sale
    and p_order.next_check_at is null and p_order.payment_id is null and p_order.paid_at is null and p_order.invoice_number is null
    and v_answers.income <> 'total' and p_order.kept_paise = 0
    and not exists (select 1 from public.payments p where p.order_id = p_order.id and p.state <> 'refunded');
end;
$$;

create or replace function private.has_ended(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
declare
  v_answers constant private.order_answers := private.answers_of(p_order.state, p_order.kind);
begin
  return v_answers.waits_for <> 'cash' and (
      p_order.fulfilment in ('delivered', 'cancelled') or p_order.hand_over
      -- Paid, and all of it went back.
      or private.unrefunded_paise(p_order) = 0
      -- Never paid: the payments that came were of no use and went back.
      or (p_order.payment_id is null and v_answers.takes_stock <> 'waiting'
        and p_order.next_check_at is null)
    )
    and not exists (
      select 1 from public.refunds r where r.order_id = p_order.id and r.state in ('due', 'requested')
    )
    and not exists (
      select 1 from public.payments p where p.order_id = p_order.id and p.state in ('unmatched', 'refund_due')
    )
    and not exists (select 1 from public.claims c where c.order_id = p_order.id and c.answer is null);
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

  -- A backup of release 1.3.2 has the parts of the sum in columns alone.
  update public.orders set sum_rows = private.rows_of_columns(
    total_paise, subtotal_paise, discount_code, discount_paise, fee_paise, fee_bps, cash_charge_paise
  )
  where sum_rows is null and subtotal_paise is not null;
  -- The backup may be of a release that did not keep what a bank gave back.
  perform private.settle_old_disputes();
  update public.provider_health set reconcile = true, unreachable_since = null where id;
  update public.catalogue_version set version = version + 1000000 where id;
  return jsonb_build_object(
    'orders_after', v_last_order, 'mails', v_mails, 'sessions', v_sessions
  );
end;
$$;

comment on column public.orders.ended_by is 'Who ended or cancelled an order, written where it ends: the shop by its own act or fault, or else the customer, also by letting it expire; null in paid orders that release 1.3.2 and earlier ones cancelled';
comment on column public.orders.sum_rows is 'The rows that add up to total_paise, see private.sum_rows; null for an imported order';
comment on column public.orders.terms is 'What the shop promised when the order was placed: {processing, standard (days), damage_hours, returns_platform_fee, keeps_advance}. Null before 1.4.0: the settings of today';

grant select (kind, state, sum_rows, terms) on table public.orders to authenticated;
grant execute on function private.rows_paise(jsonb,text) to service_role;
grant execute on function public.place_admin_order(uuid,jsonb,jsonb,text,boolean,bigint,integer,integer,text,text,text,bigint,jsonb,jsonb) to service_role;
grant execute on function public.place_order(uuid,uuid,jsonb,jsonb,bigint,integer,integer,integer,text[],text,text,bigint,jsonb,jsonb,jsonb) to service_role;

drop function private.platform_fee(bigint,integer);
drop function private.total_with_fee(bigint,integer);
drop function private.rounding_of(public.orders);
-- end
