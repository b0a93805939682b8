-- A size may have 40 letters, in place of 20: exports of other shops have sizes such as "14k White Gold / 15 inch". The previous site only
-- writes shorter ones, and shows longer ones as they are.

create or replace function private.are_sizes(p_sizes jsonb)
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
        or s ->> 'size' <> btrim(s ->> 'size') or char_length(s ->> 'size') not between 1 and 40
        or jsonb_typeof(s -> 'stock') is distinct from 'number' or s ->> 'stock' !~ '^[0-9]{1,6}$'
    ) and jsonb_array_length(p_sizes) = (select count(distinct s ->> 'size') from jsonb_array_elements(p_sizes) s)
  end;
end;
$$;

create or replace function private.cart_lines(p_lines jsonb)
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
      or char_length(line ->> 'size') not between 1 and 40
  ) then
    raise exception 'a size must be a text of 1 to 40 characters' using errcode = '22023';
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

alter table public.stock_alerts drop constraint stock_alerts_size_check;
alter table public.stock_alerts add constraint stock_alerts_size_check check (char_length(size) between 1 and 40);
