-- Products, and a numbered log of the edits to them that built pages show.

-- Whether a value can be the sizes of a product: [{"size": "14", "stock": 3}, …], no size twice.
create function private.are_sizes(p_sizes jsonb)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select case
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
  image_alts text[] not null default '{}' check (cardinality(image_alts) <= 3 and array_position(image_alts, null) is null),
  attributes jsonb not null default '{}',
  hidden boolean not null default false,
  deleted_at timestamptz,
  featured smallint check (featured > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint products_offer_below_price check ("offerPrice" < price),
  -- The pages read these with a strict schema: one row with another type would stop a build.
  constraint products_known_attributes check (
    case
      when jsonb_typeof(attributes) = 'object' then
        attributes - array['metal', 'plating', 'stone', 'weight_g', 'size', 'care', 'origin', 'hsn'] = '{}'::jsonb
        and not jsonb_path_exists(attributes - 'weight_g', 'strict $.* ? (@.type() <> "string")')
        and coalesce(jsonb_typeof(attributes -> 'weight_g'), 'number') = 'number'
      else false
    end
  )
);

comment on column public.products.price is 'Rupees each';
comment on column public.products."offerPrice" is 'Rupees each while an offer applies; this is what is charged';
comment on column public.products.hidden is 'Not in the shop: a draft, or taken out for a while';
comment on column public.products.deleted_at is 'When the admin deleted it; it can be brought back for 30 days';
comment on column public.products.featured is 'Place on the front page, from 1; null: not chosen for it';
comment on column public.products.stock is 'Quantity that can still be ordered; what unpaid orders hold is already subtracted. Of a product with sizes the sum of theirs';
comment on column public.products.sizes is 'Sizes with their own stock, as they are shown: [{size, stock}]; empty: the product has none';

create index products_category_idx on public.products (category);
create index products_created_at_idx on public.products (created_at desc);
create index products_deleted_at_idx on public.products (deleted_at) where deleted_at is not null;

-- Whoever writes the row: the stock of a product with sizes is the sum of theirs. Raises 22023 when the sum alone is written.
create function private.sum_sizes()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and new.stock <> old.stock and new.sizes = old.sizes then
    raise exception 'the stock of a product with sizes is the sum of theirs: change the sizes' using errcode = '22023';
  end if;
  new.stock := (select sum((s ->> 'stock')::integer) from jsonb_array_elements(new.sizes) s);
  return new;
end;
$$;

create trigger products_sum_sizes
before insert or update on public.products
for each row when (new.sizes <> '[]' and private.are_sizes(new.sizes))
execute function private.sum_sizes();

-- Whether an update changed anything that a built page shows, or whether there is one. Stock is not among it, nor that of a
-- size: every page reads it live, so a sale leaves `updated_at` and the log of changes alone.
create function private.page_content_changed(p_old public.products, p_new public.products)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select (
    p_old.name, p_old.description, p_old.category, p_old.price, p_old."offerPrice", p_old.images, p_old.image_alts,
    p_old.attributes, p_old.hidden, p_old.deleted_at, p_old.featured, jsonb_path_query_array(p_old.sizes, '$[*].size')
  ) is distinct from (
    p_new.name, p_new.description, p_new.category, p_new.price, p_new."offerPrice", p_new.images, p_new.image_alts,
    p_new.attributes, p_new.hidden, p_new.deleted_at, p_new.featured, jsonb_path_query_array(p_new.sizes, '$[*].size')
  );
$$;

create trigger products_touch_updated_at
before update on public.products
for each row
when (private.page_content_changed(old, new))
execute function private.touch_updated_at();

alter table public.products enable row level security;

-- What is visible is what is sold. The functions that sell or withdraw say the same of the row that they read.
create policy "Everyone sees the visible products" on public.products
for select to anon, authenticated using (not hidden and deleted_at is null);

-- The bucket of the pictures: readable by everyone at its public address, written with the service key only (no policy).
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

-- One row: the number of the last change.
create table public.catalogue_version (
  id boolean primary key default true check (id),
  version bigint not null default 0
);
insert into public.catalogue_version default values;

alter table public.catalogue_version enable row level security;

create policy "Builds read which catalogue they show" on public.catalogue_version
for select to anon, authenticated using (true);

create table public.product_changes (
  version bigint primary key,
  product_id uuid not null,
  name text not null,
  -- As shoppers see it: a product that is shown again is added, a hidden one is withdrawn like a deleted one.
  kind text not null check (kind in ('added', 'changed', 'hidden', 'deleted')),
  at timestamptz not null default clock_timestamp()
);
create index product_changes_product_idx on public.product_changes (product_id, version desc);

alter table public.product_changes enable row level security;

-- The update locks the row of catalogue_version until the edit commits, so versions become visible in their order:
-- whoever reads a version can read every change up to it. It is the last lock that an edit takes. Sales never take it, and
-- what returns to stock only when it brings a removed size back, after the products and before payments; nobody who holds
-- a lock of those waits for it. So it cannot deadlock. Edits of a product that is not visible, before or after, are no change of the catalogue.
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
  -- The condition: a hosted project refuses updates without one (safeupdate).
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
