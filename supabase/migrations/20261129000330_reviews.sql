-- Reviews that customers write, and the admin publishes. The previous site works as before: it asks for none, its sweep begins without
-- the days of reviews, and its pages show none.

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

-- What a page shows of a review has changed: the product waits for a build. An image that no review has any more is deleted as one of
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
    insert into public.pictures (path, dropped_at)
    select v_image_before, now() where v_image_before is not null
    on conflict (path) do update set dropped_at = excluded.dropped_at;
  end if;
  if v_before is distinct from v_after then
    insert into public.product_changes (version, product_id, name, kind)
    select private.next_catalogue_version(), p.id, p.name, 'changed'
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
  where p.id in (select (item ->> 'product_id')::uuid from jsonb_array_elements(p_order.items) item)
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
  where o.fulfilment = 'delivered' and o.review_request is null
    and o.delivered_at <= now() - make_interval(days => p_days)
    and o.delivered_at > now() - make_interval(days => p_days + 30)
    and o.paid and not o.erase_pending and o.replaces is null and coalesce(btrim(o.customer_email), '') <> ''
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
  select * into v_order from public.orders o
  where o.id = p_order_id and o.link_version = p_link_version and o.review_request = 'asked' and o.paid
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

insert into public.cost_limits (effect, scope, seconds, most) values ('review', 'account', 3600, 20);

-- ── What names reviews now ──

-- Images whose files can be deleted: used by no product, review or order, and either removed from a product ten minutes
-- ago, or uploaded a day ago and never saved. Built pages can still show a removed image, so the caller asks only
-- when there are no unpublished changes.
create or replace function public.unused_pictures(p_limit integer)
returns setof text
language sql
security definer
stable
set search_path = ''
as $$
  select u.path
  from public.pictures u
  where coalesce(u.dropped_at + interval '10 minutes', u.uploaded_at + interval '1 day') < now()
    -- Counts instead of `exists`, for which PostgreSQL reads all orders instead of the index.
    and 0 = (select count(*) from public.products p where p.images @> array[u.path])
    and 0 = (select count(*) from public.reviews r where r.image = u.path)
    and 0 = (select count(*) from public.orders o where o.items @> jsonb_build_array(jsonb_build_object('image', u.path)))
    and 0 = (
      select count(*) from public.orders o
      where o.products is not null and o.products @> jsonb_build_array(jsonb_build_object('image', u.path))
    )
  order by coalesce(u.dropped_at, u.uploaded_at)
  limit greatest(p_limit, 0);
$$;

