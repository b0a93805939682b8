-- The details of a paid order are those that the account fills into the next one. Before, the browser stored those of
-- the first attempt, paid or not, and never newer ones.

alter table public.profiles add column edited_at timestamptz;
comment on column public.profiles.edited_at is
  'When the customer last changed the profile. Orders placed before it are not remembered';

-- The browser roles set it by changing a value, and in no other way: the embedded stack grants them whole tables.
create function private.note_profile_edit()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if current_user in ('anon', 'authenticated') then
    new.edited_at := case
      when (new.full_name, new.phone, new.address, new.city, new.postal_code)
        is distinct from (old.full_name, old.phone, old.address, old.city, old.postal_code) then clock_timestamp()
      else old.edited_at
    end;
  end if;
  return new;
end;
$$;

create trigger profiles_note_edit
before update on public.profiles
for each row execute function private.note_profile_edit();

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

-- Profiles of before this migration.
-- The browser wrote them right after each order, so one that changed later was edited by its customer.
select private.remember_details(o)
from public.orders o
join public.profiles p on p.id = o.user_id
where o.paid_at is not null
  and p.updated_at <= (
    select max(latest.created_at) + interval '1 minute' from public.orders latest where latest.user_id = o.user_id
  )
order by o.created_at;
