-- The catalogue: products, the builds that publish them, and wishlists.

-- ── Products ──

-- Products, and a numbered log of the edits that built pages show.

-- Whether a value is a valid list of sizes: [{"size": "14", "stock": 3}, …], each size once.
create function private.are_sizes(p_sizes jsonb)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    when jsonb_typeof(p_sizes) is distinct from 'array' then false
    when jsonb_path_exists(p_sizes, 'strict $[*] ? (@.type() != "object")') then false
    else not exists (
      select 1 from jsonb_array_elements(p_sizes) s
      where s - array['size', 'stock'] <> '{}'
        or jsonb_typeof(s -> 'size') is distinct from 'string'
        or s ->> 'size' <> btrim(s ->> 'size') or char_length(s ->> 'size') not between 1 and 20
        or jsonb_typeof(s -> 'stock') is distinct from 'number' or s ->> 'stock' !~ '^[0-9]{1,6}$'
    ) and jsonb_array_length(p_sizes) = (select count(distinct s ->> 'size') from jsonb_array_elements(p_sizes) s)
  end;
end;
$$;

create table public.products (
  id uuid primary key default gen_random_uuid(),
  name text not null check (btrim(name) <> '' and char_length(name) <= 200),
  description text not null default '' check (char_length(description) <= 5000),
  category text not null check (category in ('rings', 'necklaces', 'bracelets', 'earrings', 'watches')),
  price numeric(10, 2) not null check (price > 0 and price <= 1000000),
  "offerPrice" numeric(10, 2) check ("offerPrice" > 0),
  stock integer not null default 0 check (stock >= 0 and stock <= 100000),
  sizes jsonb not null default '[]' constraint products_known_sizes check (private.are_sizes(sizes)),
  images text[] not null default '{}' check (cardinality(images) <= 3 and array_position(images, null) is null),
  image_alts text[] not null default '{}'
    check (cardinality(image_alts) <= 3 and array_position(image_alts, null) is null),
  attributes jsonb not null default '{}',
  hidden boolean not null default false,
  deleted_at timestamptz,
  featured smallint check (featured > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint products_offer_below_price check ("offerPrice" < price),
  -- The pages parse these with a strict schema: one row with another type would fail the build.
  constraint products_known_attributes check (
    case
      when jsonb_typeof(attributes) = 'object' then
        attributes - array[
          'metal', 'plating', 'stone', 'size', 'care', 'origin', 'hsn', 'weight_g', 'height_mm', 'width_mm'
        ] = '{}'::jsonb
        -- A key that ends in a unit holds a number, any other key a text.
        and not jsonb_path_exists(attributes,
          '$.keyvalue() ? (@.key like_regex "_(g|mm)$" && @.value.type() <> "number")')
        and not jsonb_path_exists(attributes,
          '$.keyvalue() ? (!(@.key like_regex "_(g|mm)$") && @.value.type() <> "string")')
      else false
    end
  )
);

comment on column public.products.price is 'Rupees each';
comment on column public.products."offerPrice" is 'Rupees each while an offer applies; this is what is charged';
comment on column public.products.hidden is 'Not in the shop: a draft, or temporarily withdrawn';
comment on column public.products.deleted_at is 'When the admin deleted it; it can be restored for 30 days';
comment on column public.products.featured is 'Place on the home page, from 1; null: not featured';
comment on column public.products.stock is
  'Quantity available to order, less what unpaid orders hold; with sizes, the sum of their stock';
comment on column public.products.sizes is
  'Sizes with their own stock, in display order: [{size, stock}]; empty: no sizes';

create index products_created_at_idx on public.products (created_at desc);
create index products_deleted_at_idx on public.products (deleted_at) where deleted_at is not null;

-- Sets the stock of a product with sizes to the sum of their stock. Raises 22023 when only the sum is changed.
create function private.sum_sizes()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and new.stock <> old.stock and new.sizes = old.sizes then
    raise exception 'the stock of a product with sizes is the sum of its sizes: change the sizes' using errcode = '22023';
  end if;
  new.stock := (select sum((s ->> 'stock')::integer) from jsonb_array_elements(new.sizes) s);
  return new;
end;
$$;

create trigger products_sum_sizes
before insert or update on public.products
for each row when (new.sizes <> '[]' and private.are_sizes(new.sizes))
execute function private.sum_sizes();

-- Whether an update changed anything that a built page shows. Stock is not included, because pages fetch it live. So
-- a sale changes neither `updated_at` nor the log of changes.
create function private.page_content_changed(p_old public.products, p_new public.products)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    p_old.name, p_old.description, p_old.category, p_old.price, p_old."offerPrice", p_old.images, p_old.image_alts,
    p_old.attributes, p_old.hidden, p_old.deleted_at, p_old.featured, jsonb_path_query_array(p_old.sizes, '$[*].size')
  ) is distinct from (
    p_new.name, p_new.description, p_new.category, p_new.price, p_new."offerPrice", p_new.images, p_new.image_alts,
    p_new.attributes, p_new.hidden, p_new.deleted_at, p_new.featured, jsonb_path_query_array(p_new.sizes, '$[*].size')
  );
