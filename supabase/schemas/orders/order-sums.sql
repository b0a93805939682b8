-- The sum of an order: its rows. A row is {kind, paise, label, bps or to, tax, refund}: the goods, a discount, then a row for each charge. The
-- rows of an order add up to its total. They are written once, with the order, and never change. src/domain/sums/sum-rows.ts computes
-- the same, and src/domain/sums/charges.ts has the list of charges.

-- The sum of all rows, or of those of one kind, in paise. 0 without rows.
create function private.rows_paise(p_rows jsonb, p_kind text default null)
returns bigint
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select coalesce(sum((sum_row ->> 'paise')::bigint), 0)
    from jsonb_array_elements(p_rows) sum_row
    where p_kind is null or sum_row ->> 'kind' = p_kind
  );
end;
$$;

-- The rows without what is not an amount, to compare two sums: charges of the same total are not the same charges.
create function private.row_amounts(p_rows jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select jsonb_agg(jsonb_build_array(sum_row -> 'kind', sum_row -> 'paise') order by place)
    from jsonb_array_elements(p_rows) with ordinality r (sum_row, place)
    where sum_row ->> 'paise' <> '0'
  );
end;
$$;

-- The rows of goods with a discount and charges, in the order in which they are charged. A charge is `bps` hundredths of a percent of the
-- goods less the discount, half a paisa up; or what is missing `to` a multiple of so many paise, half up; or else its `paise`. A row of an
-- order is a charge, too, so the rows of an order that is priced anew are given as they are. p_discount: {label, paise}, or null for none.
create function private.sum_rows(p_goods_paise bigint, p_discount jsonb, p_charges jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
declare
  v_discount constant bigint := coalesce((p_discount ->> 'paise')::bigint, 0);
  v_goods constant bigint := p_goods_paise - v_discount;
  v_rows jsonb := jsonb_build_array(jsonb_build_object('kind', 'goods', 'paise', p_goods_paise));
  v_total bigint := v_goods;
  v_charge jsonb;
  v_paise bigint;
begin
  if v_discount > 0 then
    v_rows := v_rows || jsonb_strip_nulls(
      jsonb_build_object('kind', 'discount', 'paise', -v_discount, 'label', p_discount ->> 'label')
    );
  end if;
  for v_charge in
    select charge from jsonb_array_elements(p_charges) with ordinality c (charge, place)
    where charge ->> 'kind' not in ('goods', 'discount')
    order by place
  loop
    v_paise := case
      when v_charge ? 'bps' then (v_goods * (v_charge ->> 'bps')::integer + 5000) / 10000
      when v_charge ? 'to' then (v_total + (v_charge ->> 'to')::integer / 2)
        / (v_charge ->> 'to')::integer * (v_charge ->> 'to')::integer - v_total
      else (v_charge ->> 'paise')::bigint
    end;
    v_rows := v_rows || (v_charge || jsonb_build_object('paise', v_paise));
    v_total := v_total + v_paise;
  end loop;
  return v_rows;
end;
$$;

-- Checks charges as the site gives them: each kind once, with one amount, and rounding after all others. Raises 22023.
create function private.check_charges(p_charges jsonb)
returns void
language plpgsql
immutable
set search_path = ''
as $$
begin
  if jsonb_typeof(p_charges) is distinct from 'array' or jsonb_array_length(p_charges) > 20 then
    raise exception 'charges must be a list of at most 20' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_charges) charge
    where jsonb_typeof(charge) <> 'object'
      or coalesce(charge ->> 'kind', '') !~ '^[a-z][a-z_]{0,39}$' or charge ->> 'kind' in ('goods', 'discount')
      or jsonb_typeof(charge -> 'label') is distinct from 'string' or char_length(charge ->> 'label') not between 1 and 80
      or (charge ->> 'tax' in ('goods', 'fee')) is not true or (charge ->> 'refund' in ('share', 'last')) is not true
      or (charge ? 'paise')::integer + (charge ? 'bps')::integer + (charge ? 'to')::integer <> 1
      -- Compared as text, so that 1.5 or 1e9 is refused instead of rounded.
      or coalesce(charge ->> 'paise', charge ->> 'bps', charge ->> 'to', '') !~ '^[0-9]{1,9}$'
      or (charge ->> 'bps')::integer > 10000 or (charge ->> 'to')::integer not between 1 and 10000
  ) then
    raise exception 'a charge needs a kind, a label, tax, refund, and paise, bps or to' using errcode = '22023';
  end if;
  if exists (
    select 1 from jsonb_array_elements(p_charges) charge group by charge ->> 'kind' having count(*) > 1
  ) or exists (
    select 1 from jsonb_array_elements(p_charges) with ordinality c (charge, place)
    where charge ? 'to' and place < jsonb_array_length(p_charges)
  ) then
    raise exception 'each charge may be there once, and rounding is the last' using errcode = '22023';
  end if;
end;
$$;

-- The charges of release 1.3.2, which gives a fee and the terms of cash instead.
create function private.charges_of_before(p_fee_bps integer, p_cash_charge_paise bigint)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case when p_fee_bps > 0
    then jsonb_build_array(jsonb_build_object('kind', 'fee', 'bps', p_fee_bps, 'tax', 'fee', 'refund', 'share'))
    else '[]' end
    || case when p_cash_charge_paise > 0 then jsonb_build_array(
      jsonb_build_object('kind', 'cash_charge', 'paise', p_cash_charge_paise, 'tax', 'goods', 'refund', 'last')
    ) else '[]' end;
end;
$$;

-- The rows of an order of release 1.3.2, from its columns. Null for an imported one, whose lines need not add up to its total.
create function private.rows_of_columns(
  p_total_paise bigint, p_subtotal_paise bigint, p_code text, p_discount_paise bigint, p_fee_paise bigint, p_fee_bps integer,
  p_cash_charge_paise bigint
)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
declare
  v_rows jsonb;
begin
  if p_subtotal_paise is null or p_total_paise is null then
    return null;
  end if;
  v_rows := private.sum_rows(
    p_subtotal_paise, jsonb_build_object('label', p_code, 'paise', p_discount_paise),
    private.charges_of_before(p_fee_bps, p_cash_charge_paise)
  );
  if private.rows_paise(v_rows, 'fee') <> coalesce(p_fee_paise, 0) then
    -- The share is not known, so the fee stays what it was.
    v_rows := private.sum_rows(
      p_subtotal_paise, jsonb_build_object('label', p_code, 'paise', p_discount_paise),
      jsonb_build_array(jsonb_build_object('kind', 'fee', 'paise', p_fee_paise, 'tax', 'fee', 'refund', 'share'))
        || private.charges_of_before(0, p_cash_charge_paise)
    );
  end if;
  -- Every order of before adds up. One that does not has no rows, and shows its total alone.
  return case when private.rows_paise(v_rows) = p_total_paise then v_rows end;
end;
$$;

-- The CHECK of orders runs with the rights of the role that writes.
grant execute on function private.rows_paise(jsonb, text) to service_role;
