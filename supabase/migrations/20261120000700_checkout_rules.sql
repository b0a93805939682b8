-- What place_order builds on: checks of its arguments, its result, the notice that can close checkout, and discount
-- codes.

-- The lines of a cart as rows: [{"product_id": uuid text, "size": text or none, "quantity": 1..100000}], 1 to 50
-- lines, each product or size once. Raises 22023.
create function private.cart_lines(p_lines jsonb)
returns table (line_number bigint, product_id uuid, size text, quantity integer)
language plpgsql
immutable
set search_path = ''
as $$
begin
  if jsonb_typeof(p_lines) is distinct from 'array' then
    raise exception 'lines must be a list' using errcode = '22023';
  end if;
  if jsonb_array_length(p_lines) not between 1 and 50 then
    raise exception 'lines must be 1 to 50' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    where jsonb_typeof(line) <> 'object'
      or jsonb_typeof(line -> 'product_id') is distinct from 'string'
      or line ->> 'product_id' !~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
  ) then
    raise exception 'every line needs a product_id' using errcode = '22023';
  end if;
  -- Compared as text, so that 1.5, 1e309 or -1 are refused instead of rounded.
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    where jsonb_typeof(line -> 'quantity') is distinct from 'number'
      or line ->> 'quantity' !~ '^[0-9]{1,6}$'
      or (line ->> 'quantity')::integer not between 1 and 100000
  ) then
    raise exception 'every quantity must be a whole number from 1 to 100000' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    where coalesce(jsonb_typeof(line -> 'size'), 'null') not in ('null', 'string')
      or char_length(line ->> 'size') not between 1 and 20
  ) then
    raise exception 'a size must be a text of 1 to 20 characters' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    group by lower(line ->> 'product_id'), line ->> 'size'
    having count(*) > 1
  ) then
    raise exception 'a product, or a size of it, may be in one line only' using errcode = '22023';
  end if;
  return query
  select line.ordinality, (line.value ->> 'product_id')::uuid, line.value ->> 'size', (line.value ->> 'quantity')::integer
  from jsonb_array_elements(p_lines) with ordinality line;
end;
$$;

-- Checks the customer's details: texts within the limits of the form. Only the notes, the gift note and the fields in
-- p_blank may be blank. Raises 22023.
create function private.check_customer(p_customer jsonb, p_blank text[] default '{}')
returns void
language plpgsql
immutable
set search_path = ''
as $$
declare
  v_field text;
  v_max_length integer;
begin
  if jsonb_typeof(p_customer) is distinct from 'object' then
    raise exception 'customer must be an object' using errcode = '22023';
  end if;
  for v_field, v_max_length in
    values ('name', 100), ('email', 255), ('phone', 20), ('address', 500), ('city', 100), ('postal_code', 10)
  loop
    if jsonb_typeof(p_customer -> v_field) is distinct from 'string'
      or (btrim(p_customer ->> v_field) = '' and v_field <> all (p_blank))
      or char_length(p_customer ->> v_field) > v_max_length
    then
      raise exception 'customer.% must be a text of 1 to % characters', v_field, v_max_length using errcode = '22023';
    end if;
  end loop;
  if position('@' in p_customer ->> 'email') = 0 and (p_customer ->> 'email' <> '' or 'email' <> all (p_blank)) then
    raise exception 'customer.email must be an e-mail address' using errcode = '22023';
  end if;
  if coalesce(jsonb_typeof(p_customer -> 'notes'), 'null') not in ('null', 'string')
    or char_length(p_customer ->> 'notes') > 1000
  then
    raise exception 'customer.notes must be a text of at most 1000 characters' using errcode = '22023';
  end if;
  if coalesce(jsonb_typeof(p_customer -> 'gift_note'), 'null') not in ('null', 'string')
    or char_length(p_customer ->> 'gift_note') > 200
  then
    raise exception 'customer.gift_note must be a text of at most 200 characters' using errcode = '22023';
  end if;
  if coalesce(p_customer ->> 'gstin', '') !~ '^([0-9A-Z]{15})?$' then
    raise exception 'customer.gstin must be 15 characters' using errcode = '22023';
  end if;
end;
$$;

-- round(subtotal * bps / 10000), half up, in integers. Same as platformFee in src/domain/money.ts.
create function private.platform_fee(p_subtotal_paise bigint, p_fee_bps integer)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (p_subtotal_paise * p_fee_bps + 5000) / 10000;
end;
$$;

-- The total in paise: goods after any discount, plus the platform fee.
create function private.total_with_fee(p_goods_paise bigint, p_fee_bps integer)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_goods_paise + private.platform_fee(p_goods_paise, p_fee_bps);
end;
$$;

-- The result of place_order for outcomes with an order.
create function private.order_result(p_outcome text, p_order public.orders)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return jsonb_build_object('outcome', p_outcome, 'order', jsonb_build_object(
    'id', p_order.id,
    'merchant_transaction_id', p_order.merchant_transaction_id,
    'razorpay_order_id', p_order.razorpay_order_id,
    'payment_id', p_order.payment_id,
    'total_paise', p_order.total_paise,
    'currency', p_order.currency,
    'hold_expires_at', p_order.hold_expires_at
  ));
