-- What the built pages do not show yet: a log of the owner's edits, numbered, and the number of the last one. A build
-- reads the number first and the catalogue after it, so it has all changes up to that number, and whatever has a
-- higher one is still to be published.

create table public.catalogue_version (
  id boolean primary key default true check (id),
  version bigint not null default 0
);
insert into public.catalogue_version default values;

alter table public.catalogue_version enable row level security;
revoke all on public.catalogue_version from public, anon, authenticated;
grant select on public.catalogue_version to anon, authenticated;
grant all on public.catalogue_version to service_role;

create policy "Builds read which catalogue they show" on public.catalogue_version
for select to anon, authenticated using (true);

create table public.product_changes (
  version bigint primary key,
  product_id uuid not null,
  name text not null,
  kind text not null check (kind in ('added', 'changed', 'deleted')),
  at timestamptz not null default clock_timestamp()
);
create index product_changes_product_idx on public.product_changes (product_id, version desc);

alter table public.product_changes enable row level security;
revoke all on public.product_changes from public, anon, authenticated;
grant all on public.product_changes to service_role;

-- The row of catalogue_version is locked until the edit is committed: numbers become visible in their order, so nobody
-- sees a number without every change below it. It is the last lock that an edit takes, and sales take it never (stock
-- alone is no change: every page reads it live), so it can wait for nobody.
create function private.log_product_change()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_version bigint;
  v_product public.products;
begin
  if tg_op = 'DELETE' then v_product := old; else v_product := new; end if;
  update public.catalogue_version set version = version + 1 returning version into v_version;
  insert into public.product_changes (version, product_id, name, kind)
  values (
    v_version, v_product.id, v_product.name,
    case tg_op when 'INSERT' then 'added' when 'DELETE' then 'deleted' else 'changed' end
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

-- The same columns as products_touch_updated_at.
create trigger products_log_change
after update on public.products
for each row
when (
  (old.name, old.description, old.category, old.price, old."offerPrice", old.images, old.image_alts, old.attributes)
  is distinct from
  (new.name, new.description, new.category, new.price, new."offerPrice", new.images, new.image_alts, new.attributes)
)
execute function private.log_product_change();

-- What is not in a build of version p_after: one entry a piece, newest first. A piece that came and went since then
-- is none.
create function public.unpublished_changes(p_after bigint, p_limit integer)
returns jsonb
language sql
security definer
stable
set search_path = ''
as $$
  with since as (
    select product_id,
      (array_agg(kind order by version))[1] as first_kind,
      (array_agg(kind order by version desc))[1] as last_kind,
      (array_agg(name order by version desc))[1] as name,
      max(version) as version,
      max(at) as at
    from public.product_changes
    where version > coalesce(p_after, 0)
    group by product_id
  ), waiting as (
    select product_id, name, version, at,
      case when last_kind = 'deleted' then 'deleted' when first_kind = 'added' then 'added' else 'changed' end as kind
    from since
    where not (first_kind = 'added' and last_kind = 'deleted')
  )
  select jsonb_build_object(
    'version', (select version from public.catalogue_version),
    'count', (select count(*) from waiting),
    'newest_at', (select max(at) from waiting),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object('productId', w.product_id, 'name', w.name, 'kind', w.kind, 'at', w.at) order by w.version desc)
      from (select * from waiting order by version desc limit greatest(p_limit, 0)) w
    ), '[]')
  );
$$;

-- Pieces whose page still stands in a build of version p_after although they were taken out since, newest first.
create function public.withdrawn_products(p_after bigint, p_limit integer)
returns setof uuid
language sql
security definer
stable
set search_path = ''
as $$
  select c.product_id
  from public.product_changes c
  where c.kind = 'deleted' and c.version > coalesce(p_after, 0)
    and not exists (select 1 from public.products p where p.id = c.product_id)
  order by c.version desc
  limit greatest(p_limit, 0);
$$;

revoke execute on function private.log_product_change() from public, anon, authenticated;
revoke execute on function public.unpublished_changes(bigint, integer), public.withdrawn_products(bigint, integer)
from public, anon, authenticated;
grant execute on function public.unpublished_changes(bigint, integer), public.withdrawn_products(bigint, integer) to service_role;