end;
$$;

create trigger products_touch_updated_at
before update on public.products
for each row
when (private.page_content_changed(old, new))
execute function private.touch_updated_at();

alter table public.products enable row level security;

-- Only visible products are sold. The functions that sell check the same condition on the rows they read.
create policy "Everyone sees the visible products" on public.products
for select to anon, authenticated using (not hidden and deleted_at is null);

-- The bucket of the product images: public to read, written with the service key only (no policy).
do $$
begin
  if to_regclass('storage.buckets') is not null then
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values (
      'product-images', 'product-images', true, 8 * 1024 * 1024,
      array['image/jpeg', 'image/png', 'image/webp', 'image/avif']
    )
    on conflict (id) do update
      set public = excluded.public,
          file_size_limit = excluded.file_size_limit,
          allowed_mime_types = excluded.allowed_mime_types;
  end if;
end;
$$;

-- One row: the number of the latest change.
create table public.catalogue_version (
  id boolean primary key default true check (id),
  version bigint not null default 0
);
insert into public.catalogue_version default values;

alter table public.catalogue_version enable row level security;

create policy "Everyone reads the catalogue version" on public.catalogue_version
for select to anon, authenticated using (true);

create table public.product_changes (
  version bigint primary key,
  -- All zeros for a change of the occasion.
  product_id uuid not null,
  name text not null,
  -- As visitors see it: showing a hidden product adds it, hiding one withdraws it like a deletion.
  kind text not null check (kind in ('added', 'changed', 'hidden', 'deleted')),
  at timestamptz not null default clock_timestamp()
);
create index product_changes_product_idx on public.product_changes (product_id, version desc);

alter table public.product_changes enable row level security;

-- Logs an edit that changes what visitors see. Edits of a product that stays hidden are not logged.
-- The update locks the row of catalogue_version until the edit commits, so versions become visible in order: a reader
-- of one version can read every change up to it. An edit takes this lock last. A sale never takes it. Stock that
-- returns takes it only when it brings back a removed size, after products and before payments. No holder of those
-- locks waits for it, so it cannot deadlock.
create function private.log_product_change()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_version bigint;
  v_product public.products := case tg_op when 'DELETE' then old else new end;
  v_was_visible boolean := tg_op <> 'INSERT' and not old.hidden and old.deleted_at is null;
  v_is_visible boolean := tg_op <> 'DELETE' and not new.hidden and new.deleted_at is null;
begin
  if not v_was_visible and not v_is_visible then
    return null;
  end if;
  -- The `where` is needed: hosted projects reject updates without one (safeupdate).
  update public.catalogue_version set version = version + 1 where id returning version into v_version;
  insert into public.product_changes (version, product_id, name, kind)
  values (
    v_version, v_product.id, v_product.name,
    case
      when v_was_visible and v_is_visible then 'changed'
      when v_is_visible then 'added'
      when tg_op = 'UPDATE' and new.deleted_at is null then 'hidden'
      else 'deleted'
    end
  );
  return null;
end;
$$;

create trigger products_log_addition
after insert on public.products
for each row execute function private.log_product_change();

create trigger products_log_deletion
after delete on public.products
for each row execute function private.log_product_change();

create trigger products_log_change
after update on public.products
for each row
when (private.page_content_changed(old, new))
execute function private.log_product_change();

-- ── Occasion ──

-- A themed selection on the home page for a period, such as products for Onam. Days are Indian dates. At most one
-- row; no row means no occasion.
create table public.occasion (
  id boolean primary key default true check (id),
  heading text not null check (btrim(heading) <> '' and char_length(heading) <= 60),
  sentence text not null check (btrim(sentence) <> '' and char_length(sentence) <= 160),
  first_day date not null,
  last_day date not null,
  products uuid[] not null check (cardinality(products) between 2 and 8 and array_position(products, null) is null),
  constraint occasion_days check (last_day between first_day and first_day + 366)
);

comment on column public.occasion.products is
  'Product ids in display order; hidden and deleted products keep their place';

alter table public.occasion enable row level security;

-- Builds read it with the public key.
create policy "Everyone reads the occasion" on public.occasion
for select to anon, authenticated using (true);

-- ── Publishing ──

