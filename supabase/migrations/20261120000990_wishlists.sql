-- What shoppers with an account keep for later: a row a product. They reach their own rows through the policies alone; the
-- wishlist of a visitor stays on the device.

create table public.wishlists (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  product_id uuid not null references public.products (id) on delete cascade,
  kept_at timestamptz not null default now(),
  primary key (user_id, product_id)
);
create index wishlists_product_id_idx on public.wishlists (product_id);

alter table public.wishlists enable row level security;

-- A product that is hidden or deleted is on no list, and back on it when it is shown again.
create policy "Shoppers see what they keep, while the shop shows it" on public.wishlists
for select to authenticated
using (user_id = (select auth.uid()) and exists (select 1 from public.products p where p.id = product_id));

create policy "Shoppers keep products for themselves" on public.wishlists
for insert to authenticated with check (user_id = (select auth.uid()));

create policy "Shoppers give up what they kept" on public.wishlists
for delete to authenticated using (user_id = (select auth.uid()));

-- A device sends all that it kept at once, and may be late: a product that is gone is passed over, so that the others are
-- taken. Its clock may be wrong: a day ahead is let pass, for the order of what it kept; what is further in the future would
-- stay the newest for ever.
create function private.prepare_wishlist_row()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.product_id is not null and not exists (select 1 from public.products where id = new.product_id and not hidden and deleted_at is null) then
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

-- At most 100 products an account: the newest stay. One writer of an account at a time, so that two devices at once do not
-- each leave a hundred.
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
        select o.product_id from public.wishlists o where o.user_id = v_user_id order by o.kept_at desc, o.product_id offset 100
      );
  end loop;
  return null;
end;
$$;

create trigger wishlists_limit
after insert on public.wishlists
referencing new table as added
for each statement execute function private.limit_wishlist();
