-- Remembered details.

-- The details of a paid order are those that the account fills into the next one.

-- A typed value as a profile of at most p_max characters holds it. One that is too long leaves its column empty, and
-- the checkout fills it in from the order: the older value is not the customer's any more. Nothing typed changes
-- nothing.
create function private.profile_value(p_typed text, p_known text, p_max integer)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when coalesce(btrim(p_typed), '') = '' then p_known
    when char_length(p_typed) <= p_max then p_typed
  end;
$$;

-- Writes the details of a paid order into its customer's profile, unless the customer placed a later order that is
-- paid, or edited the profile after placing this one. The lengths are those of the profile's form. Takes the
-- profile's lock after the order's, as the deletion of an account does.
create function private.remember_details(p_order public.orders)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.profiles p
  set full_name = private.profile_value(p_order.customer_name, p.full_name, 100),
      phone = private.profile_value(
        case
          when char_length(p_order.customer_phone) <= 15 then p_order.customer_phone
          else coalesce(private.phone_key(p_order.customer_phone), p_order.customer_phone)
        end,
        p.phone, 15),
      address = private.profile_value(p_order.customer_address, p.address, 200),
      city = private.profile_value(p_order.customer_city, p.city, 100),
      postal_code = private.profile_value(p_order.customer_postal_code, p.postal_code, 20)
  where p.id = p_order.user_id
    and (p.edited_at is null or p.edited_at < p_order.created_at)
    and not exists (
      select 1 from public.orders o
      where o.user_id = p_order.user_id and o.paid_at is not null and o.created_at > p_order.created_at
    );
$$;

create function private.remember_paid_order()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.remember_details(new);
  return null;
end;
$$;

create trigger orders_remember_details
after update of paid_at on public.orders
for each row when (old.paid_at is null and new.paid_at is not null and new.user_id is not null)
execute function private.remember_paid_order();
