-- Cash on delivery: who may have it, the shop's word, parcels that come back, and the cash that couriers bring. How an order is
-- paid at all, and how a cash order ends, are the core's (orders.sql, place-order.sql, fulfilment.sql). The terms are those of the
-- site's settings, as place_order gets them in p_cash.

-- ── Who may have it ──

-- Parcels that nobody paid at the door. The account and the phone get no cash on delivery until the term is over, or the shop
-- forgives it.
create table public.cash_refusals (
  id bigint generated always as identity primary key,
  order_id bigint not null unique references public.orders (id),
  user_id uuid references auth.users (id) on delete set null,
  -- See private.phone_hash: of the customer, and of who was to receive the parcel.
  phone_hash text,
  recipient_hash text,
  -- Written by the admin, shown to the admin only.
  reason text not null default '' check (char_length(reason) <= 200),
  created_at timestamptz not null default now(),
  forgiven_at timestamptz
);

create index cash_refusals_user_id_idx on public.cash_refusals (user_id);
create index cash_refusals_phone_hash_idx on public.cash_refusals (phone_hash);
create index cash_refusals_recipient_hash_idx on public.cash_refusals (recipient_hash);
create index cash_refusals_created_at_idx on public.cash_refusals (created_at);

alter table public.cash_refusals enable row level security;

-- The hashes of a customer's and a recipient's phone, without those that cannot be called.
create function private.phone_hashes(p_phone text, p_recipient_phone text)
returns text[]
language plpgsql
stable
set search_path = ''
as $$
begin
  return array_remove(array[
    private.phone_hash(private.phone_key(p_phone)), private.phone_hash(private.phone_key(p_recipient_phone))
  ], null);
end;
$$;

-- The parcels after p_since that an account or one of these phones (private.phone_hashes) did not pay at the door, and that the shop has
-- not forgiven.
create function private.refused_parcels(p_user_id uuid, p_phones text[], p_since timestamptz)
returns setof public.cash_refusals
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select * from public.cash_refusals r
  where (r.user_id = p_user_id or r.phone_hash = any (p_phones) or r.recipient_hash = any (p_phones))
    and r.forgiven_at is null and r.created_at > p_since;
end;
$$;

-- Whether a product is sold paid online only: its fact 'cash_on_delivery' is given, and is not 'yes'.
create function private.is_paid_online_only(p_product public.products)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return lower(coalesce(nullif(btrim(p_product.attributes ->> 'cash_on_delivery'), ''), 'yes')) <> 'yes';
end;
$$;

