-- The catalogue: products, their images' bucket, and a numbered log of the edits that built pages show.

-- ── Products ──

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
        or s ->> 'size' <> btrim(s ->> 'size') or char_length(s ->> 'size') not between 1 and 40
        or jsonb_typeof(s -> 'stock') is distinct from 'number' or s ->> 'stock' !~ '^[0-9]{1,6}$'
    ) and jsonb_array_length(p_sizes) = (select count(distinct s ->> 'size') from jsonb_array_elements(p_sizes) s)
  end;
end;
$$;

-- The constraint below runs with the rights of the role that writes.
grant execute on function private.are_sizes(jsonb) to service_role;

create table public.products (
  id uuid primary key default gen_random_uuid(),
  name text not null check (btrim(name) <> '' and char_length(name) <= 200),
  description text not null default '' check (char_length(description) <= 5000),
  -- The shop's own are in its settings, and `productInputSchema` of src/domain refuses others. A product keeps a category
  -- that the shop has no more (`isOffered` in src/domain/catalogue/category.ts).
  category text not null check (category ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(category) <= 60),
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
          'metal', 'purity', 'hallmark', 'plating', 'plating_microns', 'plating_guarantee', 'nickel_free', 'stone',
          'certificate', 'size', 'care', 'origin', 'hsn', 'cash_on_delivery', 'weight_g', 'height_mm', 'width_mm'
        ] = '{}'::jsonb
        -- A key that ends in a unit holds a number, any other key a text.
        and not jsonb_path_exists(attributes,
          '$.keyvalue() ? (@.key like_regex "_(g|mm|microns)$" && @.value.type() <> "number")')
        and not jsonb_path_exists(attributes,
          '$.keyvalue() ? (!(@.key like_regex "_(g|mm|microns)$") && @.value.type() <> "string")')
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
-- The order of the catalogue's file (csv-file.sql): an import adds many products at one moment.
create index products_exported_idx on public.products (created_at desc, lower(name), id) where deleted_at is null;
create index products_deleted_at_idx on public.products (deleted_at) where deleted_at is not null;

alter table public.products enable row level security;

-- Only visible products are sold. The functions that sell check the same condition on the rows they read.
create policy "Everyone sees the visible products" on public.products
for select to anon, authenticated using (not hidden and deleted_at is null);

grant select on public.products to anon, authenticated;

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

-- Triggers run with the rights of the role that writes.
grant execute on function private.page_content_changed(public.products, public.products) to service_role;

create trigger products_touch_updated_at
before update on public.products
for each row
when (private.page_content_changed(old, new))
execute function private.touch_updated_at();

-- ── Images ──

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

-- ── Changes ──

-- One row: the number of the latest change.
create table public.catalogue_version (
  id boolean primary key default true check (id),
  version bigint not null default 0
);

insert into public.catalogue_version default values;

alter table public.catalogue_version enable row level security;

create policy "Everyone reads the catalogue version" on public.catalogue_version
for select to anon, authenticated using (true);

grant select on public.catalogue_version to anon, authenticated;

create table public.product_changes (
  version bigint primary key,
  -- All zeros for a change of the occasion.
  product_id uuid not null,
  name text not null,
  -- As visitors see it: showing a hidden product adds it, hiding one withdraws it like a deletion.
  kind text not null check (kind in ('added', 'changed', 'hidden', 'deleted')),
  at timestamptz not null default clock_timestamp(),
  -- False when customers see the whole change without a build.
  needs_build boolean not null default true,
  -- True when a built page shows what nobody may see any more: a review that was hidden or erased.
  withdraws boolean not null default false
);

create index product_changes_product_idx on public.product_changes (product_id, version desc);
create index product_changes_at_idx on public.product_changes (at);
create index product_changes_withdraws_idx on public.product_changes (version) where withdraws;

alter table public.product_changes enable row level security;

-- The version of the next change of the catalogue. It locks the row of catalogue_version until the edit commits, so
-- versions become visible in order: a reader of one version can read every change up to it. An edit takes this lock last.
-- A sale never takes it. Stock that returns takes it only when it brings back a removed size, after products and before
-- payments. No holder of those locks waits for it, so it cannot deadlock.
-- The row itself moves when the edit commits (private.store_catalogue_version). Moved by each change it would be read
-- through all its earlier states, which take a transaction of thousands of edits longer and longer.
create function private.next_catalogue_version()
returns bigint
language plpgsql
set search_path = ''
as $$
declare
  v_version bigint;
begin
  select version into v_version from public.catalogue_version where id for update;
  -- A statement of its own, so that it sees the changes of whoever held the lock.
  return greatest(v_version, (select max(version) from public.product_changes)) + 1;
end;
$$;

-- Runs at the end of a transaction: the first of its changes stores the version of the last.
create function private.store_catalogue_version()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.catalogue_version
  set version = greatest(new.version, (select max(version) from public.product_changes))
  where id and version < new.version;
  return null;
end;
$$;

create constraint trigger product_changes_store_version
after insert on public.product_changes
deferrable initially deferred
for each row execute function private.store_catalogue_version();

-- Logs an edit that changes what visitors see. Edits of a product that stays hidden are not logged. Prices are read live,
-- and the edge stops the pages of hidden and deleted products, so those edits need no build.
create function private.log_product_change()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_product public.products := case tg_op when 'DELETE' then old else new end;
  v_was_visible boolean := tg_op <> 'INSERT' and not old.hidden and old.deleted_at is null;
  v_is_visible boolean := tg_op <> 'DELETE' and not new.hidden and new.deleted_at is null;
  v_repriced public.products := old;
begin
  if not v_was_visible and not v_is_visible then
    return null;
  end if;
  if v_was_visible and v_is_visible then
    v_repriced.price := new.price;
    v_repriced."offerPrice" := new."offerPrice";
  end if;
  insert into public.product_changes (version, product_id, name, kind, needs_build)
  values (
    private.next_catalogue_version(), v_product.id, v_product.name,
    case
      when v_was_visible and v_is_visible then 'changed'
      when v_is_visible then 'added'
      when tg_op = 'UPDATE' and new.deleted_at is null then 'hidden'
      else 'deleted'
    end,
    v_is_visible and (not v_was_visible or private.page_content_changed(v_repriced, new))
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
