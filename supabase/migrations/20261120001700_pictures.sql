-- The pictures in the bucket, and which of them are not used any more.

create table public.pictures (
  path text primary key check (path ~ '^products/[A-Za-z0-9_.-]+$'),
  uploaded_at timestamptz not null default now(),
  -- When it was last removed from a product; null when it never was.
  dropped_at timestamptz
);
create index pictures_age_idx on public.pictures (coalesce(dropped_at, uploaded_at));

alter table public.pictures enable row level security;

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

-- Pictures whose files can be deleted: of no product, in no order, and either removed from a product ten minutes ago or
-- uploaded a day ago for a product that was never saved. Built pages can still show removed ones, so the caller asks only
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
    and not exists (select 1 from public.products p where p.images @> array[u.path])
    and not exists (
      select 1 from public.orders o
      where o.items @> jsonb_build_array(jsonb_build_object('image', u.path))
        or o.products @> jsonb_build_array(jsonb_build_object('image', u.path))
    )
  order by coalesce(u.dropped_at, u.uploaded_at)
  limit greatest(p_limit, 0);
$$;
