-- Discount codes: what the owner made, what one takes off a cart, and when it is refused. Days are India's. place_order takes
-- the discount; it is spread over the order's items, so that tax, invoice and refunds are of what each was sold for.
--
-- A use is an order that has the code and is open or paid: one that ends unpaid gives its use back by itself, and nothing
-- is counted beside the orders. Whoever adds a use has locked the code's row (LOCK ORDER of `orders`).

create table public.discount_codes (
  code text primary key check (code ~ '^[A-Z0-9][A-Z0-9-]{3,19}$'),
  percent integer check (percent between 1 and 90),
  amount_paise bigint check (amount_paise between 100 and 100000000),
  -- The least subtotal. A code for an amount leaves at least a rupee to pay.
  min_paise bigint not null default 0 check (min_paise between 0 and 100000000),
  first_day date not null,
  last_day date not null,
  -- null: any number of times.
  max_uses integer check (max_uses between 1 and 1000000),
  max_per_shopper integer check (max_per_shopper between 1 and 1000000),
  stopped_at timestamptz,
  created_at timestamptz not null default now(),
  constraint discount_codes_days check (last_day between first_day and first_day + 1096),
  constraint discount_codes_kind check ((percent is null) <> (amount_paise is null)),
  constraint discount_codes_rest check (amount_paise is null or min_paise >= amount_paise + 100)
);

alter table public.discount_codes enable row level security;

-- What a code takes off a subtotal, in paise, half a paisa up: as discountOf in src/domain/cart/cart-summary.ts.
create function private.discount_of(p_code public.discount_codes, p_subtotal_paise bigint)
returns bigint
language sql
immutable
set search_path = ''
as $$
  select case when p_code.percent is null then least(p_code.amount_paise, p_subtotal_paise)
    else (p_subtotal_paise * p_code.percent + 50) / 100 end;
$$;

-- Whether every allowed use is taken: 'used_up', 'used_by_shopper', else null. The caller has locked the code, if it adds one.
create function private.discount_used(p_code public.discount_codes, p_user_id uuid)
returns text
language sql
stable
set search_path = ''
as $$
  select case
    when count(*) >= p_code.max_uses then 'used_up'
    when count(*) filter (where o.user_id = p_user_id) >= p_code.max_per_shopper then 'used_by_shopper'
  end
  from public.orders o
  where o.discount_code = p_code.code and o.hold_state in ('held', 'taken');
$$;

-- Why a code is refused: {reason, and what the shopper should know}, null when it is not. reason: unknown, not_yet, over,
-- used_up, used_by_shopper, cart_too_small. The cart is not looked at when its subtotal is null, the shopper not when theirs is.
create function private.discount_refusal(p_code public.discount_codes, p_user_id uuid, p_subtotal_paise bigint)
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
        private.discount_used(p_code, p_user_id), case when p_subtotal_paise < p_code.min_paise then 'cart_too_small' end
      )
    end as reason
    from private.india_date(clock_timestamp()) today
  ) t
  where reason is not null;
$$;

-- Items of an order with their shares of its discount, `discount_paise`: in proportion to their amounts, what is left of
-- whole paise to the largest remainders, the first items first. The shares add up to the discount and none exceeds its item.
create function private.spread_discount(p_items jsonb, p_discount_paise bigint)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select jsonb_agg(item || jsonb_build_object('discount_paise', share + (place <= p_discount_paise - shares)::integer) order by line)
  from (
    select t.*, sum(share) over () as shares, row_number() over (order by p_discount_paise * gross % total desc, line) as place
    from (
      select g.*, p_discount_paise * gross / total as share
      from (
        select item, line, gross, (sum(gross) over ())::bigint as total
        from jsonb_array_elements(p_items) with ordinality i (item, line)
        cross join lateral (select ((item ->> 'price')::numeric * 100)::bigint * (item ->> 'quantity')::bigint as gross) a
      ) g
    ) t
  ) spread;
$$;

-- Takes the use of a code again for an order that had ended and is paid after all: false when others have taken them all.
-- The caller has locked the order.
create function private.take_discount_again(p_order public.orders)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_code public.discount_codes;
begin
  select * into v_code from public.discount_codes where code = p_order.discount_code for update;
  return not found or private.discount_used(v_code, p_order.user_id) is null;
end;
$$;

-- What a code would take off, for the cart: {terms: {code, percent, amount_paise, min_paise}} or {refusal}, see
-- private.discount_refusal. Nothing is held by it.
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
  v_refusal := private.discount_refusal(v_code, p_user_id, null);
  if v_refusal is not null then
    return jsonb_build_object('refusal', v_refusal);
  end if;
  return jsonb_build_object('terms', jsonb_build_object(
    'code', v_code.code, 'percent', v_code.percent, 'amount_paise', v_code.amount_paise, 'min_paise', v_code.min_paise
  ));
end;
$$;

-- Makes a code: {outcome}, created or taken. Raises what the table's constraints raise.
create function public.create_discount(p_discount jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.discount_codes (code, percent, amount_paise, min_paise, first_day, last_day, max_uses, max_per_shopper)
  select r.code, r.percent, r.amount_paise, r.min_paise, r.first_day, r.last_day, r.max_uses, r.max_per_shopper
  from jsonb_populate_record(null::public.discount_codes, p_discount) r
  on conflict (code) do nothing;
  return jsonb_build_object('outcome', case when found then 'created' else 'taken' end);
end;
$$;

-- Stops a code, or lets it go on. True when there is such a code. Orders that have it keep it.
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

-- The 200 newest codes with their uses: [a row of discount_codes, with `stopped`, `paid` and `open` (numbers of orders) and
-- `given_paise`, what the paid ones took off], newest first.
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
    where o.discount_code = c.code and o.hold_state in ('held', 'taken')
  ) uses;
$$;