-- Removes the person from orders and keeps what was ordered. Their mails lose address and text. The caller has locked
-- the orders.
create or replace function private.anonymise_orders(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.orders
  set user_id = null, customer_name = null, customer_email = null, customer_phone = null, customer_address = null,
      customer_city = null, customer_postal_code = null, customer_gstin = null, notes = null, gift_note = null,
      recipient_name = null, recipient_phone = null, network = null, admin_note = '', cancel_reason = null,
      payment_reference = null, pay_token = null, tracking_number = null, tracking_url = null
  where id = any (p_ids);
  perform private.detach_reviews(p_ids);
  delete from public.order_changes where order_id = any (p_ids);
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.outbox set recipient = null, payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null;
  delete from public.outbox where order_id = any (p_ids) and sent_at is null;
end;
$$;

-- Removes from paid orders of an erased person what Rule 46 of the CGST Rules does not require on an invoice: phone,
-- notes, gift note and recipient, network, tracking, reviews, the words and files of claims, the reasons of refunds, corrected details,
-- and the admin's notes. Name, address, e-mail, items, amounts and documents stay until the term of paid orders; the phone leaves
-- the documents too. Marked files are deleted by take_due_claim_files, their rows after them. The caller has locked the
-- orders.
create or replace function private.erase_kept_orders(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.erase_contact(p_ids);
  update public.orders
  set network = null, admin_note = '', cancel_reason = null, pay_token = null, tracking_number = null, tracking_url = null,
      erase_pending = false, review_request = 'ended'
  where id = any (p_ids);
  delete from public.reviews where order_id = any (p_ids);
  delete from public.order_changes where order_id = any (p_ids) and field <> 'customer_gstin';
  perform private.erase_refund_reasons(p_ids);
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.claim_files set removing = true where order_id = any (p_ids) and not removing;
  update public.outbox set payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null and payload <> '{}';
end;
$$;

-- All data of an account or an address: {account, profile, wishlist, orders, order_changes, payments, refunds,
-- claims, reviews, invoices, credit_notes, mails, messages, newsletter, stock_alerts, order_forms}; parts without rows are
-- null. p_email is in lower case; either argument may be null. Names every column that goes out: a new column stays
-- inside until it is added here. The admin's notes, passwords, tokens and internal columns stay inside.
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
          'items', o.items, 'products', o.products, 'currency', o.currency)
        || jsonb_build_object(
          'subtotal_paise', o.subtotal_paise, 'discount_code', o.discount_code, 'discount_paise', o.discount_paise,
          'fee_paise', o.fee_paise, 'fee_bps', o.fee_bps, 'total_paise', o.total_paise, 'kept_paise', o.kept_paise,
          'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount,
          'status', o.status, 'payment_status', o.payment_status, 'payment_method', o.payment_method,
          'payment_reference', o.payment_reference, 'razorpay_order_id', o.razorpay_order_id,
          'payment_id', o.payment_id, 'paid_at', o.paid_at)
        || jsonb_build_object(
          'fulfilment', o.fulfilment, 'carrier', o.carrier, 'tracking_number', o.tracking_number,
          'tracking_url', o.tracking_url, 'packed_at', o.packed_at, 'shipped_at', o.shipped_at,
          'delivered_at', o.delivered_at, 'cancelled_at', o.cancelled_at, 'invoice_number', o.invoice_number,
          'delivery_notice', o.delivery_notice, 'channel', o.channel, 'hand_over', o.hand_over,
          'replaces', o.replaces)
        order by o.id)
      from public.orders o where o.id = any (v_orders)),
    'order_changes', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'field', c.field, 'old_value', c.old_value,
        'new_value', c.new_value, 'created_at', c.created_at) order by c.id)
      from public.order_changes c where c.order_id = any (v_orders) and c.field <> 'admin_note'),
    'payments', (
      select jsonb_agg(jsonb_build_object('payment_id', p.payment_id, 'order_id', p.order_id,
        'amount_paise', p.amount_paise, 'state', p.state, 'created_at', p.created_at) order by p.created_at)
      from public.payments p where p.order_id = any (v_orders)),
    'refunds', (
      select jsonb_agg(jsonb_build_object('payment_id', r.payment_id, 'order_id', r.order_id,
        'amount_paise', r.amount_paise, 'state', r.state, 'created_at', r.created_at) order by r.id)
      from public.refunds r where r.order_id = any (v_orders)),
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
    'order_forms', (
      select jsonb_agg(f.fields || jsonb_build_object('sent_at', f.created_at) order by f.id)
      from public.form_entries f where lower(f.fields ->> 'email') = p_email)
  );
end;
$$;

-- Deletes or anonymises up to p_limit rows of one subject that are older than p_before. Returns how many. Ids are
-- passed as arrays, because PostgreSQL may scan the whole table for a join. Takes locks in the order of `orders.sql`, and
-- skips locked orders.
create or replace function private.forget_subject(p_subject text, p_before timestamptz, p_limit integer)
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_ids bigint[];
  v_count integer;
