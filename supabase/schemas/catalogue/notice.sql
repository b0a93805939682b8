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
