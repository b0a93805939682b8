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
