-- The database of 1.2.0, in place of its 41 migrations: supabase/schemas at 5cefca95.

-- supabase/schemas/foundation.sql

-- Foundation: default privileges, and helpers that do not belong to any one subject (timestamps, dates, backoff, rate
-- limits). README.md in this folder says how the files relate to the migrations.
--
-- The SQL runs unchanged on hosted Supabase, on plain PostgreSQL 17 and 18 with Supabase's roles, and on the embedded
-- PGlite. Rules for all files:
--   * One subject per file. Each table enables row level security, and has its policies and the grants to the browser
--     roles, where it is created.
--   * No role is granted anything by default. The grants to service_role are in the last file, `grants.sql`.
--   * Browser roles (anon, authenticated) access tables through policies only, and cannot execute functions in
--     `public`.
--   * Functions in `public` are for service_role: `security definer`, `set search_path = ''`, qualified names.
--   * Functions in `private` are called by those, by triggers and by policies. The Data API does not expose them.
--   * Functions on the path of a request are plpgsql, which caches query plans. PostgreSQL before version 18 plans an
--     SQL function with a search_path again in every statement that calls it.
--   * Functions compute money in integer paise. Only `products` and columns for display hold rupees (numeric).

-- Hosted projects grant new tables and functions to the browser roles. PostgreSQL grants functions to everyone.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke execute on functions from anon, authenticated;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;

create schema private;
revoke all on schema private from public, anon, authenticated;

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

-- The delay before the next attempt, after p_attempts failures in a row.
create function private.backoff(p_attempts integer)
returns interval
language plpgsql
immutable
set search_path = ''
as $$
begin
  return make_interval(mins => (array[1, 5, 30, 120, 360, 1440])[least(greatest(p_attempts, 1), 6)]);
end;
$$;

-- Raises 22023 unless p_limit is 1 to 1000 rows and p_lease_seconds is 1 second to 24 hours.
create function private.check_lease(p_limit integer, p_lease_seconds integer)
returns void
language plpgsql
immutable
set search_path = ''
as $$
begin
  if p_limit is null or p_limit not between 1 and 1000 or p_lease_seconds is null
    or p_lease_seconds not between 1 and 86400
  then
    raise exception 'limit must be 1 to 1000, lease_seconds 1 to 86400' using errcode = '22023';
  end if;
end;
$$;

-- ── Days in India ──

-- The date in India at a given time.
create function private.india_date(p_at timestamptz)
returns date
language plpgsql
stable
set search_path = ''
as $$
begin
  return (p_at at time zone 'Asia/Kolkata')::date;
end;
$$;

-- Midnight in India at the start of a day.
create function private.india_midnight(p_day date)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select p_day::timestamp at time zone 'Asia/Kolkata';
$$;

-- ── Rate limits ──

-- Only sites of release 1.1.0 count here. The limits of today are rows of cost_limits.
create table public.rate_limits (
  bucket text primary key check (char_length(bucket) <= 200),
  -- Oldest first.
  hits timestamptz[] not null default '{}',
  kept_until timestamptz not null default now()
);

alter table public.rate_limits enable row level security;

-- Counts a request in a bucket. Returns whether it is within p_limit requests in p_window_seconds, measured over a
-- sliding window. A refused request is not counted. Raises 22023 for bad input.
create function private.hit_rate_limit(p_bucket text, p_limit integer, p_window_seconds integer)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_window interval := make_interval(secs => p_window_seconds);
  v_now timestamptz;
  v_hits timestamptz[];
begin
  if coalesce(p_bucket, '') = '' or p_limit is null or p_limit < 0
    or p_window_seconds is null or p_window_seconds not between 1 and 86400
  then
    raise exception 'bucket, limit (0 or more) and window_seconds (1 to 86400) are required' using errcode = '22023';
  end if;
  -- An existing row is only locked.
  insert into public.rate_limits as l (bucket, kept_until)
  values (p_bucket, clock_timestamp() + v_window)
  on conflict (bucket) do update set hits = l.hits
  returning l.hits into v_hits;
  v_now := clock_timestamp();
  v_hits := array(select hit from unnest(v_hits) hit where hit > v_now - v_window);
  if cardinality(v_hits) >= p_limit then
    return false;
  end if;
  update public.rate_limits l
  set hits = v_hits || v_now, kept_until = v_now + v_window
  where l.bucket = p_bucket;
  return true;
end;
$$;

-- Counts a request in several buckets, in the given order. Returns whether all are within their limits. Stops at the
-- first refusal, so that refused callers do not use up a shared limit: list the shared bucket last. Raises 22023.
create function public.hit_rate_limits(p_buckets text[], p_limits integer[], p_windows integer[])
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if coalesce(cardinality(p_buckets), 0) = 0
    or cardinality(p_limits) is distinct from cardinality(p_buckets)
    or cardinality(p_windows) is distinct from cardinality(p_buckets)
  then
    raise exception 'buckets, and as many limits and windows, are required' using errcode = '22023';
  end if;
  for i in 1 .. cardinality(p_buckets) loop
    if not private.hit_rate_limit(p_buckets[i], p_limits[i], p_windows[i]) then
      return false;
    end if;
  end loop;
  return true;
end;
$$;

-- supabase/schemas/shop-settings.sql

-- What belongs to one shop and SQL writes by itself: the prefixes of its numbers. src/settings has them, and every deploy
-- writes them here (docs/decisions/0036-sql-reads-the-prefixes-from-one-row.md).

-- One row. Sites of releases 1.0.0 and 1.1.0 never write it, and have these prefixes.
create table public.shop_settings (
  id boolean primary key default true check (id),
  order_prefix text not null check (order_prefix ~ '^[A-Z0-9]{1,3}$'),
  -- Orders and Razorpay's receipts keep the prefix that they were made with.
  former_order_prefixes text[] not null default '{}',
  -- A document's number has at most 16 characters (CGST Rules, rule 46): 'KSV/26-27/100000' is the longest.
  invoice_prefix text not null check (invoice_prefix ~ '^[A-Z0-9]{1,3}$'),
  credit_note_prefix text not null check (credit_note_prefix ~ '^[A-Z0-9]{1,3}$'),
  constraint shop_settings_two_series check (invoice_prefix <> credit_note_prefix)
);

alter table public.shop_settings enable row level security;

insert into public.shop_settings (order_prefix, invoice_prefix, credit_note_prefix) values ('KSV', 'KSV', 'CN');

-- Writes the settings of the site that is deployed. Returns whether that changed them. Safe to repeat. Raises 23514 for a
-- prefix that is not possible.
create function public.set_shop_settings(p_order_prefix text, p_invoice_prefix text, p_credit_note_prefix text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_old public.shop_settings;
begin
  -- Serialises two callers, also when a restored backup has left no row.
  perform pg_advisory_xact_lock(hashtextextended('kasavu set_shop_settings', 0));
  select * into v_old from public.shop_settings where id;
  if (v_old.order_prefix, v_old.invoice_prefix, v_old.credit_note_prefix)
    is not distinct from (p_order_prefix, p_invoice_prefix, p_credit_note_prefix)
  then
    return false;
  end if;
  insert into public.shop_settings (order_prefix, former_order_prefixes, invoice_prefix, credit_note_prefix)
  values (
    p_order_prefix,
    array(
      select distinct former.prefix
      from (
        select unnest(v_old.former_order_prefixes) as prefix
        union all
        -- An order may be in the making with it, and not yet be visible here.
        select v_old.order_prefix where exists (select 1 from public.orders)
        union all
        select substring(o.merchant_transaction_id from '^([A-Z0-9]{1,3})-[0-9]+-') from public.orders o
      ) former
      where former.prefix <> p_order_prefix
      order by former.prefix
    ),
    p_invoice_prefix, p_credit_note_prefix
  )
  on conflict (id) do update
    set order_prefix = excluded.order_prefix,
        former_order_prefixes = excluded.former_order_prefixes,
        invoice_prefix = excluded.invoice_prefix,
        credit_note_prefix = excluded.credit_note_prefix;
  return true;
end;
$$;

-- A new order's reference, such as 'KSV-1001-3f9a2c'. Razorpay shows it as the receipt.
create function private.order_reference(p_order_id bigint)
returns text
language plpgsql
set search_path = ''
as $$
begin
  return (
    select s.order_prefix || '-' || p_order_id || '-' || left(gen_random_uuid()::text, 6) from public.shop_settings s
  );
end;
$$;

-- Whether a reference is one of this shop's, also when its order is lost or when the prefix has changed since.
create function public.is_own_reference(p_reference text)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select 1
    from public.shop_settings s, unnest(s.former_order_prefixes || s.order_prefix) prefix
    where starts_with(p_reference, prefix || '-')
  );
$$;

-- supabase/schemas/accounts.sql

-- Customer profiles, which follow auth.users, and what must hold for an account's address and password.

-- ── Profiles ──

-- One row per account, kept in sync by triggers on auth.users.
create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  email text,
  full_name text check (char_length(full_name) <= 100),
  phone text check (char_length(phone) <= 20),
  address text check (char_length(address) <= 200),
  city text check (char_length(city) <= 100),
  postal_code text check (char_length(postal_code) <= 20),
  updated_at timestamptz not null default now(),
  edited_at timestamptz
);

comment on column public.profiles.edited_at is
  'When the customer last changed the profile. Orders placed before it are not remembered';

create trigger profiles_touch_updated_at
before update on public.profiles
for each row execute function private.touch_updated_at();

alter table public.profiles enable row level security;

create policy "Customers read their own profile" on public.profiles
for select to authenticated using (id = (select auth.uid()));

create policy "Customers update their own profile" on public.profiles
for update to authenticated
using (id = (select auth.uid()))
with check (id = (select auth.uid()));

grant select on public.profiles to authenticated;
grant update (full_name, phone, address, city, postal_code) on public.profiles to authenticated;

-- Refuses a browser's change of a profile's id or e-mail address. The column grants already prevent it. The embedded stack
-- grants whole tables to the browser roles when it starts, so a trigger enforces the rule whatever is granted.
create function private.forbid_identity_change()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if current_user in ('anon', 'authenticated') then
    raise exception 'permission denied: id and email of a profile follow the account' using errcode = '42501';
  end if;
  return new;
end;
$$;

create trigger profiles_forbid_identity_change
before update on public.profiles
for each row
when (old.id is distinct from new.id or old.email is distinct from new.email)
execute function private.forbid_identity_change();

-- Sets edited_at when a browser role changes a value. It cannot set it in another way, although the embedded stack grants
-- whole tables.
create function private.note_profile_edit()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if current_user in ('anon', 'authenticated') then
    new.edited_at := case
      when (new.full_name, new.phone, new.address, new.city, new.postal_code)
        is distinct from (old.full_name, old.phone, old.address, old.city, old.postal_code) then clock_timestamp()
      else old.edited_at
    end;
  end if;
  return new;
end;
$$;

create trigger profiles_note_edit
before update on public.profiles
for each row execute function private.note_profile_edit();

-- ── Profiles follow accounts ──

-- The name given at sign-up, or null. Users can write any metadata, so this is for display only.
create function private.name_from_metadata(p_metadata jsonb)
returns text
language sql
immutable
set search_path = ''
as $$
  select left(btrim(value #>> '{}'), 100)
  from (values (1, p_metadata -> 'full_name'), (2, p_metadata -> 'name')) as candidate (rank, value)
  where jsonb_typeof(value) = 'string' and btrim(value #>> '{}') <> ''
  order by rank
  limit 1;
$$;

create function private.create_profile()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.profiles (id, email, full_name)
  values (new.id, new.email, private.name_from_metadata(new.raw_user_meta_data))
  on conflict (id) do nothing;
  return new;
end;
$$;

create trigger kasavu_create_profile
after insert on auth.users
for each row execute function private.create_profile();

create function private.sync_profile_email()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.profiles set email = new.email where id = new.id;
  return new;
end;
$$;

create trigger kasavu_sync_profile_email
after update of email on auth.users
for each row
when (old.email is distinct from new.email)
execute function private.sync_profile_email();

-- ── Addresses and passwords ──

-- Whoever sees the orders of a confirmed address is the reader of its mail. How an address becomes confirmed, and why its
-- owner is then the only one with a password and a session:
--   * sign-up link or code, recovery, magic link, one-time code, invitation: the update of email_confirmed_at removes
--     the password (kasavu_forget_unproven_password), and an unconfirmed account has no session
--   * created as confirmed in the dashboard: Supabase confirms after it inserts, so the same trigger applies
--   * a change of address, also of an anonymous account, which has none: refused

-- Removes the password when an account confirms its address. Anyone can sign up with an address they do not own, and
-- Supabase keeps their password when the owner signs up later. After the confirmation only the reader of the mail can
-- set one (docs/decisions/0023).
create function private.forget_unproven_password()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.encrypted_password := null;
  return new;
end;
$$;

create trigger kasavu_forget_unproven_password
before update of email_confirmed_at on auth.users
for each row
when (old.email_confirmed_at is null and new.email_confirmed_at is not null)
execute function private.forget_unproven_password();

-- The e-mail address of an account never changes. Supabase's auth API lets a signed-in account change its address. A
-- changed address keeps the account's password and sessions, so "a confirmed address means that its owner chose the
-- password" (docs/decisions/0023) would not hold: the account would see the orders and messages of a person who never
-- used it. The shop offers no change of address. A customer with a new address signs up with it.
--
-- `email_change` is the requested address. Refusing the request leaves no token to confirm it with.
create function private.refuse_address_change()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  raise exception 'the e-mail address of an account cannot change: sign up with the new address' using errcode = '42501';
end;
$$;

create trigger kasavu_refuse_address_change
before update on auth.users
for each row
when (
  old.email is distinct from new.email
  or (coalesce(new.email_change, '') <> '' and old.email_change is distinct from new.email_change)
)
execute function private.refuse_address_change();

-- The account's e-mail address in lower case if it is confirmed, else null. Read from auth.users, because claims in a
-- token can be out of date and users can write any user metadata.
create function private.confirmed_email(p_user_id uuid)
returns text
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select lower(email) from auth.users where id = p_user_id and email_confirmed_at is not null
  );
end;
$$;

-- The account with an address, confirmed or not, or null.
create function private.account_of(p_email text)
returns uuid
language sql
stable
set search_path = ''
as $$
  select u.id from auth.users u where lower(u.email) = lower(p_email) limit 1;
$$;

-- supabase/schemas/products.sql

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
        or s ->> 'size' <> btrim(s ->> 'size') or char_length(s ->> 'size') not between 1 and 20
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
  -- that the shop has no more (`isOffered` in src/domain/catalogue/product.ts).
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
          'certificate', 'size', 'care', 'origin', 'hsn', 'weight_g', 'height_mm', 'width_mm'
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
  at timestamptz not null default clock_timestamp()
);

create index product_changes_product_idx on public.product_changes (product_id, version desc);
create index product_changes_at_idx on public.product_changes (at);

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

-- supabase/schemas/publishing.sql

-- Builds of the site, which publish the catalogue's changes. A build reads the version before the catalogue, so it contains
-- every change up to that version. Changes with a higher version are unpublished.

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

-- supabase/schemas/orders.sql

-- Orders: the table, its policies, and when an order counts as paid. docs/order-states.md has a diagram of the
-- states.
--
-- LOCK ORDER. Every function that touches stock or money takes its locks in this order, so that none can deadlock:
--   1. the advisory lock of a customer (place_order)
--   2. a row of webhook_events, by inserting it (mark_paid; one per transaction)
--   3. rows of orders, in id order; mark_paid locks the orders of one cart together
--   3a. a row of discount_codes
--   4. rows of products, in id order, all in one statement; then the catalogue version, if a removed size comes back
--   5. rows of payments, refunds, stock_alerts, outbox
--   6. the invoice counter, see `invoices.sql`
-- Rows of rate_limits are locked in transactions of their own (hit_rate_limits), so no order waits for another's
-- limits. The sweep claims orders with `skip locked`, so it never waits at step 3. The admin's edits lock one product
-- and no order. Orders have no foreign key to products: their items are a copy, so products can be deleted.
--
-- STATES. hold_state: held (stock is subtracted) -> taken (paid) or released (stock is returned). released -> taken
-- when a late payment finds enough stock. status: PENDING -> COMPLETED or FAILED; FAILED -> COMPLETED by a late
-- payment. payment_status follows, and REFUND_DUE -> REFUNDED. COMPLETED is final. Imported orders can have any text
-- in status, so functions enforce these rules instead of a CHECK.

-- Returns 'paid', 'unpaid' or 'other' (refunded in full, or an unknown status). Imported orders have other texts than
-- the shop's own. orderStatus in src/domain/orders/order-status.ts reads the same texts.
create function private.payment_stage(p_status text, p_payment_status text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select case
      when word in ('completed', 'captured', 'success', 'partially_refunded') then 'paid'
      when word in ('', 'pending', 'created', 'failed', 'failure') then 'unpaid'
      else 'other'
    end
    from (select lower(coalesce(nullif(btrim(p_payment_status), ''), btrim(p_status), '')) as word) t
  );
end;
$$;

-- The last ten digits of a phone number, to recognise a customer: +91, 0 and anything else in front make no new customer.
-- Null for fewer digits.
create function private.phone_key(p_phone text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return substring(regexp_replace(coalesce(p_phone, ''), '[^0-9]', '', 'g') from '[0-9]{10}$');
end;
$$;

-- Generated columns of orders run with the rights of the role that writes.
grant execute on function private.payment_stage(text, text) to service_role;
grant execute on function private.phone_key(text) to service_role;

create table public.orders (
  id bigint generated by default as identity (start with 1001) primary key,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Deleting an account keeps its orders, for the books, without a user id. Such an order is then shown to whoever
  -- confirms its e-mail address. That is accepted: the order's mails went to the same address.
  user_id uuid references auth.users (id) on delete set null,
  merchant_transaction_id text not null unique check (char_length(merchant_transaction_id) <= 40),
  idempotency_key uuid,
  cart_fingerprint text,
  customer_name text,
  customer_email text,
  customer_phone text,
  customer_address text,
  customer_city text,
  customer_postal_code text,
  -- The customer's own GSTIN, for an invoice to a business.
  customer_gstin text check (customer_gstin ~ '^[0-9A-Z]{15}$'),
  notes text,
  -- Printed on the packing slip for the recipient.
  gift_note text check (char_length(gift_note) <= 200),
  -- Who gets a gift and is called by the courier; null for the customer. Invoices name the customer.
  recipient_name text check (char_length(recipient_name) <= 100),
  recipient_phone text check (char_length(recipient_phone) <= 20),
  -- Never shown to the customer.
  admin_note text not null default '' check (char_length(admin_note) <= 2000),
  items jsonb,
  products jsonb,
  subtotal_paise bigint check (subtotal_paise >= 0),
  -- The fee is computed on the subtotal less this discount.
  discount_code text check (char_length(discount_code) <= 20),
  discount_paise bigint not null default 0 check (discount_paise >= 0),
  fee_paise bigint check (fee_paise >= 0),
  total_paise bigint check (total_paise >= 0),
  fee_bps integer,
  currency text not null default 'INR',
  amount numeric(12, 2) generated always as (total_paise / 100.0) stored,
  total_amount numeric,
  payment_amount numeric,
  status text default 'PENDING',
  payment_status text default 'PENDING',
  payment_method text,
  payment_reference text,
  razorpay_order_id text unique,
  razorpay_key_id text check (char_length(razorpay_key_id) <= 60),
  payment_id text unique,
  paid_at timestamptz,
  hold_state text check (hold_state in ('held', 'taken', 'released')),
  last_units text[] not null default '{}',
  asked_about text[] not null default '{}',
  -- A keyed hash of the customer's network, for the limits on holds. Deleted after a day.
  network text check (char_length(network) <= 60),
  hold_expires_at timestamptz,
  released_at timestamptz,
  release_reason text,
  next_check_at timestamptz,
  checks integer not null default 0,
  fulfilment text not null default 'new'
    check (fulfilment in ('new', 'packed', 'shipped', 'delivered', 'cancelled')),
  carrier text check (char_length(carrier) <= 80),
  tracking_number text check (char_length(tracking_number) <= 60),
  tracking_url text check (tracking_url ~ '^https://' and char_length(tracking_url) <= 600),
  packed_at timestamptz,
  shipped_at timestamptz,
  delivered_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text check (char_length(cancel_reason) <= 200),
  kept_paise bigint not null default 0 check (kept_paise >= 0),
  invoice_number text unique check (char_length(invoice_number) <= 16),
  delivery_notice jsonb,
  -- Orders that the admin made: the sales channel, whether it was handed over in person, and the token of the payment
  -- link.
  channel text check (channel in ('instagram', 'whatsapp', 'exhibition', 'other')),
  hand_over boolean not null default false,
  pay_token text unique check (char_length(pay_token) = 32),
  admin_key uuid unique,
  link_version integer not null default 0,
  erase_pending boolean not null default false,
  restocked jsonb not null default '{}' check (jsonb_typeof(restocked) = 'object'),
  -- Paid and not refunded in full.
  paid boolean not null generated always as (private.payment_stage(status, payment_status) = 'paid') stored,
  -- The filters of the admin's list of orders. Every order is in exactly one.
  stage text generated always as (
    case
      when fulfilment <> 'new' then fulfilment
      when private.payment_stage(status, payment_status) = 'paid' then 'to_pack'
      else private.payment_stage(status, payment_status)
    end
  ) stored,
  -- Order number, reference, invoice, name, e-mail, discount code, payment id, tracking number, item names, then the
  -- digits of the phone up to '$', in lower case. Cut to a length that fits into an index row, because
  -- orders_newest_idx includes it.
  search_text text generated always as (
    lower(
      '#' || id::text || ' ' || merchant_transaction_id || ' ' || coalesce(invoice_number, '') || ' '
      || left(coalesce(customer_name, ''), 100) || ' ' || left(coalesce(customer_email, ''), 150) || ' '
      || coalesce(discount_code, '') || ' ' || left(coalesce(payment_id, ''), 30) || ' '
      || left(coalesce(tracking_number, ''), 60) || ' '
      || left(coalesce(jsonb_path_query_array(items, 'lax $[*].name')::text, ''), 200) || ' '
      || left(regexp_replace(coalesce(customer_phone, ''), '[^0-9]', '', 'g'), 20) || '$'
    )
  ) stored,
  phone_key text generated always as (private.phone_key(customer_phone)) stored,
  constraint orders_idempotency_key unique (user_id, idempotency_key)
);

comment on column public.orders.merchant_transaction_id is 'The reference (KSV-…), which Razorpay shows as the receipt';
comment on column public.orders.items is
  'A copy of what was bought, in cart order: [{product_id, name (with the size), size, quantity, price (rupees each), '
  'discount_paise (of the line), image, category, hsn}]';
comment on column public.orders.products is 'Items of imported orders, in any shape';
comment on column public.orders.razorpay_key_id is
  'The API key that created the order at Razorpay; payments of a test key are not money';
comment on column public.orders.checks is 'Consecutive checks at Razorpay without a final answer';
comment on column public.orders.next_check_at is
  'When the sweep next asks Razorpay whether this order is paid; null: never again';
comment on column public.orders.last_units is
  'Line keys of which this order took the last unit when it was placed, see private.limit_hold';
comment on column public.orders.asked_about is
  'Details that cannot be right, which the customer was asked about and kept: postal_code, phone';
comment on column public.orders.cancel_reason is 'Written by the admin, shown to the admin only';
comment on column public.orders.kept_paise is
  'The platform fee that the shop keeps of a paid order which its customer cancelled';
comment on column public.orders.delivery_notice is
  'The notice when the order was placed, without its text, for the promised delivery; null: none';
comment on column public.orders.restocked is
  'Quantities returned to stock after payment: {line key: quantity}, see private.line_key';
comment on column public.orders.link_version is
  'Part of the signed text of mailed links; withdraw_order_links raises it, and all older links end';
comment on column public.orders.erase_pending is
  'The customer was erased. private.erase_kept_order takes the rest once the order has ended';

create index orders_user_created_idx on public.orders (user_id, created_at desc);
create index orders_customer_email_idx on public.orders (lower(customer_email), user_id);
create index orders_phone_key_idx on public.orders (phone_key, user_id) where phone_key is not null;
create index orders_next_check_idx on public.orders (next_check_at) where next_check_at is not null;
create index orders_discount_code_idx on public.orders (discount_code) where discount_code is not null;
create index orders_held_idx on public.orders (created_at) where hold_state = 'held';
create index orders_network_idx on public.orders (network, created_at) where network is not null;
create index orders_open_holds_idx on public.orders (user_id, cart_fingerprint) where hold_state = 'held';
create index orders_newest_idx on public.orders (created_at desc, id desc) include (search_text);
create index orders_stage_idx on public.orders (stage, created_at desc, id desc);
create index orders_paid_at_idx on public.orders (paid_at) where paid_at is not null;
create index orders_last_units_idx on public.orders (created_at) where last_units <> '{}';

-- For retention: orders of erased customers, and unpaid ones that still name a person.
create index orders_erase_pending_idx on public.orders (id) where erase_pending;
create index orders_unpaid_with_name_idx on public.orders (id)
where stage in ('unpaid', 'cancelled', 'other') and payment_id is null
  and num_nonnulls(user_id, customer_name, customer_email, customer_phone, customer_address, notes) > 0;

create trigger orders_touch_updated_at
before update on public.orders
for each row execute function private.touch_updated_at();

create function private.set_released_at()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.released_at := clock_timestamp();
  new.checks := 0;
  return new;
end;
$$;

create trigger orders_set_released_at
before update on public.orders
for each row when (old.hold_state = 'held' and new.hold_state = 'released')
execute function private.set_released_at();

-- ── What customers read ──

alter table public.orders enable row level security;

-- The orders of an account: its own, and orders without an account that have its confirmed e-mail address.
create function private.order_ids_of(p_user_id uuid)
returns setof bigint
language sql
stable
security definer
set search_path = ''
as $$
  select o.id from public.orders o
  where o.user_id = p_user_id
    or (o.user_id is null and lower(o.customer_email) = (select private.confirmed_email(p_user_id)));
$$;

-- The orders that the signed-in customer may read, for the policy below. It has no parameter, so that a customer could not
-- name another account even if they could call it.
create function private.own_order_ids()
returns setof bigint
language sql
stable
security definer
set search_path = ''
as $$
  select private.order_ids_of((select auth.uid()));
$$;

-- Policies run with the rights of the caller. Without usage of the schema nobody can call the function by name.
grant execute on function private.own_order_ids() to authenticated;

-- `array(select …)` is evaluated once per query instead of once per row.
create policy "Customers read their own orders" on public.orders
for select to authenticated
using (id = any (array(select private.own_order_ids())));

-- Internal columns, such as checks, are not granted.
grant select (
  id, created_at, updated_at, user_id, merchant_transaction_id, customer_name, customer_email, customer_phone,
  customer_address, customer_city, customer_postal_code, customer_gstin, notes, gift_note, recipient_name,
  recipient_phone, items, products, subtotal_paise, discount_code, discount_paise, fee_paise, total_paise, currency,
  amount, total_amount, payment_amount, status, payment_status, payment_method, payment_reference, razorpay_order_id,
  payment_id, paid_at, fulfilment, carrier, tracking_number, tracking_url, packed_at, shipped_at, delivered_at,
  cancelled_at, invoice_number, delivery_notice, hand_over, hold_state, hold_expires_at
) on public.orders to authenticated;

-- ── Links ──

-- Ends all links of an order that were mailed so far: tracking, invoice, damage. Returns false when there is no such
-- order.
create function public.withdraw_order_links(p_order_id bigint)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.orders set link_version = link_version + 1 where id = p_order_id;
  return found;
end;
$$;

-- ── Tax ──

-- Copies the facts that decide the tax rate into the items, because the product may be deleted before the invoice is
-- issued.
create function private.add_tax_facts()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if new.hold_state = 'held' and jsonb_typeof(new.items) = 'array' then
    select jsonb_agg(
      item || jsonb_strip_nulls(jsonb_build_object('category', p.category, 'hsn', p.attributes ->> 'hsn'))
      order by line
    )
    into new.items
    from jsonb_array_elements(new.items) with ordinality i (item, line)
    left join public.products p on p.id::text = item ->> 'product_id';
  end if;
  return new;
end;
$$;

create trigger orders_add_tax_facts
before insert on public.orders
for each row execute function private.add_tax_facts();

-- supabase/schemas/outbox.sql

-- The outbox of mails and notifications. A mail is inserted in the transaction that it reports, and sent later by the first
-- caller that claims it. Strangers' messages never delay a customer's mail: `priority` sends them later.

create table public.outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  -- Null: the admin, whose address is an environment variable of the Netlify functions. For a push: the id of its
  -- subscription.
  recipient text,
  order_id bigint references public.orders (id),
  payload jsonb not null default '{}',
  dedupe_key text not null unique,
  -- 0: orders, money, alerts to the admin. 1: someone waits for a link. 2: messages of the contact form. 3: bulk mail.
  priority smallint not null generated always as (
    case
      when kind in ('newsletter_confirmation', 'newsletter_welcome', 'stock_alert_confirmation', 'account_deletion')
        then 1
      when kind = 'contact_message' then 2
      when kind = 'back_in_stock' then 3
      else 0
    end
  ) stored,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  locked_until timestamptz,
  sent_at timestamptz,
  last_error text,
  created_at timestamptz not null default now()
);

create index outbox_due_idx on public.outbox (priority, next_attempt_at) where sent_at is null;
create index outbox_back_in_stock_idx on public.outbox (created_at) where kind = 'back_in_stock';
create index outbox_order_id_idx on public.outbox (order_id);
create index outbox_sent_at_idx on public.outbox (sent_at);
create index outbox_unsent_messages_idx on public.outbox (id) where kind = 'contact_message' and sent_at is null;

-- For retention: rows with personal data, and notifications.
create index outbox_with_address_idx on public.outbox (sent_at) where recipient is not null or payload <> '{}';
create index outbox_push_idx on public.outbox (created_at) where kind = 'push';

alter table public.outbox enable row level security;

-- Queues a mail to the admin, once per dedupe key. p_topic selects the text. When strangers have caused their share of such
-- mails in a day (mail_to_admin), an alert of theirs is on the admin page only.
create function public.notify_admin(
  p_topic text, p_payload jsonb, p_dedupe_key text, p_order_id bigint default null
)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_payload jsonb := coalesce(p_payload, '{}') || jsonb_build_object('topic', p_topic);
begin
  -- Without a lock: callers hold locks of orders, and a mail more does no harm.
  if private.mail_effect('admin_alert', v_payload) is not null and exists (
    select 1
    from private.cost_left('mail_to_admin', private.cost_keys(null), 1, clock_timestamp()) l
    where l.again_at is not null
  ) then
    return;
  end if;
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  values ('admin_alert', null, p_order_id, v_payload, p_dedupe_key)
  on conflict (dedupe_key) do nothing;
end;
$$;

-- Leases mails and notifications to one caller, by priority and then by due time. Returns {id, kind, recipient,
-- payload, dedupe_key, order, subscription}; order and subscription are null where there is none. A mail is not
-- claimed again after twenty attempts (the admin's page counts these), a notification not after a day.
create function public.claim_outbox(p_limit integer, p_lease_seconds integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform private.check_lease(p_limit, p_lease_seconds);
  return query
  with due as (
    select m.id from public.outbox m
    where m.sent_at is null
      and m.next_attempt_at <= v_now
      and (m.locked_until is null or m.locked_until <= v_now)
      and m.attempts < 20
      and (m.kind <> 'push' or m.created_at > v_now - interval '1 day')
    order by m.priority, m.next_attempt_at, m.id
    limit p_limit
    for update skip locked
  ), leased as (
    update public.outbox m
    set locked_until = v_now + make_interval(secs => p_lease_seconds),
        -- Counted before sending, so that a mail that crashes its sender is not retried for ever.
        attempts = attempts + 1
    from due
    where m.id = due.id
    returning m.*
  )
  select jsonb_build_object(
    'id', l.id,
    'kind', l.kind,
    'recipient', l.recipient,
    'payload', l.payload,
    'dedupe_key', l.dedupe_key,
    'order', to_jsonb(o),
    'subscription', to_jsonb(s)
  )
  from leased l
  left join public.orders o on o.id = l.order_id
  left join public.push_subscriptions s on l.kind = 'push' and s.id::text = l.recipient
  order by l.priority, l.id;
end;
$$;

-- Records that a mail or notification was sent or, with p_error, that it failed, and schedules the next attempt. A
-- successful mail also makes mails due that failed with 'unreachable …', because the mail server is back. Returns
-- {sent}. Raises P0002 for an unknown id.
create function public.finish_outbox(p_id bigint, p_error text default null)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_sent_at timestamptz;
begin
  update public.outbox
  set locked_until = null,
      sent_at = case when p_error is null then clock_timestamp() end,
      -- The address was given for this one mail only.
      recipient = case when kind = 'back_in_stock' and p_error is null then null else recipient end,
      last_error = left(p_error, 500),
      next_attempt_at = case
        when p_error is null then next_attempt_at
        else clock_timestamp() + private.backoff(attempts)
      end
  where id = p_id and sent_at is null;
  if found and p_error is null then
    update public.outbox
    set next_attempt_at = clock_timestamp()
    where id in (
      select m.id from public.outbox m
      where m.sent_at is null and m.next_attempt_at > clock_timestamp() and m.last_error like 'unreachable %'
        and exists (select 1 from public.outbox sent where sent.id = p_id and sent.kind <> 'push')
      for update skip locked
    );
  end if;
  update public.push_subscriptions s
  set last_failure = case when p_error is not null then clock_timestamp() end
  from public.outbox m
  where m.id = p_id and m.kind = 'push' and s.id::text = m.recipient;
  select sent_at into v_sent_at from public.outbox where id = p_id;
  if not found then
    raise exception 'there is no mail %', p_id using errcode = 'P0002';
  end if;
  return jsonb_build_object('sent', v_sent_at is not null);
end;
$$;

-- supabase/schemas/costs.sql

-- What a stranger can cost the shop: one table of limits, and one function that counts and refuses. docs/security.md
-- shows the table with its reasons, and a test compares the two.
--
-- An effect is something that costs the shop when a customer or stranger causes it: a mail, a call to Razorpay, a second in
-- which nobody else can buy a product. private.cost_uses says where its uses are recorded. Scopes:
--   account  an account, or an order for what is done with the link of an order
--   phone    private.phone_key, hashed
--   network  the /64 of an IPv6 address: a household or a server
--   shared   an IPv4 address, which thousands of customers of a mobile company may share, or the /48 of an IPv6
--            address, which tunnels and hosting companies hand out for free
--   all      everybody together
--
-- In the LOCK ORDER of `orders.sql`, the locks of private.cost_refusal come after those of products (4a).

create table public.cost_limits (
  effect text not null check (effect ~ '^[a-z_]{3,30}$'),
  scope text not null check (scope in ('account', 'phone', 'network', 'shared', 'all')),
  -- A sliding window; 0: what is stored at any time.
  seconds integer not null check (seconds between 0 and 2592000),
  most integer not null check (most >= 0),
  primary key (effect, scope, seconds)
);

alter table public.cost_limits enable row level security;

insert into public.cost_limits (effect, scope, seconds, most)
values
  -- Submitted forms, before the security check and after it.
  ('form_try', 'network', 600, 10), ('form_try', 'network', 86400, 30),
  ('form_try', 'shared', 600, 30), ('form_try', 'shared', 86400, 90),
  ('form', 'all', 3600, 300),
  -- Mails. note_sweep sets the first two to the numbers of src/shop/seller.ts.
  ('mail_to_stranger', 'all', 86400, 40), ('mail_to_admin', 'all', 86400, 16),
  ('account_request', 'account', 3600, 20),
  -- Codes that Auth has mailed, by its "Send Email" hook. Each kind is an effect of its own, so that no kind uses up another's
  -- share. An account is the one that the code opens: its limit also bounds how many codes a stranger can have mailed, and guess
  -- at, for one customer (docs/decisions/0041).
  ('sign_up_mail', 'account', 3600, 5), ('sign_up_mail', 'account', 86400, 15),
  ('sign_up_mail', 'network', 3600, 20), ('sign_up_mail', 'shared', 3600, 60),
  ('sign_up_mail', 'all', 3600, 150), ('sign_up_mail', 'all', 86400, 600),
  ('login_mail', 'account', 3600, 6), ('login_mail', 'account', 86400, 20),
  ('login_mail', 'network', 3600, 20), ('login_mail', 'shared', 3600, 60),
  ('login_mail', 'all', 3600, 150), ('login_mail', 'all', 86400, 600),
  -- Rows and megabytes.
  ('message', 'all', 0, 2000), ('order_form', 'all', 0, 2000),
  ('order_form', 'account', 86400, 10), ('order_form', 'network', 600, 20), ('order_form', 'shared', 600, 20),
  ('order_form', 'all', 3600, 60),
  -- Calls to Razorpay, lost fees, refused cards.
  ('provider_call', 'account', 60, 6), ('provider_call', 'account', 3600, 20),
  ('provider_call', 'network', 600, 120), ('provider_call', 'shared', 600, 600),
  ('fee_lost', 'account', 2592000, 2), ('fee_lost', 'phone', 2592000, 2), ('fee_lost', 'network', 2592000, 2),
  ('fee_lost', 'shared', 2592000, 20), ('fee_lost', 'all', 2592000, 50),
  ('failed_payment', 'account', 3600, 10),
  -- Seconds of unpaid holds: of any stock, of one last unit, and of all last units together.
  ('unpaid_hold', 'account', 7200, 2160),
  ('last_unit', 'network', 7200, 3600), ('last_unit', 'shared', 7200, 3600), ('last_unit', 'all', 7200, 3600),
  ('last_units', 'account', 7200, 9000), ('last_units', 'network', 7200, 36000), ('last_units', 'shared', 7200, 36000),
  -- Work: pages behind links, tries of discount codes, images and videos, reports of builds and of refused sign-ups.
  ('lookup', 'network', 600, 120), ('lookup', 'shared', 600, 600),
  ('code_try', 'network', 600, 60), ('code_try', 'shared', 600, 120),
  ('image_work', 'account', 3600, 120), ('image_work', 'network', 600, 120), ('image_work', 'shared', 600, 600),
  ('claim_report', 'account', 3600, 5),
  ('deploy_report', 'all', 3600, 60),
  -- Guesses at the admin's password and second factor. An account is here a browser that has logged in before.
  ('admin_login', 'account', 900, 5), ('admin_login', 'network', 900, 5), ('admin_login', 'shared', 900, 5),
  ('admin_login', 'all', 900, 10), ('wrong_code', 'all', 86400, 9),
  ('sign_up_refused', 'network', 3600, 1), ('sign_up_refused', 'shared', 3600, 1), ('sign_up_refused', 'all', 3600, 100);

-- Uses that no other table records. A key is a hash, an account or an order; '' for everybody.
create table public.costs (
  id bigint generated always as identity primary key,
  effect text not null,
  scope text not null,
  key text not null default '' check (char_length(key) <= 200),
  at timestamptz not null default clock_timestamp()
);

create index costs_key_idx on public.costs (effect, scope, key, at);
create index costs_at_idx on public.costs (at);

alter table public.costs enable row level security;

-- ── Phones and networks ──

-- Whether a text is a phone number that can be called in India: ten digits after +91 and 0. Same as readPhone in
-- src/domain/checkout/phone.ts.
create function private.is_indian_phone(p_phone text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return regexp_replace(coalesce(p_phone, ''), '[\s().‐‑‒–—-]', '', 'g') ~ '^((\+|00)?91)?0?[1-9][0-9]{9}$';
end;
$$;

-- Makes hashes of phone numbers useless outside this database: ten digits are quickly tried.
create table private.hash_key (
  id boolean primary key default true check (id),
  key text not null default gen_random_uuid()::text || gen_random_uuid()::text
);

insert into private.hash_key default values;

create function private.phone_hash(p_phone_key text)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return (select encode(sha256(convert_to(k.key || ':' || p_phone_key, 'UTF8')), 'hex') from private.hash_key k);
end;
$$;

-- The keys of a caller as {scope: key}, without those that are unknown. p_network is the text that the functions send:
-- 'ip:HASH' of an IPv4 address, '64:HASH 48:HASH' of an IPv6 address. Release 1.1.0 sends one hash without a prefix.
create function private.cost_keys(p_account text, p_network text default null, p_phone_key text default null)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return jsonb_strip_nulls(jsonb_build_object(
    'account', p_account,
    'phone', case when p_phone_key is not null then private.phone_hash(p_phone_key) end,
    'network', coalesce(substring(p_network from '64:([^ ]+)'), substring(p_network from '^[^: ]+$')),
    'shared', substring(p_network from '(?:ip|48):([^ ]+)'),
    'all', ''
  ));
end;
$$;

-- ── Counting ──

-- The effect of a mail that a stranger can cause; null for any other mail. Alerts that need a paid order, such as damage or
-- a requested cancellation, are no stranger's.
create function private.mail_effect(p_kind text, p_payload jsonb)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    when p_kind in ('newsletter_confirmation', 'newsletter_welcome', 'stock_alert_confirmation') then 'mail_to_stranger'
    when p_kind = 'contact_message' or (p_kind = 'admin_alert' and p_payload ->> 'topic' = 'stock_held')
      then 'mail_to_admin'
  end;
end;
$$;

create index outbox_mail_effect_idx on public.outbox (created_at) where private.mail_effect(kind, payload) is not null;

-- The uses of an effect by one key since p_since: when each began, how many units, and for how many seconds it lasted.
-- Uses that are facts of other tables are read there. p_line is a last unit (private.line_key).
create function private.cost_uses(
  p_effect text, p_scope text, p_key text, p_since timestamptz, p_now timestamptz, p_line text default null
)
returns table (began_at timestamptz, units double precision, lasted double precision)
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_effect in ('unpaid_hold', 'last_unit', 'last_units') then
    -- Unpaid orders, from their creation to their release or the end of their hold, so an open hold counts in full.
    -- Releasing and holding again gains nothing, because both count. Orders of the admin hold for the admin.
    return query
    select h.since, h.seconds * case when p_effect = 'last_units' then h.lines else 1 end, h.seconds
    from (
      select greatest(o.created_at, p_since) as since, cardinality(o.last_units) as lines, extract(
          epoch from least(o.released_at, o.hold_expires_at) - greatest(o.created_at, p_since)
        )::double precision as seconds
      from public.orders o
      where o.payment_id is null and o.hold_state in ('held', 'released') and o.admin_key is null
        -- No hold of a customer is longer than an hour.
        and o.created_at > p_since - interval '1 hour' and o.hold_expires_at > p_since
        and (p_effect <> 'last_unit' or o.last_units @> array[p_line])
        and case p_scope
          when 'account' then o.user_id::text = p_key
          when 'all' then true
          else private.cost_keys(null, o.network) ->> p_scope = p_key
        end
    ) h
    where h.seconds > 0 and (p_effect <> 'last_units' or h.lines > 0);
  elsif p_effect = 'failed_payment' then
    return query
    select e.received_at, 1::double precision, 0::double precision
    from public.webhook_events e
    join public.orders o on o.id = e.order_id
    where e.event = 'payment.failed' and e.received_at > p_since and o.user_id::text = p_key;
  elsif p_effect in ('mail_to_stranger', 'mail_to_admin') then
    return query
    select m.created_at, 1::double precision, 0::double precision
    from public.outbox m
    where private.mail_effect(m.kind, m.payload) is not null and m.created_at > p_since
      and private.mail_effect(m.kind, m.payload) = p_effect;
  elsif p_since = p_now then
    -- The window is 0: rows that are stored now.
    return query
    select p_now, (case p_effect
        when 'message' then (select count(*) from public.contact_messages)
        when 'order_form' then (select count(*) from public.form_entries)
      end)::double precision, 0::double precision;
  else
    return query
    select c.at, 1::double precision, 0::double precision
    from public.costs c
    where c.effect = p_effect and c.scope = p_scope and c.key = p_key and c.at > p_since;
  end if;
end;
$$;

-- The limits of an effect for a caller: the units that are left, and, when p_units are more than that, the time when they
-- fit (again_at; null: they fit now). p_keys as in private.cost_keys, p_line as in private.cost_uses.
create function private.cost_left(
  p_effect text, p_keys jsonb, p_units integer, p_now timestamptz, p_line text default null
)
returns table (scope text, units_left double precision, again_at timestamptz)
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  with uses as (
    select l.scope, l.seconds, l.most, u.began_at, u.units, u.lasted,
      sum(u.units) over (partition by l.scope, l.seconds order by u.began_at rows unbounded preceding) as total
    from public.cost_limits l
    left join lateral private.cost_uses(
      p_effect, l.scope, p_keys ->> l.scope, p_now - make_interval(secs => l.seconds), p_now, p_line
    ) u on true
    where l.effect = p_effect and p_keys ? l.scope
  ), used as (
    select u.scope, u.seconds, u.most, coalesce(max(u.total), 0) as units,
      coalesce(max(u.total), 0) + p_units - u.most as too_many
    from uses u
    group by u.scope, u.seconds, u.most
  )
  select d.scope, d.most - d.units, case when d.too_many > 0 then coalesce((
      -- The oldest uses leave the window first. One that lasted leaves it little by little.
      select u.began_at + make_interval(secs => d.seconds + u.lasted * (d.too_many - (u.total - u.units)) / u.units)
      from uses u
      where u.scope = d.scope and u.seconds = d.seconds and u.total >= d.too_many
      order by u.total
      limit 1
    ), p_now + make_interval(secs => d.seconds)) end
  from used d
  order by d.scope, d.seconds;
end;
$$;

-- When one more use will be allowed; null: now. Of two calls at once, the second waits for the end of the first's
-- transaction, so a caller takes no other lock afterwards. Keys are locked in the order of their scopes.
create function private.cost_refusal(p_effect text, p_keys jsonb)
returns timestamptz
language plpgsql
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('cost:' || p_effect || ':' || k.scope || ':' || k.key, 0))
  from (
    select distinct l.scope, p_keys ->> l.scope as key
    from public.cost_limits l
    where l.effect = p_effect and p_keys ? l.scope
    order by 1
  ) k;
  return (select max(l.again_at) from private.cost_left(p_effect, p_keys, 1, clock_timestamp()) l);
end;
$$;

-- Records one use in `costs`, unless a limit refuses it. Returns when it will be allowed; null: it is recorded.
create function private.count_cost(p_effect text, p_keys jsonb)
returns timestamptz
language plpgsql
set search_path = ''
as $$
declare
  v_again_at timestamptz := private.cost_refusal(p_effect, p_keys);
begin
  if v_again_at is null then
    insert into public.costs (effect, scope, key)
    select distinct p_effect, l.scope, p_keys ->> l.scope
    from public.cost_limits l
    where l.effect = p_effect and p_keys ? l.scope and l.seconds > 0;
  end if;
  return v_again_at;
end;
$$;

-- Counts one use for a caller, as private.count_cost does, in a transaction of its own. Returns whether it is allowed.
-- p_account and p_network as in private.cost_keys. Raises 22023 for an unknown effect.
create function public.count_cost(p_effect text, p_account text default null, p_network text default null)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if not exists (select 1 from public.cost_limits l where l.effect = p_effect) then
    raise exception 'there is no effect %', p_effect using errcode = '22023';
  end if;
  return private.count_cost(p_effect, private.cost_keys(p_account, p_network)) is null;
end;
$$;

-- supabase/schemas/stock.sql

-- How stock changes after an order is placed (place_order subtracts it): returned when an unpaid order ends, reserved
-- again for a late payment, restocked when a paid order is refunded or cancelled.

-- Identifies an order line: a product, or one size of it. Same as lineKey in src/domain/catalogue/sizes.ts.
create function private.line_key(p_line jsonb)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (p_line ->> 'product_id') || coalesce(':' || (p_line ->> 'size'), '');
end;
$$;

-- A product's name with its size, for orders, documents and mails. Same as sizedName in
-- src/domain/catalogue/sizes.ts.
create function private.sized_name(p_name text, p_size text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_name || coalesce(' · Size ' || p_size, '');
end;
$$;

-- The stock available to an order line. Null when the product has sizes but not this one.
create function private.stock_of_line(p_stock integer, p_sizes jsonb, p_size text)
returns integer
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case when p_sizes = '[]' then p_stock
    else (select (s ->> 'stock')::integer from jsonb_array_elements(p_sizes) s where s ->> 'size' = p_size) end;
end;
$$;

-- Adds quantities ({size: quantity}) to a list of sizes, up to 100,000 in total. A size that was removed in the
-- meantime is added back at the end; the admin can remove it again.
create function private.add_to_sizes(p_sizes jsonb, p_quantities jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select jsonb_agg(
      jsonb_build_object(
        'size', t.size, 'stock', t.stock + least(t.added, greatest(0, 100000 - t.all_stock - t.added_before))
      )
      order by t.place, t.size
    )
    from (
      select coalesce(s.value ->> 'size', q.key) as size, s.ordinality as place,
        coalesce((s.value ->> 'stock')::bigint, 0) as stock, coalesce(q.value::bigint, 0) as added,
        sum(coalesce((s.value ->> 'stock')::bigint, 0)) over () as all_stock,
        coalesce(sum(q.value::bigint) over (
          order by s.ordinality, q.key rows between unbounded preceding and 1 preceding
        ), 0) as added_before
      from jsonb_array_elements(p_sizes) with ordinality s
      full join jsonb_each_text(coalesce(p_quantities, '{}')) q on q.key = s.value ->> 'size'
    ) t
  );
end;
$$;

-- Adds lines to stock: [{product_id, size?, quantity}]; a negative quantity subtracts. The caller has locked the
-- products and checked that there is enough. When a product no longer has sizes, all of it counts. When it has sizes
-- now but the line has none, nothing is added, because only the admin knows which size came back. The cap keeps stock
-- within its CHECK if the admin raised it in the meantime.
create function private.add_stock(p_lines jsonb)
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.products p
  set stock = case when p.sizes = '[]' then least(p.stock + added.quantity, 100000) else p.stock end,
      sizes = case when p.sizes = '[]' then p.sizes else private.add_to_sizes(p.sizes, added.by_size) end
  from (
    select t.product_id, sum(t.quantity) as quantity,
      jsonb_object_agg(t.size, t.quantity) filter (where t.size is not null) as by_size
    from (
      select (line ->> 'product_id')::uuid as product_id, line ->> 'size' as size,
        sum((line ->> 'quantity')::bigint) as quantity
      from jsonb_array_elements(p_lines) line
      group by 1, 2
    ) t
    group by 1
  ) added
  where p.id = added.product_id;
end;
$$;

-- Returns the stock that these orders hold. The caller has locked the orders. Deleted products get theirs too,
-- because they can still be restored.
create function private.return_stock(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform 1 from public.products p
  where p.id in (
    select (item ->> 'product_id')::uuid
    from public.orders o, jsonb_array_elements(o.items) item
    where o.id = any (p_order_ids)
  )
  order by p.id
  for update;

  perform private.add_stock((
    select coalesce(jsonb_agg(item), '[]') from public.orders o, jsonb_array_elements(o.items) item
    where o.id = any (p_order_ids)
  ));
end;
$$;

-- Subtracts the stock of a released order again: all of it (true) or none (false). Hidden products count, deleted
-- ones do not. The caller has locked the order.
create function private.reserve_stock_again(p_items jsonb)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_available bigint;
begin
  if jsonb_typeof(p_items) is distinct from 'array' or jsonb_array_length(p_items) = 0 then
    return false;
  end if;
  perform 1 from public.products p
  where p.id in (select (item ->> 'product_id')::uuid from jsonb_array_elements(p_items) item)
  order by p.id
  for update;
  -- Lines with different sizes are one stock when the product no longer has sizes.
  select sum(t.lines) into v_available
  from (
    select count(*) as lines, private.stock_of_line(p.stock, p.sizes, size) as stock,
      sum((item ->> 'quantity')::bigint) as quantity
    from jsonb_array_elements(p_items) item
    join public.products p on p.id = (item ->> 'product_id')::uuid and p.deleted_at is null
    cross join lateral (select case when p.sizes <> '[]' then item ->> 'size' end as size) l
    group by p.id, size
  ) t
  where t.stock >= t.quantity;
  if coalesce(v_available, 0) < jsonb_array_length(p_items) then
    return false;
  end if;
  perform private.add_stock((
    select jsonb_agg(item || jsonb_build_object('quantity', -(item ->> 'quantity')::integer))
    from jsonb_array_elements(p_items) item
  ));
  return true;
end;
$$;

-- Returns quantities of a paid order to stock. p_quantities is {line key: quantity}; null means everything not
-- returned yet. Returns null on success, else the key of a line with a too high quantity; then nothing was changed.
-- The caller has locked the order; this function locks the products.
create function private.restock(p_order public.orders, p_quantities jsonb)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_sold jsonb;
  v_back jsonb;
  v_wrong text;
  v_lines jsonb;
begin
  -- Imported orders never reduced this stock, so nothing of them can be returned.
  select coalesce(jsonb_object_agg(key, quantity), '{}') into v_sold
  from (
    select private.line_key(item) as key,
      sum((item ->> 'quantity')::bigint) - coalesce((p_order.restocked ->> private.line_key(item))::bigint, 0) as quantity
    from jsonb_array_elements(case when p_order.hold_state = 'taken' then p_order.items else '[]' end) item
    group by 1
  ) t;
  v_back := coalesce(p_quantities, v_sold);
  select back.key into v_wrong
  from jsonb_each_text(v_back) back
  where p_quantities is not null and back.value::bigint > coalesce((v_sold ->> back.key)::bigint, 0)
  order by 1
  limit 1;
  if v_wrong is not null then
    return v_wrong;
  end if;

  select coalesce(jsonb_agg(line), '[]') into v_lines
  from (
    select distinct item ->> 'product_id' as product_id, item ->> 'size' as size, back.value::bigint as quantity
    from jsonb_each_text(v_back) back
    join jsonb_array_elements(p_order.items) item on private.line_key(item) = back.key
    where back.value::bigint > 0
  ) line;
  perform 1 from public.products p
  where p.id in (select (line ->> 'product_id')::uuid from jsonb_array_elements(v_lines) line)
  order by p.id
  for update;
  perform private.add_stock(v_lines);
  update public.orders
  set restocked = restocked || (
    select coalesce(jsonb_object_agg(back.key, coalesce((restocked ->> back.key)::bigint, 0) + back.value::bigint), '{}')
    from jsonb_each_text(v_back) back
    where back.value::bigint > 0
  )
  where id = p_order.id;
  return null;
end;
$$;

-- supabase/schemas/notice.sql

-- A text that every page shows for a period, and its effect until then: checkout is closed, or delivery takes some
-- business days longer. Days are Indian dates.

-- At most one row; no row means no notice.
create table public.shop_notice (
  id boolean primary key default true check (id),
  message text not null check (btrim(message) <> '' and char_length(message) <= 160),
  first_day date not null,
  last_day date not null,
  closes_checkout boolean not null,
  extra_days integer not null default 0 check (extra_days between 0 and 60),
  constraint shop_notice_days check (last_day between first_day and first_day + 366),
  constraint shop_notice_effect check (closes_checkout = (extra_days = 0))
);

comment on column public.shop_notice.extra_days is
  'Additional business days of delivery; 0 when checkout is closed';

alter table public.shop_notice enable row level security;

-- Builds read it with the public key.
create policy "Everyone reads the notice" on public.shop_notice
for select to anon, authenticated
using (true);

grant select on public.shop_notice to anon, authenticated;

-- The current or coming notice: a row of shop_notice as JSON without its id, else null.
create function public.read_notice()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select to_jsonb(n) - 'id' from public.shop_notice n where n.last_day >= private.india_date(clock_timestamp());
$$;

-- Replaces the notice, or deletes it when null. Returns it as read_notice does. Raises 22023 for a notice that is
-- over, and the errors of the table's constraints.
create function public.save_notice(p_notice jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  if jsonb_typeof(p_notice) = 'object' and (p_notice ->> 'last_day')::date < private.india_date(clock_timestamp()) then
    raise exception 'the notice is over already' using errcode = '22023';
  end if;
  if jsonb_typeof(p_notice) is distinct from 'object' then
    delete from public.shop_notice where id;
    return null;
  end if;
  insert into public.shop_notice as n (message, first_day, last_day, closes_checkout, extra_days)
  select r.message, r.first_day, r.last_day, r.closes_checkout, r.extra_days
  from jsonb_populate_record(null::public.shop_notice, p_notice) r
  on conflict (id) do update
    set message = excluded.message, first_day = excluded.first_day, last_day = excluded.last_day,
        closes_checkout = excluded.closes_checkout, extra_days = excluded.extra_days;
  return public.read_notice();
end;
$$;

-- The last day on which checkout is closed; null while it is open.
create function private.closed_until()
returns date
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select n.last_day from public.shop_notice n
    where n.closes_checkout and private.india_date(clock_timestamp()) between n.first_day and n.last_day
  );
end;
$$;

-- Copies the notice to a new order, so that a later notice does not change the promised delivery.
create function private.keep_notice()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.delivery_notice := public.read_notice() - 'message';
  return new;
end;
$$;

create trigger orders_keep_notice
before insert on public.orders
for each row execute function private.keep_notice();

-- supabase/schemas/discounts.sql

-- Discount codes. Days are Indian dates. The discount is spread over the order's items, so that tax, invoice and
-- refunds use the price each was sold for.
--
-- A use is an order with the code that is open or paid. There is no counter: an order that ends unpaid or is
-- cancelled gives its use back by itself. A caller that adds a use locks the code's row first (LOCK ORDER in
-- `orders.sql`).

create table public.discount_codes (
  code text primary key check (code ~ '^[A-Z0-9][A-Z0-9-]{3,19}$'),
  percent integer check (percent between 1 and 90),
  amount_paise bigint check (amount_paise between 100 and 100000000),
  -- The minimum subtotal. A code for an amount leaves at least one rupee to pay.
  min_paise bigint not null default 0 check (min_paise between 0 and 100000000),
  first_day date not null,
  last_day date not null,
  -- Null: unlimited.
  max_uses integer check (max_uses between 1 and 1000000),
  max_per_shopper integer check (max_per_shopper between 1 and 1000000),
  stopped_at timestamptz,
  created_at timestamptz not null default now(),
  shown_in_cart boolean not null default false,
  constraint discount_codes_days check (last_day between first_day and first_day + 1096),
  constraint discount_codes_kind check ((percent is null) <> (amount_paise is null)),
  constraint discount_codes_rest check (amount_paise is null or min_paise >= amount_paise + 100)
);

alter table public.discount_codes enable row level security;

-- ── What a code is worth ──

-- The discount of a code in paise, rounded half up. Same as discountOf in src/domain/cart/cart-summary.ts.
create function private.discount_of(p_code public.discount_codes, p_subtotal_paise bigint)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case when p_code.percent is null then least(p_code.amount_paise, p_subtotal_paise)
    else (p_subtotal_paise * p_code.percent + 50) / 100 end;
end;
$$;

-- Adds each item's share of the discount as `discount_paise`, in proportion to its amount. Paise that remain go to
-- the largest remainders, first items first. The shares add up to the discount, and none exceeds its item.
create function private.spread_discount(p_items jsonb, p_discount_paise bigint)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select jsonb_agg(
      item || jsonb_build_object('discount_paise', share + (place <= p_discount_paise - shares)::integer)
      order by line
    )
    from (
      select t.*, sum(share) over () as shares,
        row_number() over (order by p_discount_paise * gross % total desc, line) as place
      from (
        select g.*, p_discount_paise * gross / total as share
        from (
          select item, line, gross, (sum(gross) over ())::bigint as total
          from jsonb_array_elements(p_items) with ordinality i (item, line)
          cross join lateral (
            select ((item ->> 'price')::numeric * 100)::bigint * (item ->> 'quantity')::bigint as gross
          ) a
        ) g
      ) t
    ) spread
  );
end;
$$;

-- ── Who may use a code ──

-- Returns 'used_up' or 'used_by_shopper' when no use is left, else null. A customer is recognised by account and by
-- phone number. Cancelled orders and the order p_without do not count. A caller that adds a use has locked the code.
create function private.discount_used(
  p_code public.discount_codes, p_user_id uuid, p_phone_key text, p_without bigint default null
)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select case
      when count(*) >= p_code.max_uses then 'used_up'
      when count(*) filter (where o.user_id = p_user_id or o.phone_key = p_phone_key) >= p_code.max_per_shopper
        then 'used_by_shopper'
    end
    from public.orders o
    where o.discount_code = p_code.code and o.hold_state in ('held', 'taken') and o.fulfilment <> 'cancelled'
      and o.id is distinct from p_without
  );
end;
$$;

-- Why no use of a code is left for a customer: used_up, used_by_shopper, or needs_phone, when a code that is limited per
-- customer comes with a phone that nobody can dial, so that it identifies nobody. Null: one is left. A null p_phone is
-- not checked. Does not count the order p_without. A caller that adds a use has locked the code.
create function private.discount_use_refusal(
  p_code public.discount_codes, p_user_id uuid, p_phone text, p_without bigint default null
)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return case
    when p_code.max_per_shopper is not null and p_phone is not null and not private.is_indian_phone(p_phone)
      then 'needs_phone'
    else private.discount_used(p_code, p_user_id, private.phone_key(p_phone), p_without)
  end;
end;
$$;

-- Why a code is refused, with what the customer should know; null when it is accepted. reason: unknown, not_yet,
-- over, cart_too_small, or a private.discount_use_refusal. Null arguments are not checked.
create function private.discount_refusal(
  p_code public.discount_codes, p_user_id uuid, p_phone text, p_subtotal_paise bigint, p_without bigint default null
)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
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
          private.discount_use_refusal(p_code, p_user_id, p_phone, p_without),
          case when p_subtotal_paise < p_code.min_paise then 'cart_too_small' end
        )
      end as reason
      from private.india_date(clock_timestamp()) today
    ) t
    where reason is not null
  );