begin
  case p_subject
    when 'unpaid_orders' then
      -- One whose person was erased does not wait for the term.
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        where o.stage in ('unpaid', 'cancelled', 'other') and o.payment_id is null
          and num_nonnulls(o.user_id, o.customer_name, o.customer_email, o.customer_phone, o.customer_address, o.notes) > 0
          and (o.created_at < p_before or o.erase_pending)
          and private.is_forgettable(o)
        order by o.id
        limit p_limit
        for update skip locked
      ) t;
      perform private.anonymise_orders(v_ids);
      return coalesce(cardinality(v_ids), 0);
    when 'paid_orders' then
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        where o.created_at < p_before and coalesce(o.paid_at, o.created_at) < p_before
          and num_nonnulls(o.user_id, o.customer_name, o.customer_email, o.customer_phone, o.customer_address, o.notes) > 0
        order by o.created_at
        limit p_limit
        for update skip locked
      ) t;
      perform private.anonymise_orders(v_ids);
      perform private.anonymise_documents(v_ids);
      perform private.erase_refund_reasons(v_ids);
      return coalesce(cardinality(v_ids), 0);
    when 'delivered_orders' then
      -- One that was shipped and never marked as delivered ends too.
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        where num_nonnulls(o.customer_phone, o.notes, o.gift_note, o.recipient_name, o.recipient_phone) > 0
          and coalesce(o.delivered_at, o.cancelled_at, o.shipped_at, o.paid_at) < p_before
          and (private.has_ended(o) or o.shipped_at is not null)
          and not exists (select 1 from public.claims c where c.order_id = o.id and c.answer is null)
        order by coalesce(o.delivered_at, o.cancelled_at, o.shipped_at, o.paid_at)
        limit p_limit
        for update skip locked
      ) t;
      perform private.erase_contact(v_ids);
      return coalesce(cardinality(v_ids), 0);
    when 'unconfirmed_accounts' then
      delete from auth.users where id = any (array(
        select id from auth.users where email_confirmed_at is null and created_at < p_before order by created_at limit p_limit));
    when 'auth_log' then
      -- Auth's own table: a project can do without it, and can keep it from this role.
      if to_regclass('auth.audit_log_entries') is null
        or not has_table_privilege('auth.audit_log_entries', 'select, delete')
      then
        return 0;
      end if;
      execute 'delete from auth.audit_log_entries where id = any (array(
        select id from auth.audit_log_entries where created_at < $1 limit $2))'
      using p_before, p_limit;
    when 'erased_orders' then
      -- Not by age: as soon as the order has ended.
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        -- Without a name: nobody paid it, and its person was removed.
        where o.erase_pending and (private.has_ended(o) or o.customer_name is null)
        order by o.id
        limit p_limit
        for update skip locked
      ) t;
      perform private.erase_kept_orders(v_ids);
      return coalesce(cardinality(v_ids), 0);
    when 'claim_words' then
      update public.claims set message = '', reason = '' where id = any (array(
        select id from public.claims
        where answered_at < p_before and (message <> '' or reason <> '') order by answered_at limit p_limit));
    when 'unpublished_reviews' then
      delete from public.reviews where id = any (array(
        select id from public.reviews
        where state <> 'published' and created_at < p_before order by created_at limit p_limit));
    when 'own_cancellations' then
      delete from public.own_cancellations where order_id = any (array(
        select order_id from public.own_cancellations
        where created_at < p_before order by created_at limit p_limit));
    when 'order_networks' then
      update public.orders set network = null where id = any (array(
        select id from public.orders
        where network is not null and created_at < p_before order by id limit p_limit for update skip locked));
    when 'order_forms' then
      delete from public.form_entries where id = any (array(
        select id from public.form_entries where created_at < p_before order by created_at limit p_limit));
    when 'contact_messages' then
      delete from public.contact_messages where id = any (array(
        select id from public.contact_messages where created_at < p_before order by created_at limit p_limit));
    when 'newsletter_requests' then
      delete from public.subscribers where id = any (array(
        select id from public.subscribers
        where confirmed_at is null and unsubscribed_at is null and asked_at < p_before
        order by asked_at limit p_limit));
    when 'stock_alert_requests' then
      delete from public.stock_alerts where id = any (array(
        select id from public.stock_alerts
        where confirmed_at is null and created_at < p_before order by created_at limit p_limit));
    when 'stock_alerts' then
      delete from public.stock_alerts where id = any (array(
        select id from public.stock_alerts where created_at < p_before order by created_at limit p_limit));
    when 'sent_mails' then
      update public.outbox set recipient = null, payload = '{}', last_error = null where id = any (array(
        select id from public.outbox
        where sent_at < p_before and (recipient is not null or payload <> '{}')
        order by sent_at limit p_limit));
    when 'mail_records' then
      delete from public.outbox where id = any (array(
        select id from public.outbox where sent_at < p_before order by sent_at limit p_limit));
    when 'unsent_mails' then
      delete from public.outbox where id = any (array(
        select id from public.outbox
        where sent_at is null and created_at < p_before order by id limit p_limit));
    when 'notifications' then
      delete from public.outbox where id = any (array(
        select id from public.outbox where kind = 'push' and created_at < p_before order by created_at limit p_limit));
    when 'devices' then
      delete from public.push_subscriptions where id = any (array(
        select id from public.push_subscriptions
        where session_id is null and created_at < p_before order by id limit p_limit));
    when 'admin_sessions' then
      delete from public.admin_sessions where id = any (array(
        select id from public.admin_sessions where least(expires_at, revoked_at) < p_before order by id limit p_limit));
    when 'failed_payments' then
      delete from public.webhook_events where event_id = any (array(
        select event_id from public.webhook_events
        where event = 'payment.failed' and received_at < p_before order by received_at limit p_limit));
    when 'payment_events' then
      delete from public.webhook_events where event_id = any (array(
        select event_id from public.webhook_events where received_at < p_before order by received_at limit p_limit));
    when 'comparisons' then
      delete from public.reconciliations where id = any (array(
        select id from public.reconciliations
        where finished_at < p_before and id < (select max(id) from public.reconciliations)
        order by id limit p_limit));
    when 'catalogue_changes' then
      -- Unpublished changes stay.
      delete from public.product_changes where version = any (array(
        select version from public.product_changes
        where at < p_before and version <= (select max(b.version) from public.builds b where b.state = 'published')
        order by at limit p_limit));
    else
      raise exception 'there is no subject %', p_subject using errcode = '22023';
  end case;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;