-- Why these products cannot be paid at the door by this customer; null: they can. p_without is an open order of the customer's that
-- does not count, because it is this one. With p_locks, of two orders at once the second waits for the first. Without them it is a
-- question, which says nothing of a phone that no order of this account has had: it may be anybody's.
--   account      the account has no confirmed e-mail address
--   refused      the account, its phone or the recipient's did not pay a parcel at the door (p_cash.refused_days); or too many advances
--                went back, of orders that the shop could not confirm (`fee_lost`)
--   too_little, too_much  the total is outside of p_cash.min_paise and max_paise
--   pin          the PIN code begins with none of p_cash.pins
--   product      a product is sold paid online only
--   phone        the phone cannot be called in India
--   open_orders  the account, phone or network has as many cash orders open as cost_limits allow, or the shop has
--   no_mail      the share of its mails has none left today, and it is no paid order's mail, because nothing is paid before
create function private.cash_refusal(
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
  v_is_own constant boolean := p_locks
    or exists (select 1 from public.orders o where o.user_id = p_user_id and o.phone_key = v_phone);
  v_keys constant jsonb := private.cost_keys(p_user_id::text, p_network, case when v_is_own then v_phone end);
  v_advance constant bigint := private.cash_advance(p_total_paise, p_cash);
  v_this public.orders;
  v_this_keys jsonb;
begin
  if private.confirmed_email(p_user_id) is null then
    return 'account';
  elsif exists (
    select 1 from private.refused_parcels(
      p_user_id,
      case when v_is_own then private.phone_hashes(p_customer ->> 'phone', p_customer ->> 'recipient_phone') end,
      now() - make_interval(days => (p_cash ->> 'refused_days')::integer)
    )
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
    when v_advance > 0 and exists (
      select 1 from private.cost_left('fee_lost', v_keys, 1, clock_timestamp()) l where l.again_at is not null
    ) then 'refused'
    -- The mail of an open order is sent.
    when p_locks and v_this.id is null and v_advance = 0
      and not private.has_mail_left(private.mail_share(p_user_id, true)) then 'no_mail'
  end;
end;
$$;

-- 'last_unit' when an order for which nothing is paid takes a last unit that its account, phone or network, or everybody together, kept
-- with such orders until they ended, too often (cash_last_unit); else null. Its stock is already subtracted, so the product's lock is held
-- and no two callers are asked at once.
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

-- Records that an order without an advance kept last units from others, and ended before the shop confirmed it.
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

-- Whether an order could not be placed for cash any more when its advance comes: since then its customer did not pay a parcel at the
-- door, or as many cash orders are open as cost_limits allow, because an order counts only with its advance. One that has to take its
-- stock again (p_again) may also have a product that is sold paid online only now. Without the locks of private.cost_refusal, which
-- come after those of products: payments at the same moment may open one order more.
create function private.lost_cash(p_order public.orders, p_again boolean)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
declare
  v_keys constant jsonb := private.cost_keys(p_order.user_id::text, p_order.network, p_order.phone_key);
begin
  return p_order.cash_paise > 0 and (
    exists (
      select 1 from private.refused_parcels(
        p_order.user_id, private.phone_hashes(p_order.customer_phone, p_order.recipient_phone), p_order.created_at
      )
    )
    or p_again and exists (
      select 1 from jsonb_to_recordset(p_order.items) item (product_id uuid)
      join public.products p on p.id = item.product_id
      where private.is_paid_online_only(p)
    )
    or exists (select 1 from private.cost_left('cash_order', v_keys, 1, clock_timestamp()) l where l.again_at is not null)
  );
end;
$$;

-- Why this cart cannot be paid at the door, see private.cash_refusal; null: it can. Reserves nothing, and place_order decides.
-- p_customer has phone and postal_code.
create function public.cash_offer(
  p_user_id uuid, p_product_ids uuid[], p_customer jsonb, p_total_paise bigint, p_network text, p_cash jsonb
)
returns text
language sql
security definer
set search_path = ''
as $$
  select private.cash_refusal(
    p_user_id, p_product_ids, p_customer, p_total_paise, p_network, p_cash,
    null, false
  );
$$;

-- ── The shop's word ──

-- Confirms a reserved order: it is sold, and can be packed. Mails the customer. Returns {outcome}: confirmed; already;
-- not_found; ended (it is no order that waits for this); refunded (its advance went back); outdated (the order has changed since
-- p_revision, the updated_at that the admin has read; null skips the check).
create function public.confirm_cash_order(p_order_id bigint, p_low_stock_below integer, p_revision timestamptz default null)
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
  elsif v_order.hold_state is distinct from 'reserved' then
    return jsonb_build_object('outcome', case when v_order.cash_confirmed_at is null then 'ended' else 'already' end);
  elsif private.is_advance_returned(v_order) then
    return jsonb_build_object('outcome', 'refunded');
  elsif p_revision <> v_order.updated_at then
    return jsonb_build_object('outcome', 'outdated');
  end if;
  perform private.push_running_out(v_order, p_low_stock_below);
  update public.orders set hold_state = 'taken', cash_confirmed_at = clock_timestamp() where id = p_order_id;
  insert into public.outbox (kind, recipient, order_id, dedupe_key)
  values ('cash_order_confirmed', v_order.customer_email, p_order_id, 'cash_order_confirmed:' || p_order_id)
  on conflict (dedupe_key) do nothing;
  return jsonb_build_object('outcome', 'confirmed');
end;
$$;

-- Ends up to p_limit orders that the shop did not confirm in time, and returns how many: their stock comes back, and so does an
-- advance, whose fee is lost: it counts as such, because nobody answered.
create function public.end_unconfirmed_orders(p_limit integer)
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

-- ── Parcels that come back ──

-- Records that a sent order was not paid at the door and comes back. Its stock returns if p_restock; p_return_advance says whether the
-- advance of an order without terms of its own (orders.terms) goes back. A credit note follows for its invoice. The account and the phone are remembered. Returns {outcome}: refused;
-- already; not_found; paid (its cash is there: refund it instead); not_sent (there is no parcel that is paid at the door); replaced (a free
-- replacement for its damage is not sent yet: cancel that one first).
create function public.refuse_cash_order(p_order_id bigint, p_reason text, p_restock boolean, p_return_advance boolean)
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

-- Lets the customer of a refused order have cash on delivery again. Returns whether that changed anything.
create function public.forgive_cash_refusal(p_order_id bigint)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.cash_refusals set forgiven_at = now() where order_id = p_order_id and forgiven_at is null;
  return found;
end;
$$;

-- What the admin sees beside a cash order: {refusals: [{orderId, at, reason}]} of its account and phone, newest first, that are not
-- forgiven, its own included.
create function public.read_cash_order(p_order_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object('refusals', coalesce((
    select jsonb_agg(jsonb_build_object('orderId', r.order_id, 'at', r.created_at, 'reason', r.reason) order by r.created_at desc)
    from public.cash_refusals r
    where r.forgiven_at is null and (r.order_id = o.id or r.id in (
      select p.id from private.refused_parcels(
        o.user_id, private.phone_hashes(o.customer_phone, o.recipient_phone), '-infinity'
      ) p
    ))
  ), '[]'))
  from public.orders o
  where o.id = p_order_id;
$$;

-- ── The cash ──

-- What couriers still have to bring, those with the oldest parcel first: [{carrier, count, paise, oldestAt}]. A parcel counts from
-- the day it was sent. A test is no cash.
create function private.cash_due()
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

-- Records that the cash of an order is there. The caller has locked it. Returns an outcome: received; already (with this reference);
-- paid_twice (it was paid before, by another); too_little or too_much, by a rupee or more, and nothing is recorded; refused (the parcel
-- came back); not_sold. Couriers round, so what differs by less than a rupee is recorded as what was due.
create function private.receive_cash(p_order public.orders, p_amount_paise bigint, p_reference text)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_payment_id constant text := 'hand_' || p_order.id;
  v_reference constant text := nullif(left(btrim(p_reference), 100), '');
begin
  if p_order.payment_id is not null then
    return case
      when p_order.payment_reference is not distinct from v_reference then 'already' else 'paid_twice'
    end;
  elsif p_order.release_reason = 'refused' then
    return 'refused';
  elsif p_order.cash_paise = 0 or not p_order.sold then
    return 'not_sold';
  elsif abs(p_amount_paise - p_order.cash_paise) >= 100 then
    return case when p_amount_paise < p_order.cash_paise then 'too_little' else 'too_much' end;
  end if;
  perform private.record_payment(v_payment_id, p_order.id, null, p_order.cash_paise, p_order.currency, 'accepted');
  update public.orders
  set status = 'COMPLETED',
      -- A part of the advance may have gone back.
      payment_status = case
        when exists (
          select 1 from public.refunds r
          where r.order_id = p_order.id and r.state = 'processed' and r.payment_id = p_order.advance_payment_id
        ) then 'PARTIALLY_REFUNDED'
        else 'COMPLETED'
      end,
      payment_id = v_payment_id, payment_method = 'cash',
      payment_reference = v_reference, paid_at = clock_timestamp()
  where id = p_order.id;
  return 'received';
end;
$$;

-- Records the cash of one order by hand: {outcome}, as private.receive_cash; not_found.
create function public.receive_cash(p_order_id bigint, p_amount_paise bigint, p_reference text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  return jsonb_build_object('outcome', case
    when v_order.id is null then 'not_found'
    else private.receive_cash(v_order, p_amount_paise, p_reference)
  end);
end;
$$;

-- A tracking number as it is compared: couriers and people write it with spaces, and in small letters.
create function private.tracking_key(p_number text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return upper(regexp_replace(coalesce(p_number, ''), '[\s\u00a0]', '', 'g'));
end;
$$;

-- Records a courier's list of remitted cash: p_rows [{row, tracking_number, order_id, order_reference, amount_paise, reference}], where
-- order_id is null if the list has none, and order_reference is the text that it was read from, unless that is the plain number. A row is
-- of the order with its tracking number; of several in one parcel, of the one with its order id. The order id alone counts where the row
-- or the order has no tracking number, for an order that was sent. Without p_save nothing is stored.
-- Returns {rows: [{row, order_id, outcome, due_paise}], missing: [{order_id, carrier, due_paise, at}]}. Outcomes as
-- private.receive_cash; not_found; several_orders (of a parcel with several orders, some of them to be paid, and the row names none). missing:
-- parcels of the same couriers, sent no later than the last one that this list names, whose cash is still to come. A row that cannot be
-- recorded keeps no other from it.
create function public.record_remittance(p_rows jsonb, p_save boolean)
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
