-- What belongs to one shop and SQL writes by itself: the prefixes of its numbers. src/settings has them, and every deploy
-- writes them here (docs/decisions/0036-sql-reads-the-prefixes-from-one-row.md).

-- One row. These prefixes are those of a shop that has not deployed yet.
create table public.shop_settings (
  id boolean primary key default true check (id),
  order_prefix text not null check (order_prefix ~ '^[A-Z0-9]{1,3}$'),
  -- Orders and Razorpay's receipts keep the prefix that they were made with.
  former_order_prefixes text[] not null default '{}',
  -- A document's number has at most 16 characters (CGST Rules, rule 46): 'KSV/26-27/100000' is the longest.
  invoice_prefix text not null check (invoice_prefix ~ '^[A-Z0-9]{1,3}$'),
  credit_note_prefix text not null check (credit_note_prefix ~ '^[A-Z0-9]{1,3}$'),
  constraint shop_settings_two_series check (invoice_prefix <> credit_note_prefix)
);

alter table public.shop_settings enable row level security;

insert into public.shop_settings (order_prefix, invoice_prefix, credit_note_prefix) values ('KSV', 'KSV', 'CN');

-- Writes the settings of the site that is deployed. Returns whether that changed them. Safe to repeat. Raises 23514 for a
-- prefix that is not possible.
create function public.set_shop_settings(p_order_prefix text, p_invoice_prefix text, p_credit_note_prefix text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_old public.shop_settings;
begin
  -- Serialises two callers, also when a restored backup has left no row.
  perform pg_advisory_xact_lock(hashtextextended('kasavu set_shop_settings', 0));
  select * into v_old from public.shop_settings where id;
  if (v_old.order_prefix, v_old.invoice_prefix, v_old.credit_note_prefix)
    is not distinct from (p_order_prefix, p_invoice_prefix, p_credit_note_prefix)
  then
    return false;
  end if;
  insert into public.shop_settings (order_prefix, former_order_prefixes, invoice_prefix, credit_note_prefix)
  values (
    p_order_prefix,
    array(
      select distinct former.prefix
      from (
        select unnest(v_old.former_order_prefixes) as prefix
        union all
        -- An order may be in the making with it, and not yet be visible here.
        select v_old.order_prefix where exists (select 1 from public.orders)
        union all
        select substring(o.merchant_transaction_id from '^([A-Z0-9]{1,3})-[0-9]+-') from public.orders o
      ) former
      where former.prefix <> p_order_prefix
      order by former.prefix
    ),
    p_invoice_prefix, p_credit_note_prefix
  )
  on conflict (id) do update
    set order_prefix = excluded.order_prefix,
        former_order_prefixes = excluded.former_order_prefixes,
        invoice_prefix = excluded.invoice_prefix,
        credit_note_prefix = excluded.credit_note_prefix;
  return true;
end;
$$;

-- A new order's reference, such as 'KSV-1001-3f9a2c'. Razorpay shows it as the receipt.
create function private.order_reference(p_order_id bigint)
returns text
language plpgsql
set search_path = ''
as $$
begin
  return (
    select s.order_prefix || '-' || p_order_id || '-' || left(gen_random_uuid()::text, 6) from public.shop_settings s
  );
end;
$$;

-- Whether a reference is one of this shop's, also when its order is lost or when the prefix has changed since.
create function public.is_own_reference(p_reference text)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select 1
    from public.shop_settings s, unnest(s.former_order_prefixes || s.order_prefix) prefix
    where starts_with(p_reference, prefix || '-')
  );
$$;