end;
$$;

-- Takes a use of the code again for an order that ended and was then paid. Returns false when none is left. The order
-- p_without is about to give up its use. The caller has locked both orders.
create function private.take_discount_again(p_order public.orders, p_without bigint)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_code public.discount_codes;
begin
  select * into v_code from public.discount_codes where code = p_order.discount_code for update;
  return not found or private.discount_used(v_code, p_order.user_id, p_order.phone_key, p_without) is null;
end;
$$;

-- Checks a code for the cart: {terms: {code, percent, amount_paise, min_paise}}, or {refusal} as in
-- private.discount_refusal. Reserves nothing.
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
  v_refusal := private.discount_refusal(v_code, p_user_id, null, null);
  if v_refusal is not null then
    return jsonb_build_object('refusal', v_refusal);
  end if;
  return jsonb_build_object('terms', jsonb_build_object(
    'code', v_code.code, 'percent', v_code.percent, 'amount_paise', v_code.amount_paise, 'min_paise', v_code.min_paise
  ));
end;
$$;

-- The codes that the cart shows to everybody, those that end first at the start: {code, percent, amount_paise, min_paise,
-- last_day} of three at most that can be used today.
create function public.shown_discounts()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'code', c.code, 'percent', c.percent, 'amount_paise', c.amount_paise, 'min_paise', c.min_paise, 'last_day', c.last_day
  ) order by c.last_day, c.code), '[]')
  from (
    select *
    from public.discount_codes d
    where d.shown_in_cart and private.discount_refusal(d, null, null, null) is null
    order by last_day, code
    limit 3
  ) c;
$$;

-- ── The admin's codes ──

-- Creates a code. Returns {outcome}: created or taken. Raises the errors of the table's constraints.
create function public.create_discount(p_discount jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.discount_codes (
    code, percent, amount_paise, min_paise, first_day, last_day, max_uses, max_per_shopper, shown_in_cart
  )
  select r.code, r.percent, r.amount_paise, r.min_paise, r.first_day, r.last_day, r.max_uses, r.max_per_shopper,
    coalesce(r.shown_in_cart, false)
  from jsonb_populate_record(null::public.discount_codes, p_discount) r
  on conflict (code) do nothing;
  return jsonb_build_object('outcome', case when found then 'created' else 'taken' end);
end;
$$;

-- Stops or resumes a code. Orders that have it keep it. Returns whether the code exists.
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

-- The 200 newest codes, newest first: rows of discount_codes with `stopped`, `paid` and `open` (numbers of orders)
-- and `given_paise` (what the paid ones took off).
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
    where o.discount_code = c.code and o.hold_state in ('held', 'taken') and o.fulfilment <> 'cancelled'
  ) uses;
$$;

-- supabase/schemas/holds.sql

-- How long stock is held without payment. An expired hold of a last unit is free for the next customer at once. Nobody keeps
-- a product from everyone else: the minutes in which its last unit is held without payment are limited for all accounts
-- together, not only for each account and network. The limits are rows of cost_limits.

-- Whether two callers, as the functions send them, are of one network.
create function private.share_network(p_one text, p_other text)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1
    from jsonb_each_text(private.cost_keys(null, p_one)) one
    join jsonb_each_text(private.cost_keys(null, p_other)) other on other = one
    where one.key <> 'all'
  );
end;
$$;

-- Extends the hold of an order, whose stock is already subtracted, to p_hold_seconds from now as far as the limits in
-- cost_limits allow, and returns it. Else returns {outcome: wait, until, reason}, and the caller rolls back:
--   minutes      the account held stock without paying for too long (unpaid_hold)
--   network      the order takes a last unit that its network held without paying for too long (last_unit); or everybody
--                together did, and this account or its network is one of them
--   last_pieces  account or network held too many last units (last_units); has the limit, and no `until` when this order
--                alone exceeds it
-- Once everybody together has held a last unit for too long, a further hold of it lasts three minutes, once for each account
-- and network. Nobody so keeps a product, or the shop, from all other customers for long. An order of the admin has no
-- account and no limit.
create function private.limit_hold(p_order public.orders, p_now timestamptz, p_hold_seconds integer)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  -- Enough time to pay.
  v_min constant integer := least(300, p_hold_seconds);
  v_short constant integer := 180;
  v_keys jsonb := private.cost_keys(p_order.user_id::text, p_order.network);
  v_order public.orders := p_order;
  v_until timestamptz := p_now + make_interval(secs => p_hold_seconds);
  v_limit record;
  v_max_lines integer;
begin
  -- Lines that leave nothing for anyone else.
  select coalesce(array_agg(private.line_key(i)), '{}') into v_order.last_units
  from jsonb_array_elements(p_order.items) i
  join public.products p on p.id = (i ->> 'product_id')::uuid
  where private.stock_of_line(p.stock, p.sizes, i ->> 'size') <= 0;
  for v_limit in
    select 'minutes' as reason, l.scope, l.units_left as seconds_left, l.again_at, null as line
    from private.cost_left('unpaid_hold', v_keys, v_min, p_now) l
    union all
    select 'network', l.scope, l.units_left, l.again_at, u.line
    from unnest(v_order.last_units) u (line), private.cost_left('last_unit', v_keys, v_min, p_now, u.line) l
    union all
    select 'last_pieces', l.scope, l.units_left / nullif(cardinality(v_order.last_units), 0), l.again_at, null
    from private.cost_left('last_units', v_keys, v_min * cardinality(v_order.last_units), p_now) l
    where v_order.last_units <> '{}'
  loop
    continue when p_order.user_id is null;
    if v_limit.again_at is not null and v_limit.reason = 'network' and v_limit.scope = 'all' then
      -- A reopened checkout keeps its hold, as long as there is time to pay.
      if p_order.hold_expires_at < p_now + interval '1 minute' and exists (
        select 1 from public.orders o
        where o.id <> p_order.id and o.last_units @> array[v_limit.line] and o.payment_id is null
          and o.created_at > p_now - interval '2 hours'
          and (o.user_id = p_order.user_id or private.share_network(o.network, p_order.network))
      ) then
        return jsonb_build_object('outcome', 'wait', 'reason', 'network', 'until', v_limit.again_at);
      end if;
      v_until := least(v_until, p_order.created_at + make_interval(secs => v_short));
    elsif v_limit.again_at is not null and p_order.hold_expires_at < p_now + make_interval(secs => v_min) then
      if v_limit.reason = 'last_pieces' then
        select l.most / v_min into v_max_lines
        from public.cost_limits l
        where l.effect = 'last_units' and l.scope = 'account';
      end if;
      return jsonb_strip_nulls(jsonb_build_object(
        'outcome', 'wait', 'reason', v_limit.reason, 'limit', v_max_lines,
        'until', case when cardinality(v_order.last_units) <= coalesce(v_max_lines, 50) then v_limit.again_at end
      ));
    end if;
    if v_limit.again_at is null or v_limit.scope <> 'all' then
      -- The present hold is counted already.
      v_until := least(v_until, greatest(p_order.hold_expires_at, p_now) + make_interval(secs => v_limit.seconds_left));
    end if;
  end loop;
  update public.orders o
  set last_units = v_order.last_units,
      hold_expires_at = greatest(o.hold_expires_at, v_until),
      next_check_at = greatest(o.hold_expires_at, v_until)
  where o.id = p_order.id
  returning * into v_order;
  return private.order_result('placed', v_order);
end;
$$;

-- Locks the expired holds of other customers that have what this cart lacks, and returns their orders. Does not wait for
-- one that is being paid or released at this moment.
create function private.lock_expired_holds(
  p_user_id uuid, p_ids uuid[], p_sizes text[], p_quantities integer[], p_now timestamptz
)
returns bigint[]
language plpgsql
set search_path = ''
as $$
begin
  return array(
    select o.id
    from public.orders o
    where o.hold_state = 'held' and o.hold_expires_at <= p_now and o.user_id is distinct from p_user_id
      and exists (
        select 1
        from unnest(p_ids, p_sizes, p_quantities) l (id, size, quantity)
        join public.products p on p.id = l.id
        where private.stock_of_line(p.stock, p.sizes, l.size) < l.quantity
          and o.items @> jsonb_build_array(jsonb_build_object('product_id', l.id))
      )
    order by o.id
    for update of o skip locked
  );
end;
$$;

-- Tells the admin when a product's last unit was held without payment for so long that the next holds of it are short: once
-- a day for each product. Runs when a hold ends, so it does not depend on anyone who was refused.
create function private.alert_of_held_product()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform public.notify_admin(
    'stock_held',
    jsonb_build_object('kind', 'product', 'name', i.item ->> 'name', 'minutes', floor(used.seconds / 60)::integer),
    'stock_held:' || l.line || ':' || private.india_date(now())
  )
  from unnest(new.last_units) l (line)
  join lateral (
    select item from jsonb_array_elements(new.items) item where private.line_key(item) = l.line limit 1
  ) i on true
  cross join lateral (
    select coalesce(sum(u.units), 0) as seconds
    from private.cost_uses('last_unit', 'all', '', now() - interval '2 hours', clock_timestamp(), l.line) u
  ) used
  where exists (
    select 1 from private.cost_left('last_unit', '{"all": ""}', 300, clock_timestamp(), l.line) c
    where c.again_at is not null
  );
  return null;
end;
$$;

create trigger orders_alert_of_held_product
after update on public.orders
for each row
when (old.hold_state = 'held' and new.hold_state = 'released' and new.payment_id is null and new.last_units <> '{}')
execute function private.alert_of_held_product();

-- supabase/schemas/checkout.sql

-- Placing an order: one transaction reads the prices, computes the fee, holds the stock and inserts the order.

-- ── The cart and the details ──

-- The lines of a cart as rows: [{"product_id": uuid text, "size": text or none, "quantity": 1..100000}], 1 to 50
-- lines, each product or size once. Raises 22023.
create function private.cart_lines(p_lines jsonb)
returns table (line_number bigint, product_id uuid, size text, quantity integer)
language plpgsql
immutable
set search_path = ''
as $$
begin
  if jsonb_typeof(p_lines) is distinct from 'array' then
    raise exception 'lines must be a list' using errcode = '22023';
  end if;
  if jsonb_array_length(p_lines) not between 1 and 50 then
    raise exception 'lines must be 1 to 50' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    where jsonb_typeof(line) <> 'object'
      or jsonb_typeof(line -> 'product_id') is distinct from 'string'
      or line ->> 'product_id' !~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
  ) then
    raise exception 'every line needs a product_id' using errcode = '22023';
  end if;
  -- Compared as text, so that 1.5, 1e309 or -1 are refused instead of rounded.
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    where jsonb_typeof(line -> 'quantity') is distinct from 'number'
      or line ->> 'quantity' !~ '^[0-9]{1,6}$'
      or (line ->> 'quantity')::integer not between 1 and 100000
  ) then
    raise exception 'every quantity must be a whole number from 1 to 100000' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    where coalesce(jsonb_typeof(line -> 'size'), 'null') not in ('null', 'string')
      or char_length(line ->> 'size') not between 1 and 20
  ) then
    raise exception 'a size must be a text of 1 to 20 characters' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_lines) line
    group by lower(line ->> 'product_id'), line ->> 'size'
    having count(*) > 1
  ) then
    raise exception 'a product, or a size of it, may be in one line only' using errcode = '22023';
  end if;
  return query
  select line.ordinality, (line.value ->> 'product_id')::uuid, line.value ->> 'size', (line.value ->> 'quantity')::integer
  from jsonb_array_elements(p_lines) with ordinality line;
end;
$$;

-- Checks the customer's details: texts within the limits of the form. Only the notes, what is about a gift and the fields
-- in p_blank may be blank. Raises 22023.
create function private.check_customer(p_customer jsonb, p_blank text[] default '{}')
returns void
language plpgsql
immutable
set search_path = ''
as $$
declare
  v_field text;
  v_max_length integer;
