-- A test order asks for no review, and an account that is deleted locks its orders before itself, so that it and the end of one of its orders
-- wait for each other.

-- Orders whose customers are due to be asked, p_days after the delivery; none when it is null. An order that was delivered 30 days
-- earlier still is never due, so that a shop that begins to collect reviews writes to nobody about old orders.
create or replace function private.review_requests_due(p_days integer, p_limit integer)
returns setof bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select o.id from public.orders o
  where o.fulfilment = 'delivered' and o.review_request is null
    and o.delivered_at <= now() - make_interval(days => p_days)
    and o.delivered_at > now() - make_interval(days => p_days + 30)
    and o.paid and not o.is_test and not o.erase_pending and o.replaces is null and coalesce(btrim(o.customer_email), '') <> ''
    and not exists (select 1 from public.claims c where c.order_id = o.id and c.answer is null)
    and exists (select 1 from private.reviewable_products(o))
  order by o.delivered_at
  limit p_limit;
end;
$$;

-- The order of a mailed link, if it takes reviews: asked for, of this version of links, delivered within p_days, and not refunded in
-- full. All null otherwise. Locks it with p_lock.
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
  select * into v_order from public.orders o
  where o.id = p_order_id and o.link_version = p_link_version and o.review_request = 'asked' and o.paid
    and not o.is_test and o.fulfilment = 'delivered' and o.delivered_at > now() - make_interval(days => p_days);
  return v_order;
end;
$$;

-- Whether a mail is still to be sent. What nobody waits for has conditions that may end while the mail server is down.
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
      where o.id = p_mail.order_id and o.review_request = 'asked' and o.paid and not o.is_test
        and not o.erase_pending
    )
    else true
  end;
end;
$$;

-- Deletes an account and its personal data, except what tax law requires, see private.forget_person. Returns false
-- when there is none.
create or replace function public.delete_account(p_user_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- In the LOCK ORDER of `orders.sql`.
  perform 1 from public.orders where user_id = p_user_id order by id for update;
  delete from auth.users where id = p_user_id;
  return found;
end;
$$;

-- Erases the data of an address, with or without an account. Returns how many orders are kept because they were paid,
-- or can still be.
create or replace function public.erase_address(p_email text)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_account uuid := private.account_of(p_email);
  v_kept integer;
begin
  -- In the LOCK ORDER of `orders.sql`.
  perform 1 from public.orders where user_id = v_account order by id for update;
  -- Counted first, because the orders are detached from the account below.
  select count(*) into v_kept
  from public.orders o
  where (o.user_id = v_account or (o.user_id is null and lower(o.customer_email) = lower(p_email)))
    and not (o.stage in ('unpaid', 'cancelled', 'other') and private.is_forgettable(o));
  perform private.forget_person(v_account, lower(p_email));
  delete from auth.users where id = v_account;
  return v_kept;
end;
$$;
