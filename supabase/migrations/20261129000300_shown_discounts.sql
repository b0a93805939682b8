-- A code that the cart shows to everybody. The previous site still works: its new codes are not shown.
alter table public.discount_codes add column shown_in_cart boolean not null default false;

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

-- Creates a code. Returns {outcome}: created or taken. Raises the errors of the table's constraints.
create or replace function public.create_discount(p_discount jsonb)
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

grant execute on function public.shown_discounts() to service_role;