-- Deletes data that is older than its term, once in 20 hours. p_terms is {subject: days}; p_limit is the maximum of
-- rows per subject and call. Returns {outcome, forgotten: {subject: rows}}: more (call again), done, not_due (nothing
-- was done). Raises 22023 unless p_terms has the subjects of private.forget_subject, each at least one day. Those that
-- an earlier release does not know may be missing, and then have their own terms.
create or replace function public.forget(p_terms jsonb, p_limit integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- Orders first, by the lock order.
  v_subjects constant text[] := array[
    'unpaid_orders', 'paid_orders', 'erased_orders', 'delivered_orders', 'claim_words', 'unpublished_reviews', 'own_cancellations',
    'order_networks', 'unconfirmed_accounts', 'auth_log', 'order_forms', 'contact_messages', 'newsletter_requests', 'stock_alert_requests', 'stock_alerts', 'sent_mails', 'mail_records', 'unsent_mails', 'notifications', 'devices',
    'admin_sessions', 'failed_payments', 'payment_events', 'comparisons', 'catalogue_changes'
  ];
  v_terms constant jsonb := jsonb_build_object(
    'erased_orders', 1, 'delivered_orders', 180, 'claim_words', 365, 'unpublished_reviews', 365, 'own_cancellations', 30,
    'unconfirmed_accounts', 30, 'auth_log', 30
  ) || p_terms;
  v_now timestamptz := clock_timestamp();
  v_subject text;
  v_count integer;
  v_most integer := 0;
  v_forgotten jsonb := '{}';
begin
  if p_limit is null or p_limit not between 1 and 10000 or jsonb_typeof(p_terms) is distinct from 'object'
    or exists (select 1 from jsonb_object_keys(p_terms) k where k <> all (v_subjects))
    or exists (select 1 from unnest(v_subjects) s where (v_terms ->> s) is null or (v_terms ->> s)::integer < 1)
  then
    raise exception 'a limit and one term of at least a day for each subject are required' using errcode = '22023';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('kasavu forget', 0))
    or exists (select 1 from public.heartbeats h where h.name = 'forget' and h.last_at > v_now - interval '20 hours')
  then
    return jsonb_build_object('outcome', 'not_due', 'forgotten', '{}'::jsonb);
  end if;
  foreach v_subject in array v_subjects loop
    v_count := private.forget_subject(v_subject, v_now - make_interval(days => (v_terms ->> v_subject)::integer), p_limit);
    v_most := greatest(v_most, v_count);
    if v_count > 0 then
      v_forgotten := v_forgotten || jsonb_build_object(v_subject, v_count);
    end if;
  end loop;
  if v_most < p_limit then
    update public.heartbeats set last_at = clock_timestamp() where name = 'forget';
  end if;
  return jsonb_build_object('outcome', case when v_most < p_limit then 'done' else 'more' end, 'forgotten', v_forgotten);
end;
$$;

-- A page of the inbox with ids below p_before, newest first: {items, unread: {messages, forms}, subscribers, reviews}, as
-- in src/domain/admin/inbox.ts. Raises 22023.
create or replace function public.list_inbox(p_kind text, p_before bigint, p_limit integer)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_before bigint := coalesce(p_before, 9223372036854775807);
  v_items jsonb;