end;
$$;

-- ── Notice ──

-- A text that every page shows for a period, and its effect until then: checkout is closed, or delivery takes some
-- business days longer. Days are Indian dates.

-- At most one row; no row means no notice.
create table public.shop_notice (
  id boolean primary key default true check (id),
  message text not null check (btrim(message) <> '' and char_length(message) <= 160),
  first_day date not null,
  last_day date not null,
  closes_checkout boolean not null,
  extra_days integer not null default 0 check (extra_days between 0 and 60),
  constraint shop_notice_days check (last_day between first_day and first_day + 366),
  constraint shop_notice_effect check (closes_checkout = (extra_days = 0))
);

comment on column public.shop_notice.extra_days is
  'Additional business days of delivery; 0 when checkout is closed';

alter table public.shop_notice enable row level security;

-- Builds read it with the public key.
create policy "Everyone reads the notice" on public.shop_notice
for select to anon, authenticated
using (true);

-- The date in India at a given time.
create function private.india_date(p_at timestamptz)
returns date
language plpgsql
stable
set search_path = ''
as $$
begin
  return (p_at at time zone 'Asia/Kolkata')::date;
end;
$$;

-- The current or coming notice: a row of shop_notice as JSON without its id, else null.
create function public.read_notice()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select to_jsonb(n) - 'id' from public.shop_notice n where n.last_day >= private.india_date(clock_timestamp());
$$;

-- Replaces the notice, or deletes it when null. Returns it as read_notice does. Raises 22023 for a notice that is
-- over, and the errors of the table's constraints.
create function public.save_notice(p_notice jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  if jsonb_typeof(p_notice) = 'object' and (p_notice ->> 'last_day')::date < private.india_date(clock_timestamp()) then
    raise exception 'the notice is over already' using errcode = '22023';
  end if;
  if jsonb_typeof(p_notice) is distinct from 'object' then
    delete from public.shop_notice where id;
    return null;
  end if;
  insert into public.shop_notice as n (message, first_day, last_day, closes_checkout, extra_days)
  select r.message, r.first_day, r.last_day, r.closes_checkout, r.extra_days
  from jsonb_populate_record(null::public.shop_notice, p_notice) r
  on conflict (id) do update
    set message = excluded.message, first_day = excluded.first_day, last_day = excluded.last_day,
        closes_checkout = excluded.closes_checkout, extra_days = excluded.extra_days;
  return public.read_notice();
end;
$$;

-- The last day on which checkout is closed; null while it is open.
create function private.closed_until()
returns date
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select n.last_day from public.shop_notice n
    where n.closes_checkout and private.india_date(clock_timestamp()) between n.first_day and n.last_day
  );
end;
$$;

-- Copies the notice to a new order, so that a later notice does not change the promised delivery.
create function private.keep_notice()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.delivery_notice := public.read_notice() - 'message';
  return new;
end;
$$;

create trigger orders_keep_notice
before insert on public.orders
for each row execute function private.keep_notice();

-- ── Discount codes ──

-- Discount codes. Days are Indian dates. The discount is spread over the order's items, so that tax, invoice and
-- refunds use the price each was sold for.
--
-- A use is an order with the code that is open or paid. There is no counter: an order that ends unpaid or is
-- cancelled gives its use back by itself. A caller that adds a use locks the code's row first (LOCK ORDER in
-- `orders`).

create table public.discount_codes (
  code text primary key check (code ~ '^[A-Z0-9][A-Z0-9-]{3,19}$'),
  percent integer check (percent between 1 and 90),
  amount_paise bigint check (amount_paise between 100 and 100000000),
  -- The minimum subtotal. A code for an amount leaves at least one rupee to pay.
  min_paise bigint not null default 0 check (min_paise between 0 and 100000000),
  first_day date not null,
  last_day date not null,
  -- Null: unlimited.
  max_uses integer check (max_uses between 1 and 1000000),
  max_per_shopper integer check (max_per_shopper between 1 and 1000000),
  stopped_at timestamptz,
  created_at timestamptz not null default now(),
  constraint discount_codes_days check (last_day between first_day and first_day + 1096),
  constraint discount_codes_kind check ((percent is null) <> (amount_paise is null)),
  constraint discount_codes_rest check (amount_paise is null or min_paise >= amount_paise + 100)
);

alter table public.discount_codes enable row level security;

-- The discount of a code in paise, rounded half up. Same as discountOf in src/domain/cart/cart-summary.ts.
create function private.discount_of(p_code public.discount_codes, p_subtotal_paise bigint)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case when p_code.percent is null then least(p_code.amount_paise, p_subtotal_paise)
    else (p_subtotal_paise * p_code.percent + 50) / 100 end;
end;
$$;

