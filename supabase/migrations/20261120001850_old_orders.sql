-- Orders of the shop's time before this software: records to look up. They have no tie to `orders`, stock, payments or
-- invoices: nothing here moves any of these.

create table public.old_orders (
  number text primary key check (number = btrim(number) and char_length(number) between 1 and 60),
  placed_on date not null,
  customer_name text not null check (char_length(customer_name) between 1 and 200),
  customer_phone text not null default '' check (char_length(customer_phone) <= 40),
  customer_email text not null default '' check (char_length(customer_email) <= 255),
  items text not null check (char_length(items) between 1 and 2000),
  total_paise bigint not null check (total_paise between 0 and 10000000000),
  -- Null: not known.
  paid boolean,
  imported_at timestamptz not null default clock_timestamp()
);

comment on column public.old_orders.items is 'What was bought, in the words of then';
create index old_orders_newest_idx on public.old_orders (placed_on desc, number);

alter table public.old_orders enable row level security;

-- Takes old orders in, those with a known number instead of what was there: [{number, placedOn, name, phone, email, items,
-- totalPaise, paid}]. Returns {added, changed, same}, and writes nothing unless p_save. All or nothing.
create function public.import_old_orders(p_rows jsonb, p_save boolean)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_outcome jsonb;
begin
  if p_save then
    -- One import at a time: what is counted is what is written.
    lock table public.old_orders in share row exclusive mode;
  end if;
  select jsonb_build_object(
    'added', count(*) filter (where o.number is null),
    'changed', count(*) filter (where o.number is not null and not s.same),
    'same', count(*) filter (where o.number is not null and s.same)
  ) into v_outcome
  from jsonb_to_recordset(p_rows)
    r (number text, "placedOn" date, name text, phone text, email text, items text, "totalPaise" bigint, paid boolean)
  left join public.old_orders o on o.number = r.number
  cross join lateral (
    select (o.placed_on, o.customer_name, o.customer_phone, o.customer_email, o.items, o.total_paise, o.paid)
      is not distinct from (r."placedOn", r.name, r.phone, r.email, r.items, r."totalPaise", r.paid) as same
  ) s;
  if p_save then
    insert into public.old_orders (number, placed_on, customer_name, customer_phone, customer_email, items, total_paise, paid)
    select r.number, r."placedOn", r.name, r.phone, r.email, r.items, r."totalPaise", r.paid
    from jsonb_to_recordset(p_rows)
      r (number text, "placedOn" date, name text, phone text, email text, items text, "totalPaise" bigint, paid boolean)
    on conflict (number) do update
      set placed_on = excluded.placed_on, customer_name = excluded.customer_name, customer_phone = excluded.customer_phone,
          customer_email = excluded.customer_email, items = excluded.items, total_paise = excluded.total_paise,
          paid = excluded.paid, imported_at = excluded.imported_at;
  end if;
  return v_outcome;
end;
$$;

-- Old orders, newest first: {total, orders}, in the words of `import_old_orders`. p_search is plain text without wildcards:
-- number, name, phone, e-mail and items.
create function public.list_old_orders(p_search text, p_offset integer, p_limit integer)
returns jsonb
language sql
security definer
stable
set search_path = ''
as $$
  with matching as (
    select o.* from public.old_orders o
    where position(lower(btrim(coalesce(p_search, ''))) in lower(
      o.number || ' ' || o.customer_name || ' ' || o.customer_phone || ' ' || o.customer_email || ' ' || o.items
    )) > 0
  )
  select jsonb_build_object(
    'total', (select count(*) from matching),
    'orders', coalesce((
      select jsonb_agg(jsonb_build_object(
        'number', m.number, 'placedOn', m.placed_on, 'name', m.customer_name, 'phone', m.customer_phone,
        'email', m.customer_email, 'items', m.items, 'totalPaise', m.total_paise, 'paid', m.paid
      ) order by m.placed_on desc, m.number)
      from (
        select * from matching order by placed_on desc, number offset greatest(p_offset, 0) limit least(greatest(p_limit, 0), 100)
      ) m
    ), '[]')
  );
$$;

-- Forgets old orders; how many there were.
create function public.remove_old_orders(p_numbers text[])
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_removed integer;
begin
  delete from public.old_orders where number = any (p_numbers);
  get diagnostics v_removed = row_count;
  return v_removed;
end;
$$;