begin
  if p_limit is null or p_limit not between 1 and 101 then
    raise exception 'limit must be 1 to 101' using errcode = '22023';
  end if;
  if p_kind = 'messages' then
    select jsonb_agg(to_jsonb(t) order by t.id desc) into v_items
    from (
      select id, created_at as "createdAt", name, email, subject, message, read_at as "readAt",
        answered_at as "answeredAt"
      from public.contact_messages where id < v_before order by id desc limit p_limit
    ) t;
  elsif p_kind = 'forms' then
    select jsonb_agg(to_jsonb(t) order by t.id desc) into v_items
    from (
      select id, created_at as "createdAt", form, fields, read_at as "readAt", answered_at as "answeredAt"
      from public.form_entries where id < v_before order by id desc limit p_limit
    ) t;
  elsif p_kind = 'subscribers' then
    select jsonb_agg(to_jsonb(t) order by t.id desc) into v_items
    from (
      select s.id, s.email, s.consent_at as "consentAt", s.consent_text as "consentText", s.confirmed_at as "confirmedAt",
        s.unsubscribed_at as "unsubscribedAt"
      from public.subscribers s where s.id < v_before order by s.id desc limit p_limit
    ) t;
  elsif p_kind = 'reviews' then
    select jsonb_agg(to_jsonb(t) order by t.id desc) into v_items
    from (
      select r.id, r.created_at as "createdAt", r.product_id as "productId", p.name as product, r.stars, r.words, r.name,
        r.town, r.image, r.state, r.answer
      from public.reviews r join public.products p on p.id = r.product_id
      where r.id < v_before order by r.id desc limit p_limit
    ) t;
  else
    raise exception 'kind must be messages, forms, subscribers or reviews' using errcode = '22023';
  end if;
  return jsonb_build_object(
    'items', coalesce(v_items, '[]'),
    'unread', jsonb_build_object(
      'messages', (select count(*) from public.contact_messages where read_at is null),
      'forms', (select count(*) from public.form_entries where read_at is null)
    ),
    'subscribers', (select count(*) from public.subscribers where confirmed_at is not null and unsubscribed_at is null),
    'reviews', (select count(*) from public.reviews where state = 'new')
  );
end;
$$;

-- A text that changes whenever one of the newest 200 orders, refunds or inbox entries is added, changed or deleted.
-- Uses sums instead of the latest time, because a transaction may commit after one that started later.
create or replace function private.newest_changes()
returns text
language sql
stable
set search_path = ''
as $$
  select concat_ws(' ',
    (select sum(extract(epoch from t.updated_at)) from (
      select updated_at from public.orders order by created_at desc, id desc limit 200) t),
    (select sum(extract(epoch from t.updated_at)) from (
      select updated_at from public.refunds order by id desc limit 200) t),
    (select concat_ws(' ', sum(t.id), count(t.read_at), count(t.answered_at)) from (
      select id, read_at, answered_at from public.contact_messages order by id desc limit 200) t),
    (select concat_ws(' ', sum(t.id), count(t.read_at), count(t.answered_at)) from (
      select id, read_at, answered_at from public.form_entries order by id desc limit 200) t),
    (select concat_ws(' ', sum(t.id), count(t.confirmed_at), count(t.unsubscribed_at)) from (
      select id, confirmed_at, unsubscribed_at from public.subscribers order by id desc limit 200) t),
    (select concat_ws(' ', sum(t.id), sum(hashtext(t.text))) from (
      select id, concat_ws(' ', stars, words, name, town, image, state, answer) as text
      from public.reviews order by id desc limit 200) t)
  );
$$;