-- Builds of the site. A build reads the version before the catalogue, so it contains every change up to that version.
-- Changes with a higher version are unpublished.

create table public.builds (
  id bigint generated always as identity primary key,
  requested_at timestamptz not null default clock_timestamp(),
  -- 'deploy': reported by Netlify but not requested here, such as a push of new code.
  requested_by text not null check (requested_by in ('admin', 'auto', 'deploy')),
  -- The catalogue version when the build was requested.
  version bigint not null default 0,
  state text not null default 'requested' check (state in ('requested', 'building', 'published', 'failed')),
  deploy_id text unique check (char_length(deploy_id) between 1 and 100),
  started_at timestamptz,
  finished_at timestamptz,
  reason text check (char_length(reason) <= 500)
);

alter table public.builds enable row level security;

-- Changes that a build of p_after_version does not contain: {version, count, newest_at, changes}, one entry per
-- product, newest first. A product that was both added and removed since then does not count.
create function public.unpublished_changes(p_after_version bigint, p_limit integer)
returns jsonb
language plpgsql
security definer
stable
set search_path = ''
as $$
begin
  return (
    with since as (
      select product_id,
        (array_agg(kind order by version))[1] as first_kind,
        (array_agg(kind order by version desc))[1] as last_kind,
        (array_agg(name order by version desc))[1] as name,
        max(version) as version,
        max(at) as at
      from public.product_changes
      where version > coalesce(p_after_version, 0)
      group by product_id
    ), waiting as (
      select product_id, name, version, at,
        case
          when last_kind in ('hidden', 'deleted') then last_kind
          when first_kind = 'added' then 'added'
          else 'changed'
        end as kind
      from since
      where not (first_kind = 'added' and last_kind in ('hidden', 'deleted'))
    )
    select jsonb_build_object(
      'version', (select version from public.catalogue_version),
      'count', (select count(*) from waiting),
      'newest_at', (select max(at) from waiting),
      'changes', coalesce((
        select jsonb_agg(
          jsonb_build_object('productId', w.product_id, 'name', w.name, 'kind', w.kind, 'at', w.at)
          order by w.version desc
        )
        from (select * from waiting order by version desc limit greatest(p_limit, 0)) w
      ), '[]')
    )
  );
end;
$$;

-- Products that were deleted or hidden after p_after_version, newest first. A build of that version still has their
-- pages.
create function public.withdrawn_products(p_after_version bigint, p_limit integer)
returns setof uuid
language sql
security definer
stable
set search_path = ''
as $$
  select c.product_id
  from public.product_changes c
  where c.kind in ('hidden', 'deleted') and c.version > coalesce(p_after_version, 0)
    and not exists (select 1 from public.products p where p.id = c.product_id and not p.hidden and p.deleted_at is null)
  group by c.product_id
  order by max(c.version) desc
  limit greatest(p_limit, 0);
$$;

-- Records a build request and returns its id, or null when no build is needed. p_requested_by:
--   admin  always, unless a build of this version was requested in the last 15 minutes and has not started
--   auto   if there are changes after p_deployed_version, the newest is p_quiet_seconds old, and no build is running.
--          After a failure: at once if there is a newer change, else up to three times, half an hour apart.
-- Only builds requested here delay the next one, and a published build only until the live site shows it. Anyone can
-- report a deploy as running or published, but p_deployed_version was read from the site itself.
create function public.request_build(p_requested_by text, p_deployed_version bigint, p_quiet_seconds integer)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_changes jsonb;
  v_last public.builds;
  v_failures integer;
  v_id bigint;
begin
  -- Serialises callers, so that two sweeps, or a sweep and the admin, request one build.
  perform pg_advisory_xact_lock(hashtextextended('kasavu request_build', 0));
  v_changes := public.unpublished_changes(p_deployed_version, 0);
  select * into v_last from public.builds where requested_by <> 'deploy' order by id desc limit 1;
  if (
      v_last.state in ('requested', 'building')
      or (v_last.state = 'published' and v_last.version > coalesce(p_deployed_version, 0))
    )
    and v_last.requested_at > v_now - interval '15 minutes'
  then
    if p_requested_by = 'auto' or (v_last.state = 'requested' and v_last.version = (v_changes ->> 'version')::bigint) then
      return null;
    end if;
  end if;
  if p_requested_by = 'auto' then
    if (v_changes ->> 'count')::integer = 0
      or (v_changes ->> 'newest_at')::timestamptz > v_now - make_interval(secs => p_quiet_seconds)
    then
      return null;
    end if;
    if v_last.state = 'failed' and v_last.version >= (v_changes ->> 'version')::bigint then
      select count(*) into v_failures from public.builds b
      where b.state = 'failed' and b.requested_by <> 'deploy'
        and b.id > coalesce((select max(id) from public.builds where state = 'published'), 0);
      if v_failures >= 3 or coalesce(v_last.finished_at, v_last.requested_at) > v_now - interval '30 minutes' then
        return null;
      end if;
    end if;
  end if;
  insert into public.builds (requested_by, version) values (p_requested_by, (v_changes ->> 'version')::bigint)
    returning id into v_id;
  delete from public.builds where id < v_id - 200;
  return v_id;
