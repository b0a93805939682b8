-- Reviews: some days after the delivery one mail asks the customer, whose link takes a review of each product of the order. The
-- admin reads a review first, and publishes or hides it. Pages are built with the published ones.

alter table public.orders add column review_request text check (review_request in ('asked', 'ended'));

comment on column public.orders.review_request is
  'Null: the customer was not asked for reviews. asked: once, and the link takes them. ended: the customer was erased';

create index orders_review_request_idx on public.orders (delivered_at)
where fulfilment = 'delivered' and review_request is null;

create table public.reviews (
  id bigint generated always as identity primary key,
  product_id uuid not null references public.products (id) on delete cascade,
  -- Null when the order names nobody any more; a published review stays without it.
  order_id bigint references public.orders (id),
  created_at timestamptz not null default now(),
  stars smallint not null check (stars between 1 and 5),
  words text not null check (btrim(words) <> '' and char_length(words) <= 1000),
  -- Shown beside the words.
  name text not null check (btrim(name) <> '' and char_length(name) <= 60),
  town text not null default '' check (char_length(town) <= 60),
  -- A path in the bucket of the product images.
  image text check (image ~ '^products/[A-Za-z0-9_.-]+$'),
  state text not null default 'new' check (state in ('new', 'published', 'hidden')),
  answer text not null default '' check (char_length(answer) <= 1000),
  constraint reviews_once unique (order_id, product_id)
);

create index reviews_product_id_idx on public.reviews (product_id);
create index reviews_image_idx on public.reviews (image) where image is not null;
-- The inbox counts the new ones; retention ends what is not published.
create index reviews_unpublished_idx on public.reviews (created_at) where state <> 'published';

alter table public.reviews enable row level security;

-- Builds read them with the public key. Which order a review is of stays inside.
create policy "Everyone reads the published reviews" on public.reviews
for select to anon, authenticated using (state = 'published');

grant select (id, product_id, created_at, stars, words, name, town, image, state, answer) on public.reviews to anon, authenticated;

-- What a page shows of a review has changed: the product waits for a build, and one that is no longer shown is withdrawn at once
-- (public.withdrawn_reviews). An image that no review has any more is deleted as one of
-- products is (`pictures.sql`). By a trigger, so that a new way to change a review cannot forget either.
create function private.follow_review()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_before jsonb := case when tg_op <> 'INSERT' and old.state = 'published' then to_jsonb(old) - 'order_id' end;
  v_after jsonb := case when tg_op <> 'DELETE' and new.state = 'published' then to_jsonb(new) - 'order_id' end;
  v_image_before text := case when tg_op <> 'INSERT' then old.image end;
  v_image_after text := case when tg_op <> 'DELETE' then new.image end;
begin
  if v_image_before is distinct from v_image_after then
    delete from public.pictures where path = v_image_after;
    insert into public.pictures (path, dropped_at, of_review)
    select v_image_before, now(), true where v_image_before is not null
    on conflict (path) do update set dropped_at = excluded.dropped_at, of_review = true;
  end if;
  if v_before is distinct from v_after then
    insert into public.product_changes (version, product_id, name, kind, withdraws)
    select private.next_catalogue_version(), p.id, p.name, 'changed', v_after is null
    from public.products p
    where p.id = case tg_op when 'DELETE' then old.product_id else new.product_id end
      and not p.hidden and p.deleted_at is null;
  end if;
  return null;
end;
$$;

create trigger reviews_follow
after insert or update or delete on public.reviews
for each row execute function private.follow_review();

-- ── Asking ──

