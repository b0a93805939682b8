-- Files of the bucket that may be unused: uploaded but not yet saved with a product, or removed from one. Images that
-- products show are not listed, so the sweep's work does not grow with the catalogue.

create table public.pictures (
  path text primary key check (path ~ '^products/[A-Za-z0-9_.-]+$'),
  uploaded_at timestamptz not null default now(),
  -- When it was last removed from a product; null: never.
  dropped_at timestamptz,
  -- A review had it, and not a product.
  of_review boolean not null default false
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

-- These indexes find an image in products and orders.
create index products_images_idx on public.products using gin (images);
create index orders_items_idx on public.orders using gin (items jsonb_path_ops);
create index orders_products_idx on public.orders using gin (products jsonb_path_ops) where products is not null;

-- Images whose files can be deleted: used by no product, review or order, and either removed from a product ten minutes
-- ago, or uploaded a day ago and never saved. Built pages can still show a removed image, so the caller asks only
-- when no change waits for a build. With p_of_reviews only those that a review has no more, at once: what a customer replaced was
-- never shown, and what the shop hides or somebody has erased ends where it is shown.
create function public.unused_pictures(p_limit integer, p_of_reviews boolean default false)
returns setof text
language sql
security definer
stable
set search_path = ''
as $$
  select u.path
  from public.pictures u
  where case
      when p_of_reviews then u.of_review and u.dropped_at is not null
      else coalesce(u.dropped_at + interval '10 minutes', u.uploaded_at + interval '1 day') < now()
    end
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