end;
$$;

-- Records a deploy that Netlify reports as 'building', 'published' or 'failed'. It belongs to the build with this
-- deploy id, else to the oldest requested build without one, else to a new row. Repeated and late reports change
-- nothing: a finished build keeps its state. A published deploy also finishes older builds that were never reported.
create function public.record_deploy(p_deploy_id text, p_state text, p_reason text)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_id bigint;
begin
  if p_state not in ('building', 'published', 'failed') or coalesce(p_deploy_id, '') = '' then
    raise exception 'a deploy id and building, published or failed are required' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('kasavu request_build', 0));
  select id into v_id from public.builds where deploy_id = p_deploy_id;
  if v_id is null then
    update public.builds set deploy_id = p_deploy_id
    where id = (select min(id) from public.builds where state = 'requested' and deploy_id is null)
    returning id into v_id;
  end if;
  if v_id is null then
    insert into public.builds (requested_by, deploy_id, version)
    values ('deploy', p_deploy_id, (select version from public.catalogue_version))
    returning id into v_id;
  end if;
  update public.builds
  set state = p_state,
      started_at = coalesce(started_at, clock_timestamp()),
      finished_at = case when p_state <> 'building' then clock_timestamp() end,
      reason = case when p_state = 'failed' then left(p_reason, 500) end
  where id = v_id and state in ('requested', 'building');
  if p_state = 'published' then
    update public.builds set state = 'published', finished_at = clock_timestamp()
    where id < v_id and state in ('requested', 'building');
  end if;
  return v_id;
end;
$$;

-- Marks a build as failed because its request did not reach Netlify.
create function public.fail_build(p_id bigint, p_reason text)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.builds
  set state = 'failed', finished_at = clock_timestamp(), reason = left(p_reason, 500)
  where id = p_id and state = 'requested';
$$;

-- ── Wishlists ──

-- Wishlists of customers with an account, one row per product. Customers access their own rows through the policies.
-- A visitor's wishlist stays on the device.

create table public.wishlists (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  product_id uuid not null references public.products (id) on delete cascade,
  kept_at timestamptz not null default now(),
  primary key (user_id, product_id)
);
create index wishlists_product_id_idx on public.wishlists (product_id);

alter table public.wishlists enable row level security;

-- Hidden and deleted products disappear from wishlists, and reappear when they are shown again.
create policy "Customers read their own wishlist, without hidden products" on public.wishlists
for select to authenticated
using (user_id = (select auth.uid()) and exists (select 1 from public.products p where p.id = product_id));

create policy "Customers add to their own wishlist" on public.wishlists
for insert to authenticated with check (user_id = (select auth.uid()));

create policy "Customers delete from their own wishlist" on public.wishlists
for delete to authenticated using (user_id = (select auth.uid()));

-- Makes inserts tolerant, because a device sends its whole list at once and may be late. Rows of products that are
-- gone are skipped, so that the others are stored. A device's clock may be wrong: up to one day ahead is accepted to
-- keep the order of the list, anything later would stay the newest for ever.
create function private.prepare_wishlist_row()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.product_id is not null and not exists (
    select 1 from public.products where id = new.product_id and not hidden and deleted_at is null
  ) then
    return null;
  end if;
  if new.kept_at > now() + interval '1 day' then
    new.kept_at := now();
  end if;
  return new;
end;
$$;

create trigger wishlists_prepare_row
before insert on public.wishlists
for each row execute function private.prepare_wishlist_row();

-- Keeps the newest 100 products per account. Locks per account, so that two devices at once do not each leave 100.
create function private.limit_wishlist()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_user_id uuid;
begin
  for v_user_id in select distinct user_id from added order by user_id loop
    perform pg_advisory_xact_lock(hashtextextended('wishlist ' || v_user_id, 0));
    delete from public.wishlists w
    where w.user_id = v_user_id
      and w.product_id in (
        select o.product_id from public.wishlists o
        where o.user_id = v_user_id
        order by o.kept_at desc, o.product_id
        offset 100
      );
  end loop;
  return null;
end;
$$;

create trigger wishlists_limit
after insert on public.wishlists
referencing new table as added
for each statement execute function private.limit_wishlist();
