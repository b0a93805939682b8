-- Requests to be mailed when a sold-out product or size is back in stock. The row is deleted with that mail. Anyone
-- can enter an address, so it gets no other mail before it confirms the request (double opt-in).

create table public.stock_alerts (
  id bigint generated always as identity primary key,
  product_id uuid not null references public.products (id) on delete cascade,
  -- Null: any size of the product.
  size text check (char_length(size) between 1 and 40),
  email text not null check (email = lower(email) and char_length(email) between 3 and 255),
  created_at timestamptz not null default now(),
  -- Used in the link of the confirmation mail.
  token uuid not null unique default gen_random_uuid(),
  confirmed_at timestamptz,
  constraint stock_alerts_once unique nulls not distinct (product_id, size, email)
);

create index stock_alerts_created_at_idx on public.stock_alerts (created_at);
create index stock_alerts_email_idx on public.stock_alerts (email);

alter table public.stock_alerts enable row level security;

-- Adds an address to the list of a product or size, and mails it a confirmation link unless it is the confirmed
-- address of account p_user_id. Returns {outcome}: waiting (also if it was on the list); available; unknown (no
-- visible product or size); full (200 confirmed addresses wait for the product); too_many (the address waits for three
-- products); later (strangers have caused their share of mails today). Requests without a confirmation have 200 places of
-- their own: a new one replaces the oldest, so that invented addresses close the list for nobody. Raises the errors of the
-- table's constraints.
create function public.ask_stock_alert(p_product_id uuid, p_size text, p_email text, p_user_id uuid default null)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_email text := lower(btrim(p_email));
  v_confirmed boolean := coalesce(private.confirmed_email(p_user_id) = v_email, false);
  v_product public.products;
  v_stock integer;
  v_token uuid;
begin
  select * into v_product from public.products where id = p_product_id and not hidden and deleted_at is null;
  if not found then
    return jsonb_build_object('outcome', 'unknown');
  end if;
  v_stock := case when p_size is null then v_product.stock
    when v_product.sizes <> '[]' then private.stock_of_line(v_product.stock, v_product.sizes, p_size) end;
  if coalesce(v_stock, 1) > 0 then
    return jsonb_build_object('outcome', case when v_stock is null then 'unknown' else 'available' end);
  end if;
  update public.stock_alerts
  set confirmed_at = case when v_confirmed then coalesce(confirmed_at, clock_timestamp()) else confirmed_at end
  where product_id = p_product_id and size is not distinct from p_size and email = v_email;
  if found then
    return jsonb_build_object('outcome', 'waiting');
  elsif (
    select count(*) from public.stock_alerts where product_id = p_product_id and confirmed_at is not null
  ) >= 200 then
    return jsonb_build_object('outcome', 'full');
  elsif (
    select count(distinct product_id) from public.stock_alerts where email = v_email and product_id <> p_product_id
  ) >= 3 then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  if not v_confirmed and not private.has_mail_left() then
    return jsonb_build_object('outcome', 'later');
  end if;
  delete from public.stock_alerts
  where id in (
    select a.id from public.stock_alerts a
    where a.product_id = p_product_id and a.confirmed_at is null
    order by a.id desc
    offset 199
  );
  insert into public.stock_alerts (product_id, size, email, confirmed_at)
  values (p_product_id, p_size, v_email, case when v_confirmed then clock_timestamp() end)
  on conflict on constraint stock_alerts_once do nothing
  returning token into v_token;
  if v_token is not null and not v_confirmed then
    insert into public.outbox (kind, recipient, payload, dedupe_key)
    values (
      'stock_alert_confirmation', v_email,
      jsonb_build_object('token', v_token, 'name', private.sized_name(v_product.name, p_size)),
      'stock_alert_confirmation:' || v_token
    );
  end if;
  return jsonb_build_object('outcome', 'waiting');
end;
$$;

-- Confirms a request by its token. Returns whether there is one; repeating it is allowed.
create function public.confirm_stock_alert(p_token uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.stock_alerts set confirmed_at = coalesce(confirmed_at, clock_timestamp()) where token = p_token;
  return found;
end;
$$;

-- Queues mails for products that are back in stock, longest confirmed first, and deletes the alerts. Queues at most
-- p_per_hour in an hour, so that an edit of stock stays fast and the mail provider sees no burst. Returns how many
-- were queued. Raises 22023 without a rate.
create function public.queue_back_in_stock(p_per_hour integer)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_count integer;
begin
  if p_per_hour is null or p_per_hour < 1 then
    raise exception 'a rate of at least one an hour is required' using errcode = '22023';
  end if;
  -- Serialises callers, so that two do not use the same hour's quota.
  if not pg_try_advisory_xact_lock(hashtextextended('kasavu back in stock', 0)) then
    return 0;
  end if;
  with due as (
    select a.id, private.sized_name(p.name, a.size) as name
    from public.stock_alerts a
    -- `offset 0` makes PostgreSQL look up the requested products; a plain join would read all products.
    cross join lateral (select * from public.products w where w.id = a.product_id offset 0) p
    where a.confirmed_at is not null and p.stock > 0 and not p.hidden and p.deleted_at is null
      and case
        when a.size is null or p.sizes = '[]' then p.stock
        else private.stock_of_line(p.stock, p.sizes, a.size)
      end > 0
    order by a.confirmed_at, a.id
    limit greatest(0, p_per_hour - (
      select count(*) from public.outbox m
      where m.kind = 'back_in_stock' and m.created_at > clock_timestamp() - interval '1 hour'
    ))
  ), back as (
    delete from public.stock_alerts a using due where a.id = due.id
    returning a.id, a.email, a.product_id, a.confirmed_at, due.name
  )
  insert into public.outbox (kind, recipient, payload, dedupe_key, created_at)
  select 'back_in_stock', b.email, jsonb_build_object('product_id', b.product_id, 'name', b.name),
    'back_in_stock:' || b.id, clock_timestamp()
  from back b
  order by b.confirmed_at, b.id;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

-- The 500 newest confirmed alerts: [{id, productId, name (with the size), email, at}].
create function public.list_stock_alerts()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', a.id, 'productId', a.product_id, 'name', private.sized_name(p.name, a.size), 'email', a.email,
    'at', a.created_at
  ) order by a.id desc), '[]')
  from (select * from public.stock_alerts where confirmed_at is not null order by id desc limit 500) a
  join public.products p on p.id = a.product_id;
$$;

-- Deletes alerts by their ids. Returns how many.
create function public.delete_stock_alerts(p_ids bigint[])
returns integer
language sql
security definer
set search_path = ''
as $$
  with gone as (delete from public.stock_alerts where id = any (p_ids) returning 1)
  select count(*)::integer from gone;
$$;
