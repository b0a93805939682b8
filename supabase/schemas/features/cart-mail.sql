-- A cart that was left: an order that ended unpaid gets one mail, some hours later, with a link that opens the cart again. Nothing is
-- held for it. private.left_carts_due says who gets one; private.cart_mail_figures says what counts as come back.

alter table public.orders
  add column cart_mailed_at timestamptz,
  -- Without a foreign key, which would need an index of all orders: no order is ever deleted.
  add column cart_mail_of bigint;

comment on column public.orders.cart_mailed_at is
  'When the mail about this cart was queued; null: none was, and after a day none will be';
comment on column public.orders.cart_mail_of is
  'The unpaid order whose mail came at most seven days before this one of the same account, with one product of it at least';

-- Unpaid orders by their end; the sweep reads those of one day.
create index orders_left_carts_idx on public.orders (released_at)
where hold_state = 'released' and cart_mailed_at is null;
create index orders_cart_mailed_at_idx on public.orders (cart_mailed_at) where cart_mailed_at is not null;
create index orders_cart_mail_of_idx on public.orders (cart_mail_of) where cart_mail_of is not null;

-- Addresses that want no mail about a cart, for good, also when an account ends or is erased: erasing the wish would bring the mails
-- back. A hash, because nobody has to read them.
create table public.cart_mail_refusals (
  address_hash text primary key check (address_hash ~ '^[0-9a-f]{64}$'),
  refused_at timestamptz not null default now()
);

alter table public.cart_mail_refusals enable row level security;

create function private.address_hash(p_email text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return encode(sha256(convert_to(lower(btrim(p_email)), 'UTF8')), 'hex');
end;
$$;

-- ── Sending ──

-- Whether every line of an order can be bought now: visible, in this size and quantity.
create function private.is_all_in_stock(p_items jsonb)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return jsonb_typeof(p_items) = 'array' and jsonb_array_length(p_items) > 0 and not exists (
    select 1
    from jsonb_array_elements(p_items) item
    left join public.products p on p.id::text = item ->> 'product_id' and not p.hidden and p.deleted_at is null
      -- Sizes came or went since: which one to buy is the customer's choice.
      and (p.sizes = '[]') = (item ->> 'size' is null)
    where coalesce(private.stock_of_line(p.stock, p.sizes, item ->> 'size'), 0) < (item ->> 'quantity')::integer
  );
end;
$$;

-- Whether the share of strangers' mails has room for a mail that nobody waits for: half of what it gives at once stays for codes and
-- forms. The mails of paid orders have a share of their own (private.count_mail).
create function private.has_cart_mail_left()
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select min(l.units_left) from private.cost_left('stranger_mail', private.cost_keys(null), 1, clock_timestamp()) l
  ) >= greatest(1, (select min(c.most) / 4.0 from public.cost_limits c where c.effect = 'stranger_mail'));
end;
$$;

-- Whether an unpaid order is a cart that was left: its customer has not given it up, has no other one since, wants such mails, and can
-- buy all of it now. No account or address is mailed twice in thirty days. It is asked again when the mail is sent.
create function private.is_left_cart(p_order public.orders)
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

-- Orders that are due a mail, longest ended first: p_hours after the end and within a day of it; none when p_hours is null.
create function private.left_carts_due(p_hours integer, p_limit integer)
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

-- Queues the mails about carts that were left, one for an order for ever. Returns how many.
create function public.queue_cart_mails(p_hours integer, p_limit integer)
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

-- Ends the mails about carts for an address, by the hash that its mails carry, and takes back one that waits. Safe to repeat. Raises
-- 23514 for what is no hash.
create function public.refuse_cart_mails(p_address_hash text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.cart_mail_refusals (address_hash) values (p_address_hash) on conflict (address_hash) do nothing;
  -- One that is being sent is left to its sender: private.is_wanted is asked before another attempt.
  delete from public.outbox
  where kind = 'cart_mail' and sent_at is null and locked_until is null and payload ->> 'address_hash' = p_address_hash;
end;
$$;

-- ── What came back ──

-- Notes on a new order which mail it follows. Where it is placed, because the unpaid order forgets its account after a while.
create function private.follow_cart_mail()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.cart_mail_of := (
    select o.id from public.orders o
    where o.user_id = new.user_id
      -- Bounds the rows that are read: a mail comes within two days of its order.
      and o.created_at > new.created_at - interval '9 days'
      and o.cart_mailed_at between new.created_at - interval '7 days' and new.created_at
      and exists (
        select 1
        from jsonb_array_elements(o.items) mailed
        join jsonb_array_elements(new.items) item on item ->> 'product_id' = mailed ->> 'product_id'
      )
    order by o.cart_mailed_at desc
    limit 1
  );
  return new;
end;
$$;

create trigger orders_follow_cart_mail
before insert on public.orders
for each row when (new.user_id is not null and new.cart_mail_of is null and jsonb_typeof(new.items) = 'array')
execute function private.follow_cart_mail();

-- What the mails queued from p_from up to p_to brought: {sent, orders, paise}; null without a mail. An order counts for the mail that it
-- followed (orders.cart_mail_of), whenever it was paid, as long as it is bought: not cancelled, not refunded in full, no test. paise are
-- less refunds.
create function private.cart_mail_figures(p_from timestamptz, p_to timestamptz)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select case when count(distinct m.id) > 0 then jsonb_build_object(
    'sent', count(distinct m.id), 'orders', count(b.id),
    'paise', coalesce(sum(b.total_paise - private.refunded_paise(n)), 0)
  ) end
  from public.orders m
  left join (public.orders n join private.bought_orders b on b.id = n.id) on n.cart_mail_of = m.id
  where m.cart_mailed_at >= p_from and m.cart_mailed_at < p_to;
$$;
