-- Discount codes. Days are Indian dates. The discount is spread over the order's items, so that tax, invoice and
-- refunds use the price each was sold for.
--
-- A use is an order with the code that is open or paid. There is no counter: an order that ends unpaid or is
-- cancelled gives its use back by itself. A caller that adds a use locks the code's row first (LOCK ORDER in
-- `orders.sql`).

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
  shown_in_cart boolean not null default false,
  constraint discount_codes_days check (last_day between first_day and first_day + 1096),
  constraint discount_codes_kind check ((percent is null) <> (amount_paise is null)),
  constraint discount_codes_rest check (amount_paise is null or min_paise >= amount_paise + 100)
);

alter table public.discount_codes enable row level security;

-- ── What a code is worth ──

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

-- ── Who may use a code ──

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
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    where o.discount_code = p_code.code and a.takes_stock in ('waiting', 'sold')
      and o.id is distinct from p_without
  );
end;
$$;

-- Why no use of a code is left for a customer: used_up, used_by_shopper, or needs_phone, when a code that is limited per
-- customer comes with a phone that nobody can dial, so that it identifies nobody. Null: one is left. A null p_phone is
-- not checked. Does not count the order p_without. A caller that adds a use has locked the code.
create function private.discount_use_refusal(
  p_code public.discount_codes, p_user_id uuid, p_phone text, p_without bigint default null
)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return case
    when p_code.max_per_shopper is not null and p_phone is not null and not private.is_indian_phone(p_phone)
      then 'needs_phone'
    else private.discount_used(p_code, p_user_id, private.phone_key(p_phone), p_without)
  end;
end;
$$;

-- Why a code is refused, with what the customer should know; null when it is accepted. reason: unknown, not_yet,
-- over, cart_too_small, or a private.discount_use_refusal. Null arguments are not checked.
create function private.discount_refusal(
  p_code public.discount_codes, p_user_id uuid, p_phone text, p_subtotal_paise bigint, p_without bigint default null
)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
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
          private.discount_use_refusal(p_code, p_user_id, p_phone, p_without),
          case when p_subtotal_paise < p_code.min_paise then 'cart_too_small' end
        )
      end as reason
      from private.india_date(clock_timestamp()) today
    ) t
    where reason is not null
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

-- The codes that the cart shows to everybody, those that end first at the start: {code, percent, amount_paise, min_paise,
-- last_day} of three at most that can be used today.
create function public.shown_discounts()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'code', c.code, 'percent', c.percent, 'amount_paise', c.amount_paise, 'min_paise', c.min_paise, 'last_day', c.last_day
  ) order by c.last_day, c.code), '[]')
  from (
    select *
    from public.discount_codes d
    where d.shown_in_cart and private.discount_refusal(d, null, null, null) is null
    order by last_day, code
    limit 3
  ) c;
$$;

-- ── The admin's codes ──

-- Creates a code. Returns {outcome}: created or taken. Raises the errors of the table's constraints.
create function public.create_discount(p_discount jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.discount_codes (
    code, percent, amount_paise, min_paise, first_day, last_day, max_uses, max_per_shopper, shown_in_cart
  )
  select r.code, r.percent, r.amount_paise, r.min_paise, r.first_day, r.last_day, r.max_uses, r.max_per_shopper,
    coalesce(r.shown_in_cart, false)
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
    select count(*) filter (where a.income = 'total') as paid, count(*) filter (where a.waits_for <> 'nothing') as open,
      coalesce(sum(o.discount_paise) filter (where a.income = 'total'), 0) as given
    from public.orders o
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    where o.discount_code = c.code and a.takes_stock in ('waiting', 'sold')
  ) uses;
$$;