-- The products of an order that can be reviewed: those with a page.
create function private.reviewable_products(p_order public.orders)
returns setof public.products
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select p.* from public.products p
  where p.id in (
    -- An imported order may have items of any shape.
    select case when id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then id::uuid end
    from (select jsonb_path_query(p_order.items, 'lax $[*].product_id') #>> '{}' as id) item
  )
    and not p.hidden and p.deleted_at is null
  order by p.name, p.id;
end;
$$;

-- Orders whose customers are due to be asked, p_days after the delivery; none when it is null. An order that was delivered 30 days
-- earlier still is never due, so that a shop that begins to collect reviews writes to nobody about old orders.
create function private.review_requests_due(p_days integer, p_limit integer)
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

-- Queues the mails that ask for reviews, one for each order for ever. Returns how many.
create function public.queue_review_requests(p_days integer, p_limit integer)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_count integer;
begin
  with due as (
    select o.id from public.orders o
    where o.id = any (array(select private.review_requests_due(p_days, p_limit))) and o.review_request is null
    order by o.id
    for update skip locked
  ), asked as (
    update public.orders o set review_request = 'asked' from due where o.id = due.id
    returning o.id, o.customer_email
  )
  insert into public.outbox (kind, recipient, order_id, dedupe_key)
  select 'review_request', a.customer_email, a.id, 'review_request:' || a.id from asked a
  on conflict (dedupe_key) do nothing;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

-- ── Writing ──

-- The order of a mailed link, if it takes reviews: asked for, of this version of links, delivered within p_days, and not refunded in
-- full. All null otherwise. Locks it with p_lock.
create function private.order_to_review(p_order_id bigint, p_link_version integer, p_days integer, p_lock boolean)
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

-- What the page of a link shows: {orderId, name, town, products: [{id, name, image, review: {stars, words, hasImage, state}}]}. `review`
-- is null until it is sent. Name and town are those of the last review, else the first name and the city of the order. Null for a
-- link that takes no reviews (private.order_to_review).
create function public.read_order_reviews(p_order_id bigint, p_link_version integer, p_days integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders := private.order_to_review(p_order_id, p_link_version, p_days, false);
  v_last public.reviews;
begin
  if v_order.id is null then
    return null;
  end if;
  select * into v_last from public.reviews r where r.order_id = p_order_id order by r.id desc limit 1;
  return jsonb_build_object(
    'orderId', v_order.id,
    'name', coalesce(v_last.name, left(split_part(btrim(v_order.customer_name), ' ', 1), 60), ''),
    'town', coalesce(v_last.town, left(btrim(v_order.customer_city), 60), ''),
    'products', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'name', p.name, 'image', p.images[1],
        'review', case when r.id is not null then jsonb_build_object(
          'stars', r.stars, 'words', r.words, 'hasImage', r.image is not null, 'state', r.state) end
      )), '[]')
      from private.reviewable_products(v_order) p
      left join public.reviews r on r.order_id = p_order_id and r.product_id = p.id
    )
  );
end;
$$;

-- Stores reviews of an order: p_reviews is [{productId, stars, words, keepsImage}]. One that the admin has decided about stays as it
-- is. The admin gets one mail for an order. Returns {outcome}: saved; not_found (private.order_to_review); not_of_order (a product of
-- another order). Raises the errors of the table's constraints.
create function public.save_reviews(
  p_order_id bigint, p_link_version integer, p_days integer, p_name text, p_town text, p_reviews jsonb
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders := private.order_to_review(p_order_id, p_link_version, p_days, true);
begin
  if v_order.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif exists (
    select (sent ->> 'productId')::uuid from jsonb_array_elements(p_reviews) sent
    except select p.id from private.reviewable_products(v_order) p
  ) then
    return jsonb_build_object('outcome', 'not_of_order');
  end if;
  insert into public.reviews as r (product_id, order_id, stars, words, name, town)
  select (sent ->> 'productId')::uuid, p_order_id, (sent ->> 'stars')::smallint, sent ->> 'words', p_name, p_town
  from jsonb_array_elements(p_reviews) sent
  on conflict on constraint reviews_once do update
    set stars = excluded.stars, words = excluded.words, name = excluded.name, town = excluded.town
    where r.state = 'new';
  update public.reviews r set image = null
  from jsonb_array_elements(p_reviews) sent
  where r.order_id = p_order_id and r.product_id = (sent ->> 'productId')::uuid and r.state = 'new'
    and r.image is not null and not (sent ->> 'keepsImage')::boolean;
  perform public.notify_admin('review', '{}', 'review:' || p_order_id, p_order_id);
  return jsonb_build_object('outcome', 'saved');
end;
$$;

-- Gives a review that the admin has not decided about an image, in the place of the one before. Returns whether there is such a
-- review; without one nothing uses the image, and the sweep deletes it.
create function public.set_review_image(
  p_order_id bigint, p_link_version integer, p_days integer, p_product_id uuid, p_path text
)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders := private.order_to_review(p_order_id, p_link_version, p_days, true);
begin
  update public.reviews set image = p_path
  where order_id = v_order.id and product_id = p_product_id and state = 'new';
  return found;
end;
$$;

-- ── Deciding ──

-- Publishes or hides a review, with an answer that stands beneath it, if it still is as the admin read it: p_seen is {stars, words, name,
-- town, image}. A hidden one loses its image, which would stay at its address otherwise. Returns saved; changed (by the customer
-- meanwhile, and nothing is done); or gone. Raises the errors of the table's constraints.
create function public.decide_review(p_id bigint, p_state text, p_answer text, p_seen jsonb)
returns text
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_review public.reviews;
begin
  select * into v_review from public.reviews where id = p_id for update;
  if v_review.id is null then
    return 'gone';
  elsif p_seen is distinct from jsonb_build_object('stars', v_review.stars, 'words', v_review.words, 'name', v_review.name,
    'town', v_review.town, 'image', v_review.image) then
    return 'changed';
  end if;
  update public.reviews
  set state = p_state, answer = p_answer, image = case when p_state <> 'hidden' then image end
  where id = p_id;
  return 'saved';
end;
$$;

-- ── Erasing ──

-- Takes orders that name nobody any more from their reviews, and deletes those that nobody reads.
create function private.detach_reviews(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  delete from public.reviews where order_id = any (p_order_ids) and state <> 'published';
  update public.reviews set order_id = null where order_id = any (p_order_ids);
end;
$$;
