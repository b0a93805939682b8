-- One phone is one customer: a further digit behind the number does not make a new one.

-- The first ten digits of a phone number after +91 or 0, to recognise a customer. Null for fewer than eight digits.
create or replace function private.phone_key(p_phone text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return substring(
    regexp_replace(regexp_replace(coalesce(p_phone, ''), '[^0-9]', '', 'g'), '^(00)?(91(?=[0-9]{10})|0)', '')
    from '^[0-9]{8,10}'
  );
end;
$$;

-- Computes the stored keys again.
alter table public.orders alter column phone_key set expression as (private.phone_key(customer_phone));
