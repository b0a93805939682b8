-- The catalogue, and what every later migration stands on.
--
-- These files run unchanged on hosted Supabase, on plain PostgreSQL 17 and 18 with Supabase's roles, and on the
-- embedded PGlite. Rules that hold in all of them:
--   * Row level security and grants are set in the migration that creates a table. No role gets anything by default.
--   * Browser roles (anon, authenticated) read and write tables by policy only. They may execute no function in `public`.
--   * Functions are `security definer set search_path = ''` with qualified names, and executable by service_role alone.
--   * Money is integer paise in functions; rupees (numeric) only in `products` and in columns for display.

-- Hosted projects hand new tables and functions to the browser roles; PostgreSQL hands functions to everyone.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke execute on functions from anon, authenticated;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;

-- Helpers of policies, triggers and functions. Never exposed through the API.
create schema if not exists private;
revoke all on schema private from public;

create function private.touch_updated_at()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
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
  images text[] not null default '{}' check (cardinality(images) <= 3 and array_position(images, null) is null),
  image_alts text[] not null default '{}' check (cardinality(image_alts) <= 3 and array_position(image_alts, null) is null),
  attributes jsonb not null default '{}',
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
comment on column public.products.price is 'Rupees for one piece';
comment on column public.products."offerPrice" is 'Rupees for one piece while an offer applies; this is what is charged';
comment on column public.products.stock is 'Pieces that can still be ordered; pieces held by unpaid orders are already taken off';

create index products_category_idx on public.products (category);
create index products_created_at_idx on public.products (created_at desc);

-- A sale or a hold moves the stock, which every page reads live. Only an edit makes a page out of date.
create trigger products_touch_updated_at
before update on public.products
for each row
when (
  (old.name, old.description, old.category, old.price, old."offerPrice", old.images, old.image_alts, old.attributes)
  is distinct from
  (new.name, new.description, new.category, new.price, new."offerPrice", new.images, new.image_alts, new.attributes)
)
execute function private.touch_updated_at();

alter table public.products enable row level security;
revoke all on public.products from public, anon, authenticated;
grant select on public.products to anon, authenticated;
grant all on public.products to service_role;

create policy "Everyone sees the catalogue" on public.products
for select to anon, authenticated using (true);

-- The pictures: read by everyone through the bucket's public address, written by the server alone (no policy).
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