begin
  if jsonb_typeof(p_customer) is distinct from 'object' then
    raise exception 'customer must be an object' using errcode = '22023';
  end if;
  for v_field, v_max_length in
    values ('name', 100), ('email', 255), ('phone', 20), ('address', 500), ('city', 100), ('postal_code', 10)
  loop
    if jsonb_typeof(p_customer -> v_field) is distinct from 'string'
      or (btrim(p_customer ->> v_field) = '' and v_field <> all (p_blank))
      or char_length(p_customer ->> v_field) > v_max_length
    then
      raise exception 'customer.% must be a text of 1 to % characters', v_field, v_max_length using errcode = '22023';
    end if;
  end loop;
  if position('@' in p_customer ->> 'email') = 0 and (p_customer ->> 'email' <> '' or 'email' <> all (p_blank)) then
    raise exception 'customer.email must be an e-mail address' using errcode = '22023';
  end if;
  for v_field, v_max_length in
    values ('notes', 1000), ('gift_note', 200), ('recipient_name', 100), ('recipient_phone', 20)
  loop
    if coalesce(jsonb_typeof(p_customer -> v_field), 'null') not in ('null', 'string')
      or char_length(p_customer ->> v_field) > v_max_length
    then
      raise exception 'customer.% must be a text of at most % characters', v_field, v_max_length using errcode = '22023';
    end if;
  end loop;
  if coalesce(p_customer ->> 'gstin', '') !~ '^([0-9A-Z]{15})?$' then
    raise exception 'customer.gstin must be 15 characters' using errcode = '22023';
  end if;
end;
$$;

-- round(subtotal * bps / 10000), half up, in integers. Same as platformFee in src/domain/money.ts.
create function private.platform_fee(p_subtotal_paise bigint, p_fee_bps integer)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (p_subtotal_paise * p_fee_bps + 5000) / 10000;
end;
$$;

-- The total in paise: goods after any discount, plus the platform fee.
create function private.total_with_fee(p_goods_paise bigint, p_fee_bps integer)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_goods_paise + private.platform_fee(p_goods_paise, p_fee_bps);
end;
$$;

-- The subtotal of a cart at current prices, in paise. Null when a product is not for sale.
create function private.cart_subtotal(p_ids uuid[], p_quantities integer[])
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select case when count(p.id) = cardinality(p_ids)
      then sum((coalesce(p."offerPrice", p.price) * 100)::bigint * l.quantity) end
    from unnest(p_ids, p_quantities) l (id, quantity)
    left join public.products p on p.id = l.id and not p.hidden and p.deleted_at is null
  );
end;
$$;

-- The details that the customer was asked about, of those known.
create function private.asked_about(p_customer jsonb)
returns text[]
language plpgsql
immutable
set search_path = ''
as $$
begin
  return array(
    select field from unnest(array['postal_code', 'phone']) field
    where jsonb_typeof(p_customer -> 'asked_about') = 'array' and p_customer -> 'asked_about' ? field
  );
end;
$$;

-- ── The order ──

-- The result of place_order for outcomes with an order.
create function private.order_result(p_outcome text, p_order public.orders)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return jsonb_build_object('outcome', p_outcome, 'order', jsonb_build_object(
    'id', p_order.id,
    'merchant_transaction_id', p_order.merchant_transaction_id,
    'razorpay_order_id', p_order.razorpay_order_id,
    'payment_id', p_order.payment_id,
    'total_paise', p_order.total_paise,
    'currency', p_order.currency,
    'hold_expires_at', p_order.hold_expires_at
  ));
end;
$$;

-- Updates an open order with the latest details and key.
create function private.reuse_order(p_order_id bigint, p_key uuid, p_customer jsonb)
returns public.orders
language plpgsql
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  update public.orders
  set idempotency_key = p_key,
      customer_name = p_customer ->> 'name',
      customer_email = p_customer ->> 'email',
      customer_phone = p_customer ->> 'phone',
      customer_address = p_customer ->> 'address',
      customer_city = p_customer ->> 'city',
      customer_postal_code = p_customer ->> 'postal_code',
      notes = p_customer ->> 'notes',
      gift_note = nullif(p_customer ->> 'gift_note', ''),
      recipient_name = nullif(p_customer ->> 'recipient_name', ''),
      recipient_phone = nullif(p_customer ->> 'recipient_phone', ''),
      customer_gstin = nullif(p_customer ->> 'gstin', ''),
      asked_about = private.asked_about(p_customer)
  where id = p_order_id
  returning * into v_order;
  return v_order;
end;
$$;

-- Places or reuses the order of a cart, given as the arrays of private.cart_lines. The outcomes are those of
-- place_order. On any other outcome than placed or reused the caller must roll back. The caller has the customer's
-- advisory lock. p_max_hold_seconds is of release 1.1.0; cost_limits has the limit now.
create function private.place_cart(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_ids uuid[],
  p_sizes text[],
  p_quantities integer[],
  p_fingerprint text,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_fee_bps integer,
  p_hold_seconds integer,
  p_max_hold_seconds integer,
  p_max_units integer,
  p_blank text[],
  p_discount_code text,
  p_network text,
  p_reduction_paise bigint
)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_now timestamptz;
  v_order public.orders;
  v_superseded bigint[];
  v_expired bigint[];
  v_unknown jsonb;
  v_unsized jsonb;
  v_too_many jsonb;
  v_short jsonb;
  v_items jsonb;
  v_subtotal bigint := private.cart_subtotal(p_ids, p_quantities);
  v_code public.discount_codes;
  v_refusal text;
  v_answer jsonb;
  v_discount bigint := 0;
  v_fee bigint;
  v_total bigint;
  v_id bigint;
begin
  perform 1 from public.orders where user_id = p_user_id and hold_state = 'held' order by id for update;
  v_now := clock_timestamp();
  v_expired := private.lock_expired_holds(p_user_id, p_ids, p_sizes, p_quantities, v_now);

  -- Reuses a held order of the same cart if its price is still current. The customer's other open orders are
  -- released, and their stock is returned now.
  select min(o.id) into v_id
  from public.orders o
  where o.user_id = p_user_id and o.hold_state = 'held' and o.status = 'PENDING' and o.hold_expires_at > v_now
    and o.cart_fingerprint = p_fingerprint
    and o.total_paise = p_expected_total_paise
    and o.discount_code is not distinct from p_discount_code
    and o.total_paise = private.total_with_fee(v_subtotal - o.discount_paise, p_fee_bps);
  select coalesce(array_agg(o.id), '{}') into v_superseded
  from public.orders o
  where o.user_id = p_user_id and o.hold_state = 'held' and o.id is distinct from v_id;

  if p_discount_code is not null then
    -- Serialises orders with the same code, so that its uses are counted one by one.
    select * into v_code from public.discount_codes where code = p_discount_code for update;
  end if;
  -- Locks all products of the old and the new orders in one statement.
  perform 1 from public.products p
  where p.id = any (p_ids)
    or p.id in (
      select (item ->> 'product_id')::uuid
      from public.orders o, jsonb_array_elements(o.items) item
      where o.id = any (v_superseded || v_expired)
    )
  order by p.id
  for update;

  if cardinality(v_superseded) > 0 then
    perform private.return_stock(v_superseded);
    -- The customer may still be paying one of them in another tab.
    update public.orders
    set hold_state = 'released', release_reason = 'superseded', next_check_at = v_now + interval '15 minutes'
    where id = any (v_superseded);
  end if;
  if cardinality(v_expired) > 0 then
    perform private.return_stock(v_expired);
    -- The sweep still asks Razorpay about them: their check is due.
    update public.orders set hold_state = 'released', release_reason = 'expired' where id = any (v_expired);
  end if;
  if v_id is not null and v_code.code is not null then
    -- The order may have another phone now, of a customer who has used the code. A code that has ended meanwhile stays.
    v_refusal := private.discount_use_refusal(v_code, p_user_id, p_customer ->> 'phone', v_id);
    if v_refusal is not null then
      return jsonb_build_object('outcome', 'discount', 'reason', v_refusal);
    end if;
  end if;
  if v_id is not null then
    v_order := private.reuse_order(v_id, p_idempotency_key, p_customer);
    v_answer := private.limit_hold(v_order, v_now, p_hold_seconds);
    return case when v_answer ->> 'outcome' = 'placed' then v_answer || '{"outcome": "reused"}' else v_answer end;
  end if;
  if p_blank is null and private.closed_until() is not null then
    return jsonb_build_object('outcome', 'closed', 'until', private.closed_until());
  end if;
  select jsonb_build_object('outcome', 'wait', 'until', max(l.again_at), 'reason', 'cards') into v_answer
  from private.cost_left('failed_payment', private.cost_keys(p_user_id::text), 1, v_now) l
  having max(l.again_at) is not null;
  if v_answer is not null then
    return v_answer;
  end if;

  select jsonb_agg(l.id order by l.line_number) into v_unknown
  from unnest(p_ids) with ordinality l (id, line_number)
  where not exists (
    select 1 from public.products p where p.id = l.id and (not p.hidden or p_blank is not null) and p.deleted_at is null
  );
  if v_unknown is not null then
    return jsonb_build_object('outcome', 'unknown_product', 'product_ids', v_unknown);
  end if;
  select jsonb_agg(jsonb_build_object('product_id', p.id, 'name', p.name, 'size', l.size) order by l.line_number)
  into v_unsized
  from unnest(p_ids, p_sizes) with ordinality l (id, size, line_number)
  join public.products p on p.id = l.id
  where case when l.size is null then p.sizes <> '[]'
    else not p.sizes @> jsonb_build_array(jsonb_build_object('size', l.size)) end;
  if v_unsized is not null then
    return jsonb_build_object('outcome', 'choose_size', 'items', v_unsized);
  end if;
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'product_id', p.id, 'size', l.size, 'name', private.sized_name(p.name, l.size),
    'requested', l.quantity, 'available', p_max_units
  )) order by l.line_number)
  into v_too_many
  from unnest(p_ids, p_sizes, p_quantities) with ordinality l (id, size, quantity, line_number)
  join public.products p on p.id = l.id
  where l.quantity > p_max_units;
  if v_too_many is not null then
    return jsonb_build_object('outcome', 'too_many_units', 'items', v_too_many, 'limit', p_max_units);
  end if;

  select
    jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'product_id', p.id, 'size', l.size, 'name', private.sized_name(p.name, l.size),
      'requested', l.quantity, 'available', s.stock
    )) order by l.line_number) filter (where s.stock < l.quantity),
    jsonb_agg(jsonb_build_object('product_id', p.id, 'name', private.sized_name(p.name, l.size), 'quantity', l.quantity,
      'price', coalesce(p."offerPrice", p.price), 'image', p.images[1])
      || case when l.size is null then '{}' else jsonb_build_object('size', l.size) end order by l.line_number),
    sum((coalesce(p."offerPrice", p.price) * 100)::bigint * l.quantity)
  into v_short, v_items, v_subtotal
  from unnest(p_ids, p_sizes, p_quantities) with ordinality l (id, size, quantity, line_number)
  join public.products p on p.id = l.id
  cross join lateral (select private.stock_of_line(p.stock, p.sizes, l.size) as stock) s;
  if v_short is not null then
    return jsonb_build_object('outcome', 'out_of_stock', 'items', v_short);
  end if;

  if p_discount_code is not null then
    v_answer := private.discount_refusal(v_code, p_user_id, p_customer ->> 'phone', v_subtotal);
    if v_answer is not null then
      return jsonb_build_object('outcome', 'discount') || v_answer;
    end if;
    v_discount := private.discount_of(v_code, v_subtotal);
  end if;
  if p_reduction_paise > 0 then
    if p_reduction_paise >= v_subtotal then
      return jsonb_build_object('outcome', 'amount_out_of_range', 'total_paise', 0);
    end if;
    v_discount := p_reduction_paise;
  end if;

  v_fee := private.platform_fee(v_subtotal - v_discount, p_fee_bps);
  v_total := private.total_with_fee(v_subtotal - v_discount, p_fee_bps);
  if v_total not between 100 and 100000000 then
    return jsonb_build_object('outcome', 'amount_out_of_range', 'total_paise', v_total);
  end if;
  if v_discount > 0 then
    v_items := private.spread_discount(v_items, v_discount);
  end if;
  if v_total <> p_expected_total_paise then
    return jsonb_build_object('outcome', 'price_changed', 'subtotal_paise', v_subtotal, 'discount_paise', v_discount,
      'fee_paise', v_fee, 'total_paise', v_total, 'items', v_items);
  end if;

  perform private.add_stock((
    select jsonb_agg(jsonb_build_object('product_id', l.id, 'size', l.size, 'quantity', -l.quantity))
    from unnest(p_ids, p_sizes, p_quantities) l (id, size, quantity)
  ));

  v_id := nextval(pg_get_serial_sequence('public.orders', 'id'));
  insert into public.orders (
    id, created_at, user_id, merchant_transaction_id, idempotency_key, cart_fingerprint, network,
    customer_name, customer_email, customer_phone, customer_address, customer_city, customer_postal_code,
    notes, gift_note, recipient_name, recipient_phone, customer_gstin, asked_about, items, subtotal_paise, discount_code,
    discount_paise, fee_paise, total_paise, fee_bps, hold_state, hold_expires_at, next_check_at
  )
  values (
    v_id, v_now, p_user_id, private.order_reference(v_id), p_idempotency_key,
    p_fingerprint, p_network,
    p_customer ->> 'name', p_customer ->> 'email', p_customer ->> 'phone', p_customer ->> 'address',
    p_customer ->> 'city', p_customer ->> 'postal_code', p_customer ->> 'notes', nullif(p_customer ->> 'gift_note', ''),
    nullif(p_customer ->> 'recipient_name', ''), nullif(p_customer ->> 'recipient_phone', ''),
    nullif(p_customer ->> 'gstin', ''), private.asked_about(p_customer), v_items, v_subtotal,
    p_discount_code, v_discount, v_fee, v_total, p_fee_bps, 'held', v_now, v_now
  )
  returning * into v_order;
  return private.limit_hold(v_order, v_now, p_hold_seconds);
end;
$$;

