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
    insert into public.product_changes (version, product_id, name, kind)
    values (private.next_catalogue_version(), '00000000-0000-0000-0000-000000000000', v_heading, 'changed');
  end if;
  return public.read_occasion();
end;
$$;