-- What the admin has to do today. Lists have at most five entries; counts include all. `changes` is
-- private.newest_changes, `sales` sums private.sales, `mailsStuckSince` is that of shop_health, `notice` is read_notice.
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
  )
  select jsonb_build_object(
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
        select kind, payment_id as "paymentId", order_id as "orderId", amount_paise as "amountPaise", at, refundable
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
    'mailsStuckSince', public.shop_health() -> 'outbox_stuck_since',
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

-- Adds a notification to each urgent mail to the admin.
create or replace function private.queue_push_for_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_topic text := case
    when new.kind = 'order_notice' then 'order'
    when new.kind = 'contact_message' then 'message'
    when new.kind = 'refund_alert' and new.payload ->> 'reason' <> 'refund_failed' then 'payment'
    when new.kind = 'admin_alert' and new.payload ->> 'topic' = 'difference' then 'payment'
    when new.kind = 'admin_alert' and new.payload ->> 'topic' = 'review' then 'review'
  end;
begin
  if v_topic is not null then
    perform private.queue_push(
      v_topic,
      case when v_topic = 'payment' then jsonb_build_object('amount_paise', new.payload -> 'amount_paise') end,
      new.dedupe_key,
      new.order_id
    );
  end if;
  return null;
end;
$$;

-- Prepares a database restored from a backup of p_backup_at to continue where the lost one stopped. p_last_order is
-- the highest order number issued; p_last_invoice and p_last_credit_note are the last numbers issued, or null.
--   * Order, invoice and internal numbers continue after those already issued.
--   * Mails that were waiting count as sent, and so do confirmations of orders whose hold has ended since. If such an
--     order turns out to be paid, its mails were sent before.
--   * Customers of delivered orders count as asked for a review, because they may have been since.
--   * All admin sessions end, and their devices are unsubscribed.
--   * The next sweep reconciles with Razorpay, so that paid orders in the backup are marked as paid.
--   * The catalogue version moves past the version of the live pages.
-- Returns {orders_after, mails, sessions}: the last order number, and how many mails were marked and sessions ended.
-- Safe to repeat. Raises 22023 for a future p_backup_at and for invalid numbers.
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
  cross join (values ('order_confirmation'), ('order_notice')) m (kind)
  where o.created_at <= p_backup_at and o.payment_id is null and o.razorpay_order_id is not null
    and o.hold_expires_at < v_now
  on conflict (dedupe_key) do nothing;
  update public.outbox set sent_at = v_now, locked_until = null where sent_at is null and created_at <= p_backup_at;
  get diagnostics v_mails = row_count;
  -- The shortest wait of `reviews.askAfterDays` is a day.
  update public.orders set review_request = 'asked'
  where fulfilment = 'delivered' and review_request is null and delivered_at < v_now - interval '1 day';

  update public.provider_health set reconcile = true, unreachable_since = null where id;
  update public.catalogue_version set version = version + 1000000 where id;
  return jsonb_build_object(
    'orders_after', v_last_order, 'mails', v_mails, 'sessions', v_sessions
  );
end;
$$;

drop function public.begin_sweep(text[], jsonb, integer, integer);
drop function private.idle_steps(jsonb, integer);

-- The steps with nothing to do now, by the names of the site (netlify/core/scheduled/run-sweep.ts). A step without a rule here always
-- runs, so a rule may call a step due that finds nothing, and never the other way round: each covers what the step's own
-- function claims. p_settings and the days are those of the site.
create function private.idle_steps(p_settings jsonb, p_claim_days integer, p_review_days integer default null)
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
      -- claim_refunds
      ('refunds', exists (select 1 from public.refunds r where r.state = 'due' and r.next_attempt_at <= v_now)),
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
        where o.next_check_at <= v_now and o.payment_id is null
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

-- Begins a run of a site whose sweep has these steps. Returns {idle, isOver, catalogueState}: the steps with nothing to do; whether that
-- is all of them, and then the run is recorded as note_sweep does; what note_catalogue_rest takes.
create function public.begin_sweep(
  p_steps text[], p_settings jsonb, p_claim_days integer, p_stranger_mails integer, p_review_days integer default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_idle constant text[] := private.idle_steps(p_settings, p_claim_days, p_review_days);
begin
  if p_steps <@ v_idle then
    perform public.note_sweep(p_stranger_mails);
  end if;
  return jsonb_build_object(
    'idle', v_idle, 'isOver', p_steps <@ v_idle, 'catalogueState', private.catalogue_state()
  );
end;
$$;

-- The service alone calls the new functions; browsers have the grants above.
grant all on table public.reviews to service_role;
grant all on sequence public.reviews_id_seq to service_role;
grant execute on function public.queue_review_requests(integer, integer), public.read_order_reviews(bigint, integer, integer),
  public.save_reviews(bigint, integer, integer, text, text, jsonb), public.set_review_image(bigint, integer, integer, uuid, text),
  public.decide_review(bigint, text, text, jsonb), public.begin_sweep(text[], jsonb, integer, integer, integer) to service_role;