-- Places the order of a customer's cart and holds its stock, or returns the open order of the same key or cart. Returns
-- {outcome, …}:
--   placed, reused   with the order
--   paid             with the order: this key's order is already paid
--   expired          this key's order has ended, or was for another cart or price. The client must use a new key
--   closed           with until, the last day: the notice closes checkout. Open orders can still be reused
--   wait             with reason, until and more: cards (ten failed payments, failed_payment in cost_limits), or one of
--                    private.limit_hold
--   too_many_units   with items and the limit: more of one product or size than one order may have
--   choose_size      with items {product_id, name, size}: no size given, or one that the product does not have
--   discount         with reason and more, see private.discount_refusal: the code cannot be used
--   unknown_product (deleted or hidden), out_of_stock, amount_out_of_range, price_changed
-- A call that places nothing changes nothing: the customer keeps what they hold, and it counts as theirs in the check
-- of stock. A placed or reused order releases the customer's other open orders. Raises 22023 for bad input.
-- p_expected_total_paise is the total shown in the cart; no other amount is ever charged. A hold lasts p_hold_seconds
-- from the last call. p_max_hold_seconds is of release 1.1.0; cost_limits has the limit now. p_network is the caller's
-- network as in private.cost_keys, or null.
-- p_blank (customer fields that may be blank) and p_reduction_paise are for place_admin_order only. With p_blank the
-- order has no account, ignores the notice and may include hidden products. p_reduction_paise is taken off the goods
-- and spread over them like a discount without a code.
create function public.place_order(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_lines jsonb,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_fee_bps integer,
  p_hold_seconds integer,
  p_max_hold_seconds integer default 2160,
  p_max_units integer default 100000,
  p_blank text[] default null,
  p_discount_code text default null,
  p_network text default null,
  p_reduction_paise bigint default 0
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ids uuid[];
  v_sizes text[];
  v_quantities integer[];
  v_fingerprint text;
  v_order public.orders;
  v_answer jsonb;
begin
  if (p_user_id is null) <> (p_blank is not null) or p_idempotency_key is null then
    raise exception 'user and idempotency key are required' using errcode = '22023';
  end if;
  if p_expected_total_paise is null then
    raise exception 'the expected total is required' using errcode = '22023';
  end if;
  if p_fee_bps is null or p_fee_bps not between 0 and 10000 then
    raise exception 'fee_bps must be 0 to 10000' using errcode = '22023';
  end if;
  if p_hold_seconds is null or p_hold_seconds not between 1 and 604800 then
    raise exception 'hold_seconds must be 1 to 604800' using errcode = '22023';
  end if;
  if p_max_hold_seconds is null or p_max_hold_seconds < p_hold_seconds or p_max_units is null or p_max_units < 1 then
    raise exception 'max_hold_seconds must not be below hold_seconds, max_units not below 1' using errcode = '22023';
  end if;
  if p_reduction_paise is null or p_reduction_paise < 0
    or (p_reduction_paise > 0 and (p_blank is null or p_discount_code is not null))
  then
    raise exception 'only the admin lowers a price, and without a code' using errcode = '22023';
  end if;
  perform private.check_customer(p_customer, coalesce(p_blank, '{}'));
  select array_agg(l.product_id order by l.line_number), array_agg(l.size order by l.line_number),
    array_agg(l.quantity order by l.line_number)
  into v_ids, v_sizes, v_quantities
  from private.cart_lines(p_lines) l;

  -- Identifies the cart by products, sizes and quantities, in any order of lines.
  select encode(sha256(convert_to(
    string_agg(l.id || coalesce(to_json(l.size)::text, '') || ':' || l.quantity, ',' order by l.id, l.size), 'UTF8'
  )), 'hex')
  into v_fingerprint
  from unnest(v_ids, v_sizes, v_quantities) l (id, size, quantity);

  -- One call per customer at a time, so that two clicks cannot hold the stock twice.
  perform pg_advisory_xact_lock(hashtextextended('place_order:' || p_user_id, 0));

  select * into v_order from public.orders where user_id = p_user_id and idempotency_key = p_idempotency_key for update;
  if found and (
    v_order.cart_fingerprint is distinct from v_fingerprint or v_order.total_paise <> p_expected_total_paise
    or v_order.discount_code is distinct from p_discount_code
  ) then
    return jsonb_build_object('outcome', 'expired');
  elsif v_order.payment_id is not null then
    return private.order_result('paid', v_order);
  elsif v_order.id is not null and (
    v_order.hold_state <> 'held' or v_order.hold_expires_at <= clock_timestamp()
    or v_order.total_paise is distinct from private.total_with_fee(
      private.cart_subtotal(v_ids, v_quantities) - v_order.discount_paise, p_fee_bps
    )
  ) then
    return jsonb_build_object('outcome', 'expired');
  end if;

  begin
    v_answer := private.place_cart(
      p_user_id, p_idempotency_key, v_ids, v_sizes, v_quantities, v_fingerprint, p_customer, p_expected_total_paise,
      p_fee_bps, p_hold_seconds, p_max_hold_seconds, p_max_units, p_blank, p_discount_code, p_network, p_reduction_paise
    );
    if v_answer ->> 'outcome' not in ('placed', 'reused') then
      raise exception 'nothing is placed' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    -- Everything above is rolled back; the variable keeps the answer.
    if v_answer ->> 'reason' in ('minutes', 'network', 'last_pieces') then
      perform public.notify_admin(
        'stock_held', jsonb_build_object('kind', v_answer ->> 'reason'),
        'stock_held:' || (now() at time zone 'Asia/Kolkata')::date
      );
    end if;
  end;
  return v_answer;
end;
$$;

-- Stores the Razorpay order id of an order: {outcome, razorpay_order_id}. When two concurrent requests each created
-- one, the first is kept and both receive it (outcome 'already'). Raises 22023 or P0002.
create function public.attach_razorpay_order(p_order_id bigint, p_razorpay_order_id text, p_key_id text default null)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_stored text;
begin
  if coalesce(p_razorpay_order_id, '') = '' or char_length(p_razorpay_order_id) > 100 then
    raise exception 'razorpay_order_id must be a text of 1 to 100 characters' using errcode = '22023';
  end if;
  select razorpay_order_id into v_stored from public.orders where id = p_order_id for update;
  if not found then
    raise exception 'there is no order %', p_order_id using errcode = 'P0002';
  end if;
  if v_stored is not null then
    return jsonb_build_object('outcome', 'already', 'razorpay_order_id', v_stored);
  end if;
  update public.orders
  set razorpay_order_id = p_razorpay_order_id,
      razorpay_key_id = left(p_key_id, 60),
      -- If the hold expired while Razorpay was slow, checks may have ended. From now on the order can be paid.
      next_check_at = coalesce(next_check_at, clock_timestamp() + interval '15 minutes')
  where id = p_order_id;
  return jsonb_build_object('outcome', 'attached', 'razorpay_order_id', p_razorpay_order_id);
end;
$$;

-- ── Remembered details ──

-- The details of a paid order are those that the account fills into the next one.

-- A typed value as a profile of at most p_max characters holds it. One that is too long leaves its column empty, and
-- the checkout fills it in from the order: the older value is not the customer's any more. Nothing typed changes
-- nothing.
create function private.profile_value(p_typed text, p_known text, p_max integer)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when coalesce(btrim(p_typed), '') = '' then p_known
    when char_length(p_typed) <= p_max then p_typed
  end;
$$;

-- Writes the details of a paid order into its customer's profile, unless the customer placed a later order that is
-- paid, or edited the profile after placing this one. The lengths are those of the profile's form. Takes the
-- profile's lock after the order's, as the deletion of an account does.
create function private.remember_details(p_order public.orders)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.profiles p
  set full_name = private.profile_value(p_order.customer_name, p.full_name, 100),
      phone = private.profile_value(
        case
          when char_length(p_order.customer_phone) <= 15 then p_order.customer_phone
          else coalesce(private.phone_key(p_order.customer_phone), p_order.customer_phone)
        end,
        p.phone, 15),
      address = private.profile_value(p_order.customer_address, p.address, 200),
      city = private.profile_value(p_order.customer_city, p.city, 100),
      postal_code = private.profile_value(p_order.customer_postal_code, p.postal_code, 20)
  where p.id = p_order.user_id
    and (p.edited_at is null or p.edited_at < p_order.created_at)
    and not exists (
      select 1 from public.orders o
      where o.user_id = p_order.user_id and o.paid_at is not null and o.created_at > p_order.created_at
    );
$$;

create function private.remember_paid_order()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.remember_details(new);
  return null;
end;
$$;

create trigger orders_remember_details
after update of paid_at on public.orders
for each row when (old.paid_at is null and new.paid_at is not null and new.user_id is not null)
execute function private.remember_paid_order();

-- supabase/schemas/sales-by-hand.sql

-- Orders that the admin makes for sales elsewhere: on Instagram or WhatsApp, or at an exhibition. They hold stock,
-- cost the shop's prices and share its order numbers. Cash and transfers are paid at once. An order with a payment
-- link waits, and ends unpaid like any other.

-- Places an order of the admin's. p_method: 'cash', 'upi' or 'bank' with the admin's own p_reference, or null for a
-- payment link with p_token that is valid for p_hold_seconds. An order that is handed over needs no address, and one
-- that is also paid at once needs no phone number. p_reduction_paise comes off the price of the goods. Returns {outcome}
-- as place_order does; for a repeated key 'already', or 'expired' once that order has ended. Raises 22023.
create function public.place_admin_order(
  p_key uuid, p_lines jsonb, p_customer jsonb, p_channel text, p_hand_over boolean, p_expected_total_paise bigint,
  p_fee_bps integer, p_hold_seconds integer, p_method text, p_reference text, p_token text,
  p_reduction_paise bigint default 0
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_answer jsonb;
begin
  if p_key is null or p_hand_over is null or coalesce(p_method, 'cash') not in ('cash', 'upi', 'bank')
    or (p_method is null) <> (p_token is not null)
  then
    raise exception 'an order needs a key, a way of payment, and a token when it is paid by link' using errcode = '22023';
  end if;
  -- One call per key at a time, so that two clicks make one order.
  perform pg_advisory_xact_lock(hashtextextended('place_admin_order:' || p_key, 0));
  select * into v_order from public.orders where admin_key = p_key;
  if found then
    return private.order_result(
      case when v_order.payment_id is not null or v_order.hold_state = 'held' then 'already' else 'expired' end, v_order
    );
  end if;

  v_answer := public.place_order(
    null, p_key, p_lines, p_customer, p_expected_total_paise, p_fee_bps, p_hold_seconds, p_hold_seconds,
    p_blank => array['email']
      || case when p_hand_over then array['address', 'city', 'postal_code'] end
      || case when p_hand_over and p_method is not null then array['phone'] end,
    p_reduction_paise => p_reduction_paise
  );
  if v_answer ->> 'outcome' <> 'placed' then
    return v_answer;
  end if;
  update public.orders
  set admin_key = p_key,
      channel = p_channel,
      hand_over = p_hand_over,
      pay_token = p_token,
      customer_email = nullif(btrim(customer_email), '')
  where id = (v_answer #>> '{order,id}')::bigint
  returning * into v_order;
  if p_method is not null then
    perform private.complete_order(v_order, 'hand_' || v_order.id, p_method, nullif(btrim(p_reference), ''));
  end if;
  return v_answer;
end;
$$;

-- The order of a payment link: {state, order, customer}, or null when the link is not valid. state: open; paid; ended
-- (expired, cancelled or refunded).
create function public.read_payment_link(p_order_id bigint, p_token text)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'state', case
      when o.paid and o.fulfilment <> 'cancelled' then 'paid'
      when o.status = 'PENDING' and o.hold_state = 'held' and o.hold_expires_at > clock_timestamp()
        and o.razorpay_order_id is not null
        then 'open'
      else 'ended'
    end,
    'order', jsonb_build_object(
      'id', o.id, 'items', o.items, 'subtotal_paise', o.subtotal_paise, 'discount_paise', o.discount_paise,
      'fee_paise', o.fee_paise, 'total_paise', o.total_paise,
      'currency', o.currency, 'razorpay_order_id', o.razorpay_order_id, 'hold_expires_at', o.hold_expires_at
    ),
    'customer', jsonb_build_object(
      'name', o.customer_name, 'email', coalesce(o.customer_email, ''), 'phone', o.customer_phone
    )
  )
  from public.orders o
  where o.id = p_order_id and o.pay_token = p_token;
$$;

-- supabase/schemas/payments.sql

-- Payments, and `mark_paid`, the only way to mark an order as paid: verify, webhook, callback and sweep all call it.
-- The lock order and the states are described in `orders.sql`.

-- ── Records ──

create table public.payments (
  payment_id text primary key check (payment_id <> '' and char_length(payment_id) <= 100),
  order_id bigint references public.orders (id),
  razorpay_order_id text,
  amount_paise bigint not null check (amount_paise >= 0),
  currency text not null,
  -- unmatched: belongs to no order that it can pay. foreign: of another business in the same Razorpay account.
  state text not null check (state in ('accepted', 'refund_due', 'refunded', 'unmatched', 'foreign')),
  reason text,
  dispute text check (char_length(dispute) <= 60),
  disputes jsonb not null default '{}' check (jsonb_typeof(disputes) = 'object'),
  -- When a list of Razorpay's payments first included it.
  listed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

comment on column public.payments.dispute is 'The last dispute event at Razorpay, such as ''created''; null: none';
comment on column public.payments.disputes is 'The last event of each dispute, by dispute id';

create index payments_order_id_idx on public.payments (order_id);
create index payments_dispute_idx on public.payments (updated_at) where dispute is not null;
create index payments_created_at_idx on public.payments (created_at);
create index payments_open_idx on public.payments (state) where state in ('unmatched', 'refund_due');
create index payments_unlisted_idx on public.payments (created_at) where listed_at is null;

create trigger payments_touch_updated_at
before update on public.payments
for each row execute function private.touch_updated_at();

alter table public.payments enable row level security;

create table public.webhook_events (
  event_id text primary key,
  event text,
  payment_id text,
  -- Set for failed payments.
  order_id bigint,
  received_at timestamptz not null default now()
);

create index webhook_events_failed_idx on public.webhook_events (received_at) where event = 'payment.failed';
create index webhook_events_order_id_idx on public.webhook_events (order_id) where order_id is not null;

-- Monitors ask for the newest event, and for the event of one payment.
create index webhook_events_received_at_idx on public.webhook_events (received_at);
create index webhook_events_payment_id_idx on public.webhook_events (payment_id);

alter table public.webhook_events enable row level security;

-- Whether a payment is not this shop's, or its origin is not known yet (settle_payment_origin).
create function private.is_foreign(p_payment public.payments)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_payment.state = 'foreign' or (p_payment.state = 'unmatched' and p_payment.reason = 'origin_unknown');
end;
$$;

create function private.is_closed_dispute(p_event text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(p_event in ('won', 'lost', 'closed'), false);
end;
$$;

-- Records a payment. An 'unmatched' one can be matched to its order later, and a foreign one if its order turns out
-- to be here (test and live keys were mixed up). No other row is overwritten.
create function private.record_payment(
  p_payment_id text, p_order_id bigint, p_razorpay_order_id text, p_amount_paise bigint, p_currency text, p_state text,
  p_reason text default null
)
returns void
language sql
set search_path = ''
as $$
  insert into public.payments as p (payment_id, order_id, razorpay_order_id, amount_paise, currency, state, reason)
  values (p_payment_id, p_order_id, p_razorpay_order_id, p_amount_paise, p_currency, p_state, p_reason)
  on conflict (payment_id) do update
    set order_id = excluded.order_id,
        razorpay_order_id = excluded.razorpay_order_id,
        amount_paise = excluded.amount_paise,
        currency = excluded.currency,
        state = excluded.state,
        reason = excluded.reason
    where (p.state = 'unmatched' and excluded.reason is distinct from 'origin_unknown')
      or (p.state = 'foreign' and excluded.state <> 'unmatched');
$$;

-- Whether a payment was taken by hand (cash, transfer), so that Razorpay does not know it.
create function private.is_by_hand(p_payment_id text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return starts_with(p_payment_id, 'hand_');
end;
$$;

-- ── A payment of an order ──

-- A payment counts from when it was made, which Razorpay tells. One that was made after its hold had ended buys the order
-- only as a new customer would get it now. Refunds that a customer causes are counted in one place, `fee_lost`.

-- Marks an order as paid by this payment and queues its mails. The caller has locked and checked the order.
create function private.complete_order(p_order public.orders, p_payment_id text, p_method text, p_reference text)
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.record_payment(
    p_payment_id, p_order.id, p_order.razorpay_order_id, p_order.total_paise, p_order.currency, 'accepted'
  );
  update public.orders
  set status = 'COMPLETED',
      payment_status = 'COMPLETED',
      payment_id = p_payment_id,
      payment_method = p_method,
      payment_reference = p_reference,
      paid_at = clock_timestamp(),
      hold_state = 'taken',
      next_check_at = null,
      checks = 0
  where id = p_order.id;
  insert into public.outbox (kind, recipient, order_id, dedupe_key)
  select kind, recipient, p_order.id, kind || ':' || p_order.id
  from (values ('order_confirmation', p_order.customer_email), ('order_notice', null)) mail (kind, recipient)
  -- An admin order may have no e-mail address. The admin needs no mail about money they took by hand.
  where case kind
    when 'order_confirmation' then coalesce(btrim(recipient), '') <> ''
    else not private.is_by_hand(p_payment_id)
  end
  on conflict (dedupe_key) do nothing;
end;
$$;

-- Whether this reason means that the payment could not be used for its order. The order stays unpaid, and REFUND_DUE
-- until the payment is refunded.
create function private.is_unusable_payment(p_reason text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(p_reason in (
    'stock_gone', 'discount_gone', 'order_cancelled', 'bought_twice', 'person_removed', 'not_sold', 'price_changed'
  ), false);
end;
$$;

-- 'live' or 'test'. Test payments are not money. Orders from before keys were recorded have no key.
create function private.key_mode(p_key_id text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case when p_key_id like 'rzp_live_%' then 'live' else 'test' end;
end;
$$;

-- Whether the same customer paid for the same cart in another order after this one was created. Ordering the same
-- cart again after that payment is a new purchase. The caller has locked the unpaid orders of this cart.
create function private.was_bought_again(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.orders o
    where o.user_id = p_order.user_id and o.id <> p_order.id and o.cart_fingerprint = p_order.cart_fingerprint
      and o.status = 'COMPLETED' and o.paid_at > p_order.created_at and o.fulfilment <> 'cancelled'
  );
end;
$$;

-- The held order of the same customer and cart that a late payment of this order makes redundant, or null. The caller
-- has locked the unpaid orders of this cart.
create function private.held_twin(p_order public.orders)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select o.id from public.orders o
    where o.user_id = p_order.user_id and o.id <> p_order.id and o.cart_fingerprint = p_order.cart_fingerprint
      and o.hold_state = 'held' and o.payment_id is null
    order by o.id
    limit 1
  );
end;
$$;

-- Whether a payment was made after the order had stopped holding stock. Five minutes more, because a customer who began to
-- pay in time may finish a little later.
create function private.is_late(p_order public.orders, p_made_at timestamptz)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return coalesce(p_made_at > least(p_order.hold_expires_at, p_order.released_at) + interval '5 minutes', false);
end;
$$;

-- Why an order cannot be bought at its price any more: not_sold (a product is hidden or deleted), discount_gone (its code is
-- over, stopped or used up), price_changed (today it costs more). Null: it can. An order of the admin may have hidden
-- products and keeps its reduction. p_without is another order that is about to give up its use of the code.
create function private.late_refusal(p_order public.orders, p_without bigint)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_code public.discount_codes;
  v_subtotal bigint;
begin
  select case when count(p.id) = count(*) then sum((coalesce(p."offerPrice", p.price) * 100)::bigint * quantity) end
  into v_subtotal
  from jsonb_to_recordset(p_order.items) item (product_id uuid, quantity bigint)
  left join public.products p
    on p.id = item.product_id and p.deleted_at is null and (not p.hidden or p_order.admin_key is not null);
  if v_subtotal is null then
    return 'not_sold';
  end if;
  if p_order.discount_code is not null then
    select * into v_code from public.discount_codes where code = p_order.discount_code for update;
    if private.discount_refusal(
      v_code, p_order.user_id, p_order.customer_phone, v_subtotal, coalesce(p_without, p_order.id)
    ) is not null then
      return 'discount_gone';
    end if;
  end if;
  return case when p_order.total_paise < private.total_with_fee(
    v_subtotal - case when v_code.code is null then p_order.discount_paise else private.discount_of(v_code, v_subtotal) end,
    p_order.fee_bps
  ) then 'price_changed' end;
end;
$$;

-- Ends an unpaid order that holds stock. Returns false if it does not. The caller returns the stock, or takes it over.
create function private.end_unpaid(p_order_id bigint, p_reason text)
returns boolean
language plpgsql
set search_path = ''
as $$
begin
  update public.orders
  set hold_state = 'released', status = 'FAILED', payment_status = 'FAILED', release_reason = p_reason,
      next_check_at = private.next_check(coalesce(hold_expires_at, created_at))
  where id = p_order_id and hold_state = 'held';
  return found;
end;
$$;

-- Why a payment cannot be used for its order, as in mark_paid; null: it can, and the order has its stock. The caller has
-- locked the unpaid orders of the cart.
create function private.refuse_payment(p_order public.orders, p_is_late boolean)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_holds constant boolean := p_order.hold_state is not distinct from 'held';
  v_twin bigint;
  v_reason text;
begin
  if p_order.payment_id is not null or p_order.hold_state = 'taken' or p_order.status = 'COMPLETED' then
    return 'second_payment';
  elsif p_order.customer_name is null then
    return 'person_removed';
  elsif p_order.fulfilment = 'cancelled' then
    return 'order_cancelled';
  elsif p_order.payment_status in ('REFUND_DUE', 'REFUNDED', 'PARTIALLY_REFUNDED') then
    return 'stock_gone';
  elsif private.was_bought_again(p_order) then
    return case when v_holds or p_order.release_reason = 'bought_twice' then 'bought_twice' else 'duplicate_purchase' end;
  elsif v_holds and not p_is_late then
    return null;
  end if;
  v_twin := case when not v_holds then private.held_twin(p_order) end;
  v_reason := case
    when p_is_late then private.late_refusal(p_order, v_twin)
    when not private.take_discount_again(p_order, v_twin) then 'discount_gone'
  end;
  -- The same cart needs the same stock, so this order takes over what the other one holds.
  if v_reason is null and not v_holds and not private.end_unpaid(v_twin, 'bought_twice')
    and not private.reserve_stock_again(p_order.items)
  then
    return 'stock_gone';
  end if;
  return v_reason;
end;
$$;

-- Whether the customer caused a refund for this reason: bought twice, paid after giving up, or paid late. Razorpay takes no
-- second payment of a paid order, so no customer can cause a 'second_payment'.
create function private.is_own_act(p_order public.orders, p_reason text, p_is_late boolean)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    when p_reason = 'bought_twice' then true
    when p_reason = 'order_cancelled' then coalesce(p_order.cancel_reason = 'Cancelled by the customer', false)
    when p_reason in ('stock_gone', 'discount_gone', 'not_sold', 'price_changed') then p_is_late
    else false
  end;
end;
$$;

-- Confirms a captured payment. Idempotent and forward-only: any number of calls in any order end in the same state.
-- p_made_at decides, not when the call comes: a bank can report a payment days later. Returns {outcome}; raises 22023 for
-- bad input.
--   paid                the order is now paid; its mails are in the outbox
--   already_paid        by this same payment
--   refund_due          the payment is refunded: no stock is left ('stock_gone'), the order was already paid
--                       ('second_payment') or cancelled ('order_cancelled'), it had ended and its discount code was
--                       used up since ('discount_gone'), the same customer paid for the same cart in another order
--                       while this one was open ('bought_twice'), its person was removed ('person_removed'), or it was
--                       paid late and cannot be bought so any more (private.late_refusal)
--   refund_waits        the same, but this customer caused too many refunds: the payment is recorded as 'unmatched' with
--                       its order, until the admin refunds it
--   mismatch            wrong amount or currency: the payment is refunded, the order is unchanged
--   duplicate_purchase  the order had ended unpaid, and the same customer has since paid for the same cart. The
--                       payment is recorded as 'unmatched' with its order, until the admin refunds it
--   unknown_order       no such order here; the payment is recorded, and settle_payment_origin finds out whose it is
--   other_mode          a test payment for a live order, or the reverse; nothing is recorded
--   duplicate_event     this event of this payment was handled before, and the payment has its order
create function public.mark_paid(
  p_razorpay_order_id text,
  p_payment_id text,
  p_amount_paise bigint,
  p_currency text,
  p_method text default null,
  p_event_id text default null,
  p_event text default null,
  p_key_id text default null,
  -- The admin is notified of stock below this number; null: not at all.
  p_low_stock_below integer default null,
  -- When the payment was made, as Razorpay says. Null, as release 1.1.0 calls it: now.
  p_made_at timestamptz default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_payment public.payments;
  v_reason text;
  v_is_late boolean;
begin
  if coalesce(p_razorpay_order_id, '') = '' or coalesce(p_payment_id, '') !~ '^[A-Za-z0-9_-]{3,64}$' then
    raise exception 'razorpay_order_id and payment_id are required' using errcode = '22023';
  end if;
  if p_amount_paise is null or p_amount_paise <= 0 or coalesce(p_currency, '') = '' then
    raise exception 'amount and currency are required' using errcode = '22023';
  end if;

  if p_event_id is not null then
    insert into public.webhook_events (event_id, event, payment_id)
    values (p_event_id, p_event, p_payment_id)
    on conflict (event_id) do nothing;
    -- The event id is a header without a signature, so it may only stop a repeat of the same event and payment.
    if not found and exists (
      select 1 from public.webhook_events e
      where e.event_id = p_event_id and e.payment_id = p_payment_id and e.event is not distinct from p_event
    ) and not exists (
      -- Resent by hand now that its order is known.
      select 1 from public.payments p where p.payment_id = p_payment_id and p.state = 'unmatched'
    ) then
      return jsonb_build_object('outcome', 'duplicate_event');
    end if;
  end if;

  -- Locks the order and the customer's other unpaid orders of the same cart. Of two payments for one cart, the second
  -- waits here and then sees the result of the first.
  perform 1 from public.orders o
  where o.id in (
    select paid.id from public.orders paid where paid.razorpay_order_id = p_razorpay_order_id
    union
    select twin.id from public.orders paid
    join public.orders twin on twin.user_id = paid.user_id and twin.cart_fingerprint = paid.cart_fingerprint
    where paid.razorpay_order_id = p_razorpay_order_id and twin.payment_id is null and twin.hold_state is not null
  )
  order by o.id
  for update;
  select * into v_order from public.orders where razorpay_order_id = p_razorpay_order_id;
  if not found then
    perform private.record_payment(
      p_payment_id, null, p_razorpay_order_id, p_amount_paise, p_currency, 'unmatched', 'origin_unknown'
    );
    return jsonb_build_object('outcome', 'unknown_order');
  end if;
  if p_key_id is not null and v_order.razorpay_key_id is not null
    and private.key_mode(p_key_id) <> private.key_mode(v_order.razorpay_key_id)
  then
    return jsonb_build_object('outcome', 'other_mode');
  end if;

  -- The lock on the order covers its payments, but not one that is still 'unmatched': the admin may be refunding it
  -- right now. So its row is locked here, before the products. refund_payment locks it too, and locks no product.
  select * into v_payment from public.payments where payment_id = p_payment_id for update;
  if found and v_payment.state not in ('unmatched', 'foreign') then
    return jsonb_build_object('outcome', case
      when v_payment.order_id is distinct from v_order.id or v_payment.reason = 'amount_mismatch' then 'mismatch'
      when v_payment.state = 'accepted' or v_order.payment_id = p_payment_id then 'already_paid'
      else 'refund_due'
    end);
  end if;
  if v_payment.reason in ('duplicate_purchase', 'refund_waits') then
    return jsonb_build_object('outcome', v_payment.reason);
  end if;

  if p_amount_paise is distinct from v_order.total_paise or p_currency is distinct from v_order.currency then
    perform private.create_refund(v_order, p_payment_id, p_amount_paise, p_currency, 'amount_mismatch');
    return jsonb_build_object('outcome', 'mismatch');
  end if;

  v_is_late := private.is_late(v_order, coalesce(p_made_at, clock_timestamp()));
  v_reason := private.refuse_payment(v_order, v_is_late);
  if v_reason is not null then
    if v_order.hold_state = 'held' then
      perform private.return_stock(array[v_order.id]);
      perform private.end_unpaid(v_order.id, v_reason);
    end if;
    -- A refund that the customer causes costs the shop Razorpay's fee. After too many, the admin decides.
    if private.is_own_act(v_order, v_reason, v_is_late)
      and private.count_cost(
        'fee_lost', private.cost_keys(v_order.user_id::text, v_order.network, v_order.phone_key)
      ) is not null
    then
      v_reason := 'refund_waits';
    end if;
  end if;

  if v_reason in ('duplicate_purchase', 'refund_waits') then
    perform private.record_payment(
      p_payment_id, v_order.id, p_razorpay_order_id, p_amount_paise, p_currency, 'unmatched', v_reason
    );
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'refund_alert', null, v_order.id,
      jsonb_build_object('payment_id', p_payment_id, 'amount_paise', p_amount_paise, 'reason', v_reason),
      'refund_alert:' || p_payment_id
    )
    on conflict (dedupe_key) do nothing;
    update public.orders
    set next_check_at = null,
        status = case when status = 'PENDING' then 'FAILED' else status end,
        payment_status = case when payment_status = 'PENDING' then 'FAILED' else payment_status end
    where id = v_order.id;
    return jsonb_build_object('outcome', v_reason);
  end if;
  if v_reason is not null then
    perform private.create_refund(v_order, p_payment_id, p_amount_paise, p_currency, v_reason);
    if private.is_unusable_payment(v_reason) then
      update public.orders
      set status = 'FAILED',
          payment_status = case
            when payment_status in ('REFUNDED', 'PARTIALLY_REFUNDED') then payment_status
            else 'REFUND_DUE'
          end,
          next_check_at = null
      where id = v_order.id;
    end if;
    return jsonb_build_object('outcome', 'refund_due');
  end if;

  perform private.push_running_out(v_order, p_low_stock_below);
  perform private.complete_order(v_order, p_payment_id, p_method, p_payment_id);
  return jsonb_build_object('outcome', 'paid');
end;
$$;

-- ── Payments without an order here ──

-- Several sites can share a Razorpay account, and one webhook secret can serve test and live mode. So a payment
-- without an order here is not refunded until Razorpay has confirmed that its order carries this shop's receipt.

-- Payments of unknown origin: {payment_id, razorpay_order_id}, the given one or the oldest.
create function public.payments_of_unknown_origin(p_limit integer, p_payment_id text default null)
returns setof jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select jsonb_build_object('payment_id', p.payment_id, 'razorpay_order_id', p.razorpay_order_id)
  from public.payments p
  where p.state = 'unmatched' and p.reason = 'origin_unknown' and (p_payment_id is null or p.payment_id = p_payment_id)
  order by p.created_at
  limit p_limit;
end;
$$;

-- Records whose payment it is. This shop's stays 'unmatched' and the admin is notified; any other becomes 'foreign'
-- and is shown nowhere.
create function public.settle_payment_origin(p_payment_id text, p_is_ours boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_amount_paise bigint;
begin
  update public.payments
  set state = case when p_is_ours then 'unmatched' else 'foreign' end, reason = 'unknown_order'
  where payment_id = p_payment_id and state = 'unmatched' and reason = 'origin_unknown'
  returning amount_paise into v_amount_paise;
  if found and p_is_ours then
    perform private.queue_push(
      'payment', jsonb_build_object('amount_paise', v_amount_paise), 'unmatched:' || p_payment_id
    );
  end if;
end;
$$;

-- Records a payment of another site, so that Razorpay is asked about its order only once.
create function public.record_foreign_payment(
  p_razorpay_order_id text, p_payment_id text, p_amount_paise bigint, p_currency text
)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.payments (payment_id, razorpay_order_id, amount_paise, currency, state, reason)
  values (p_payment_id, p_razorpay_order_id, p_amount_paise, p_currency, 'foreign', 'unknown_order')
  on conflict (payment_id) do nothing;
$$;

-- ── Failed payments ──

-- Card testing: someone who tries stolen cards causes many refused payments, and Razorpay may suspend the shop for
-- it. Ten failures close an order and make its account wait. From 30 failures in an hour on, the admin is notified,
-- once a day.

-- Records a failed payment. Returns {outcome}: recorded; closed (the tenth of its order, whose hold has ended);
-- unknown_order (not this shop's, not counted); repeated.
create function public.note_failed_payment(p_event_id text, p_payment_id text, p_razorpay_order_id text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_order_id bigint;
  v_count bigint;
begin
  insert into public.webhook_events (event_id, event, payment_id, order_id)
  select coalesce(p_event_id, 'failed:' || p_payment_id), 'payment.failed', p_payment_id,
    (select o.id from public.orders o where o.razorpay_order_id = p_razorpay_order_id)
  where not exists (
    -- The event id is a header without a signature.
    select 1 from public.webhook_events e
    where e.order_id = (select o.id from public.orders o where o.razorpay_order_id = p_razorpay_order_id)
      and e.payment_id = p_payment_id and e.event = 'payment.failed'
  )
  on conflict (event_id) do nothing
  returning order_id into v_order_id;
  if not found then
    return jsonb_build_object('outcome', 'repeated');
  end if;
  if v_order_id is null then
    return jsonb_build_object('outcome', 'unknown_order');
  end if;
  select count(*) into v_count from public.webhook_events e
  where e.event = 'payment.failed' and e.order_id is not null and e.received_at > v_now - interval '1 hour';
  if v_count >= 30 then
    perform public.notify_admin(
      'card_testing', '{}', 'card_testing:' || to_char(v_now at time zone 'Asia/Kolkata', 'YYYY-MM-DD')
    );
  end if;
  if (select count(*) from public.webhook_events e where e.order_id = v_order_id and e.event = 'payment.failed') >= 10
    and public.release_order(v_order_id, 'cards_refused') ->> 'outcome' = 'released'
  then
    return jsonb_build_object('outcome', 'closed');
  end if;
  return jsonb_build_object('outcome', 'recorded');
end;
$$;

-- ── Unpaid orders ──

-- When the sweep asks Razorpay about unpaid orders, and how they end.

-- When an unpaid order is checked next; null after the last check. A bank can authorise a payment up to three days
-- after it seemed to fail, so checks run at these ages, counted from the end of the last hold.
create function private.next_check(p_since timestamptz)
returns timestamptz
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select min(p_since + age)
    from unnest(array['15 minutes', '1 hour', '6 hours', '24 hours', '72 hours', '120 hours']::interval[]) age
    where p_since + age > clock_timestamp()
  );
end;
$$;

-- Ends an unpaid order: returns its stock, sets FAILED and the next check. Leaves a paid order alone. Returns
-- {outcome}: released; already (it had ended, only the next check is set); paid. Raises P0002 for an unknown order.
create function public.release_order(p_order_id bigint, p_reason text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    raise exception 'there is no order %', p_order_id using errcode = 'P0002';
  end if;
  if v_order.payment_id is not null or v_order.hold_state = 'taken' or v_order.status = 'COMPLETED' then
    return jsonb_build_object('outcome', 'paid');
  end if;
  if v_order.payment_status in ('REFUND_DUE', 'REFUNDED', 'PARTIALLY_REFUNDED') or v_order.hold_state is null then
    return jsonb_build_object('outcome', 'already');
  end if;
  if v_order.hold_state = 'held' then
    perform private.return_stock(array[p_order_id]);
  end if;
  update public.orders
  set hold_state = 'released',
      status = 'FAILED',
      payment_status = 'FAILED',
      release_reason = case when status = 'FAILED' then release_reason else left(p_reason, 200) end,
      checks = 0,
      next_check_at = private.next_check(coalesce(hold_expires_at, created_at))
  where id = p_order_id;
  return jsonb_build_object('outcome', case when v_order.status = 'FAILED' then 'already' else 'released' end);
end;
$$;

-- Leases unpaid orders that are due for a check to one caller: {id, razorpay_order_id, holds_stock}, those that hold
-- stock first. The caller asks Razorpay and then calls mark_paid or release_order. While Razorpay has no final
-- answer, the lease doubles with each check, up to six hours.
-- An order without a Razorpay order id cannot have been paid, so it is released here and not returned. An order whose
-- hold ended a day ago without a final answer returns its stock here, so that no stock is held for ever. A later
-- payment reserves the stock again, or is refunded.
create function public.orders_to_check(p_limit integer, p_lease_seconds integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_ids bigint[];
  v_never_paid bigint[];
  v_holding bigint[];
  v_overdue bigint[];
begin
  perform private.check_lease(p_limit, p_lease_seconds);
  select
    array_agg(due.id),
    array_agg(due.id) filter (where due.razorpay_order_id is null),
    array_agg(due.id) filter (where due.hold_state = 'held' and (due.razorpay_order_id is null or due.is_overdue)),
    array_agg(due.id) filter (where due.hold_state = 'held' and due.razorpay_order_id is not null and due.is_overdue)
  into v_ids, v_never_paid, v_holding, v_overdue
  from (
    select o.id, o.razorpay_order_id, o.hold_state, o.hold_expires_at < v_now - interval '1 day' as is_overdue
    from public.orders o
    where o.next_check_at <= v_now
      and o.payment_id is null
      and o.status in ('PENDING', 'FAILED')
      and o.payment_status in ('PENDING', 'FAILED')
    order by (o.hold_state = 'held') desc, o.next_check_at
    limit p_limit
    for update skip locked
  ) due;

  if v_holding is not null then
    perform private.return_stock(v_holding);
  end if;
  update public.orders
  set hold_state = 'released', release_reason = 'no_answer'
  where id = any (v_overdue);
  if v_never_paid is not null then
    update public.orders
    set hold_state = 'released', status = 'FAILED', payment_status = 'FAILED',
        release_reason = coalesce(release_reason, 'expired'), next_check_at = null
    where id = any (v_never_paid);
  end if;

  return query
  with leased as (
    update public.orders o
    set next_check_at = v_now
          + least(make_interval(secs => p_lease_seconds) * 2 ^ least(o.checks, 10), interval '6 hours'),
        checks = o.checks + 1
    where o.id = any (v_ids) and o.id <> all (coalesce(v_never_paid, '{}'))
    returning o.*
  )
  select jsonb_build_object(
    'id', l.id, 'razorpay_order_id', l.razorpay_order_id, 'holds_stock', l.hold_state = 'held'
  )
  from leased l
  order by (l.hold_state = 'held') desc, l.id;
end;
$$;

-- supabase/schemas/refunds.sql

-- Refunds: the table, the sums, refunds of unusable payments, sending refunds to Razorpay, and the admin's refunds.

create table public.refunds (
  id bigint generated always as identity primary key,
  payment_id text not null references public.payments (payment_id),
  order_id bigint references public.orders (id),
  amount_paise bigint not null check (amount_paise > 0),
  -- Sent with every attempt, so that a repeated attempt never refunds twice.
  idempotency_key text not null unique check (idempotency_key ~ '^[A-Za-z0-9_-]{10,}$'),
  reason text,
  -- The refunded quantities, {line key: quantity}, for the credit note. Empty when only an amount was given.
  items jsonb not null default '{}' check (jsonb_typeof(items) = 'object'),
  -- due: to be sent to Razorpay. requested: accepted by Razorpay, not finished. processed: done. failed: the admin
  -- decides.
  state text not null default 'due' check (state in ('due', 'requested', 'processed', 'failed')),
  razorpay_refund_id text unique,
  has_credit_note boolean not null default false,
  attempts integer not null default 0,
  -- Attempts with an unknown outcome: no answer, a 409, or a crash. Reading Razorpay's refunds clears it.
  unanswered integer not null default 0 check (unanswered >= 0),
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Idempotency keys of the admin's requests, so that a repeated request creates no second refund. Several when a
  -- failed refund was retried. Not indexed: readers hold the lock of the order or the payment.
  request_keys uuid[] not null default '{}'
);

create index refunds_payment_id_idx on public.refunds (payment_id);
create index refunds_order_id_idx on public.refunds (order_id);
create index refunds_due_idx on public.refunds (next_attempt_at) where state = 'due';
create index refunds_poll_idx on public.refunds (next_attempt_at)
where state = 'requested' or (state = 'failed' and unanswered > 0);
create index refunds_open_idx on public.refunds (order_id) where state <> 'processed';
create index refunds_without_credit_note_idx on public.refunds (order_id, id)
where state = 'processed' and not has_credit_note;
create index refunds_created_at_idx on public.refunds (created_at);

create trigger refunds_touch_updated_at
before update on public.refunds
for each row execute function private.touch_updated_at();

alter table public.refunds enable row level security;

-- ── Refunds of unusable payments ──

-- Records an unusable payment and its full refund, once per payment. Mails the admin, and the customer unless the
-- amount was wrong, which the admin settles with them.
create function private.create_refund(
  p_order public.orders, p_payment_id text, p_amount_paise bigint, p_currency text, p_reason text
)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_payload jsonb := jsonb_build_object('payment_id', p_payment_id, 'amount_paise', p_amount_paise, 'reason', p_reason);
begin
  perform private.record_payment(
    p_payment_id, p_order.id, p_order.razorpay_order_id, p_amount_paise, p_currency, 'refund_due', p_reason
  );
  insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, reason)
  values (p_payment_id, p_order.id, p_amount_paise, 'refund_' || p_payment_id, p_reason)
  on conflict (idempotency_key) do nothing;

  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  values ('refund_alert', null, p_order.id, v_payload, 'refund_alert:' || p_payment_id)
  on conflict (dedupe_key) do nothing;
  if p_reason <> 'amount_mismatch' and coalesce(btrim(p_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values ('refund_notice', p_order.customer_email, p_order.id, v_payload, 'refund_notice:' || p_payment_id)
    on conflict (dedupe_key) do nothing;
  end if;
end;
$$;

-- ── Sums ──

-- The refunded amount of the order's own payment, including refunds in progress. Without an own payment, of all its
-- payments.
create function private.refunded_paise(p_order public.orders)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select coalesce(sum(r.amount_paise), 0)
    from public.refunds r
    where r.order_id = p_order.id and r.state <> 'failed'
      and (p_order.payment_id is null or r.payment_id = p_order.payment_id)
  );
end;
$$;

-- What remains of the order's own payment. Refunds in progress count as made, failed ones do not because they can be
-- retried. Null without a recorded payment.
create function private.unrefunded_paise(p_order public.orders)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select p.amount_paise - coalesce((
      select sum(r.amount_paise) from public.refunds r where r.payment_id = p.payment_id and r.state <> 'failed'
    ), 0)
    from public.payments p
    where p.payment_id = p_order.payment_id and p.order_id = p_order.id and p.state in ('accepted', 'refunded')
  );
end;
$$;

-- Whether a failed refund may still have been made, because an attempt ended without an answer. Such a refund is only
-- retried with its own idempotency key. False when Razorpay refused the refund, or accepted it and then failed.
create function private.outcome_unknown(p_refund public.refunds)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_refund.state = 'failed' and p_refund.razorpay_refund_id is null
    and p_refund.unanswered > 0;
end;
$$;

-- The largest amount that a new refund of this payment can have. Refunds with an unknown outcome count as made. What the
-- shop keeps of a cancelled order is not refunded.
create function private.refundable_paise(p_payment public.payments)
returns bigint
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select p_payment.amount_paise - coalesce(sum(r.amount_paise), 0)
    from public.refunds r
    where r.payment_id = p_payment.payment_id and (r.state <> 'failed' or private.outcome_unknown(r))
  ) - coalesce((
    select o.kept_paise from public.orders o
    where o.id = p_payment.order_id and o.payment_id = p_payment.payment_id
  ), 0);
end;
$$;

-- Whether part of a payment that must be refunded in full is still to be refunded, for example after a partial refund
-- in Razorpay's dashboard. That is an unusable payment, or the payment of a cancelled order. Razorpay's minimum is
-- one rupee.
create function private.is_rest_due(p_payment public.payments)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
      p_payment.state = 'refund_due'
      or exists (
        select 1 from public.orders o
        where o.id = p_payment.order_id and o.payment_id = p_payment.payment_id and o.fulfilment = 'cancelled'
      )
    )
    and private.refundable_paise(p_payment) >= 100;
end;
$$;

-- Locks a payment with its order and refunds, in the lock order of `orders.sql` (refunds before their payment, as in
-- finish_refund). Returns the payment, or null.
create function private.lock_payment(p_payment_id text)
returns public.payments
language plpgsql
set search_path = ''
as $$
declare
  v_payment public.payments;
begin
  perform 1 from public.orders o
  where o.id = (select p.order_id from public.payments p where p.payment_id = p_payment_id)
  for update;
  perform 1 from public.refunds r where r.payment_id = p_payment_id order by r.id for update;
  select * into v_payment from public.payments where payment_id = p_payment_id for update;
  return v_payment;
end;
$$;

-- ── Sending ──

-- Leases refunds to send to Razorpay to one caller: {id, payment_id, amount_paise, idempotency_key}. If the caller
-- crashes before finish_refund, the lease expires and the refund is claimed again with the same key.
create function public.claim_refunds(p_limit integer, p_lease_seconds integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform private.check_lease(p_limit, p_lease_seconds);
  return query
  with due as (
    select r.id from public.refunds r
    where r.state = 'due' and r.next_attempt_at <= v_now
    order by r.next_attempt_at, r.id
    limit p_limit
    for update skip locked
  ), leased as (
    update public.refunds r
    set next_attempt_at = v_now + make_interval(secs => p_lease_seconds),
        -- Counted before the attempt, because a caller that crashes may have made it.
        attempts = attempts + 1,
        unanswered = unanswered + 1
    from due
    where r.id = due.id
    returning r.*
  )
  select jsonb_build_object(
    'id', l.id,
    'payment_id', l.payment_id,
    'amount_paise', l.amount_paise,
    'idempotency_key', l.idempotency_key
  )
  from leased l
  order by l.id;
end;
$$;

-- Records Razorpay's answer. Without p_error the refund is 'processed', or 'requested' if p_processed is false. With
-- p_error it is retried later; after ten attempts, or if Razorpay accepted it and it failed there, it is 'failed' and
-- the admin gets a mail. A processed refund stays processed. The refund that completes a payment also ends refunds of
-- it that were never sent. Returns {state}; raises P0002.
create function public.finish_refund(
  p_id bigint, p_razorpay_refund_id text, p_error text default null, p_processed boolean default true
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_refund public.refunds;
  v_payment public.payments;
  v_order public.orders;
  v_state text;
  v_refunded bigint;
begin
  select * into v_refund from public.refunds where id = p_id;
  if not found then
    raise exception 'there is no refund %', p_id using errcode = 'P0002';
  end if;
  -- Orders before refunds, by the lock order.
  select * into v_order from public.orders where id = v_refund.order_id for update;
  select * into v_refund from public.refunds where id = p_id for update;
  select * into v_payment from public.payments where payment_id = v_refund.payment_id for update;
  if v_refund.state = 'processed' then
    return jsonb_build_object('state', 'processed');
  end if;

  v_state := case
    when p_error is null and coalesce(p_processed, true) then 'processed'
    when p_error is null then 'requested'
    when p_razorpay_refund_id is not null or v_refund.attempts >= 10 then 'failed'
    when v_refund.state = 'due' then 'due'
    else v_refund.state
  end;
  update public.refunds
  set state = v_state,
      razorpay_refund_id = coalesce(p_razorpay_refund_id, razorpay_refund_id),
      unanswered = case
        when p_razorpay_refund_id is not null then 0
        when p_error like 'refused%' then greatest(unanswered - 1, 0)
        else unanswered
      end,
      last_error = left(p_error, 500),
      -- A refund that is not sent again is polled, see refunds_to_poll.
      next_attempt_at = clock_timestamp()
        + case when v_state = 'due' then private.backoff(attempts) else interval '10 minutes' end
  where id = p_id;

  if v_state = 'failed' and v_refund.state <> 'failed' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'refund_alert', null, v_refund.order_id,
      jsonb_build_object(
        'payment_id', v_refund.payment_id, 'amount_paise', v_refund.amount_paise, 'reason', 'refund_failed'
      ),
      'refund_failed:' || p_id
    )
    on conflict (dedupe_key) do nothing;
  elsif v_state = 'processed' then
    select sum(amount_paise) into v_refunded
    from public.refunds where payment_id = v_payment.payment_id and state = 'processed';
    if v_refunded >= v_payment.amount_paise then
      update public.payments set state = 'refunded' where payment_id = v_payment.payment_id;
      -- The rest was refunded in Razorpay's dashboard, so refunds that were never sent have nothing left to send.
      update public.refunds set state = 'failed', last_error = 'nothing is left to refund'
      where payment_id = v_payment.payment_id and state = 'due' and unanswered = 0;
    end if;
    if v_order.payment_id = v_payment.payment_id then
      update public.orders
      set payment_status = case when v_refunded >= v_payment.amount_paise then 'REFUNDED' else 'PARTIALLY_REFUNDED' end
      where id = v_order.id;
    elsif v_order.payment_status = 'REFUND_DUE' and not exists (
      select 1 from public.payments p
      where p.order_id = v_order.id and p.state = 'refund_due' and private.is_unusable_payment(p.reason)
    ) then
      update public.orders set payment_status = 'REFUNDED' where id = v_order.id;
    end if;
  end if;
  return jsonb_build_object('state', v_state);
end;
$$;

-- ── The admin's refunds ──

-- All refunds are created under the order's lock, so their sum never exceeds the payment. claim_refunds and
-- finish_refund send them.

-- Makes a failed refund due again. It keeps its idempotency key unless Razorpay had accepted it: that key would only
-- return the failed refund.
create function private.retry_refund(p_refund_id bigint, p_key uuid)
returns void
language sql
set search_path = ''
as $$
  update public.refunds
  set state = 'due',
      attempts = 0,
      next_attempt_at = clock_timestamp(),
      idempotency_key = case when razorpay_refund_id is null then idempotency_key
        else 'refund_' || replace(gen_random_uuid()::text, '-', '') end,
      razorpay_refund_id = null,
      request_keys = request_keys || p_key
  where id = p_refund_id;
$$;

-- Creates a refund that is due at once and returns its id. A refund of a payment by hand is finished, because the
-- admin paid it back by hand. Razorpay accepts idempotency keys of up to 40 characters.
create function private.create_admin_refund(
  p_payment public.payments, p_amount_paise bigint, p_reason text, p_key uuid, p_items jsonb default '{}'
)
returns bigint
language plpgsql
set search_path = ''
as $$
declare
  v_id bigint;
begin
  insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, reason, request_keys, items)
  values (
    p_payment.payment_id, p_payment.order_id, p_amount_paise, 'refund_' || replace(p_key::text, '-', ''), p_reason,
    array[p_key], p_items
  )
  returning id into v_id;
  if private.is_by_hand(p_payment.payment_id) then
    perform public.finish_refund(v_id, null);
  end if;
  return v_id;
end;
$$;

-- Refunds part of a paid order and returns quantities to stock. p_restock and p_items are {line key: quantity};
-- p_items says what the amount is for and appears in the customer's mail and the credit note. If a refund of the same
-- amount has failed, it is retried for the new items instead, or unchanged if it may have been made after all.
-- Returns {outcome}: refunding; already (same p_key); not_found; not_paid; too_much, with left_paise; too_many_items,
-- with line_key. Raises 22023.
create function public.request_refund(
  p_order_id bigint, p_key uuid, p_amount_paise bigint, p_reason text, p_restock jsonb default '{}',
  p_items jsonb default '{}'
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_payment public.payments;
  v_failed public.refunds;
  v_refund_id bigint;
  v_wrong text;
begin
  if p_key is null or p_amount_paise is null or p_amount_paise < 100
    or jsonb_typeof(p_restock) is distinct from 'object' or jsonb_typeof(p_items) is distinct from 'object'
  then
    raise exception 'a refund needs a key, at least 100 paise, and an object of quantities' using errcode = '22023';
  end if;
  if jsonb_path_exists(
    jsonb_build_array(p_restock, p_items), 'strict $[*].* ? (@.type() != "number" || @ < 1 || @ > 100000)'
  ) then
    raise exception 'quantities must be 1 to 100000' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if exists (select 1 from public.refunds where order_id = p_order_id and p_key = any (request_keys)) then
    return jsonb_build_object('outcome', 'already');
  end if;
  select * into v_payment from public.payments
  where payment_id = v_order.payment_id and order_id = p_order_id and state in ('accepted', 'refunded');
  if not found then
    return jsonb_build_object('outcome', 'not_paid');
  end if;

  -- One with an unknown outcome first: its amount is already subtracted, so that a retry cannot refund too much.
  select r.* into v_failed from public.refunds r
  where r.payment_id = v_payment.payment_id and r.state = 'failed' and r.amount_paise = p_amount_paise
  order by private.outcome_unknown(r) desc, r.id
  limit 1;
  if not coalesce(private.outcome_unknown(v_failed), false) and p_amount_paise > private.refundable_paise(v_payment) then
    return jsonb_build_object('outcome', 'too_much', 'left_paise', private.refundable_paise(v_payment));
  end if;
  v_wrong := private.restock(v_order, p_restock);
  if v_wrong is not null then
    return jsonb_build_object('outcome', 'too_many_items', 'line_key', v_wrong);
  end if;

  if v_failed.id is not null then
    perform private.retry_refund(v_failed.id, p_key);
    if private.outcome_unknown(v_failed) or v_failed.items = p_items then
      return jsonb_build_object('outcome', 'refunding');
    end if;
    update public.refunds set items = p_items, reason = left(p_reason, 200) where id = v_failed.id;
    v_refund_id := v_failed.id;
  else
    v_refund_id := private.create_admin_refund(v_payment, p_amount_paise, left(p_reason, 200), p_key, p_items);
  end if;
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'refund_notice', v_order.customer_email, p_order_id,
      jsonb_build_object('payment_id', v_payment.payment_id, 'amount_paise', p_amount_paise, 'reason',
        case when private.unrefunded_paise(v_order) = 0 then 'final_refund' else 'partial_refund' end,
        'items', (
          select coalesce(jsonb_agg(
            jsonb_build_object('name', item ->> 'name', 'quantity', p_items -> private.line_key(item))
          ), '[]')
          from jsonb_path_query(v_order.items, 'lax $[*] ? (@.type() == "object")') item
          where p_items ? private.line_key(item)
        )),
      'refund_notice:' || v_refund_id || case when v_failed.id is null then '' else ':' || p_key end
    )
    on conflict (dedupe_key) do nothing;
  end if;
  return jsonb_build_object('outcome', 'refunding');
end;
$$;

-- Refunds in full a payment of this shop that waits for the admin (it matches no order, or is a duplicate purchase),
-- or retries a failed refund of any payment. If the payment must go back in full, the retry has the remaining amount.
-- Returns {outcome}: refunding; already (same p_key); nothing (nothing to refund or retry); not_found. Raises 22023.
create function public.refund_payment(p_payment_id text, p_key uuid)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_payment public.payments;
  v_failed public.refunds;
begin
  if p_key is null then
    raise exception 'a key is required' using errcode = '22023';
  end if;
  v_payment := private.lock_payment(p_payment_id);
  if v_payment.payment_id is null then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if exists (select 1 from public.refunds where payment_id = p_payment_id and p_key = any (request_keys)) then
    return jsonb_build_object('outcome', 'already');
  end if;
  if v_payment.state = 'unmatched' and not private.is_foreign(v_payment) then
    update public.payments set state = 'refund_due' where payment_id = p_payment_id;
    perform private.create_admin_refund(
      v_payment, v_payment.amount_paise, coalesce(v_payment.reason, 'unknown_order'), p_key
    );
    -- A duplicate purchase has a known customer.
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    select 'refund_notice', o.customer_email, o.id,
      jsonb_build_object('payment_id', p_payment_id, 'amount_paise', v_payment.amount_paise, 'reason', v_payment.reason),
      'refund_notice:' || p_payment_id
    from public.orders o
    where o.id = v_payment.order_id and coalesce(btrim(o.customer_email), '') <> ''
    on conflict (dedupe_key) do nothing;
    return jsonb_build_object('outcome', 'refunding');
  end if;
  select * into v_failed from public.refunds r
  where r.payment_id = p_payment_id and r.state = 'failed'
  order by private.outcome_unknown(r) desc, r.id
  limit 1;
  if not found then
    return jsonb_build_object('outcome', 'nothing');
  end if;
  if not private.outcome_unknown(v_failed) and v_failed.amount_paise > private.refundable_paise(v_payment) then
    if not private.is_rest_due(v_payment) then
      return jsonb_build_object('outcome', 'nothing');
    end if;
    -- The amount is new, so this is another refund for Razorpay and needs a new key.
    update public.refunds
    set amount_paise = private.refundable_paise(v_payment),
        idempotency_key = 'refund_' || replace(gen_random_uuid()::text, '-', '')
    where id = v_failed.id;
  end if;
  perform private.retry_refund(v_failed.id, p_key);
  return jsonb_build_object('outcome', 'refunding');
end;
$$;

-- supabase/schemas/reconciliation.sql

-- Reconciliation with Razorpay: refunds and disputes that it reports, and the daily comparison of all payments.

-- ── Reports ──

-- Refunds and disputes as Razorpay reports them, by webhook or in its lists.

-- Leases refunds to ask Razorpay about to one caller: {id, payment_id, razorpay_refund_id}. These are requested
-- refunds, and failed ones that may have been made after all. The caller reads the payment's refunds, calls
-- record_refund for each and then clear_unanswered_refund.
create function public.refunds_to_poll(p_limit integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.check_lease(p_limit, 60);
  return query
  with due as (
    select r.id from public.refunds r
    where (r.state = 'requested' or (r.state = 'failed' and r.unanswered > 0)) and r.next_attempt_at <= clock_timestamp()
    order by r.next_attempt_at, r.id
    limit p_limit
    for update skip locked
  ), leased as (
    update public.refunds r
    set next_attempt_at = clock_timestamp() + greatest(interval '10 minutes', (clock_timestamp() - r.created_at) / 4)
    from due
    where r.id = due.id
    returning r.*
  )
  select jsonb_build_object('id', l.id, 'payment_id', l.payment_id, 'razorpay_refund_id', l.razorpay_refund_id)
  from leased l
  order by l.id;
end;
$$;

-- After all refunds of the payment were read at Razorpay: a failed refund that was not among them was not made.
create function public.clear_unanswered_refund(p_id bigint)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.refunds set unanswered = 0
  where id = p_id and state = 'failed' and razorpay_refund_id is null;
$$;

-- Records a refund as Razorpay reports it. Finds it by its id, else by the receipt (the idempotency key) that the
-- shop sent. Otherwise it was made in Razorpay's dashboard: it is added, and the admin is notified. Returns
-- {outcome}: recorded, with state; unknown_payment. Raises 22023.
create function public.record_refund(
  p_payment_id text, p_razorpay_refund_id text, p_amount_paise bigint, p_status text, p_receipt text default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_payment public.payments;
  v_id bigint;
begin
  if coalesce(p_razorpay_refund_id, '') = '' or p_amount_paise is null or p_amount_paise <= 0
    or p_status is null or p_status not in ('pending', 'processed', 'failed')
  then
    raise exception 'a refund has an id, an amount and a status' using errcode = '22023';
  end if;
  -- Serialises callers that look for the refund and insert it.
  v_payment := private.lock_payment(p_payment_id);
  if v_payment.payment_id is null or private.is_foreign(v_payment) then
    return jsonb_build_object('outcome', 'unknown_payment');
  end if;
  select r.id into v_id from public.refunds r
  where r.payment_id = p_payment_id
    and (r.razorpay_refund_id = p_razorpay_refund_id
      or (r.razorpay_refund_id is null and r.idempotency_key = p_receipt and r.amount_paise = p_amount_paise))
  order by r.razorpay_refund_id nulls last
  limit 1;
  if v_id is null then
    insert into public.refunds (payment_id, order_id, amount_paise, idempotency_key, reason, state, razorpay_refund_id)
    values (
      p_payment_id, v_payment.order_id, p_amount_paise, 'made_at_' || p_razorpay_refund_id, 'made_at_razorpay',
      'requested', p_razorpay_refund_id
    )
    returning id into v_id;
    perform public.notify_admin(
      'refund_made_at_razorpay', jsonb_build_object('payment_id', p_payment_id, 'amount_paise', p_amount_paise),
      'refund_made:' || p_razorpay_refund_id, v_payment.order_id
    );
  end if;
  return jsonb_build_object('outcome', 'recorded') || public.finish_refund(
    v_id, p_razorpay_refund_id, case when p_status = 'failed' then 'failed at Razorpay' end, p_status = 'processed'
  );
end;
$$;

-- Records a dispute event and notifies the admin. Late events never reopen a closed dispute or set one back to
-- 'created'. payments.dispute prefers an open dispute. Returns {outcome}: recorded; old (nothing new);
-- unknown_payment.
create function public.record_dispute(p_payment_id text, p_dispute_id text, p_event text, p_amount_paise bigint)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_payment public.payments;
  v_id text := left(p_dispute_id, 60);
  v_event text := left(p_event, 60);
  v_known text;
begin
  select * into v_payment from public.payments where payment_id = p_payment_id for update;
  if not found or private.is_foreign(v_payment) then
    return jsonb_build_object('outcome', 'unknown_payment');
  end if;
  v_known := v_payment.disputes ->> v_id;
  if v_known = v_event or private.is_closed_dispute(v_known) or (v_known is not null and v_event = 'created') then
    return jsonb_build_object('outcome', 'old');
  end if;
  update public.payments p
  set disputes = p.disputes || jsonb_build_object(v_id, v_event),
      dispute = (
        select d.value from jsonb_each_text(p.disputes || jsonb_build_object(v_id, v_event)) d
        order by private.is_closed_dispute(d.value), d.key = v_id desc
        limit 1
      )
  where p.payment_id = p_payment_id;
  perform public.notify_admin(
    'dispute', jsonb_build_object('payment_id', p_payment_id, 'amount_paise', p_amount_paise, 'event', v_event),
    'dispute:' || v_id || ':' || v_event, v_payment.order_id
  );
  return jsonb_build_object('outcome', 'recorded');
end;
$$;

-- ── Reconciliation ──

-- Compares Razorpay's payments, refunds and disputes with the records here. Webhooks can be lost, and the sweep asks
-- only about unpaid orders, so nothing else may find a second payment of a paid order or a refund made in Razorpay's
-- dashboard. Starts once a day, and after Razorpay was unreachable.

create table public.reconciliations (
  id bigint generated always as identity primary key,
  -- The period of the payments and refunds. It starts six days back, because a bank can take five days to authorise a
  -- payment, or at the end of the last reconciliation if that is earlier.
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- The position in Razorpay's lists. They are read page by page; a long list takes several sweeps.
  step text not null default 'payments' check (step in ('payments', 'refunds', 'disputes', 'unlisted')),
  skip integer not null default 0 check (skip >= 0),
  payments integer not null default 0,
  -- Differences: [{kind, payment_id, amount_paise, resolved}]. resolved says what the shop did; null: the admin
  -- decides.
  differences jsonb not null default '[]' check (jsonb_typeof(differences) = 'array'),
  -- Null while it runs.
  finished_at timestamptz default clock_timestamp()
);

create unique index reconciliations_under_way_idx on public.reconciliations ((true)) where finished_at is null;

alter table public.reconciliations enable row level security;

-- One row: since when Razorpay has been unreachable, and whether a reconciliation is due because of it.
create table public.provider_health (
  id boolean primary key default true check (id),
  unreachable_since timestamptz,
  reconcile boolean not null default false
);

alter table public.provider_health enable row level security;

insert into public.provider_health default values;

-- Records whether Razorpay answered. After an outage the next sweep reconciles.
create function public.note_provider(p_reachable boolean)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.provider_health
  set reconcile = reconcile or (p_reachable and unreachable_since is not null),
      unreachable_since = case when not p_reachable then coalesce(unreachable_since, clock_timestamp()) end
  where (unreachable_since is null) <> p_reachable;
$$;

-- Returns the running reconciliation, or starts one if none finished in the last 24 hours or one was requested: {id,
-- from, to (Unix seconds), step, skip}; null when none is due. Concurrent callers get the same one, and their work
-- can be repeated safely.
create function public.next_reconciliation()
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_run public.reconciliations;
begin
  select * into v_run from public.reconciliations where finished_at is null;
  if not found then
    if not (select h.reconcile and h.unreachable_since is null from public.provider_health h)
      and exists (select 1 from public.reconciliations r where r.finished_at > v_now - interval '24 hours')
    then
      return null;
    end if;
    update public.provider_health set reconcile = false where reconcile;
    -- Payments of the last two minutes are still being recorded by their webhook.
    insert into public.reconciliations (from_at, to_at, finished_at)
    -- The first one starts at the first order: the sweeps may have failed for longer than six days.
    select least(t.to_at - interval '6 days', coalesce(
      (select max(r.to_at) from public.reconciliations r),
      (select o.created_at from public.orders o order by o.id limit 1)
    )), t.to_at, null
    from (select date_trunc('second', v_now) - interval '2 minutes' as to_at) t
    on conflict do nothing
    returning * into v_run;
    if v_run.id is null then
      return null;
    end if;
  end if;
  return jsonb_build_object(
    'id', v_run.id, 'from', floor(extract(epoch from v_run.from_at))::bigint,
    'to', floor(extract(epoch from v_run.to_at))::bigint,
    'step', v_run.step, 'skip', v_run.skip
  );
end;
$$;

-- Compares a page of Razorpay's captured and refunded payments with the records, and marks them as listed.
-- p_payments: [{id, order_id, amount, amount_refunded}] in paise. Returns [{kind, payment_id, razorpay_order_id,
-- amount_paise, is_ours}]:
--   not_recorded     the payment is unknown, or waits for its order; is_ours if its order is this shop's
--   amount_differs   recorded with another amount
--   refunds_differ   refunded sums differ, apart from refunds in progress
create function public.compare_payments(p_payments jsonb)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.payments p
  set listed_at = clock_timestamp()
  where p.listed_at is null and p.payment_id = any (array(select t ->> 'id' from jsonb_array_elements(p_payments) t));
  return query
  with theirs as (
    select t.id, t.order_id, t.amount, t.amount_refunded
    from jsonb_to_recordset(p_payments) t (id text, order_id text, amount bigint, amount_refunded bigint)
  ), compared as (
    select t.id, t.order_id, t.amount, t.amount_refunded, p.state, p.amount_paise,
      exists (select 1 from public.orders o where o.razorpay_order_id = t.order_id) as is_ours, (
        select coalesce(sum(r.amount_paise), 0) from public.refunds r
        where r.payment_id = t.id and r.state = 'processed'
      ) as refunded, (
        select coalesce(sum(r.amount_paise), 0) from public.refunds r
        where r.payment_id = t.id and r.state in ('requested', 'processed')
      ) as refunding
    from theirs t
    -- `offset 0` makes PostgreSQL look up the payments of this page; a plain join would read all payments.
    left join lateral (select * from public.payments known where known.payment_id = t.id offset 0) p on true
  )
  select jsonb_build_object(
    'kind', case
      when c.state is null or c.state in ('unmatched', 'foreign') then 'not_recorded'
      when c.amount <> c.amount_paise then 'amount_differs'
      else 'refunds_differ'
    end,
    'payment_id', c.id,
    'razorpay_order_id', c.order_id,
    'amount_paise', c.amount,
    'is_ours', c.is_ours
  )
  from compared c
  where c.state is null
    or (c.state in ('unmatched', 'foreign') and c.is_ours)
    or (c.state <> 'foreign' and (
      c.amount <> c.amount_paise
      -- Razorpay's sum includes refunds in progress, ours only processed ones.
      or c.amount_refunded not between c.refunded and c.refunding
    ));
end;
$$;

-- Of a page of Razorpay's refunds, [{id, payment_id, status}], the ids to record: those of known payments that are
-- not recorded with this status.
create function public.refunds_to_record(p_refunds jsonb)
returns setof text
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select t.id
  from jsonb_to_recordset(p_refunds) t (id text, payment_id text, status text)
  join public.payments p on p.payment_id = t.payment_id and not private.is_foreign(p)
  -- A comparison instead of `not exists`, for which PostgreSQL would read all refunds.
  where (select r.state from public.refunds r where r.razorpay_refund_id = t.id)
    is distinct from case t.status when 'pending' then 'requested' else t.status end;
end;
$$;

-- Payments of a reconciliation's period that Razorpay has not listed: {payment_id, razorpay_order_id, amount_paise}.
-- Leaves out payments of the other mode than p_key_id: live keys do not know test payments.
create function public.unlisted_payments(p_id bigint, p_key_id text, p_limit integer)
returns setof jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select jsonb_build_object(
    'payment_id', p.payment_id, 'razorpay_order_id', p.razorpay_order_id, 'amount_paise', p.amount_paise
  )
  from public.reconciliations r
  join public.payments p on p.created_at between r.from_at and r.to_at
  left join public.orders o on o.id = p.order_id
  where r.id = p_id
    and p.listed_at is null
    and not private.is_foreign(p)
    and not private.is_by_hand(p.payment_id)
    and private.key_mode(coalesce(o.razorpay_key_id, p_key_id)) = private.key_mode(p_key_id)
  order by p.created_at
  limit p_limit;
end;
$$;

-- Marks payments as known to Razorpay that were made before the listed period.
create function public.note_listed(p_payment_ids text[])
returns void
language sql
security definer
set search_path = ''
as $$
  update public.payments set listed_at = clock_timestamp() where payment_id = any (p_payment_ids) and listed_at is null;
$$;

-- Moves a reconciliation to the next position; p_next_step null means finished. Adds the differences and notifies the
-- admin of unresolved ones. Returns false, and does nothing, if another caller has moved it already.
create function public.advance_reconciliation(
  p_id bigint, p_step text, p_skip integer, p_next_step text, p_next_skip integer, p_payments integer, p_differences jsonb
)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_difference jsonb;
begin
  update public.reconciliations
  set step = coalesce(p_next_step, step),
      skip = p_next_skip,
      payments = payments + p_payments,
      differences = differences || p_differences,
      finished_at = case when p_next_step is null then clock_timestamp() end
  where id = p_id and step = p_step and skip = p_skip and finished_at is null;
  if not found then
    return false;
  end if;
  for v_difference in
    select value from jsonb_array_elements(p_differences) where value ->> 'resolved' is null
  loop
    perform public.notify_admin(
      'difference', v_difference, 'difference:' || (v_difference ->> 'kind') || ':' || (v_difference ->> 'payment_id')
    );
  end loop;
  return true;
end;
$$;

-- supabase/schemas/fulfilment.sql

-- Fulfilment: what the admin and the customer do with an order after it was placed.

-- ── Steps ──

-- Steps: new, packed, shipped, delivered. An order moves forward by any number of steps, and back by one to correct a
-- mistake. Only a paid order moves forward. Cancelled is final.

-- Sets the fulfilment of an order. The customer gets one mail per carrier and tracking number (which may be empty),
-- and one on delivery. Returns {outcome}: changed; same; not_found; cancelled; not_paid; refunded (in full, so
-- nothing is to be sent); too_far_back; needs_document (shipping issues the invoice, see assign_invoice); outdated
-- (p_revision, as in assign_invoice). Raises 22023.
create function public.set_fulfilment(
  p_order_id bigint, p_state text, p_carrier text default null, p_tracking_number text default null,
  p_tracking_url text default null, p_document jsonb default null, p_revision timestamptz default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_now timestamptz := clock_timestamp();
  v_steps constant text[] := array['new', 'packed', 'shipped', 'delivered'];
  v_from integer;
  v_to integer := array_position(v_steps, p_state);
begin
  if v_to is null then
    raise exception 'state must be new, packed, shipped or delivered' using errcode = '22023';
  end if;
  if p_state = 'shipped' and coalesce(btrim(p_carrier), '') = '' then
    raise exception 'shipping needs a carrier' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_order.fulfilment = 'cancelled' then
    return jsonb_build_object('outcome', 'cancelled');
  end if;
  v_from := array_position(v_steps, v_order.fulfilment);
  -- A handed-over order goes back to packed, because it was never shipped.
  if v_to < v_from - 1 and not (v_from = 4 and v_to = 2 and v_order.shipped_at is null) then
    return jsonb_build_object('outcome', 'too_far_back');
  end if;
  if v_to > v_from and v_from <= 2 then
    if private.unrefunded_paise(v_order) = 0 then
      return jsonb_build_object('outcome', 'refunded');
    end if;
    if not v_order.paid then
      return jsonb_build_object('outcome', 'not_paid');
    end if;
  end if;
  if v_to = v_from and (p_state <> 'shipped' or (v_order.carrier, v_order.tracking_number, v_order.tracking_url)
    is not distinct from (p_carrier, nullif(p_tracking_number, ''), nullif(p_tracking_url, '')))
  then
    return jsonb_build_object('outcome', 'same');
  end if;
  -- Shipping issues the invoice in the same transaction. An order that was already shipped is left as it is.
  if v_to >= 3 and v_to > v_from and v_order.invoice_number is null and p_document is null then
    return jsonb_build_object('outcome', 'needs_document');
  end if;
  if v_to >= 3 and v_to > v_from and v_order.invoice_number is null and p_revision <> v_order.updated_at then
    return jsonb_build_object('outcome', 'outdated');
  end if;

  update public.orders
  set fulfilment = p_state,
      carrier = case when p_state = 'shipped' then p_carrier when v_to >= 3 then carrier end,
      tracking_number = case
        when p_state = 'shipped' then nullif(p_tracking_number, '')
        when v_to >= 3 then tracking_number
      end,
      tracking_url = case when p_state = 'shipped' then nullif(p_tracking_url, '') when v_to >= 3 then tracking_url end,
      packed_at = case when v_to >= 2 then coalesce(packed_at, v_now) end,
      shipped_at = case when v_to = 3 or (v_to = 4 and v_from = 3) then coalesce(shipped_at, v_now) end,
      delivered_at = case when v_to = 4 then coalesce(delivered_at, v_now) end
  where id = p_order_id;

  if p_state = 'shipped' and coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'shipped_notice', v_order.customer_email, p_order_id,
      jsonb_build_object(
        'carrier', p_carrier, 'tracking_number', nullif(p_tracking_number, ''),
        'tracking_url', nullif(p_tracking_url, '')
      ),
      'shipped_notice:' || p_order_id || ':' || md5(lower(p_carrier) || '|' || lower(coalesce(p_tracking_number, '')))
    )
    on conflict (dedupe_key) do nothing;
  end if;
  -- A customer who took the order along needs no such mail.
  if p_state = 'delivered' and v_from < 4 and not v_order.hand_over
    and coalesce(btrim(v_order.customer_email), '') <> ''
  then
    insert into public.outbox (kind, recipient, order_id, dedupe_key)
    values ('delivered_notice', v_order.customer_email, p_order_id, 'delivered_notice:' || p_order_id)
    on conflict (dedupe_key) do nothing;
  end if;
  if v_to >= 3 and v_to > v_from and v_order.invoice_number is null then
    perform private.issue_invoice(p_order_id, p_document);
  end if;
  return jsonb_build_object('outcome', 'changed');
end;
$$;

-- ── Cancellation ──

-- A customer's own cancellation of a paid order costs the shop the provider's fee, and it kept the product from other
-- customers. So they are counted (fee_lost in cost_limits), and the shop can choose to keep the platform fee.

-- Cancels an order that has not been shipped, and refunds what remains of its payment. A payment that arrives later
-- is refunded, see mark_paid. Raises 22023. Returns {outcome}:
--   cancelled; already; not_found; shipped
--   check_payment_first  with razorpay_order_id: not paid according to the database. The caller asks Razorpay, calls
--                        mark_paid if there is a payment, and calls again with p_payment_checked
--   paid_elsewhere       paid, but not through this shop, so there is no payment to refund
create function public.cancel_order(
  p_order_id bigint, p_key uuid, p_reason text, p_restock boolean, p_payment_checked boolean default false
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_payment public.payments;
  v_left bigint := 0;
begin
  if p_key is null then
    raise exception 'a key is required' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.fulfilment = 'cancelled' then
    return jsonb_build_object('outcome', 'already');
  elsif v_order.fulfilment in ('shipped', 'delivered') then
    return jsonb_build_object('outcome', 'shipped');
  end if;
  select * into v_payment from public.payments
  where payment_id = v_order.payment_id and order_id = p_order_id and state in ('accepted', 'refunded');

  if not found then
    if v_order.payment_id is not null or (v_order.stage <> 'unpaid' and v_order.hold_state is null) then
      return jsonb_build_object('outcome', 'paid_elsewhere');
    elsif v_order.razorpay_order_id is not null and not coalesce(p_payment_checked, false) then
      return jsonb_build_object('outcome', 'check_payment_first', 'razorpay_order_id', v_order.razorpay_order_id);
    end if;
    if v_order.hold_state = 'held' or (v_order.replaces is not null and p_restock) then
      perform private.return_stock(array[p_order_id]);
    end if;
    update public.orders
    set fulfilment = 'cancelled',
        cancelled_at = clock_timestamp(),
        cancel_reason = left(p_reason, 200),
        hold_state = case when hold_state = 'held' or replaces is not null then 'released' else hold_state end,
        status = 'FAILED',
        payment_status = case when payment_status in ('REFUND_DUE', 'REFUNDED') then payment_status else 'FAILED' end,
        release_reason = coalesce(release_reason, 'cancelled'),
        -- A bank can still authorise a payment for three days, so the sweep continues to check.
        next_check_at = case when razorpay_order_id is not null and payment_status in ('PENDING', 'FAILED')
          then private.next_check(coalesce(hold_expires_at, created_at)) end
    where id = p_order_id;
    return jsonb_build_object('outcome', 'cancelled');
  end if;

  if p_restock then
    perform private.restock(v_order, null);
  end if;
  perform private.retry_refund(r.id, p_key)
  from public.refunds r
  where r.payment_id = v_payment.payment_id and private.outcome_unknown(r);
  v_left := private.refundable_paise(v_payment);
  if v_left >= 100 then
    perform private.create_admin_refund(v_payment, v_left, left(p_reason, 200), p_key);
  end if;
  update public.orders
  set fulfilment = 'cancelled', cancelled_at = clock_timestamp(), cancel_reason = left(p_reason, 200)
  where id = p_order_id;
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'order_cancelled', v_order.customer_email, p_order_id,
      jsonb_build_object(
        'payment_id', v_payment.payment_id, 'amount_paise', case when v_left >= 100 then v_left else 0 end
      ),
      'order_cancelled:' || p_order_id
    )
    on conflict (dedupe_key) do nothing;
  end if;
  return jsonb_build_object('outcome', 'cancelled');
end;
$$;

-- Cancels an order for the customer it belongs to (order_ids_of), as cancel_order does. p_paid is what the customer
-- saw, so that giving up an unpaid order never cancels one that was paid in the meantime. Notifies the admin of a
-- cancelled paid order. p_network is the customer's network, a keyed hash. With p_keep_fee the platform fee of a paid
-- order is not refunded, or what is left of the payment if that is less; it then needs p_document, its invoice, which
-- the credit note of the refund reduces to the fee (p_revision as in assign_invoice). Raises 22023. Returns {outcome};
-- only `cancelled` changes the order:
--   cancelled; already; not_found (or another customer's)
--   paid                 the customer gave up an unpaid order, which is now paid
--   not_paid             the customer cancelled a paid order, which is not paid
--   refunded             it was paid, and all of it was or will be refunded
--   ask                  only the shop can cancel: packed or further, a free replacement, disputed, or not paid through
--                        this checkout
--   limit                the account, its phone or its network caused too many refunds (fee_lost). The admin is notified
--                        and decides
--   check_payment_first  as in cancel_order
--   needs_document, outdated  as in assign_invoice
create function public.cancel_own_order(
  p_user_id uuid, p_order_id bigint, p_key uuid, p_paid boolean, p_payment_checked boolean default false,
  p_network text default null, p_keep_fee boolean default false, p_document jsonb default null,
  p_revision timestamptz default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_answer jsonb;
  v_kept bigint := 0;
begin
  select * into v_order from public.orders
  where id = p_order_id and id in (select private.order_ids_of(p_user_id))
  for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.fulfilment = 'cancelled' then
    return jsonb_build_object('outcome', 'already');
  elsif v_order.paid and not p_paid then
    return jsonb_build_object('outcome', 'paid');
  elsif v_order.payment_id is not null and not v_order.paid then
    return jsonb_build_object('outcome', 'refunded');
  elsif p_paid and not v_order.paid then
    return jsonb_build_object('outcome', 'not_paid');
  elsif v_order.fulfilment <> 'new' or v_order.hand_over or v_order.hold_state is null or v_order.replaces is not null
    or coalesce(private.is_by_hand(v_order.payment_id), false)
    or exists (
      select 1 from public.payments p
      where p.payment_id = v_order.payment_id and p.dispute is not null and not private.is_closed_dispute(p.dispute)
    )
  then
    return jsonb_build_object('outcome', 'ask');
  end if;
  if p_paid and p_keep_fee and v_order.total_paise - coalesce(v_order.fee_paise, 0) >= 100 then
    v_kept := least(coalesce(v_order.fee_paise, 0), greatest(0, (
      select private.refundable_paise(p) from public.payments p where p.payment_id = v_order.payment_id
    )));
    if v_kept > 0 and v_order.invoice_number is null and p_document is null then
      return jsonb_build_object('outcome', 'needs_document');
    elsif v_kept > 0 and v_order.invoice_number is null and p_revision <> v_order.updated_at then
      return jsonb_build_object('outcome', 'outdated');
    end if;
  end if;

  begin
    update public.orders set kept_paise = v_kept where id = p_order_id and v_kept > 0;
    v_answer := public.cancel_order(p_order_id, p_key, 'Cancelled by the customer', true, p_payment_checked);
    if v_answer ->> 'outcome' <> 'cancelled' or not p_paid then
      return v_answer;
    end if;
    -- Counted last: the costs come after orders and products in the lock order.
    if private.count_cost('fee_lost', private.cost_keys(p_user_id::text, p_network, v_order.phone_key)) is not null then
      raise exception 'too many refunds' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    perform public.notify_admin(
      'cancel_requested',
      jsonb_build_object('payment_id', v_order.payment_id, 'amount_paise', v_order.total_paise),
      'cancel_requested:' || p_order_id, p_order_id
    );
    return jsonb_build_object('outcome', 'limit');
  end;
  if v_kept > 0 then
    -- The goods go back, the fee does not: the credit note is for all items.
    update public.refunds r
    set items = (
      select jsonb_object_agg(private.line_key(item), (item ->> 'quantity')::integer)
      from jsonb_array_elements(v_order.items) item
    )
    where r.order_id = p_order_id and p_key = any (r.request_keys);
    update public.outbox m set payload = m.payload || jsonb_build_object('kept_paise', v_kept)
    where m.dedupe_key = 'order_cancelled:' || p_order_id;
  end if;
  perform public.notify_admin(
    'cancelled_by_customer',
    jsonb_build_object('payment_id', v_order.payment_id, 'amount_paise', v_order.total_paise - v_kept),
    'cancelled_by_customer:' || p_order_id, p_order_id
  );
  -- The counter of invoices is the last lock.
  if v_kept > 0 then
    perform private.issue_invoice(p_order_id, p_document);
  end if;
  return v_answer;
end;
$$;

-- Empty: cancellations are uses of fee_lost in `costs`. The table stays for backups of release 1.1.0.
create table public.own_cancellations (
  order_id bigint primary key references public.orders (id) on delete cascade,
  user_id uuid references auth.users (id) on delete set null,
  phone_hash text,
  network text check (char_length(network) <= 60),
  created_at timestamptz not null default now()
);

create index own_cancellations_user_id_idx on public.own_cancellations (user_id);
create index own_cancellations_created_at_idx on public.own_cancellations (created_at);

alter table public.own_cancellations enable row level security;

-- ── Order details ──

-- Corrections of an order's details by the admin, and the admin's note, each stored with the old value.
create table public.order_changes (
  id bigint generated always as identity primary key,
  order_id bigint not null references public.orders (id),
  field text not null check (field in (
    'customer_name', 'customer_phone', 'customer_address', 'customer_city', 'customer_postal_code', 'customer_gstin',
    'recipient_name', 'recipient_phone', 'admin_note'
  )),
  old_value text not null,
  new_value text not null check (char_length(new_value) <= 2000),
  created_at timestamptz not null default now()
);

create index order_changes_order_id_idx on public.order_changes (order_id);

alter table public.order_changes enable row level security;

-- Changes details of an order: p_changes is {column: {"from": text, "to": text}}, '' for empty. Only the note can
-- change after the order is shipped. The GSTIN, and a PIN code of another state (p_moves_state), can change only
-- before the invoice, which shows the place of supply. Returns {outcome}: changed; not_found; sent; invoiced;
-- conflict, with field and value, when a column no longer has its `from` value. Raises 22023.
create function public.change_order_details(p_order_id bigint, p_changes jsonb, p_moves_state boolean)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_row jsonb;
  v_field text;
  v_change jsonb;
begin
  if jsonb_typeof(p_changes) is distinct from 'object' or jsonb_path_exists(
    p_changes, 'strict $.* ? (@.type() != "object" || @."from".type() != "string" || @."to".type() != "string")'
  ) then
    raise exception 'changes must be {column: {from, to}}' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.fulfilment not in ('new', 'packed') and p_changes - 'admin_note' <> '{}' then
    return jsonb_build_object('outcome', 'sent');
  elsif v_order.invoice_number is not null and (p_moves_state or p_changes ? 'customer_gstin') then
    return jsonb_build_object('outcome', 'invoiced');
  end if;
  v_row := to_jsonb(v_order);
  for v_field, v_change in select * from jsonb_each(p_changes) loop
    if coalesce(v_row ->> v_field, '') <> v_change ->> 'from' then
      return jsonb_build_object('outcome', 'conflict', 'field', v_field, 'value', coalesce(v_row ->> v_field, ''));
    end if;
  end loop;

  insert into public.order_changes (order_id, field, old_value, new_value)
  select p_order_id, key, value ->> 'from', value ->> 'to' from jsonb_each(p_changes)
  where value ->> 'from' <> value ->> 'to';
  update public.orders o
  set customer_name = coalesce(p_changes #>> '{customer_name,to}', o.customer_name),
      customer_phone = coalesce(p_changes #>> '{customer_phone,to}', o.customer_phone),
      customer_address = coalesce(p_changes #>> '{customer_address,to}', o.customer_address),
      customer_city = coalesce(p_changes #>> '{customer_city,to}', o.customer_city),
      customer_postal_code = coalesce(p_changes #>> '{customer_postal_code,to}', o.customer_postal_code),
      customer_gstin = nullif(coalesce(p_changes #>> '{customer_gstin,to}', o.customer_gstin), ''),
      recipient_name = nullif(coalesce(p_changes #>> '{recipient_name,to}', o.recipient_name), ''),
      recipient_phone = nullif(coalesce(p_changes #>> '{recipient_phone,to}', o.recipient_phone), ''),
      admin_note = coalesce(p_changes #>> '{admin_note,to}', o.admin_note)
  where o.id = p_order_id;
  return jsonb_build_object('outcome', 'changed');
end;
$$;

-- supabase/schemas/couriers.sql

-- Ships several orders as set_fulfilment does, all or none. p_parcels: [{order_id, carrier, tracking_number,
-- tracking_url, document, revision}], each order once. Without p_save it only checks. Returns {outcome, orders:
-- [{order_id, outcome}]}; the outcome is saved, checked, or refused (nothing is stored). An order's outcome is one of
-- set_fulfilment, hand_over (no parcel) or shipped_otherwise (shipped or delivered with another number).
create function public.ship_orders(p_parcels jsonb, p_save boolean)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_parcel jsonb;
  v_order public.orders;
  v_outcome text;
  v_orders jsonb := '[]';
  v_refused boolean := false;
begin
  -- Locks all orders before the first invoice, because its counter is the last lock.
  perform 1 from public.orders o
  where o.id in (select (p ->> 'order_id')::bigint from jsonb_array_elements(p_parcels) p)
  order by o.id for update;
  begin
    for v_parcel in select p from jsonb_array_elements(p_parcels) p loop
      select * into v_order from public.orders where id = (v_parcel ->> 'order_id')::bigint;
      v_outcome := case
        when v_order.id is null then 'not_found'
        when v_order.hand_over then 'hand_over'
        when v_order.fulfilment not in ('shipped', 'delivered') then null
        when lower(v_order.tracking_number) = lower(v_parcel ->> 'tracking_number') then 'same'
        else 'shipped_otherwise'
      end;
      if v_outcome is null then
        v_outcome := public.set_fulfilment(
          v_order.id, 'shipped', v_parcel ->> 'carrier', v_parcel ->> 'tracking_number', v_parcel ->> 'tracking_url',
          nullif(v_parcel -> 'document', 'null'), (v_parcel ->> 'revision')::timestamptz
        ) ->> 'outcome';
      end if;
      v_refused := v_refused or v_outcome not in ('changed', 'same');
      v_orders := v_orders || jsonb_build_object('order_id', v_parcel -> 'order_id', 'outcome', v_outcome);
    end loop;
    if v_refused or not p_save then
      raise exception 'nothing is kept' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    return jsonb_build_object('outcome', case when v_refused then 'refused' else 'checked' end, 'orders', v_orders);
  end;
  return jsonb_build_object('outcome', 'saved', 'orders', v_orders);
end;
$$;

-- supabase/schemas/invoices.sql

-- Invoices and credit notes, with gapless numbers per Indian financial year (April to March). Documents are stored as
-- issued: later changes of prices, tax rates, products or the shop's address do not change them. A refund after the
-- invoice gets a credit note (CGST Act, section 34). A refund before it gets one right after the invoice.
--
-- A serial number belongs to the series and its financial year, not to the prefix: after a change of the prefix the numbers
-- go on (KSV/2026-27/0031, then PJ/2026-27/0032), so none is given twice or left out.
--
-- LOCK ORDER: the counter is the last lock of all (6 in `orders.sql`). A transaction that fails rolls its number back.

create table public.document_counters (
  series text check (series in ('invoice', 'credit_note')),
  financial_year text check (financial_year ~ '^[0-9]{4}-[0-9]{2}$'),
  last_serial integer not null check (last_serial > 0),
  last_issued_at timestamptz not null,
  primary key (series, financial_year)
);

alter table public.document_counters enable row level security;

create table public.invoices (
  number text primary key check (char_length(number) <= 16),
  order_id bigint not null unique references public.orders (id),
  financial_year text not null,
  serial integer not null check (serial > 0),
  issued_at timestamptz not null,
  -- Seller, buyer, place of supply and lines with tax: invoiceDocumentSchema in
  -- src/domain/invoice/invoice-document.ts.
  document jsonb not null check (jsonb_typeof(document) = 'object'),
  constraint invoices_serial unique (financial_year, serial)
);

create index invoices_issued_at_idx on public.invoices (issued_at);

alter table public.invoices enable row level security;

create table public.credit_notes (
  number text primary key check (char_length(number) <= 16),
  refund_id bigint not null unique references public.refunds (id),
  invoice_number text not null references public.invoices (number),
  financial_year text not null,
  serial integer not null check (serial > 0),
  issued_at timestamptz not null,
  -- creditNoteSchema in src/domain/invoice/credit-note.ts.
  document jsonb not null check (jsonb_typeof(document) = 'object'),
  constraint credit_notes_serial unique (financial_year, serial)
);

create index credit_notes_invoice_number_idx on public.credit_notes (invoice_number);
create index credit_notes_issued_at_idx on public.credit_notes (issued_at);

alter table public.credit_notes enable row level security;

-- ── Numbers ──

-- '2026-27' for any time from April 2026 to March 2027 in India.
create function private.financial_year(p_at timestamptz)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select y || '-' || lpad(((y + 1) % 100)::text, 2, '0')
    from (select extract(year from (p_at at time zone 'Asia/Kolkata') - interval '3 months')::integer as y) t
  );
end;
$$;

-- 'KSV/2026-27/0001'. From 10,000 on 'KSV/26-27/10000', because GST allows 16 characters.
create function private.document_number(p_prefix text, p_financial_year text, p_serial integer)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    when p_serial > 9999 then p_prefix || '/' || right(p_financial_year, 5) || '/' || p_serial
    else p_prefix || '/' || p_financial_year || '/' || lpad(p_serial::text, 4, '0')
  end;
end;
$$;

-- The next number of a series. Times never decrease within a year, even if the clock was read before waiting for the
-- counter. The caller takes no other lock afterwards.
create function private.next_document(p_series text)
returns public.document_counters
language sql
set search_path = ''
as $$
  with now as (select clock_timestamp() as at)
  insert into public.document_counters as c (series, financial_year, last_serial, last_issued_at)
  select p_series, private.financial_year(at), 1, at from now
  on conflict (series, financial_year) do update
    set last_serial = c.last_serial + 1, last_issued_at = greatest(c.last_issued_at, excluded.last_issued_at)
  returning *;
$$;

-- Parses a number that private.document_number formatted, of the series 'invoice' or 'credit_note'. Any prefix may be in it,
-- because the lost database may have had a newer one than the backup; only that of the other series is refused. Null for
-- null; raises 22023 for any other text.
create function private.parse_document_number(p_series text, p_number text, out serial integer, out financial_year text)
language plpgsql
stable
strict
set search_path = ''
as $$
declare
  v_parts text[] := regexp_match(btrim(p_number), '^([A-Z0-9]{1,3})/((?:20)?[0-9]{2}-[0-9]{2})/([0-9]{4,6})$');
begin
  if v_parts is null or v_parts[1] = (
    select case p_series when 'invoice' then s.credit_note_prefix else s.invoice_prefix end from public.shop_settings s
  ) then
    raise exception '% is not the number of %', p_number,
      case p_series when 'invoice' then 'an invoice' else 'a credit note' end using errcode = '22023';
  end if;
  financial_year := case when length(v_parts[2]) = 5 then '20' else '' end || v_parts[2];
  serial := v_parts[3]::integer;
end;
$$;

-- ── Invoices ──

-- Issues the invoice of an order, or returns the number of the existing one. The caller has locked the order, and
-- takes no other lock afterwards. Raises 22023 without a document.
create function private.issue_invoice(p_order_id bigint, p_document jsonb)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_number text;
  v_counter public.document_counters;
begin
  select invoice_number into v_number from public.orders where id = p_order_id;
  if v_number is not null then
    return v_number;
  end if;
  if jsonb_typeof(p_document) is distinct from 'object' then
    raise exception 'an invoice needs its document' using errcode = '22023';
  end if;
  v_counter := private.next_document('invoice');
  v_number := private.document_number(
    (select invoice_prefix from public.shop_settings), v_counter.financial_year, v_counter.last_serial
  );
  insert into public.invoices (number, order_id, financial_year, serial, issued_at, document)
  values (v_number, p_order_id, v_counter.financial_year, v_counter.last_serial, v_counter.last_issued_at, p_document);
  update public.orders set invoice_number = v_number where id = p_order_id;
  return v_number;
end;
$$;

-- Returns the invoice of an order, issued now if it has none: {outcome, invoice?} with the invoice as in
-- private.invoice_of. outcome: assigned; already; not_found; not_paid (also for cancelled and fully refunded orders);
-- outdated (the order has changed since p_revision, its updated_at when p_document was made; null skips the check).
create function public.assign_invoice(p_order_id bigint, p_document jsonb, p_revision timestamptz default null)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_order.invoice_number is null and (v_order.fulfilment = 'cancelled' or not v_order.paid) then
    return jsonb_build_object('outcome', 'not_paid');
  end if;
  if v_order.invoice_number is null and p_revision <> v_order.updated_at then
    return jsonb_build_object('outcome', 'outdated');
  end if;
  perform private.issue_invoice(p_order_id, p_document);
  return jsonb_build_object(
    'outcome', case when v_order.invoice_number is null then 'assigned' else 'already' end,
    'invoice', private.invoice_of(p_order_id)
  );
end;
$$;

-- The credit notes of an invoice, oldest first: [{number, issuedAt, document}].
create function private.credit_notes_of(p_invoice_number text)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object('number', c.number, 'issuedAt', c.issued_at, 'document', c.document)
      order by c.issued_at, c.serial
    ), '[]')
    from public.credit_notes c
    where c.invoice_number = p_invoice_number
  );
end;
$$;

-- An order's invoice with its credit notes: {number, issuedAt, document, creditNotes}, or null.
create function private.invoice_of(p_order_id bigint)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'number', i.number, 'issuedAt', i.issued_at, 'document', i.document,
      'creditNotes', private.credit_notes_of(i.number)
    )
    from public.invoices i
    where i.order_id = p_order_id
  );
end;
$$;

-- The invoice of an order for the admin, or null.
create function public.read_invoice(p_order_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.invoice_of(p_order_id);
$$;

-- The invoice of a customer's own order, with its credit notes. Null without one, or for another customer's order.
create function public.own_invoice(p_user_id uuid, p_order_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.invoice_of(o.id)
  from public.orders o
  where o.id = p_order_id and o.id in (select private.order_ids_of(p_user_id));
$$;

-- Queues the mail with an order's invoice to the customer, at most once a minute. Returns {outcome}: queued; already;
-- no_invoice; no_address; not_found.
create function public.mail_invoice(p_order_id bigint)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz;
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  -- Read after waiting for the lock, so that a mail that another caller just queued is not in the future.
  v_now := clock_timestamp();
  if v_order.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_order.invoice_number is null then
    return jsonb_build_object('outcome', 'no_invoice');
  elsif coalesce(btrim(v_order.customer_email), '') = '' then
    return jsonb_build_object('outcome', 'no_address');
  elsif exists (
    select 1 from public.outbox m
    where m.order_id = p_order_id and m.kind = 'invoice_mail' and m.created_at > v_now - interval '1 minute'
  ) then
    return jsonb_build_object('outcome', 'already');
  end if;
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key, created_at)
  values (
    'invoice_mail', v_order.customer_email, p_order_id, private.invoice_of(p_order_id),
    'invoice_mail:' || p_order_id || ':' || extract(epoch from v_now), v_now
  );
  return jsonb_build_object('outcome', 'queued');
end;
$$;

-- ── Credit notes ──

-- Processed refunds without a credit note whose order has an invoice: {refundId, orderId, amountPaise, reason, items,
-- invoice}, with `invoice` as in private.invoice_of. Only the oldest per order, because a credit note depends on
-- those before it.
create function public.credit_notes_due(p_limit integer, p_order_id bigint default null)
returns setof jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query
  select jsonb_build_object(
    'refundId', due.id, 'orderId', due.order_id, 'amountPaise', due.amount_paise, 'reason', due.reason,
    'items', due.items,
    'invoice', private.invoice_of(due.order_id)
  )
  from (
    select distinct on (r.order_id) r.*
    from public.refunds r
    join public.orders o on o.id = r.order_id and o.payment_id = r.payment_id and o.invoice_number is not null
    where r.state = 'processed' and not r.has_credit_note and (p_order_id is null or r.order_id = p_order_id)
    order by r.order_id, r.id
  ) due
  order by due.id
  limit p_limit;
end;
$$;

-- Issues the credit note of a refund. p_earlier is the number of credit notes of the invoice when the document was
-- made. Returns {outcome}: issued, with number; already; changed (another credit note was issued in between);
-- not_due. Raises 22023 without a document.
create function public.issue_credit_note(p_refund_id bigint, p_document jsonb, p_earlier integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_counter public.document_counters;
  v_number text;
begin
  if jsonb_typeof(p_document) is distinct from 'object' then
    raise exception 'a credit note needs its document' using errcode = '22023';
  end if;
  select o.* into v_order from public.orders o
  where o.id = (select r.order_id from public.refunds r where r.id = p_refund_id)
  for update;
  if v_order.invoice_number is null or not exists (
    select 1 from public.refunds r
    where r.id = p_refund_id and r.state = 'processed' and r.payment_id = v_order.payment_id
  ) then
    return jsonb_build_object('outcome', 'not_due');
  elsif exists (select 1 from public.credit_notes where refund_id = p_refund_id) then
    return jsonb_build_object('outcome', 'already');
  elsif (select count(*) from public.credit_notes where invoice_number = v_order.invoice_number) <> p_earlier then
    return jsonb_build_object('outcome', 'changed');
  end if;
  update public.refunds set has_credit_note = true where id = p_refund_id;
  v_counter := private.next_document('credit_note');
  v_number := private.document_number(
    (select credit_note_prefix from public.shop_settings), v_counter.financial_year, v_counter.last_serial
  );
  insert into public.credit_notes (number, refund_id, invoice_number, financial_year, serial, issued_at, document)
  values (
    v_number, p_refund_id, v_order.invoice_number, v_counter.financial_year, v_counter.last_serial,
    v_counter.last_issued_at, p_document
  );
  return jsonb_build_object('outcome', 'issued', 'number', v_number);
end;
$$;

-- ── For the forms and the accountant ──

-- The facts that decide the tax rate of an order's products that still exist: {product_id: {category, hsn}}.
create function private.tax_facts(p_order public.orders)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select coalesce(
      jsonb_object_agg(p.id, jsonb_build_object('category', p.category, 'hsn', p.attributes ->> 'hsn')), '{}'
    )
    from public.products p
    where p.id = any (array(
      select (id #>> '{}')::uuid
      from unnest(array[p_order.items, p_order.products]) list, jsonb_path_query(list, 'lax $.**.product_id') id
      where id #>> '{}' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    ))
  );
end;
$$;

-- The documents of a month for the accountant, in order of their numbers: {invoices, creditNotes}. p_month is its
-- first day in India. One JSON value, because the API returns at most 1,000 rows.
create function public.month_documents(p_month date)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with month as (
    select date_trunc('month', p_month::timestamp) at time zone 'Asia/Kolkata' as first,
      (date_trunc('month', p_month::timestamp) + interval '1 month') at time zone 'Asia/Kolkata' as next
  )
  select jsonb_build_object(
    'invoices', coalesce((
      select jsonb_agg(jsonb_build_object('number', i.number, 'issuedAt', i.issued_at, 'document', i.document)
        order by i.financial_year, i.serial)
      from public.invoices i, month m where i.issued_at >= m.first and i.issued_at < m.next
    ), '[]'),
    'creditNotes', coalesce((
      select jsonb_agg(jsonb_build_object('number', c.number, 'issuedAt', c.issued_at, 'document', c.document)
        order by c.financial_year, c.serial)
      from public.credit_notes c, month m where c.issued_at >= m.first and c.issued_at < m.next
    ), '[]')
  );
$$;

-- supabase/schemas/claims.sql

-- Damage claims: a customer reports what arrived damaged, with photos and a video. The admin answers with a refund, a
-- replacement or a reason. Functions lock the order first, as everywhere, then its claims.

alter table public.orders add column replaces bigint references public.orders (id);

comment on column public.orders.replaces is 'The order whose damaged items this free one replaces';

create index orders_replaces_idx on public.orders (replaces);

create table public.claims (
  id bigint generated always as identity primary key,
  order_id bigint not null references public.orders (id),
  created_at timestamptz not null default now(),
  message text not null check (char_length(message) <= 2000),
  -- Reported later than the policy allows.
  late boolean not null,
  answer text check (answer in ('refund', 'replacement', 'declined')),
  answered_at timestamptz,
  -- Idempotency key of the answer.
  answer_key uuid,
  reason text not null default '' check (char_length(reason) <= 1000),
  amount_paise bigint check (amount_paise >= 100),
  replacement_id bigint references public.orders (id),
  check ((answer is null) = (answered_at is null))
);

create index claims_order_id_idx on public.claims (order_id);
create index claims_replacement_id_idx on public.claims (replacement_id);

-- At most one open claim per order. Also lists the open claims for the admin.
create unique index claims_open_idx on public.claims (order_id) where answer is null;

-- For retention: claims whose words are still there.
create index claims_words_idx on public.claims (answered_at) where message <> '' or reason <> '';

alter table public.claims enable row level security;

-- Files in the bucket `claims`. Each is recorded before its upload, so that it can be found and deleted.
create table public.claim_files (
  path text primary key check (char_length(path) <= 120),
  order_id bigint not null references public.orders (id),
  -- Null until the claim is sent.
  claim_id bigint references public.claims (id),
  kind text not null check (kind in ('photo', 'video')),
  -- Null until the upload has finished.
  bytes integer,
  -- The file is being deleted. No claim can take it, and the row is deleted after the file.
  removing boolean not null default false,
  created_at timestamptz not null default now()
);

create index claim_files_order_id_idx on public.claim_files (order_id);
create index claim_files_claim_id_idx on public.claim_files (claim_id);
create index claim_files_created_at_idx on public.claim_files (created_at);

alter table public.claim_files enable row level security;

-- Private: read and written with the service key, and read with signed URLs. Videos arrive in parts of 5 MB, so the
-- functions check the type of a file instead of the bucket.
do $$
begin
  if to_regclass('storage.buckets') is not null then
    insert into storage.buckets (id, name, public, file_size_limit)
    values ('claims', 'claims', false, 6 * 1024 * 1024)
    on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit;
  end if;
end;
$$;

-- ── Reporting ──

-- Whether an order belongs to an account, see private.order_ids_of.
create function public.owns_order(p_user_id uuid, p_order_id bigint)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select p_order_id in (select private.order_ids_of(p_user_id));
$$;

-- Whether damage can be reported: the order is shipped or delivered, and not refunded in full. A free replacement
-- counts as paid.
create function private.is_claimable(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return p_order.fulfilment in ('shipped', 'delivered') and p_order.paid;
end;
$$;

-- Why damage of an order cannot be reported now: not_found, not_possible (see private.is_claimable), already (a claim
-- waits for its answer), too_many (five claims). Null when it can.
create function private.claim_refusal(p_order public.orders)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return case
    when p_order.id is null then 'not_found'
    when not private.is_claimable(p_order) then 'not_possible'
    when exists (select 1 from public.claims where order_id = p_order.id and answer is null) then 'already'
    when (select count(*) from public.claims where order_id = p_order.id) >= 5 then 'too_many'
  end;
end;
$$;

-- private.claim_refusal, before anything is read from storage.
create function public.claim_refusal(p_order_id bigint)
returns text
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id;
  return private.claim_refusal(v_order);
end;
$$;

-- Records files before they are uploaded for an order. Waiting files of this kind that are in neither p_paths nor
-- p_keep were replaced: they are marked and the caller deletes them. Without p_keep none are. Recording a path again
-- restarts its two days. Files of all orders together may have p_max_total_bytes; the admin is notified at 70 % of it.
-- A file of this order that has not arrived counts as 4 MB. Those of other orders count when they have arrived, because
-- announcing costs nothing; each upload is compared again. Returns {outcome, freed: [path]}: noted; not_found; not_possible
-- (nothing to claim, or a file of a sent claim); removing (a file is being deleted, so try again soon); full (40 files
-- of the order wait for their claim, or the total is reached).
create function public.note_claim_files(
  p_order_id bigint, p_kind text, p_paths text[], p_keep text[] default null,
  p_max_total_bytes bigint default 1000000000
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_freed text[];
  v_bytes_of_part constant bigint := 4194304;
  v_total bigint;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif not private.is_claimable(v_order)
    or exists (
      select 1 from public.claim_files
      where path = any (p_paths) and (claim_id is not null or order_id <> p_order_id)
    )
  then
    return jsonb_build_object('outcome', 'not_possible');
  elsif exists (select 1 from public.claim_files where path = any (p_paths) and removing) then
    return jsonb_build_object('outcome', 'removing');
  end if;
  with freed as (
    update public.claim_files set removing = true
    where order_id = p_order_id and claim_id is null and kind = p_kind and not removing
      and p_keep is not null and path <> all (p_paths || p_keep)
    returning path
  )
  select coalesce(array_agg(path), '{}') into v_freed from freed;
  select coalesce(sum(coalesce(f.bytes, case when f.order_id = p_order_id then v_bytes_of_part end)), 0)
    + v_bytes_of_part * cardinality(array(
      select path from unnest(p_paths) path except select f.path from public.claim_files f where f.order_id = p_order_id))
  into v_total
  from public.claim_files f where not f.removing;
  if v_total > p_max_total_bytes * 7 / 10 then
    perform public.notify_admin('claim_files_full', '{}', 'claim_files_full:' || (now() at time zone 'Asia/Kolkata')::date);
  end if;
  if v_total > p_max_total_bytes or (
    select count(*) from (
      select path from public.claim_files where order_id = p_order_id and claim_id is null and not removing
      union select unnest(p_paths)
    ) waiting
  ) > 40 then
    return jsonb_build_object('outcome', 'full', 'freed', v_freed);
  end if;
  insert into public.claim_files (path, order_id, kind)
  select path, p_order_id, p_kind from unnest(p_paths) path
  on conflict (path) do update set created_at = now();
  return jsonb_build_object('outcome', 'noted', 'freed', v_freed);
end;
$$;

-- Notes that a file has arrived, once: a claim never takes a file that can still change. Returns false when another
-- upload of the same path arrived before, or the file is being deleted.
create function public.note_claim_upload(p_path text, p_bytes integer)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.claim_files set bytes = p_bytes
  where path = p_path and claim_id is null and bytes is null and not removing;
  return found;
end;
$$;

-- Marks a file whose upload did not finish, so that the caller can delete it and upload it again. Returns false when
-- it has arrived, or is being deleted already.
create function public.drop_unfinished_upload(p_path text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.claim_files set removing = true
  where path = p_path and claim_id is null and bytes is null and not removing;
  return found;
end;
$$;

-- Reports damage and mails the customer and the admin. p_paths are uploaded files of this order; p_hours is the time
-- that the policy allows. Returns {outcome}: reported; files_missing; or a private.claim_refusal. Raises 22023.
create function public.report_claim(p_order_id bigint, p_message text, p_paths text[], p_hours integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_refusal text;
  v_claim_id bigint;
begin
  if coalesce(btrim(p_message), '') = '' or p_hours is null or p_paths is null then
    raise exception 'a claim needs a message, files and hours' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  v_refusal := private.claim_refusal(v_order);
  if v_refusal is not null then
    return jsonb_build_object('outcome', v_refusal);
  elsif (
    select count(*) from public.claim_files
    where path = any (p_paths) and order_id = p_order_id and claim_id is null and bytes > 0 and not removing
  ) <> cardinality(p_paths)
  then
    return jsonb_build_object('outcome', 'files_missing');
  end if;
  insert into public.claims (order_id, message, late)
  values (
    p_order_id, btrim(p_message),
    coalesce(clock_timestamp() > v_order.delivered_at + make_interval(hours => p_hours), false)
  )
  returning id into v_claim_id;
  update public.claim_files set claim_id = v_claim_id where path = any (p_paths);
  perform public.notify_admin('damage_claim', '{}', 'damage_claim:' || v_claim_id, p_order_id);
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, dedupe_key)
    values ('claim_received', v_order.customer_email, p_order_id, 'claim_received:' || v_claim_id);
  end if;
  return jsonb_build_object('outcome', 'reported');
end;
$$;

-- ── Answering ──

-- Creates a free order of an order's items. p_items is {line key: quantity}. Takes their stock and discounts them in
-- full. Returns {outcome}: placed, with order_id; too_many_items, with line_key; out_of_stock. The caller has locked
-- the order.
create function private.replace_items(p_order public.orders, p_items jsonb, p_key uuid)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_id bigint := nextval(pg_get_serial_sequence('public.orders', 'id'));
  v_wrong text;
  v_items jsonb;
  v_subtotal bigint;
begin
  select wanted.key into v_wrong
  from jsonb_each_text(p_items) wanted
  where wanted.value::bigint > coalesce((
    select sum((item ->> 'quantity')::bigint) from jsonb_array_elements(p_order.items) item
    where private.line_key(item) = wanted.key
  ), 0)
  order by 1
  limit 1;
  if v_wrong is not null then
    return jsonb_build_object('outcome', 'too_many_items', 'line_key', v_wrong);
  end if;
  -- An order has each line key once.
  select jsonb_agg(
      item || jsonb_build_object(
        'quantity', (p_items ->> private.line_key(item))::integer,
        'discount_paise',
        round(coalesce((item ->> 'price')::numeric, 0) * 100)::bigint * (p_items ->> private.line_key(item))::integer
      ) order by line),
    sum(round(coalesce((item ->> 'price')::numeric, 0) * 100)::bigint * (p_items ->> private.line_key(item))::integer)
  into v_items, v_subtotal
  from jsonb_array_elements(p_order.items) with ordinality i (item, line)
  where p_items ? private.line_key(item);
  if not private.reserve_stock_again(v_items) then
    return jsonb_build_object('outcome', 'out_of_stock');
  end if;
  insert into public.orders (
    id, user_id, merchant_transaction_id, customer_name, customer_email, customer_phone, customer_address, customer_city,
    customer_postal_code, recipient_name, recipient_phone, items, subtotal_paise, discount_paise, fee_paise, total_paise,
    fee_bps, status, payment_status, payment_method, hold_state, admin_key, replaces
  )
  values (
    v_id, p_order.user_id, private.order_reference(v_id), p_order.customer_name,
    p_order.customer_email, p_order.customer_phone, p_order.customer_address, p_order.customer_city,
    p_order.customer_postal_code, p_order.recipient_name, p_order.recipient_phone, v_items, v_subtotal,
    v_subtotal, 0, 0, 0, 'COMPLETED', 'COMPLETED', 'replacement', 'taken', p_key, p_order.id
  );
  return jsonb_build_object('outcome', 'placed', 'order_id', v_id);
end;
$$;

-- Answers a claim and mails the customer. A refund uses request_refund, for p_items ({line key: quantity}) if given.
-- A replacement is a free order of p_items. Declining needs a reason. Returns {outcome}: answered; already (with this
-- key); answered_before (with another key); not_found; or an outcome of request_refund or private.replace_items that
-- changes nothing. Raises 22023.
create function public.answer_claim(
  p_order_id bigint, p_claim_id bigint, p_key uuid, p_answer text, p_reason text, p_amount_paise bigint, p_items jsonb
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_claim public.claims;
  v_done jsonb := '{}';
begin
  if p_key is null or p_answer is null or p_answer not in ('refund', 'replacement', 'declined')
    or jsonb_typeof(p_items) is distinct from 'object'
    or jsonb_path_exists(p_items, 'strict $.* ? (@.type() != "number" || @ < 1 || @ > 100000)')
    or (p_answer = 'replacement' and p_items = '{}') or (p_answer = 'declined' and coalesce(btrim(p_reason), '') = '')
  then
    raise exception 'an answer needs a key, and items or a reason' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  select * into v_claim from public.claims where id = p_claim_id and order_id = p_order_id for update;
  if v_claim.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_claim.answer is not null then
    return jsonb_build_object('outcome', case when v_claim.answer_key = p_key then 'already' else 'answered_before' end);
  end if;
  if p_answer = 'refund' then
    v_done := public.request_refund(
      p_order_id, p_key, p_amount_paise, coalesce(nullif(btrim(p_reason), ''), 'Damaged on arrival'), '{}', p_items);
    if v_done ->> 'outcome' not in ('refunding', 'already') then
      return v_done;
    end if;
  elsif p_answer = 'replacement' then
    v_done := private.replace_items(v_order, p_items, p_key);
    if v_done ->> 'outcome' <> 'placed' then
      return v_done;
    end if;
  end if;
  update public.claims
  set answer = p_answer, answered_at = clock_timestamp(), answer_key = p_key, reason = coalesce(btrim(p_reason), ''),
      amount_paise = case when p_answer = 'refund' then p_amount_paise end,
      replacement_id = (v_done ->> 'order_id')::bigint
  where id = p_claim_id
  returning * into v_claim;
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'claim_answered', v_order.customer_email, p_order_id,
      jsonb_build_object('answer', v_claim.answer, 'reason', v_claim.reason, 'amount_paise', v_claim.amount_paise,
        'replacement_id', v_claim.replacement_id),
      'claim_answered:' || p_claim_id
    );
  end if;
  return jsonb_build_object('outcome', 'answered');
end;
$$;

-- The claims of an order, newest first: [{id, createdAt, message, late, answer, answeredAt, reason, amountPaise,
-- replacementId, files: [{path, kind}]}].
create function public.read_claims(p_order_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'createdAt', c.created_at, 'message', c.message, 'late', c.late,
    'answer', c.answer, 'answeredAt', c.answered_at,
    'reason', c.reason, 'amountPaise', c.amount_paise, 'replacementId', c.replacement_id,
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('path', f.path, 'kind', f.kind) order by f.path), '[]')
      from public.claim_files f where f.claim_id = c.id)
  ) order by c.id desc), '[]')
  from public.claims c
  where c.order_id = p_order_id;
$$;

-- ── Deleting files ──

-- Marks files to delete and returns their paths: p_days after the answer, two years after a claim without one, two
-- days after an upload without a claim, and files that were marked before. Marks under the order's lock, as
-- report_claim does, so that no claim takes a file that is being deleted. Skips orders locked by others.
create function public.take_due_claim_files(p_days integer, p_limit integer)
returns setof text
language sql
security definer
set search_path = ''
as $$
  update public.claim_files set removing = true
  where path = any (array(
    select f.path
    from public.claim_files f
    join public.orders o on o.id = f.order_id
    where f.removing
      or (f.created_at < now() - interval '2 days' and (f.claim_id is null or exists (
        select 1 from public.claims c
        where c.id = f.claim_id
          and (c.answered_at < now() - make_interval(days => p_days) or c.created_at < now() - interval '2 years'))))
    order by f.created_at
    limit p_limit
    for update of o, f skip locked))
  returning path;
$$;

-- Deletes the rows of marked files that were deleted.
create function public.forget_claim_files(p_paths text[])
returns void
language sql
security definer
set search_path = ''
as $$
  delete from public.claim_files where path = any (p_paths) and removing;
$$;

-- supabase/schemas/admin-products.sql

-- The admin's work on products: list, read, add, edit, delete, restore, feature and import. Prices are passed in paise.

-- ── One product ──

-- A product for the admin's endpoints: all columns, and `change_version`, the version of its last change.
create function private.admin_product(p_product public.products)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return to_jsonb(p_product) || jsonb_build_object('change_version', (
    select max(c.version) from public.product_changes c where c.product_id = p_product.id
  ));
end;
$$;

-- A page of the catalogue: {total, products}. p_search is plain text without wildcards. p_show: 'all' except deleted
-- products, 'visible', 'hidden' or 'deleted'. The filters for low and no stock include visible products only.
create function public.admin_products(
  p_search text,
  p_category text,
  p_stock text,
  p_show text,
  p_low_stock_below integer,
  p_sort text,
  p_offset integer,
  p_limit integer
)
returns jsonb
language plpgsql
security definer
stable
set search_path = ''
as $$
declare
  v_search text := lower(btrim(coalesce(p_search, '')));
  v_answer jsonb;
begin
  if p_stock not in ('all', 'low', 'out') or p_show not in ('all', 'visible', 'hidden', 'deleted')
    or p_sort not in ('newest', 'name', 'price', 'stock')
    or p_offset is null or p_offset < 0 or p_limit is null or p_limit not between 1 and 1000
  then
    raise exception 'unknown stock, show, sort, offset or limit' using errcode = '22023';
  end if;
  with matching as (
    select p as product, p.id,
      row_number() over (
        order by
          case when p_sort = 'newest' then coalesce(p.deleted_at, p.created_at) end desc,
          case when p_sort = 'name' then lower(p.name) end,
          case when p_sort = 'price' then coalesce(p."offerPrice", p.price) end,
          case when p_sort = 'stock' then p.stock end,
          lower(p.name), p.id
      ) as place
    from public.products p
    where (p_category is null or p.category = p_category)
      and (p.deleted_at is not null) = (p_show = 'deleted')
      and case p_show when 'visible' then not p.hidden when 'hidden' then p.hidden else true end
      and case p_stock
        when 'low' then p.stock > 0 and p.stock < p_low_stock_below and not p.hidden
        when 'out' then p.stock = 0 and not p.hidden
        else true
      end
      and (
        v_search = ''
        or position(v_search in lower(p.name)) > 0
        or position(v_search in lower(p.description)) > 0
        or position(v_search in p.category) > 0
      )
  )
  select jsonb_build_object(
    'total', (select count(*) from matching),
    'products', coalesce((
      select jsonb_agg(private.admin_product(m.product) order by m.place)
      from matching m
      where m.place > p_offset and m.place <= p_offset + p_limit
    ), '[]')
  ) into v_answer;
  return v_answer;
end;
$$;

-- One product, or null when there is none or it was deleted.
create function public.admin_product(p_id uuid)
returns jsonb
language plpgsql
security definer
stable
set search_path = ''
as $$
begin
  return (
    select private.admin_product(p) from public.products p where p.id = p_id and p.deleted_at is null
  );
end;
$$;

create function private.text_array(p_list jsonb)
returns text[]
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select coalesce(array_agg(value order by place), '{}')
    from jsonb_array_elements_text(p_list) with ordinality e (value, place)
  );
end;
$$;

-- Inserts a product with an id from the client, so that a repeated request inserts it once. Returns {outcome,
-- product}: created, exists (the stored product is unchanged), deleted (it has been deleted since).
create function public.insert_product(p_id uuid, p_product jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_stored public.products;
  v_outcome text := 'created';
begin
  insert into public.products (
    id, name, description, category, price, "offerPrice", stock, sizes, hidden, images, image_alts, attributes
  )
  values (
    p_id, p_product ->> 'name', p_product ->> 'description', p_product ->> 'category',
    (p_product ->> 'price')::numeric / 100, (p_product ->> 'offerPrice')::numeric / 100,
    (p_product ->> 'stock')::integer, coalesce(p_product -> 'sizes', '[]'),
    coalesce((p_product ->> 'hidden')::boolean, false),
    private.text_array(p_product -> 'images'), private.text_array(p_product -> 'imageAlts'), p_product -> 'attributes'
  )
  on conflict (id) do nothing
  returning * into v_stored;
  if v_stored.id is null then
    select * into v_stored from public.products where id = p_id;
    v_outcome := case when v_stored.deleted_at is null then 'exists' else 'deleted' end;
  end if;
  return jsonb_build_object('outcome', v_outcome, 'product', private.admin_product(v_stored));
end;
$$;

-- Stock by size, {size: stock}; for a product without sizes {"": stock}.
create function private.stock_by_size(p_stock integer, p_sizes jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_object_agg(s ->> 'size', (s ->> 'stock')::integer), jsonb_build_object('', p_stock))
    from jsonb_array_elements(p_sizes) s
  );
end;
$$;

-- Saves an edit, unless the product changed since the form was opened (p_expected: {updatedAt, stock, sizes}).
-- Outcomes:
--   saved     with the product as it is now, and whether its visibility changed
--   changed   nothing is written; with the product as it is, and whether its fields or its stock changed
--   missing   the product was deleted
-- Stock that the form did not change is not written, per size if there are sizes, so that a sale in the meantime is
-- kept. An edit without `sizes` keeps the existing ones, and then cannot change the stock: 22023. An edit locks one
-- product and then, if more than stock changes, the catalogue version. Nothing takes these locks in another order.
create function public.save_product(p_id uuid, p_product jsonb, p_expected jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now public.products;
  v_wanted jsonb;
  v_seen jsonb;
  v_stored jsonb;
  v_sizes jsonb;
  v_fields_changed boolean;
  v_was_hidden boolean;
begin
  if p_product ->> 'stock' is null or p_expected ->> 'stock' is null or p_expected ->> 'updatedAt' is null then
    raise exception 'stock, expected stock and expected updatedAt are required' using errcode = '22023';
  end if;
  select * into v_now from public.products where id = p_id and deleted_at is null for update;
  if not found then
    return jsonb_build_object('outcome', 'missing');
  end if;
  v_fields_changed := v_now.updated_at <> (p_expected ->> 'updatedAt')::timestamptz;
  v_sizes := coalesce(p_product -> 'sizes', v_now.sizes);
  v_stored := private.stock_by_size(v_now.stock, v_now.sizes);
  if p_product ? 'sizes' or v_now.sizes = '[]' then
    v_wanted := private.stock_by_size((p_product ->> 'stock')::integer, v_sizes);
    v_seen := private.stock_by_size((p_expected ->> 'stock')::integer, coalesce(p_expected -> 'sizes', '[]'));
  elsif p_product ->> 'stock' = p_expected ->> 'stock' then
    v_wanted := v_stored;
    v_seen := v_stored;
  else
    raise exception 'the stock of a product with sizes is changed by size' using errcode = '22023';
  end if;
  -- A size that is missing on one side was added or removed, and is null there.
  if v_fields_changed or exists (
    select 1 from jsonb_object_keys(v_wanted || v_seen) size
    where v_wanted -> size is distinct from v_seen -> size and v_stored -> size is distinct from v_seen -> size
  ) then
    return jsonb_build_object(
      'outcome', 'changed',
      'product', private.admin_product(v_now),
      'fields_changed', v_fields_changed,
      'stock_changed', v_stored <> v_seen
    );
  end if;
  v_was_hidden := v_now.hidden;
  select v_wanted || coalesce(jsonb_object_agg(seen.key, v_stored -> seen.key), '{}') into v_wanted
  from jsonb_each(v_seen) seen
  where v_wanted -> seen.key = seen.value;
  update public.products p
  set name = p_product ->> 'name',
      description = p_product ->> 'description',
      category = p_product ->> 'category',
      price = (p_product ->> 'price')::numeric / 100,
      "offerPrice" = (p_product ->> 'offerPrice')::numeric / 100,
      stock = coalesce((v_wanted ->> '')::integer, p.stock),
      sizes = (
        select coalesce(jsonb_agg(
          jsonb_build_object('size', s.value -> 'size', 'stock', v_wanted -> (s.value ->> 'size'))
          order by s.ordinality
        ), '[]')
        from jsonb_array_elements(v_sizes) with ordinality s
      ),
      hidden = coalesce((p_product ->> 'hidden')::boolean, p.hidden),
      images = private.text_array(p_product -> 'images'),
      image_alts = private.text_array(p_product -> 'imageAlts'),
      attributes = p_product -> 'attributes'
  where p.id = p_id
  returning * into v_now;
  -- A new statement, so that it sees the version that the triggers wrote.
  return jsonb_build_object(
    'outcome', 'saved', 'product', private.admin_product(v_now), 'visibility_changed', v_now.hidden <> v_was_hidden
  );
end;
$$;

-- Deletes a product and frees its place on the home page. Returns false when there is none. Orders keep their own
-- copy of what was bought, and their stock still returns to the product. It can be restored for 30 days.
create function public.delete_product(p_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.products set deleted_at = clock_timestamp(), featured = null where id = p_id and deleted_at is null;
  return found;
end;
$$;

-- Restores a deleted product as it was, hidden if it was hidden. Returns the product, also if it was restored before,
-- or null when it is gone for good.
create function public.restore_product(p_id uuid)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.products set deleted_at = null where id = p_id and deleted_at is not null;
  return public.admin_product(p_id);
end;
$$;

-- Permanently deletes at most p_limit products that were deleted 30 days ago. Returns how many. Their images become
-- unused.
create function public.end_deleted_products(p_limit integer)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ended integer;
begin
  delete from public.products
  where id = any (array(
    select p.id from public.products p
    where p.deleted_at < clock_timestamp() - interval '30 days'
    -- Uses the index of deleted products; ordering by id would read all products.
    order by p.deleted_at
    limit greatest(p_limit, 0)
    for update skip locked
  ));
  get diagnostics v_ended = row_count;
  return v_ended;
end;
$$;

-- ── Featured products ──

-- The featured products of the home page, in order: [{id, name, hidden, image}].
create function public.featured_products()
returns jsonb
language sql
security definer
stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('id', p.id, 'name', p.name, 'hidden', p.hidden, 'image', p.images[1]) order by p.featured, p.id
  ), '[]')
  from public.products p
  where p.featured is not null;
$$;

-- Sets the featured products, in this order, unless they changed since they were read (p_expected, ids in order).
-- Returns {outcome, featured} with the featured products as they are now. outcome: saved; changed or missing (a
-- product was deleted), with nothing written. Raises 22023 for a repeated product or more than p_limit.
create function public.feature_products(p_ids uuid[], p_expected uuid[], p_limit integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_outcome text := 'saved';
begin
  if p_ids is null or p_expected is null or p_limit is null or array_position(p_ids, null) is not null
    or cardinality(p_ids) > p_limit or cardinality(p_ids) <> (select count(distinct id) from unnest(p_ids) id)
  then
    raise exception 'ids must be different and no more than the limit' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('feature_products', 0));
  perform 1 from public.products p where p.featured is not null or p.id = any (p_ids) order by p.id for update;
  if p_expected is distinct from (
    select coalesce(array_agg(p.id order by p.featured, p.id), '{}') from public.products p where p.featured is not null
  ) then
    v_outcome := 'changed';
  elsif (
    select count(*) from public.products p where p.id = any (p_ids) and p.deleted_at is null
  ) < cardinality(p_ids) then
    v_outcome := 'missing';
  else
    update public.products p
    set featured = array_position(p_ids, p.id)
    where (p.featured is not null or p.id = any (p_ids)) and p.featured is distinct from array_position(p_ids, p.id);
  end if;
  return jsonb_build_object('outcome', v_outcome, 'featured', public.featured_products());
end;
$$;

-- ── Several products ──

-- Imports and bulk actions of the admin. Each is one transaction over the functions for a single product, all or
-- nothing.

-- Locks products in id order, as sales do, before the first edit takes the catalogue version. A single edit takes it
-- last.
create function private.lock_products(p_ids uuid[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform 1 from public.products p where p.id = any (p_ids) order by p.id for update;
end;
$$;

-- Saves products: [{id, product, seen}]. Rows with `seen` null are new (`insert_product`), the others follow
-- `save_product`. Returns {outcome, visibility_changed, refused}; outcome: saved; refused, with nothing written and
-- every product in conflict: [{id, outcome: changed | missing | deleted, fields_changed, product}]. Raises 22023 for
-- a repeated id.
create function public.save_products(p_rows jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ids uuid[] := array(select (r ->> 'id')::uuid from jsonb_array_elements(p_rows) r);
  v_row jsonb;
  v_answer jsonb;
  v_refused jsonb := '[]';
  v_visibility_changed boolean := false;
begin
  if array_position(v_ids, null) is not null
    or cardinality(v_ids) <> (select count(distinct id) from unnest(v_ids) id)
  then
    raise exception 'ids must be given and different' using errcode = '22023';
  end if;
  begin
    perform private.lock_products(v_ids);
    for v_row in select r from jsonb_array_elements(p_rows) r order by (r ->> 'id')::uuid loop
      if coalesce(jsonb_typeof(v_row -> 'seen'), 'null') = 'null' then
        v_answer := public.insert_product((v_row ->> 'id')::uuid, v_row -> 'product');
      else
        v_answer := public.save_product((v_row ->> 'id')::uuid, v_row -> 'product', v_row -> 'seen');
        v_visibility_changed := v_visibility_changed or coalesce((v_answer ->> 'visibility_changed')::boolean, false);
      end if;
      if v_answer ->> 'outcome' in ('changed', 'missing', 'deleted') then
        v_refused := v_refused || jsonb_build_array(jsonb_build_object('id', v_row ->> 'id') || v_answer);
      end if;
    end loop;
    if v_refused <> '[]' then
      raise exception 'refused' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    -- The writes are rolled back; the variable keeps the conflicts.
    return jsonb_build_object('outcome', 'refused', 'visibility_changed', false, 'refused', v_refused);
  end;
  return jsonb_build_object('outcome', 'saved', 'visibility_changed', v_visibility_changed, 'refused', '[]'::jsonb);
end;
$$;

-- supabase/schemas/csv-file.sql

-- What an import is compared with: the products with these ids, including deleted ones, and those with these names.
create function public.products_by_id_or_name(p_ids uuid[], p_names text[])
returns jsonb
language plpgsql
security definer
stable
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(private.admin_product(p) order by p.id), '[]')
    from public.products p
    where p.id = any (p_ids) or (p.deleted_at is null and lower(p.name) in (select lower(n) from unnest(p_names) n))
  );
end;
$$;

-- supabase/schemas/bulk-edits.sql

-- Deletes products as `delete_product` does. Returns the ids of those that existed.
create function public.delete_products(p_ids uuid[])
returns uuid[]
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.lock_products(p_ids);
  return array(select id from (select distinct id from unnest(p_ids) id order by id) ids where public.delete_product(id));
end;
$$;

-- Restores deleted products as `restore_product` does. Returns the ids of all that are in the catalogue now.
create function public.restore_products(p_ids uuid[])
returns uuid[]
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.lock_products(p_ids);
  return array(
    select id from (select distinct id from unnest(p_ids) id order by id) ids
    where public.restore_product(id) is not null
  );
end;
$$;

-- supabase/schemas/pictures.sql

-- Files of the bucket that may be unused: uploaded but not yet saved with a product, or removed from one. Images that
-- products show are not listed, so the sweep's work does not grow with the catalogue.

create table public.pictures (
  path text primary key check (path ~ '^products/[A-Za-z0-9_.-]+$'),
  uploaded_at timestamptz not null default now(),
  -- When it was last removed from a product; null: never.
  dropped_at timestamptz
);

create index pictures_age_idx on public.pictures (coalesce(dropped_at, uploaded_at));

alter table public.pictures enable row level security;

create function private.record_used_pictures()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.pictures where path = any (new.images);
  return null;
end;
$$;

create trigger products_record_pictures_of_added
after insert on public.products
for each row execute function private.record_used_pictures();

create trigger products_record_used_pictures
after update of images on public.products
for each row
when (old.images is distinct from new.images)
execute function private.record_used_pictures();

create function private.record_dropped_pictures()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.pictures (path, dropped_at)
  select distinct path, now()
  from unnest(old.images) path
  where path ~ '^products/[A-Za-z0-9_.-]+$' and (tg_op = 'DELETE' or path <> all (new.images))
  on conflict (path) do update set dropped_at = excluded.dropped_at;
  return null;
end;
$$;

create trigger products_record_dropped_pictures
after update of images on public.products
for each row
when (old.images is distinct from new.images)
execute function private.record_dropped_pictures();

create trigger products_record_pictures_of_deleted
after delete on public.products
for each row execute function private.record_dropped_pictures();

-- To find an image in products and orders.
create index products_images_idx on public.products using gin (images);
create index orders_items_idx on public.orders using gin (items jsonb_path_ops);
create index orders_products_idx on public.orders using gin (products jsonb_path_ops) where products is not null;

-- Images whose files can be deleted: used by no product and no order, and either removed from a product ten minutes
-- ago, or uploaded a day ago and never saved. Built pages can still show a removed image, so the caller asks only
-- when there are no unpublished changes.
create function public.unused_pictures(p_limit integer)
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
    and 0 = (select count(*) from public.orders o where o.items @> jsonb_build_array(jsonb_build_object('image', u.path)))
    and 0 = (
      select count(*) from public.orders o
      where o.products is not null and o.products @> jsonb_build_array(jsonb_build_object('image', u.path))
    )
  order by coalesce(u.dropped_at, u.uploaded_at)
  limit greatest(p_limit, 0);
$$;

-- supabase/schemas/occasion.sql

-- A themed selection on the home page for a period, such as products for Onam. Days are Indian dates.

-- At most one row; no row means no occasion.
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

grant select on public.occasion to anon, authenticated;

-- The current or coming occasion: {heading, sentence, first_day, last_day, products: [{id, name, hidden, image,
-- stock}]} without deleted products; else null.
create function public.read_occasion()
returns jsonb
language sql
security definer
stable
set search_path = ''
as $$
  select to_jsonb(o) - 'id' || jsonb_build_object('products', (
    select coalesce(jsonb_agg(
      jsonb_build_object('id', p.id, 'name', p.name, 'hidden', p.hidden, 'image', p.images[1], 'stock', p.stock)
      order by c.place
    ), '[]')
    from unnest(o.products) with ordinality c (id, place)
    join public.products p on p.id = c.id and p.deleted_at is null
  ))
  from public.occasion o where o.last_day >= private.india_date(clock_timestamp());
$$;

-- Replaces the occasion, or deletes it when null, and returns it as read_occasion does. p_occasion has ids as its
-- products. Logged as an unpublished change with the heading as its name. Raises 22023 for an occasion that is over
-- or repeats a product, and the errors of the table's constraints.
create function public.save_occasion(p_occasion jsonb)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_wanted public.occasion;
  v_heading text;
  v_version bigint;
begin
  if jsonb_typeof(p_occasion) = 'object' then
    v_wanted := jsonb_populate_record(null::public.occasion, p_occasion);
    if v_wanted.last_day < private.india_date(clock_timestamp()) then
      raise exception 'the occasion is over already' using errcode = '22023';
    end if;
    if cardinality(v_wanted.products) <> (select count(distinct id) from unnest(v_wanted.products) id) then
      raise exception 'products must be different' using errcode = '22023';
    end if;
    insert into public.occasion as o (heading, sentence, first_day, last_day, products)
    values (v_wanted.heading, v_wanted.sentence, v_wanted.first_day, v_wanted.last_day, v_wanted.products)
    on conflict (id) do update
      set heading = excluded.heading, sentence = excluded.sentence, first_day = excluded.first_day,
          last_day = excluded.last_day, products = excluded.products
    returning o.heading into v_heading;
  else
    delete from public.occasion where id returning heading into v_heading;
  end if;
  if v_heading is not null then
    update public.catalogue_version set version = version + 1 where id returning version into v_version;
    insert into public.product_changes (version, product_id, name, kind)
    values (v_version, '00000000-0000-0000-0000-000000000000', v_heading, 'changed');
  end if;
  return public.read_occasion();
end;
$$;

-- supabase/schemas/wishlist.sql

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

grant select, delete on public.wishlists to authenticated;
grant insert (product_id, kept_at) on public.wishlists to authenticated;

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

-- supabase/schemas/stock-alerts.sql

-- Requests to be mailed when a sold-out product or size is back in stock. The row is deleted with that mail. Anyone
-- can enter an address, so it gets no other mail before it confirms the request (double opt-in).

create table public.stock_alerts (
  id bigint generated always as identity primary key,
  product_id uuid not null references public.products (id) on delete cascade,
  -- Null: any size of the product.
  size text check (char_length(size) between 1 and 20),
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
  if not v_confirmed and private.cost_refusal('mail_to_stranger', private.cost_keys(null)) is not null then
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

-- supabase/schemas/newsletter.sql

-- The newsletter's subscribers, with double opt-in and the proof of each consent.

-- One row per address. Subscribed are those with confirmed_at and without unsubscribed_at. Both times are kept as
-- proof of the consent and of its end. Anyone can enter an address, so a request has columns of its own and changes
-- nothing else until the address confirms it.
create table public.subscribers (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  email text not null unique check (email = lower(email) and char_length(email) between 3 and 255),
  -- The time of the confirmed consent, or of the first request until then.
  consent_at timestamptz not null default now(),
  consent_text text not null check (consent_text <> ''),
  -- Used in the unsubscribe link of every mail. It never changes.
  token uuid not null unique default gen_random_uuid(),
  confirmed_at timestamptz,
  unsubscribed_at timestamptz,
  -- The last request: its time, its text, and the token in the mail that asks for confirmation.
  asked_at timestamptz not null default now(),
  asked_text text check (asked_text <> ''),
  asked_token uuid not null unique default gen_random_uuid()
);

create index subscribers_unconfirmed_idx on public.subscribers (asked_at)
where confirmed_at is null and unsubscribed_at is null;

alter table public.subscribers enable row level security;

-- Requests a newsletter subscription, which starts when the address confirms it (double opt-in). Until then it
-- changes neither an earlier consent nor an earlier unsubscription. An address gets at most one confirmation mail in
-- 30 days, and none while it is subscribed. Returns {outcome}: asked; later (strangers have caused their share of mails
-- today, and nothing was stored).
create function public.subscribe(p_email text, p_consent_text text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_email text := lower(btrim(p_email));
  v_now timestamptz := clock_timestamp();
  v_token uuid;
begin
  if private.cost_refusal('mail_to_stranger', private.cost_keys(null)) is not null then
    return jsonb_build_object('outcome', 'later');
  end if;
  insert into public.subscribers as s (email, consent_at, consent_text, asked_at, asked_text)
  values (v_email, v_now, p_consent_text, v_now, p_consent_text)
  on conflict (email) do update
    set asked_at = v_now, asked_text = excluded.asked_text, asked_token = gen_random_uuid()
    where (s.confirmed_at is null or s.unsubscribed_at is not null) and s.asked_at < v_now - interval '30 days'
  returning s.asked_token into v_token;

  if v_token is not null then
    insert into public.outbox (kind, recipient, payload, dedupe_key)
    values (
      'newsletter_confirmation', v_email, jsonb_build_object('token', v_token), 'newsletter_confirmation:' || v_token
    );
  end if;
  return jsonb_build_object('outcome', 'asked');
end;
$$;

-- Confirms a request by its token and queues the welcome mail, if strangers have not caused their share of mails today. A
-- token expires after 30 days and when the address unsubscribes. Returns whether the address is subscribed by this token,
-- including by an earlier call.
create function public.confirm_subscription(p_token uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_subscriber public.subscribers;
begin
  update public.subscribers s
  set consent_at = s.asked_at,
      consent_text = coalesce(s.asked_text, s.consent_text),
      confirmed_at = v_now,
      unsubscribed_at = null
  where s.asked_token = p_token and s.asked_at > v_now - interval '30 days'
    and (s.confirmed_at is null or s.unsubscribed_at is not null)
    and s.asked_at > coalesce(s.unsubscribed_at, '-infinity')
  returning * into v_subscriber;
  if v_subscriber.id is not null
    and private.cost_refusal('mail_to_stranger', private.cost_keys(null)) is null
  then
    insert into public.outbox (kind, recipient, payload, dedupe_key)
    values (
      'newsletter_welcome', v_subscriber.email, jsonb_build_object('token', v_subscriber.token),
      'newsletter_welcome:' || p_token
    );
  end if;
  return exists (
    select from public.subscribers where asked_token = p_token and confirmed_at is not null and unsubscribed_at is null
  );
end;
$$;

-- Unsubscribes an address by its token. Returns whether the token is known; repeating it is allowed.
create function public.unsubscribe(p_token uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.subscribers set unsubscribed_at = coalesce(unsubscribed_at, now()) where token = p_token;
  return found;
end;
$$;

-- All subscribers with their consent, as one JSON value because the API returns at most 1,000 rows.
create function public.all_subscribers()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', s.id, 'email', s.email, 'consentAt', s.consent_at, 'consentText', s.consent_text,
    'confirmedAt', s.confirmed_at, 'unsubscribedAt', s.unsubscribed_at
  ) order by s.id), '[]')
  from public.subscribers s;
$$;

-- supabase/schemas/contact.sql

-- Messages of the contact form, entries of other forms, and the admin's inbox of both and of newsletter subscribers.
-- Strangers' messages never fill the inbox or the database, and never make the shop look unhealthy.

-- ── Messages ──

create table public.contact_messages (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  name text not null check (char_length(name) between 1 and 100),
  email text not null check (char_length(email) between 3 and 255),
  subject text not null default '' check (char_length(subject) <= 200),
  message text not null check (char_length(message) between 1 and 5000),
  read_at timestamptz,
  answered_at timestamptz
);

create index contact_messages_created_at_idx on public.contact_messages (created_at);
create index contact_messages_open_idx on public.contact_messages (id) where answered_at is null;
create index contact_messages_unread_idx on public.contact_messages (id) where read_at is null;

alter table public.contact_messages enable row level security;

-- Stores a message and queues the mail to the admin in one transaction. When strangers have caused their share of such
-- mails in a day, the message is stored without a mail of its own, and one mail in six hours tells the admin to read the
-- inbox. When the inbox is full, the oldest message that was read goes. Returns the id of the message; null when all of a
-- full inbox is unread, and nothing was stored.
create function public.save_contact_message(p_name text, p_email text, p_subject text, p_message text)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_id bigint;
begin
  if private.cost_refusal('message', private.cost_keys(null)) is not null then
    delete from public.contact_messages
    where id = (select min(id) from public.contact_messages where read_at is not null);
    if not found then
      return null;
    end if;
  end if;
  insert into public.contact_messages (name, email, subject, message)
  values (p_name, p_email, p_subject, p_message)
  returning id into v_id;

  if private.cost_refusal('mail_to_admin', private.cost_keys(null)) is not null then
    perform public.notify_admin(
      'many_messages', '{}',
      'many_messages:' || date_bin('6 hours', clock_timestamp(), timestamptz '2026-01-01 00:00:00+05:30')
    );
    return v_id;
  end if;
  insert into public.outbox (kind, recipient, payload, dedupe_key)
  values (
    'contact_message',
    null,
    jsonb_build_object('id', v_id, 'name', p_name, 'email', p_email, 'subject', p_subject, 'message', p_message),
    'contact_message:' || v_id
  );
  return v_id;
end;
$$;

-- ── Forms ──

create table public.form_entries (
  id bigint generated always as identity primary key,
  form text not null check (form <> '' and char_length(form) <= 100),
  fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object' and octet_length(fields::text) <= 65536),
  created_at timestamptz not null default now(),
  read_at timestamptz,
  answered_at timestamptz
);

create index form_entries_created_at_idx on public.form_entries (created_at desc);
create index form_entries_unread_idx on public.form_entries (id) where read_at is null;

alter table public.form_entries enable row level security;

-- Stores a submitted form. p_caller is the caller's network, see private.cost_keys. Senders are not authenticated, so a
-- form whose e-mail matches an order of the last day counts against that order. All others share the limits of order_form,
-- so that a flood of them displaces no form of an order and fills no database. Returns false when a limit is reached; then
-- nothing is stored. Raises the errors of the table's constraints.
create function public.save_form_entry(p_form text, p_fields jsonb, p_caller text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order_id bigint;
begin
  select max(o.id) into v_order_id from public.orders o
  where lower(o.customer_email) = lower(btrim(p_fields ->> 'email'))
    and o.created_at > clock_timestamp() - interval '1 day';
  if private.count_cost('order_form', case when v_order_id is null then private.cost_keys(null, p_caller)
    else jsonb_build_object('account', 'order:' || v_order_id) end) is not null
  then
    return false;
  end if;
  insert into public.form_entries (form, fields) values (p_form, p_fields);
  return true;
end;
$$;

-- ── Inbox ──

-- A page of the inbox with ids below p_before, newest first: {items, unread: {messages, forms}, subscribers}, as in
-- src/domain/admin/inbox.ts. Raises 22023.
create function public.list_inbox(p_kind text, p_before bigint, p_limit integer)
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
  else
    raise exception 'kind must be messages, forms or subscribers' using errcode = '22023';
  end if;
  return jsonb_build_object(
    'items', coalesce(v_items, '[]'),
    'unread', jsonb_build_object(
      'messages', (select count(*) from public.contact_messages where read_at is null),
      'forms', (select count(*) from public.form_entries where read_at is null)
    ),
    'subscribers', (select count(*) from public.subscribers where confirmed_at is not null and unsubscribed_at is null)
  );
end;
$$;

-- Marks an entry as read or answered, or removes the mark. Null leaves a mark unchanged. Answered implies read.
-- Returns whether the entry exists. Raises 22023.
create function public.mark_inbox(p_kind text, p_id bigint, p_read boolean, p_answered boolean)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_read boolean := case when p_answered then true else p_read end;
begin
  if p_kind = 'messages' then
    update public.contact_messages
    set read_at = case v_read when true then coalesce(read_at, clock_timestamp()) when false then null else read_at end,
        answered_at = case p_answered
          when true then coalesce(answered_at, clock_timestamp())
          when false then null
          else answered_at
        end
    where id = p_id;
  elsif p_kind = 'forms' then
    update public.form_entries
    set read_at = case v_read when true then coalesce(read_at, clock_timestamp()) when false then null else read_at end,
        answered_at = case p_answered
          when true then coalesce(answered_at, clock_timestamp())
          when false then null
          else answered_at
        end
    where id = p_id;
  else
    raise exception 'kind must be messages or forms' using errcode = '22023';
  end if;
  return found;
end;
$$;

-- supabase/schemas/admin-login.sql

-- The admin's login: sessions, and the limits of attempts.

-- Stores only the SHA-256 of the session cookie, so a copy of this table does not let anyone sign in. The fingerprint
-- of the password ends all sessions when ADMIN_PASSWORD_HASH changes.
create table public.admin_sessions (
  id bigint generated always as identity primary key,
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  password_fingerprint text not null check (password_fingerprint ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  -- Accurate to five minutes, so that most requests write nothing.
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  confirmed_at timestamptz,
  unconfirmed_paise bigint not null default 0 check (unconfirmed_paise >= 0)
);

comment on column public.admin_sessions.confirmed_at is
  'When the admin last typed the password in this session, and the code of a second factor that is turned on';
comment on column public.admin_sessions.unconfirmed_paise is
  'Refunds of this session since then that needed no password, see allow_refund';

alter table public.admin_sessions enable row level security;

-- ── Attempts ──

-- A known browser counts by itself, any other by its network and with all others.
create function private.login_keys(p_address text, p_device text)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return case when p_device is null then private.cost_keys(null, p_address)
    else jsonb_build_object('account', p_device) end;
end;
$$;

-- Counts a sign-in attempt before the password is checked. Returns {allowed, retry_after}; retry_after is in seconds,
-- and 0 when allowed. Raises 22023 without an address.
--   * A browser that has signed in before sends its device id. It has its own limit, which nobody else can use up.
--   * All others count by p_address, the text of private.cost_keys, and together. One network can use up at most half of
--     what all have together, however often it tries.
-- The limits are rows of cost_limits; the last three parameters are of release 1.1.0.
create function public.count_login_attempt(
  p_address text, p_device text, p_limit_per_source integer, p_limit_overall integer, p_window_seconds integer
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_again_at timestamptz;
begin
  if coalesce(p_address, '') = '' then
    raise exception 'an address is required' using errcode = '22023';
  end if;
  v_again_at := private.count_cost('admin_login', private.login_keys(p_address, p_device));
  return jsonb_build_object(
    'allowed', v_again_at is null,
    'retry_after', greatest(1, ceil(extract(epoch from v_again_at - clock_timestamp())))::integer
  );
end;
$$;

-- Takes a login attempt off the counts, so that only wrong passwords and wrong codes use up the limits.
create function public.forget_login_attempt(p_address text, p_device text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.costs
  where id in (
    select max(c.id)
    from jsonb_each_text(private.login_keys(p_address, p_device)) k
    join public.costs c on c.effect = 'admin_login' and c.scope = k.key and c.key = k.value
    group by c.scope
  );
end;
$$;

-- Notes a wrong code after the correct password. The tenth in a day mails the admin: the limits of a login allow 960
-- guesses a day, for as long as nobody knows of them.
create function public.note_wrong_code()
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if private.count_cost('wrong_code', private.cost_keys(null)) is not null then
    perform public.notify_admin(
      'second_factor', '{"kind": "guessed"}', 'second_factor:guessed:' || private.india_date(now())
    );
  end if;
end;
$$;

-- ── Sessions ──

-- Creates a session after the correct password, and the code of a second factor that is turned on (accept_code).
-- Returns when it expires; null when the code is missing or not accepted. Takes the attempt off the counts.
create function public.open_admin_session(
  p_token_hash text,
  p_password_fingerprint text,
  p_seconds integer,
  p_address text,
  p_device text,
  p_step bigint default null,
  p_recovery_hash text default null
)
returns timestamptz
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_expires_at timestamptz;
begin
  if not private.accept_code(p_step, p_recovery_hash) then
    return null;
  end if;
  perform public.forget_login_attempt(p_address, p_device);
  insert into public.admin_sessions (token_hash, password_fingerprint, expires_at, confirmed_at)
  values (p_token_hash, p_password_fingerprint, now() + make_interval(secs => p_seconds), now())
  returning expires_at into v_expires_at;
  return v_expires_at;
end;
$$;

-- Returns the valid session of a cookie as {id, expires_at, confirmed, second_factor}, else null. `confirmed`: the
-- admin logged in or confirmed in the last ten minutes. A session expires after 24 hours without use.
create function public.read_admin_session(p_token_hash text, p_password_fingerprint text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_session public.admin_sessions;
begin
  select * into v_session from public.admin_sessions s
  where s.token_hash = p_token_hash
    and s.password_fingerprint = p_password_fingerprint
    and s.revoked_at is null
    and s.expires_at > now()
    and s.last_used_at > now() - interval '24 hours';
  if not found then
    return null;
  end if;
  update public.admin_sessions set last_used_at = now()
  where id = v_session.id and last_used_at < now() - interval '5 minutes';
  return jsonb_build_object(
    'id', v_session.id,
    'expires_at', v_session.expires_at,
    'confirmed', coalesce(v_session.confirmed_at > now() - interval '10 minutes', false),
    'second_factor', exists (select 1 from public.admin_second_factor where enabled_at is not null)
  );
end;
$$;

-- Notes that the admin typed the correct password again in this session, and the code of a second factor that is
-- turned on (accept_code). Returns false when the code is missing or not accepted. Takes the attempt off the counts.
create function public.confirm_admin_session(
  p_id bigint, p_address text, p_device text, p_step bigint default null, p_recovery_hash text default null
)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if not private.accept_code(p_step, p_recovery_hash) then
    return false;
  end if;
  perform public.forget_login_attempt(p_address, p_device);
  update public.admin_sessions set confirmed_at = now(), unconfirmed_paise = 0 where id = p_id;
  return found;
end;
$$;

-- Whether a session may make a refund without its admin being asked for the password: p_limit_paise in all since they
-- last proved who they are, of every payment together. Counts the refund when it may. The update locks the session, so
-- that two refunds at once are not each compared alone. The payment is p_payment_id, else the one of the order; without
-- p_amount_paise all that is left of it is refunded, and refunds with an unknown outcome are tried again.
create function public.allow_refund(
  p_session_id bigint, p_order_id bigint, p_payment_id text, p_amount_paise bigint, p_limit_paise bigint
)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_amount bigint := p_amount_paise;
begin
  if v_amount is null then
    select private.refundable_paise(p) + (
      select coalesce(sum(r.amount_paise), 0) from public.refunds r
      where r.payment_id = p.payment_id and private.outcome_unknown(r)
    ) into v_amount
    from public.payments p
    where p.payment_id = coalesce(p_payment_id, (select o.payment_id from public.orders o where o.id = p_order_id));
  end if;
  v_amount := greatest(coalesce(v_amount, 0), 0);
  update public.admin_sessions set unconfirmed_paise = unconfirmed_paise + v_amount
  where id = p_session_id and unconfirmed_paise + v_amount <= p_limit_paise;
  return found;
end;
$$;

-- Ends one session or all of them, and unsubscribes their devices from notifications. Returns how many sessions
-- ended.
create function public.end_admin_sessions(p_id bigint, p_everywhere boolean)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_count integer;
begin
  update public.admin_sessions
  set revoked_at = now()
  where revoked_at is null and (id = p_id or coalesce(p_everywhere, false));
  get diagnostics v_count = row_count;
  delete from public.push_subscriptions where session_id = p_id or coalesce(p_everywhere, false);
  return v_count;
end;
$$;

-- supabase/schemas/second-factor.sql

-- The admin's second factor: a TOTP secret (RFC 6238) and recovery codes. Without a row that is turned on, logging in
-- works without it.

-- At most one row. The secret is stored as it is, see decision 0031. `enabled_at` is null until the admin typed a
-- first code. Recovery codes have 120 random bits, so their SHA-256 is enough. Delete the row to turn the factor off.
create table public.admin_second_factor (
  id boolean primary key default true check (id),
  secret text not null check (secret ~ '^[A-Z2-7]{32}$'),
  created_at timestamptz not null default now(),
  enabled_at timestamptz,
  -- The time step (Unix time / 30 s) of the last accepted code. Neither it nor an earlier one is accepted again.
  last_step bigint not null default 0,
  recovery_hashes text[] not null default '{}'
);

alter table public.admin_second_factor enable row level security;

-- Mails the admin every change of the second factor, also one made in the SQL editor, and every recovery code that is used:
-- whoever holds a stolen session or password cannot do either unseen.
create function private.report_second_factor()
returns trigger
language plpgsql
set search_path = ''
as $$
declare
  v_kind text;
begin
  if old.enabled_at is null then
    v_kind := case when tg_op = 'UPDATE' and new.enabled_at is not null then 'on' end;
  elsif tg_op = 'DELETE' then
    v_kind := 'off';
  elsif cardinality(new.recovery_hashes) < cardinality(old.recovery_hashes)
    and new.recovery_hashes <@ old.recovery_hashes then
    v_kind := 'recovery_code';
  elsif new.recovery_hashes is distinct from old.recovery_hashes then
    v_kind := 'new_codes';
  end if;
  if v_kind is not null then
    perform public.notify_admin(
      'second_factor',
      jsonb_build_object('kind', v_kind),
      'second_factor:' || v_kind || ':' || extract(epoch from clock_timestamp())
    );
  end if;
  return null;
end;
$$;

create trigger admin_second_factor_report
after update or delete on public.admin_second_factor
for each row execute function private.report_second_factor();

-- Accepts a code once: by its time step, which the caller has computed, or by the hash of a recovery code. Locks the row
-- first, so that only one of two calls at once passes, and a login without a code is over before the factor is turned
-- on, which ends its session. Returns true without a second factor.
create function private.accept_code(p_step bigint, p_recovery_hash text)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_enabled_at timestamptz;
begin
  select enabled_at into v_enabled_at from public.admin_second_factor for update;
  if v_enabled_at is null then
    return true;
  end if;
  update public.admin_second_factor set last_step = p_step
  where enabled_at is not null and last_step < p_step;
  if found then
    return true;
  end if;
  update public.admin_second_factor set recovery_hashes = array_remove(recovery_hashes, p_recovery_hash)
  where enabled_at is not null and p_recovery_hash = any (recovery_hashes);
  return found;
end;
$$;

-- Returns the second factor as {secret, enabled_at, recovery_left}, else null. `enabled_at` is null while it is only
-- offered.
create function public.read_second_factor()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'secret', f.secret, 'enabled_at', f.enabled_at, 'recovery_left', cardinality(f.recovery_hashes)
    )
    from public.admin_second_factor f
  );
end;
$$;

-- Stores a secret that the admin sets their app up with. It replaces one that was offered before. Returns false when a
-- second factor is turned on.
create function public.offer_second_factor(p_secret text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.admin_second_factor as f (secret) values (p_secret)
  on conflict (id) do update set secret = excluded.secret, created_at = now()
  where f.enabled_at is null;
  return found;
end;
$$;

-- Turns the offered secret on after its first code, whose step counts as used, and ends every session but p_session_id:
-- whoever stole the password before has one without a code. Returns false when another secret was offered meanwhile, or
-- one is turned on.
create function public.turn_on_second_factor(
  p_secret text, p_step bigint, p_recovery_hashes text[], p_session_id bigint
)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.admin_second_factor
  set enabled_at = now(), last_step = p_step, recovery_hashes = p_recovery_hashes
  where enabled_at is null and secret = p_secret;
  if not found then
    return false;
  end if;
  update public.admin_sessions set revoked_at = now() where revoked_at is null and id is distinct from p_session_id;
  delete from public.push_subscriptions where session_id is distinct from p_session_id;
  return true;
end;
$$;

-- Replaces the recovery codes, after a code (accept_code). Returns false when the code is not accepted.
create function public.replace_recovery_codes(p_step bigint, p_recovery_hash text, p_recovery_hashes text[])
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if not private.accept_code(p_step, p_recovery_hash) then
    return false;
  end if;
  update public.admin_second_factor set recovery_hashes = p_recovery_hashes where enabled_at is not null;
  return found;
end;
$$;

-- Turns the second factor off, after a code (accept_code). Returns false when the code is not accepted.
create function public.turn_off_second_factor(p_step bigint, p_recovery_hash text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if not private.accept_code(p_step, p_recovery_hash) then
    return false;
  end if;
  delete from public.admin_second_factor where id;
  return true;
end;
$$;

-- supabase/schemas/push.sql

-- Devices of the admin that receive notifications. A notification is an outbox entry of kind 'push', one per device,
-- separate from the mail on the same subject.

-- Anyone with an endpoint and its keys can show a notification on the device, so only the service reads them.
create table public.push_subscriptions (
  id bigint generated always as identity primary key,
  -- The address at the browser's push service.
  endpoint text not null unique check (length(endpoint) between 10 and 2000),
  -- The device's public key (65 bytes) and shared secret (16 bytes), as base64url.
  p256dh text not null check (p256dh ~ '^[A-Za-z0-9_-]{87}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  -- The session that last used the device. Ending the session removes the subscription; letting it expire does not.
  session_id bigint references public.admin_sessions (id) on delete set null,
  -- Of the admin's password at that sign-in. The device is notified only while this is the current password.
  password_fingerprint text,
  -- Shown in the admin's list, for example 'Chrome on Android'.
  device text not null default '' check (length(device) <= 60),
  created_at timestamptz not null default now(),
  -- Null once a notification succeeds again.
  last_failure timestamptz
);

create index push_subscriptions_session_id_idx on public.push_subscriptions (session_id);

alter table public.push_subscriptions enable row level security;

-- Adds or updates a device. Keeps the ten newest.
create function public.save_push_subscription(
  p_endpoint text, p_p256dh text, p_auth text, p_session_id bigint, p_device text
)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.push_subscriptions (endpoint, p256dh, auth, device, session_id, password_fingerprint)
  values (
    p_endpoint, p_p256dh, p_auth, left(p_device, 60), p_session_id,
    (select s.password_fingerprint from public.admin_sessions s where s.id = p_session_id)
  )
  on conflict (endpoint) do update
    set p256dh = excluded.p256dh, auth = excluded.auth, device = excluded.device, session_id = excluded.session_id,
      password_fingerprint = excluded.password_fingerprint, last_failure = null;
  delete from public.push_subscriptions
  where id in (select id from public.push_subscriptions order by created_at desc, id desc offset 10);
end;
$$;

-- Removes a device's subscription. Returns whether there was one.
create function public.end_push_subscription(p_endpoint text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.push_subscriptions where endpoint = p_endpoint;
  return found;
end;
$$;

-- The devices that receive notifications, newest first: [{id, device, since, current}]. `current`: uses this session.
create function public.list_push_devices(p_session_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', s.id, 'device', s.device, 'since', s.created_at, 'current', s.session_id is not distinct from p_session_id
  ) order by s.created_at desc, s.id desc), '[]')
  from public.push_subscriptions s;
$$;

-- Removes a device and ends its session, because a page that is still signed in would subscribe again. Returns
-- whether there was one.
create function public.remove_push_device(p_id bigint)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_session_id bigint;
begin
  delete from public.push_subscriptions where id = p_id returning session_id into v_session_id;
  if not found then
    return false;
  end if;
  perform public.end_admin_sessions(v_session_id, false);
  return true;
end;
$$;

-- ── Notifications ──

-- Queues a notification to every device, once per dedupe key. p_topic selects the text. p_payload must hold no
-- personal data.
create function private.queue_push(p_topic text, p_payload jsonb, p_dedupe_key text, p_order_id bigint default null)
returns void
language sql
set search_path = ''
as $$
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  select 'push', s.id::text, p_order_id, coalesce(p_payload, '{}') || jsonb_build_object('topic', p_topic),
    'push:' || s.id || ':' || p_dedupe_key
  from public.push_subscriptions s
  on conflict (dedupe_key) do nothing;
$$;

-- Adds a notification to each urgent mail to the admin.
create function private.queue_push_for_mail()
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

create trigger outbox_queue_push_for_mail
after insert on public.outbox
for each row
when (new.recipient is null)
execute function private.queue_push_for_mail();

-- Notifies the admin of products that this sale sells out, or takes below p_low_stock_below. Stock held by other
-- unpaid orders is not sold yet. Counts all sizes of a product together. Locks the products, so that of two
-- concurrent sales one is the last. The caller has locked the order and has not yet marked it as sold.
create function private.push_running_out(p_order public.orders, p_low_stock_below integer)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_pieces jsonb;
begin
  if p_low_stock_below is null or not exists (select 1 from public.push_subscriptions) then
    return;
  end if;
  perform 1 from public.products p
  where p.id in (select (item ->> 'product_id')::uuid from jsonb_array_elements(p_order.items) item)
  order by p.id
  for update;
  select jsonb_agg(jsonb_build_object('name', p.name, 'left', n.unsold) order by n.unsold, p.name) into v_pieces
  from (
    select (item ->> 'product_id')::uuid as product_id, sum((item ->> 'quantity')::bigint) as quantity
    from jsonb_array_elements(p_order.items) item
    group by 1
  ) sold
  join public.products p on p.id = sold.product_id and p.deleted_at is null
  cross join lateral (
    select p.stock + coalesce(sum((item ->> 'quantity')::bigint), 0) as unsold
    from public.orders o, jsonb_array_elements(o.items) item
    where o.hold_state = 'held' and o.id <> p_order.id and (item ->> 'product_id')::uuid = p.id
  ) n
  where n.unsold = 0 or (n.unsold < p_low_stock_below and n.unsold + sold.quantity >= p_low_stock_below);
  if v_pieces is not null then
    perform private.queue_push('stock', jsonb_build_object('pieces', v_pieces), 'stock:' || p_order.id);
  end if;
end;
$$;

-- supabase/schemas/figures.sql

-- Sales and customers, as the admin's pages show them.

-- ── Sales ──

-- Sales by Indian calendar days. An order counts on the day it was paid, and a refund on the day it was requested, as
-- invoices and credit notes do. Cancelled orders and their refunds do not count, because nothing was sent.

-- Paid orders that are neither cancelled nor refunded in full, including imported ones. The columns are those of release
-- 1.0.0: `select *` in a view is expanded once, when the view is created.
create view private.bought_orders as
select
  id, created_at, updated_at, user_id, merchant_transaction_id, idempotency_key, cart_fingerprint, customer_name,
  customer_email, customer_phone, customer_address, customer_city, customer_postal_code, customer_gstin, notes,
  gift_note, admin_note, items, products, subtotal_paise, discount_code, discount_paise, fee_paise, total_paise,
  fee_bps, currency, amount, total_amount, payment_amount, status, payment_status, payment_method, payment_reference,
  razorpay_order_id, razorpay_key_id, payment_id, paid_at, hold_state, network, hold_expires_at, released_at,
  release_reason, next_check_at, checks, fulfilment, carrier, tracking_number, tracking_url, packed_at, shipped_at,
  delivered_at, cancelled_at, cancel_reason, invoice_number, delivery_notice, channel, hand_over, pay_token,
  admin_key, restocked, paid, stage, search_text, phone_key, replaces
from public.orders
where stage in ('to_pack', 'packed', 'shipped', 'delivered') and upper(coalesce(payment_status, '')) <> 'REFUNDED';

-- Sales from p_from up to p_to: one row per paid order (orders 1, paise its total), one per refund of such an order
-- (orders 0, paise negative), including refunds in progress, and one per fee kept of a cancelled order (orders 0).
create function private.sales(p_from timestamptz, p_to timestamptz)
returns table (at timestamptz, orders integer, paise bigint)
language sql
stable
set search_path = ''
as $$
  select o.paid_at, case when o.fulfilment = 'cancelled' then 0 else 1 end,
    case when o.fulfilment = 'cancelled' then o.kept_paise else coalesce(o.total_paise, 0) end
  from public.orders o
  where o.paid_at >= p_from and o.paid_at < p_to and (o.fulfilment <> 'cancelled' or o.kept_paise > 0)
  union all
  select r.created_at, 0, -r.amount_paise
  from public.refunds r
  join public.orders o on o.id = r.order_id and o.payment_id = r.payment_id
  where r.created_at >= p_from and r.created_at < p_to and r.state <> 'failed'
    and o.paid_at is not null and o.fulfilment <> 'cancelled';
$$;

-- Best-selling products of the orders paid from p_from up to p_to, by quantity less refunds: [{productId, name,
-- pieces, paise}]. paise are less discounts, without the platform fee.
create function private.best_sellers(p_from timestamptz, p_to timestamptz, p_limit integer)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(best) order by best.pieces desc, best.paise desc, best.name), '[]')
  from (
    select line.item ->> 'product_id' as "productId",
      (array_agg(line.item ->> 'name' order by o.paid_at desc, o.id desc))[1] as name,
      sum(line.pieces)::bigint as pieces,
      sum(round(line.pieces * ((line.item ->> 'price')::numeric * 100
        - coalesce((line.item ->> 'discount_paise')::numeric, 0) / (line.item ->> 'quantity')::numeric)))::bigint as paise
    from private.bought_orders o
    cross join lateral (
      select i.item, (i.item ->> 'quantity')::numeric - coalesce((
        select sum((r.items ->> private.line_key(i.item))::numeric)
        from public.refunds r
        where r.order_id = o.id and r.payment_id = o.payment_id and r.state <> 'failed'
      ), 0) as pieces
      from jsonb_array_elements(case when jsonb_typeof(o.items) = 'array' then o.items else '[]' end) i (item)
      where jsonb_typeof(i.item -> 'quantity') = 'number' and jsonb_typeof(i.item -> 'price') = 'number'
    ) line
    where o.paid_at >= p_from and o.paid_at < p_to and line.pieces > 0
    group by 1
    order by 3 desc, 4 desc, 2
    limit p_limit
  ) best;
$$;

-- Figures of the week (from Monday), month or year in India that contains p_day, null for today: {period, today,
-- from, to (its last day), orders, paise, refundedPaise, bars: [{from, orders, paise}] (per day, or per month of a
-- year), before, best}. `before` is the previous period {from, to, orders, paise}; while this period runs, only up to
-- the same point in it. Raises 22023 for another period.
create function public.sales_figures(p_period text, p_day date default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_today date := (v_now at time zone 'Asia/Kolkata')::date;
  v_length interval := case p_period
    when 'week' then interval '7 days'
    when 'month' then interval '1 month'
    when 'year' then interval '1 year'
  end;
  v_step interval := case p_period when 'year' then interval '1 month' else interval '1 day' end;
  v_first date;
  v_next date;
  v_before date;
  v_from timestamptz;
  v_to timestamptz;
  v_before_to timestamptz;
begin
  if v_length is null then
    raise exception 'a period is week, month or year' using errcode = '22023';
  end if;
  v_first := date_trunc(p_period, coalesce(p_day, v_today)::timestamp)::date;
  v_next := (v_first + v_length)::date;
  v_before := (v_first - v_length)::date;
  v_from := private.india_midnight(v_first);
  v_to := private.india_midnight(v_next);
  v_before_to := case
    when v_now < v_to then least(v_from, private.india_midnight(v_before) + greatest(v_now - v_from, interval '0'))
    else v_from
  end;
  return (
    with sold as materialized (
      select
        date_trunc(
          case p_period when 'year' then 'month' else 'day' end, s.at at time zone 'Asia/Kolkata'
        )::date as bar,
        s.orders, s.paise
      from private.sales(v_from, v_to) s
    ), sums as (
      select bar, sum(orders) as orders, sum(paise) as paise from sold group by bar
    )
    select jsonb_build_object(
      'period', p_period, 'today', v_today, 'from', v_first, 'to', v_next - 1,
      'orders', coalesce(sum(s.orders), 0), 'paise', coalesce(sum(s.paise), 0),
      'refundedPaise', coalesce(-sum(s.paise) filter (where s.paise < 0), 0),
      'bars', (
        select jsonb_agg(
          jsonb_build_object('from', d.day::date, 'orders', coalesce(b.orders, 0), 'paise', coalesce(b.paise, 0))
          order by d.day
        )
        from generate_series(v_first::timestamp, v_next::timestamp - v_step, v_step) d (day)
        left join sums b on b.bar = d.day::date
      ),
      'before', (
        select jsonb_build_object(
          'from', v_before, 'to', ((v_before_to - interval '1 microsecond') at time zone 'Asia/Kolkata')::date,
          'orders', coalesce(sum(e.orders), 0), 'paise', coalesce(sum(e.paise), 0)
        )
        from private.sales(private.india_midnight(v_before), v_before_to) e
      ),
      'best', private.best_sellers(v_from, v_to, 10)
    )
    from sold s
  );
end;
$$;

-- ── Customers ──

-- Who bought. An order belongs to the customer of its account. An order without an account (imported, or the account
-- was deleted) belongs to the account of another order with its phone number, else with its e-mail address. Otherwise
-- orders with the same phone number are one customer, then those with the same e-mail address.

-- Every order with its customer, for lookups of one or a few orders by index. list_customers finds them for all at
-- once.
create view private.order_customers as
select o.id, o.user_id, o.phone_key, nullif(lower(o.customer_email), '') as email,
  coalesce(o.paid_at, o.created_at) as at,
  coalesce(
    o.user_id::text,
    (select min(a.user_id::text) from public.orders a where a.phone_key = o.phone_key and a.user_id is not null),
    (select min(a.user_id::text) from public.orders a
     where lower(a.customer_email) = nullif(lower(o.customer_email), '') and a.user_id is not null),
    o.phone_key, nullif(lower(o.customer_email), ''), 'order ' || o.id
  ) as customer
from public.orders o;

-- The position of an order among its customer's orders: {nth, orders}, by time of payment. nth is null for an order
-- that was not bought. Orders are found by account, phone and e-mail, never by reading all.
create function private.customer_order_rank(p_order_id bigint)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    with this as materialized (
      select * from private.order_customers where id = p_order_id
    ), own as materialized (
      select c.id, c.phone_key, c.email from private.order_customers c
      where c.user_id = (
        select case when customer ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then customer::uuid end from this
      )
      union select id, phone_key, email from this
    ), near as materialized (
      select id from own
      union select o.id from public.orders o where o.phone_key = any (array(select phone_key from own))
      union select o.id from public.orders o where lower(o.customer_email) = any (array(select email from own))
    ), bought as (
      select c.id, c.at from private.bought_orders o
      join private.order_customers c on c.id = o.id
      where o.id = any (array(select id from near)) and c.customer = (select customer from this)
    )
    select jsonb_build_object(
      'nth', case when this.id in (select id from bought) then (
        select count(*) from bought b where (b.at, b.id) <= (this.at, this.id)
      ) end,
      'orders', (select count(*) from bought)
    )
    from this
  );
end;
$$;

-- Customers with their purchases less refunds: {total, customers: [{name, phone, email, city, account, orders, paise,
-- firstAt, lastAt, lastOrderId}]}; name and contact details are of their last order. p_all and p_any are LIKE
-- patterns as in list_orders; one order of the customer must match. p_sort: 'recent', 'spent' or 'orders', highest
-- first. Reads all orders, because their sums are not stored.
create function public.list_customers(p_all text[], p_any text[], p_sort text, p_offset integer, p_limit integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with by_phone as (
    select phone_key, min(user_id::text) as account from public.orders
    where user_id is not null and phone_key is not null
    group by 1
  ), by_email as (
    select lower(customer_email) as email, min(user_id::text) as account from public.orders
    where user_id is not null and customer_email <> '' group by 1
  ), bought as materialized (
    -- The same customer as in private.order_customers.
    select coalesce(
        o.user_id::text, p.account, e.account, o.phone_key, nullif(lower(o.customer_email), ''), 'order ' || o.id
      ) as customer,
      o.id, coalesce(o.paid_at, o.created_at) as at, o.user_id is not null as account,
      coalesce(o.total_paise, round(least(coalesce(o.total_amount, o.payment_amount, 0), 1e9) * 100)::bigint)
        - coalesce(r.paise, 0) as paise,
      o.search_text like all (p_all) and (cardinality(p_any) = 0 or o.search_text like any (p_any)) as matches
    from private.bought_orders o
    left join by_phone p on o.user_id is null and p.phone_key = o.phone_key
    left join by_email e on o.user_id is null and e.email = lower(o.customer_email)
    -- The same as private.refunded_paise, for all orders at once.
    left join (
      select order_id, payment_id, sum(amount_paise)::bigint as paise from public.refunds
      where state <> 'failed'
      group by 1, 2
    ) r on r.order_id = o.id and r.payment_id = o.payment_id
  ), customers as materialized (
    select count(*) as orders, sum(paise) as paise, min(at) as first_at, max(at) as last_at, bool_or(account) as account,
      (array_agg(id order by at desc, id desc))[1] as last_id
    from bought
    group by customer
    having bool_or(matches)
  ), page as (
    select * from customers
    order by case p_sort when 'spent' then paise when 'orders' then orders end desc nulls last, last_at desc, last_id desc
    offset greatest(p_offset, 0) limit least(greatest(p_limit, 0), 100)
  )
  select jsonb_build_object(
    'total', (select count(*) from customers),
    'customers', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', coalesce(o.customer_name, ''), 'phone', coalesce(o.customer_phone, ''),
        'email', coalesce(o.customer_email, ''),
        'city', coalesce(o.customer_city, ''), 'account', p.account, 'orders', p.orders, 'paise', p.paise,
        'firstAt', p.first_at, 'lastAt', p.last_at, 'lastOrderId', p.last_id
      ) order by case p_sort when 'spent' then p.paise when 'orders' then p.orders end desc nulls last,
        p.last_at desc, p.last_id desc)
      from page p
      join public.orders o on o.id = p.last_id
    ), '[]')
  );
$$;

-- supabase/schemas/health.sql

-- Health and schema, for monitors, the admin's alerts and `npm run doctor`: whether scheduled work runs, and whether
-- the database matches the migrations.

-- When recurring work last finished. `since` is when it was first expected.
create table public.heartbeats (
  name text primary key check (name in ('sweep', 'forget')),
  since timestamptz not null default clock_timestamp(),
  last_at timestamptz
);

alter table public.heartbeats enable row level security;

insert into public.heartbeats (name) values ('sweep'), ('forget');

-- Records that a sweep finished, and deletes uses and rate limits (of release 1.1.0) that no longer count. Rows that are
-- locked by a request stay until the next sweep. p_stranger_mails is how many mails a day strangers can cause, from
-- src/shop/seller.ts: two thirds to addresses that they enter, the rest to the admin, with four summaries of messages that
-- come without a mail. Fewer than 12 count as 12. Null leaves it as it is.
create function public.note_sweep(p_stranger_mails integer default null)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- A setting that is too small must not stop the heartbeat.
  v_mails constant integer := case when p_stranger_mails is not null then greatest(p_stranger_mails, 12) end;
begin
  insert into public.heartbeats (name, last_at) values ('sweep', clock_timestamp())
  on conflict (name) do update set last_at = excluded.last_at;
  update public.cost_limits l set most = shares.most
  from (values
    ('mail_to_stranger', v_mails * 2 / 3),
    ('mail_to_admin', v_mails - v_mails * 2 / 3 - 4)
  ) shares (effect, most)
  where l.effect = shares.effect and l.most <> shares.most;
  delete from public.costs c
  where c.at < clock_timestamp() - make_interval(secs => (
    select max(l.seconds) from public.cost_limits l where l.effect = c.effect
  ));
  delete from public.rate_limits l
  where l.bucket = any (array(
    select old.bucket from public.rate_limits old where old.kept_until < clock_timestamp() for update skip locked
  ));
end;
$$;

-- The facts behind /api/health; times are timestamptz:
--   sweep_at               the last finished sweep; null: none yet, expected since sweep_expected_since
--   forget_at              the last finished `forget`, which runs once in 20 hours; likewise forget_expected_since
--   outbox_waiting         unsent mails, except those given up after twenty attempts (outbox_given_up)
--   outbox_stuck_since     a mail has waited for 15 minutes, and no mail was sent since it was queued; null: none.
--                          Counts a mail until an attempt shows that the mail server works and refuses this one:
--                          strangers choose addresses and texts
--   sign_ups_refused       networks whose sign-up mails the auth service refused in the last hour, its limit reached.
--                          Reported by visitors, so it decides nothing
--   webhook_at             the last stored webhook event
--   webhook_missing_since  the newest payment older than an hour without an event, if no event came since; null: none
create function public.shop_health()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    with newest_payment as (
      select p.payment_id, p.created_at from public.payments p
      where p.created_at between clock_timestamp() - interval '7 days' and clock_timestamp() - interval '1 hour'
        -- Razorpay may report another site's payment to that site only.
        and p.state <> 'foreign'
      order by p.created_at desc
      limit 1
    ), oldest_mail as (
      select min(m.created_at) as created_at from public.outbox m
      where m.sent_at is null and m.attempts < 20 and m.kind <> 'push'
        and (m.last_error is null or m.last_error like 'unreachable %')
    )
    select jsonb_build_object(
      'sweep_at', (select h.last_at from public.heartbeats h where h.name = 'sweep'),
      'sweep_expected_since', (select h.since from public.heartbeats h where h.name = 'sweep'),
      'forget_at', (select h.last_at from public.heartbeats h where h.name = 'forget'),
      'forget_expected_since', (select h.since from public.heartbeats h where h.name = 'forget'),
      'outbox_waiting', (
        select count(*) from public.outbox m where m.sent_at is null and m.attempts < 20 and m.kind <> 'push'
      ),
      'outbox_given_up', (
        select count(*) from public.outbox m where m.sent_at is null and m.attempts >= 20 and m.kind <> 'push'
      ),
      'outbox_stuck_since', (
        select m.created_at from oldest_mail m
        where m.created_at < clock_timestamp() - interval '15 minutes'
          and not exists (select 1 from public.outbox s where s.sent_at > m.created_at and s.kind <> 'push')
      ),
      'sign_ups_refused', (
        select count(*) from private.cost_uses(
          'sign_up_refused', 'all', '', clock_timestamp() - interval '1 hour', clock_timestamp()
        )
      ),
      'webhook_at', (select max(e.received_at) from public.webhook_events e),
      'webhook_missing_since', (
        select p.created_at from newest_payment p
        where not exists (select 1 from public.webhook_events e where e.payment_id = p.payment_id)
          and ((select max(e.received_at) from public.webhook_events e) > p.created_at) is not true
      )
    )
  );
end;
$$;

-- The actual database, to compare with the migrations and the grants:
--   migrations  versions that the Supabase CLI recorded, or null
--   tables      {name: whether row level security is enabled}
--   functions   {schema.name: md5 of its body}
--   policies    ['table: name']
--   grants      ['role privilege table' or 'role privilege table(column)'] of the browser roles and of everyone
--               ('public')
--   executable  functions in public that one of these roles may execute
--   bucket      {public, file_size_limit, allowed_mime_types} of the product images, or null
--   claims      the same for the files of damage claims
create function public.describe_schema()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_migrations jsonb;
  v_bucket jsonb;
  v_claims jsonb;
  v_roles oid[] := array(select r.oid from pg_catalog.pg_roles r where r.rolname in ('anon', 'authenticated')) || 0::oid;
begin
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select jsonb_agg(m.version order by m.version) from supabase_migrations.schema_migrations m'
    into v_migrations;
  end if;
  if to_regclass('storage.buckets') is not null then
    execute 'select to_jsonb(b) from storage.buckets b where b.id = ''product-images''' into v_bucket;
    execute 'select to_jsonb(b) from storage.buckets b where b.id = ''claims''' into v_claims;
  end if;
  return jsonb_build_object(
    'migrations', v_migrations,
    'tables', (
      select jsonb_object_agg(c.relname, c.relrowsecurity) from pg_catalog.pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    ),
    'functions', (
      select jsonb_object_agg(n.nspname || '.' || p.proname, md5(p.prosrc))
      from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'private')
    ),
    'policies', (
      select coalesce(jsonb_agg(p.tablename || ': ' || p.policyname order by p.tablename, p.policyname), '[]')
      from pg_catalog.pg_policies p
      where p.schemaname = 'public'
    ),
    'grants', (
      select coalesce(
        jsonb_agg(distinct coalesce(r.rolname, 'public') || ' ' || lower(a.privilege) || ' ' || a.what), '[]'
      )
      from (
        select c.relname::text as what, x.grantee, x.privilege_type as privilege
        from pg_catalog.pg_class c, aclexplode(c.relacl) x
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
        union all
        select c.relname || '(' || t.attname || ')', x.grantee, x.privilege_type
        from pg_catalog.pg_class c join pg_catalog.pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) x
        where c.relnamespace = 'public'::regnamespace
      ) a
      left join pg_catalog.pg_roles r on r.oid = a.grantee
      where a.grantee = any (v_roles)
    ),
    'executable', (
      select coalesce(jsonb_agg(distinct p.proname), '[]') from pg_catalog.pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and exists (
          select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x
          where x.grantee = any (v_roles) and x.privilege_type = 'EXECUTE'
        )
    ),
    'bucket', v_bucket,
    'claims', v_claims
  );
end;
$$;

-- supabase/schemas/admin-reads.sql

-- What the admin's pages show: orders, and what needs attention today.
--
-- Keys in camel case are returned as they are (src/domain/admin). An `order` is a row of `orders`, parsed by
-- src/domain/orders/order.ts.

-- ── Orders ──

-- Whether money that should go back has not: 'waiting' while the shop works on a refund, 'failed' when the admin must
-- act, else null. A failed refund does not count when another one has refunded its payment.
create function private.open_refund_state(p_order public.orders)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select case
      when bool_or(r.state <> 'failed') then 'waiting'
      when bool_or(private.outcome_unknown(r) or r.amount_paise <= private.refundable_paise(p)
        or private.is_rest_due(p)) then 'failed'
    end
    from public.refunds r
    join public.payments p on p.payment_id = r.payment_id
    where r.order_id = p_order.id and r.state <> 'processed'
      and (p_order.payment_id is null or r.payment_id = p_order.payment_id)
  );
end;
$$;

-- A page of orders: {orders: [{order, refundedPaise, openRefund}], counts}. p_filter: 'all', 'refunds' or a stage.
-- 'to_pack' and 'packed' are sorted oldest first, all others newest first. p_all and p_any are LIKE patterns for
-- search_text: all of p_all and one of p_any must match. The page starts after the order (p_after_at, p_after_id).
create function public.list_orders(
  p_filter text, p_all text[], p_any text[], p_after_at timestamptz, p_after_id bigint, p_limit integer
)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_oldest_first boolean := p_filter in ('to_pack', 'packed');
  v_order text := case when v_oldest_first then 'asc' else 'desc' end;
  v_where text := 'true';
  v_orders jsonb;
  v_counts jsonb;
begin
  if p_limit is null or p_limit not between 1 and 101 then
    raise exception 'limit must be 1 to 101' using errcode = '22023';
  end if;
  if p_filter = 'refunds' then
    v_where := 'o.id in (select r.order_id from public.refunds r where r.state <> ''processed'')';
  elsif p_filter <> 'all' then
    v_where := 'o.stage = $1';
  end if;
  if cardinality(p_all) > 0 then
    v_where := v_where || ' and o.search_text like all ($2)';
  end if;
  if cardinality(p_any) > 0 then
    v_where := v_where || ' and o.search_text like any ($3)';
  end if;
  if p_after_at is not null then
    v_where := v_where || format(' and (o.created_at, o.id) %s ($4, $5)', case when v_oldest_first then '>' else '<' end);
  end if;
  -- Dynamic, so that each combination of filters gets a plan with its own index. All values are parameters.
  execute format(
    $query$
      select coalesce(jsonb_agg(jsonb_build_object(
        'refundedPaise', private.refunded_paise(o), 'openRefund', private.open_refund_state(o),
        'order', jsonb_build_object(
        'id', o.id, 'merchant_transaction_id', o.merchant_transaction_id, 'created_at', o.created_at,
        'customer_name', o.customer_name, 'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
        'customer_city', o.customer_city, 'notes', o.notes, 'items', o.items, 'products', o.products,
        'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount, 'status', o.status,
        'payment_status', o.payment_status, 'paid', o.paid, 'fulfilment', o.fulfilment
      )) order by page.created_at %2$s, page.id %2$s), '[]')
      from (
        select o.id, o.created_at from public.orders o where %1$s order by o.created_at %2$s, o.id %2$s limit $6
      ) page
      join public.orders o on o.id = page.id
    $query$,
    v_where, v_order
  )
  into v_orders
  using p_filter, p_all, p_any, p_after_at, p_after_id, p_limit;

  select jsonb_object_agg(stage, n) into v_counts
  from (select o.stage, count(*) as n from public.orders o group by o.stage) t;
  return jsonb_build_object(
    'orders', v_orders,
    'counts', coalesce(v_counts, '{}') || jsonb_build_object(
      'refunds', (select count(distinct r.order_id) from public.refunds r where r.state <> 'processed')
    )
  );
end;
$$;

-- Orders for packing slips, oldest first: {total, orders}. p_stage is 'to_pack' or 'packed'. orders has at most
-- p_limit rows, total counts all.
create function public.orders_for_slips(p_stage text, p_limit integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'total', (select count(*) from public.orders where stage = p_stage),
    'orders', coalesce((
      select jsonb_agg(to_jsonb(o) - 'search_text' order by o.created_at, o.id)
      from (
        select * from public.orders where stage = p_stage order by created_at, id limit least(greatest(p_limit, 0), 500)
      ) o
    ), '[]')
  );
$$;

-- One order with everything that belongs to it: {order, revision, refundedPaise, openRefund, refundablePaise,
-- payments, refunds, mails, changes, facts, customer}, or null. `facts` is private.tax_facts, `customer`
-- private.customer_order_rank.
create function public.read_order(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'order', to_jsonb(o) - 'search_text',
      'revision', o.updated_at,
      'refundedPaise', private.refunded_paise(o),
      'openRefund', private.open_refund_state(o),
      'refundablePaise', coalesce(private.unrefunded_paise(o), 0),
      'payments', coalesce((
        select jsonb_agg(jsonb_build_object(
          'paymentId', p.payment_id, 'amountPaise', p.amount_paise, 'state', p.state, 'reason', p.reason,
          'at', p.created_at
        ) order by p.created_at, p.payment_id)
        from public.payments p where p.order_id = o.id
      ), '[]'),
      'refunds', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', r.id, 'paymentId', r.payment_id, 'amountPaise', r.amount_paise, 'state', r.state, 'reason', r.reason,
          'lastError', r.last_error, 'razorpayRefundId', r.razorpay_refund_id, 'at', r.created_at,
          'triedAt', r.updated_at, 'nextTryAt', r.next_attempt_at
        ) order by r.id)
        from public.refunds r where r.order_id = o.id
      ), '[]'),
      'mails', coalesce((
        select jsonb_agg(jsonb_build_object(
          'kind', m.kind, 'recipient', m.recipient, 'at', m.created_at, 'sentAt', m.sent_at, 'attempts', m.attempts,
          'lastError', m.last_error
        ) order by m.id)
        from public.outbox m where m.order_id = o.id and m.kind <> 'push'
      ), '[]'),
      'changes', coalesce((
        select jsonb_agg(jsonb_build_object(
          'field', c.field, 'oldValue', c.old_value, 'newValue', c.new_value, 'at', c.created_at
        ) order by c.id)
        from public.order_changes c where c.order_id = o.id
      ), '[]'),
      'facts', private.tax_facts(o),
      'customer', private.customer_order_rank(o.id)
    )
    from public.orders o
    where o.id = p_order_id
  );
end;
$$;

-- Several orders as in read_order. Unknown ids are left out.
create function public.read_orders(p_order_ids bigint[])
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(public.read_order(o.id)), '[]') from public.orders o where o.id = any (p_order_ids);
$$;

-- ── Today ──

-- Payments and refunds for the admin: payments without an order, with a wrong amount, of a cart bought twice, or of a
-- customer who caused too many refunds; open disputes; failed refunds; refunds that wait (after a failed attempt, or
-- accepted by Razorpay ten days ago); and differences that the last reconciliation could not resolve.
create function private.payment_problems()
returns table (kind text, payment_id text, order_id bigint, amount_paise bigint, at timestamptz, refundable boolean)
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  select case p.reason when 'duplicate_purchase' then 'duplicate' when 'refund_waits' then 'refund_waits' else 'unmatched' end,
    p.payment_id, p.order_id, p.amount_paise, p.created_at, true
  from public.payments p
  where p.state = 'unmatched' and not private.is_foreign(p)
  union all
  select 'dispute', p.payment_id, p.order_id, p.amount_paise, p.updated_at, false
  from public.payments p
  where p.dispute is not null and p.dispute !~ '(won|lost|closed)$'
  union all
  select 'difference', d.value ->> 'payment_id', null, (d.value ->> 'amount_paise')::bigint, r.finished_at, false
  from (select * from public.reconciliations where finished_at is not null order by id desc limit 1) r,
    jsonb_array_elements(r.differences) d
  where d.value ->> 'resolved' is null
  union all
  select 'mismatch', p.payment_id, p.order_id, p.amount_paise, p.created_at, false
  from public.payments p
  where p.state = 'refund_due' and p.reason = 'amount_mismatch'
  union all
  -- Leaves out a failed refund whose payment was refunded by another one.
  select 'refund_failed', r.payment_id, r.order_id,
    case when private.is_rest_due(p) then least(r.amount_paise, private.refundable_paise(p)) else r.amount_paise end,
      r.updated_at, true
  from public.refunds r
  join public.payments p on p.payment_id = r.payment_id
  where r.state = 'failed' and (private.outcome_unknown(r) or r.amount_paise <= private.refundable_paise(p)
    or private.is_rest_due(p))
  union all
  select 'refund_waiting', r.payment_id, r.order_id, r.amount_paise, r.created_at, false
  from public.refunds r
  where (r.state = 'due' and r.last_error is not null)
    or (r.state = 'requested' and r.updated_at < clock_timestamp() - interval '10 days');
end;
$$;

-- A text that changes whenever one of the newest 200 orders, refunds or inbox entries is added, changed or deleted.
-- Uses sums instead of the latest time, because a transaction may commit after one that started later.
create function private.newest_changes()
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
      select id, confirmed_at, unsubscribed_at from public.subscribers order by id desc limit 200) t)
  );
$$;

-- What the admin has to do today. Lists have at most five entries; counts include all. `changes` is
-- private.newest_changes, `sales` sums private.sales, `mailsStuckSince` is that of shop_health, `notice` is read_notice.
create function public.read_today(p_low_stock_below integer)
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

-- supabase/schemas/data-export.sql

-- What the shop holds about one person, to export (DPDP Act 2023, section 11). The export names what goes out.

-- All data of an account or an address: {account, profile, wishlist, orders, order_changes, payments, refunds,
-- claims, invoices, credit_notes, mails, messages, newsletter, stock_alerts, order_forms}; parts without rows are
-- null. p_email is in lower case; either argument may be null. Names every column that goes out: a new column stays
-- inside until it is added here. The admin's notes, passwords, tokens and internal columns stay inside.
create function private.personal_data(p_user_id uuid, p_email text)
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

-- The data of a customer. Rows found by address are included only if the account has confirmed it.
create function public.own_data(p_user_id uuid)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.personal_data(p_user_id, private.confirmed_email(p_user_id));
$$;

-- The data of an address, for the admin to send to the person who wrote from it. Null when there is none.
create function public.data_of_address(p_email text)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select nullif(jsonb_strip_nulls(private.personal_data(private.account_of(p_email), lower(p_email))), '{}');
$$;

-- supabase/schemas/erasure.sql

-- What an erasure removes (DPDP Act 2023, section 12): everything that tax law does not require. Used when an account is
-- deleted, when somebody asks for it, and by `retention.sql` when a term ends.

-- ── Which orders ──

-- Whether an order has ended and no sale took place, so that tax law does not require its data: no money ever came for it,
-- or all of it was of no use and went back.
create function private.is_forgettable(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return p_order.hold_state is distinct from 'held' and p_order.next_check_at is null
    and p_order.payment_id is null and p_order.paid_at is null and p_order.invoice_number is null
    and (
      private.payment_stage(p_order.status, p_order.payment_status) = 'unpaid'
      or (p_order.status = 'FAILED' and p_order.payment_status = 'REFUNDED')
    )
    and not exists (select 1 from public.payments p where p.order_id = p_order.id and p.state <> 'refunded');
end;
$$;

-- Whether nobody needs the phone, the notes or a claim of an order any more: it is delivered, cancelled, handed over or
-- refunded in full, no refund is under way, and no claim waits for its answer.
create function private.has_ended(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
      p_order.fulfilment in ('delivered', 'cancelled') or p_order.hand_over
      -- Paid, and all of it went back.
      or private.unrefunded_paise(p_order) = 0
      -- Never paid: the payments that came were of no use and went back.
      or (p_order.payment_id is null and p_order.hold_state is distinct from 'held' and p_order.next_check_at is null)
    )
    and not exists (
      select 1 from public.refunds r where r.order_id = p_order.id and r.state in ('due', 'requested')
    )
    and not exists (
      select 1 from public.payments p where p.order_id = p_order.id and p.state in ('unmatched', 'refund_due')
    )
    and not exists (select 1 from public.claims c where c.order_id = p_order.id and c.answer is null);
end;
$$;

-- ── Orders and documents ──

-- Removes the person from orders and keeps what was ordered. Their mails lose address and text. The caller has locked
-- the orders.
create function private.anonymise_orders(p_ids bigint[])
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
  delete from public.order_changes where order_id = any (p_ids);
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.outbox set recipient = null, payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null;
  delete from public.outbox where order_id = any (p_ids) and sent_at is null;
end;
$$;

-- A document without its buyer. The GSTIN of a business stays.
create function private.without_buyer(p_document jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return jsonb_set(p_document, '{buyer}', coalesce(p_document -> 'buyer', '{}')
    || '{"name": "", "address": "", "city": "", "postalCode": "", "phone": "", "email": ""}');
end;
$$;

-- Removes the buyer from documents that tax law no longer requires. Numbers, lines and tax stay.
create function private.anonymise_documents(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.invoices set document = private.without_buyer(document) where order_id = any (p_order_ids);
  update public.credit_notes set document = private.without_buyer(document)
  where invoice_number in (select i.number from public.invoices i where i.order_id = any (p_order_ids));
end;
$$;

-- Replaces the admin's words about refunds of these orders, which their credit notes repeat.
create function private.erase_refund_reasons(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.refunds set reason = 'Refund' where order_id = any (p_order_ids) and reason <> 'Refund';
  update public.credit_notes set document = jsonb_set(document, '{reason}', '"Refund"')
  where invoice_number in (select i.number from public.invoices i where i.order_id = any (p_order_ids))
    and document ? 'reason';
end;
$$;

-- Removes from paid orders of an erased person what Rule 46 of the CGST Rules does not require on an invoice: phone,
-- notes, gift note and recipient, network, tracking, the words and files of claims, the reasons of refunds, corrected details, and the
-- admin's notes. Name, address, e-mail, items, amounts and documents stay until the term of paid orders; the phone leaves
-- the documents too. Marked files are deleted by take_due_claim_files, their rows after them. The caller has locked the
-- orders.
create function private.erase_kept_orders(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.orders
  set customer_phone = null, notes = null, gift_note = null, recipient_name = null, recipient_phone = null, network = null,
      admin_note = '', cancel_reason = null, pay_token = null, tracking_number = null, tracking_url = null,
      erase_pending = false
  where id = any (p_ids);
  delete from public.order_changes where order_id = any (p_ids) and field <> 'customer_gstin';
  perform private.erase_refund_reasons(p_ids);
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.claim_files set removing = true where order_id = any (p_ids) and not removing;
  update public.outbox set payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null and payload <> '{}';
  update public.invoices set document = jsonb_set(document, '{buyer,phone}', '""')
  where order_id = any (p_ids) and document -> 'buyer' ? 'phone';
  update public.credit_notes set document = jsonb_set(document, '{buyer,phone}', '""')
  where invoice_number in (select i.number from public.invoices i where i.order_id = any (p_ids))
    and document -> 'buyer' ? 'phone';
end;
$$;

-- ── A person ──

-- Deletes a person's data, except what tax law requires of paid orders, see private.erase_kept_orders. Rows are also
-- found by p_email, in lower case, if given. An order that can still be paid, is on its way or has an open claim keeps
-- its data until it has ended; the next run of `forget` takes it then.
create function private.forget_person(p_user_id uuid, p_email text)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_all bigint[];
  v_ids bigint[];
begin
  select array_agg(t.id) into v_all
  from (
    select o.id from public.orders o
    where o.user_id = p_user_id or (o.user_id is null and lower(o.customer_email) = p_email)
    order by o.id
    for update
  ) t;
  select array_agg(o.id) into v_ids
  from public.orders o
  where o.id = any (v_all) and o.stage in ('unpaid', 'cancelled', 'other') and private.is_forgettable(o);
  perform private.anonymise_orders(v_ids);
  update public.orders set erase_pending = true where id = any (v_all) and id <> all (coalesce(v_ids, '{}'));
  select array_agg(o.id) into v_ids
  from public.orders o
  where o.id = any (v_all) and o.erase_pending and private.has_ended(o);
  perform private.erase_kept_orders(v_ids);
  delete from public.stock_alerts where email = p_email;
  update public.outbox set recipient = null, payload = '{}', last_error = null
  where sent_at is not null and lower(recipient) = p_email;
  update public.outbox set payload = '{}', last_error = null
  where sent_at is not null and kind = 'contact_message' and lower(payload ->> 'email') = p_email;
  delete from public.outbox
  where sent_at is null and lower(recipient) = p_email
    and kind in (
      'back_in_stock', 'stock_alert_confirmation', 'newsletter_confirmation', 'newsletter_welcome', 'account_deletion'
    );
  delete from public.outbox
  where sent_at is null and kind = 'contact_message' and lower(payload ->> 'email') = p_email;
  delete from public.contact_messages where lower(email) = p_email;
  delete from public.subscribers where email = p_email;
  delete from public.form_entries where lower(fields ->> 'email') = p_email;
end;
$$;

-- The account's profile and wishlist are deleted by their foreign keys. Rows found by address are deleted only if the
-- account has confirmed the address.
create function private.forget_account()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.forget_person(old.id, case when old.email_confirmed_at is not null then lower(old.email) end);
  return old;
end;
$$;

create trigger kasavu_forget_account
before delete on auth.users
for each row execute function private.forget_account();

-- ── On request ──

-- Queues the mail with the link that deletes an account, at most once in ten minutes. Returns {outcome}: mailed,
-- mailed_before, no_address (the account has no confirmed address).
create function public.ask_account_deletion(p_user_id uuid)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_email text := private.confirmed_email(p_user_id);
begin
  if v_email is null then
    return jsonb_build_object('outcome', 'no_address');
  end if;
  insert into public.outbox (kind, recipient, payload, dedupe_key)
  values (
    'account_deletion', v_email, jsonb_build_object('user_id', p_user_id, 'asked_at', clock_timestamp()),
    'account_deletion:' || p_user_id || ':' || floor(extract(epoch from clock_timestamp()) / 600)
  )
  on conflict (dedupe_key) do nothing;
  return jsonb_build_object('outcome', case when found then 'mailed' else 'mailed_before' end);
end;
$$;

-- Deletes an account and its personal data, except what tax law requires, see private.forget_person. Returns false
-- when there is none.
create function public.delete_account(p_user_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from auth.users where id = p_user_id;
  return found;
end;
$$;

-- Erases the data of an address, with or without an account. Returns how many orders are kept because they were paid,
-- or can still be.
create function public.erase_address(p_email text)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_account uuid := private.account_of(p_email);
  v_kept integer;
begin
  -- Counted first, because the orders are detached from the account below.
  select count(*) into v_kept
  from public.orders o
  where (o.user_id = v_account or (o.user_id is null and lower(o.customer_email) = lower(p_email)))
    and not (o.stage in ('unpaid', 'cancelled') and private.is_forgettable(o));
  perform private.forget_person(v_account, lower(p_email));
  delete from auth.users where id = v_account;
  return v_kept;
end;
$$;

-- supabase/schemas/retention.sql

-- Retention: deletes or anonymises old data. The terms are in src/domain/retention.ts, which the privacy page shows
-- too. This file decides which rows each term covers. `npm test` fails for a table that is in neither.

-- Deletes or anonymises up to p_limit rows of one subject that are older than p_before. Returns how many. Ids are
-- passed as arrays, because PostgreSQL may scan the whole table for a join. Takes locks in the order of `orders.sql`, and
-- skips locked orders.
create function private.forget_subject(p_subject text, p_before timestamptz, p_limit integer)
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
      -- An order from the checkout without an account had its account deleted, so it does not wait for the term.
      select array_agg(t.id) into v_ids
      from (
        select o.id from public.orders o
        where o.stage in ('unpaid', 'cancelled', 'other') and o.payment_id is null
          and num_nonnulls(o.user_id, o.customer_name, o.customer_email, o.customer_phone, o.customer_address, o.notes) > 0
          and (o.created_at < p_before or (o.user_id is null and o.idempotency_key is not null))
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
-- release 1.0.0 does not know may be missing, and then have their own terms.
create function public.forget(p_terms jsonb, p_limit integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- Orders first, by the lock order.
  v_subjects constant text[] := array[
    'unpaid_orders', 'paid_orders', 'erased_orders', 'claim_words', 'own_cancellations', 'order_networks', 'order_forms', 'contact_messages', 'newsletter_requests',
    'stock_alert_requests', 'stock_alerts', 'sent_mails', 'mail_records', 'unsent_mails', 'notifications', 'devices',
    'admin_sessions', 'failed_payments', 'payment_events', 'comparisons', 'catalogue_changes'
  ];
  v_terms constant jsonb := '{"erased_orders": 1, "claim_words": 365, "own_cancellations": 30}'::jsonb || p_terms;
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

-- supabase/schemas/restore.sql

-- What follows a restore from a backup: docs/going-live.md, "Backups".

-- Prepares a database restored from a backup of p_backup_at to continue where the lost one stopped. p_last_order is
-- the highest order number issued; p_last_invoice and p_last_credit_note are the last numbers issued, or null.
--   * Order, invoice and internal numbers continue after those already issued.
--   * Mails that were waiting count as sent, and so do confirmations of orders whose hold has ended since. If such an
--     order turns out to be paid, its mails were sent before.
--   * All admin sessions end, and their devices are unsubscribed.
--   * The next sweep reconciles with Razorpay, so that paid orders in the backup are marked as paid.
--   * The catalogue version moves past the version of the live pages.
-- Returns {orders_after, mails, sessions}: the last order number, and how many mails were marked and sessions ended.
-- Safe to repeat. Raises 22023 for a future p_backup_at and for invalid numbers.
create function public.after_restore(p_backup_at timestamptz, p_last_order bigint, p_last_invoice text,
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

  update public.provider_health set reconcile = true, unreachable_since = null where id;
  update public.catalogue_version set version = version + 1000000 where id;
  return jsonb_build_object(
    'orders_after', v_last_order, 'mails', v_mails, 'sessions', v_sessions
  );
end;
$$;

-- supabase/schemas/grants.sql

-- What the Netlify functions may do, which use the service key: everything in `public`. Browser roles get their grants
-- where a table is created. New tables and functions are closed to the browser roles by the default privileges in
-- `foundation.sql`, and to service_role by those of a hosted project. So a migration must grant what it adds, to
-- service_role too.

grant all on all tables in schema public to service_role;
grant all on all sequences in schema public to service_role;
grant execute on all functions in schema public to service_role;