-- Returns 'used_up' or 'used_by_shopper' when no use is left, else null. A customer is recognised by account and by
-- phone number. Cancelled orders and the order p_without do not count. A caller that adds a use has locked the code.
create function private.discount_used(
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
    where o.discount_code = p_code.code and o.hold_state in ('held', 'taken') and o.fulfilment <> 'cancelled'
      and o.id is distinct from p_without
  );
end;
$$;

-- Why a code is refused, with what the customer should know; null when it is accepted. reason: unknown, not_yet,
-- over, used_up, used_by_shopper, cart_too_small. Null arguments are not checked.
create function private.discount_refusal(
  p_code public.discount_codes, p_user_id uuid, p_phone_key text, p_subtotal_paise bigint
)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'reason', reason,
    'first_day', case when reason = 'not_yet' then p_code.first_day end,
    'min_paise', case when reason = 'cart_too_small' then p_code.min_paise end
  ))
  from (
    select case
      when p_code.code is null then 'unknown'
      when p_code.stopped_at is not null or p_code.last_day < today then 'over'
      when p_code.first_day > today then 'not_yet'
      else coalesce(
        private.discount_used(p_code, p_user_id, p_phone_key),
        case when p_subtotal_paise < p_code.min_paise then 'cart_too_small' end
      )
    end as reason
    from private.india_date(clock_timestamp()) today
  ) t
  where reason is not null;
$$;

-- Adds each item's share of the discount as `discount_paise`, in proportion to its amount. Paise that remain go to
-- the largest remainders, first items first. The shares add up to the discount, and none exceeds its item.
create function private.spread_discount(p_items jsonb, p_discount_paise bigint)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select jsonb_agg(
      item || jsonb_build_object('discount_paise', share + (place <= p_discount_paise - shares)::integer)
      order by line
    )
    from (
      select t.*, sum(share) over () as shares,
        row_number() over (order by p_discount_paise * gross % total desc, line) as place
      from (
        select g.*, p_discount_paise * gross / total as share
        from (
          select item, line, gross, (sum(gross) over ())::bigint as total
          from jsonb_array_elements(p_items) with ordinality i (item, line)
          cross join lateral (
            select ((item ->> 'price')::numeric * 100)::bigint * (item ->> 'quantity')::bigint as gross
          ) a
        ) g
      ) t
    ) spread
  );
end;
$$;

-- Takes a use of the code again for an order that ended and was then paid. Returns false when none is left. The order
-- p_without is about to give up its use. The caller has locked both orders.
create function private.take_discount_again(p_order public.orders, p_without bigint)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_code public.discount_codes;
begin
  select * into v_code from public.discount_codes where code = p_order.discount_code for update;
  return not found or private.discount_used(v_code, p_order.user_id, p_order.phone_key, p_without) is null;
end;
$$;

-- Checks a code for the cart: {terms: {code, percent, amount_paise, min_paise}}, or {refusal} as in
-- private.discount_refusal. Reserves nothing.
create function public.check_discount(p_code text, p_user_id uuid default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_code public.discount_codes;
  v_refusal jsonb;
begin
  select * into v_code from public.discount_codes where code = p_code;
  v_refusal := private.discount_refusal(v_code, p_user_id, null, null);
  if v_refusal is not null then
    return jsonb_build_object('refusal', v_refusal);
  end if;
  return jsonb_build_object('terms', jsonb_build_object(
    'code', v_code.code, 'percent', v_code.percent, 'amount_paise', v_code.amount_paise, 'min_paise', v_code.min_paise
  ));
end;
$$;

-- Creates a code. Returns {outcome}: created or taken. Raises the errors of the table's constraints.
create function public.create_discount(p_discount jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.discount_codes (
    code, percent, amount_paise, min_paise, first_day, last_day, max_uses, max_per_shopper
  )
  select r.code, r.percent, r.amount_paise, r.min_paise, r.first_day, r.last_day, r.max_uses, r.max_per_shopper
  from jsonb_populate_record(null::public.discount_codes, p_discount) r
  on conflict (code) do nothing;
  return jsonb_build_object('outcome', case when found then 'created' else 'taken' end);
end;
$$;

-- Stops or resumes a code. Orders that have it keep it. Returns whether the code exists.
create function public.stop_discount(p_code text, p_stopped boolean)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.discount_codes
  set stopped_at = case when p_stopped then coalesce(stopped_at, clock_timestamp()) end
  where code = p_code;
  return found;
end;
$$;

-- The 200 newest codes, newest first: rows of discount_codes with `stopped`, `paid` and `open` (numbers of orders)
-- and `given_paise` (what the paid ones took off).
create function public.list_discounts()
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
    select count(*) filter (where o.hold_state = 'taken') as paid, count(*) filter (where o.hold_state = 'held') as open,
      coalesce(sum(o.discount_paise) filter (where o.hold_state = 'taken'), 0) as given
    from public.orders o
    where o.discount_code = c.code and o.hold_state in ('held', 'taken') and o.fulfilment <> 'cancelled'
  ) uses;
$$;
