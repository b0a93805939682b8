-- The e-mail address of an account never changes.
--
-- Supabase's auth API lets a signed-in account change its address. A changed address keeps the account's password and
-- sessions, so "a confirmed address means that its owner chose the password" (docs/decisions/0023) would not hold:
-- the account would see the orders and messages of a person who never used it. The shop offers no change of address.
-- A customer with a new address signs up with it.
--
-- How an address becomes confirmed, and why its owner is then the only one with a password and a session:
--   * sign-up link or code, recovery, magic link, one-time code, invitation: the update of email_confirmed_at removes
--     the password (kasavu_forget_unproven_password), and an unconfirmed account has no session
--   * created as confirmed in the dashboard: Supabase confirms after it inserts, so the same trigger applies
--   * a change of address, also of an anonymous account, which has none: refused here

-- `email_change` is the requested address. Refusing the request leaves no token to confirm it with; a token from
-- before this migration changes nothing either.
create function private.refuse_address_change()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  raise exception 'the e-mail address of an account cannot change: sign up with the new address' using errcode = '42501';
end;
$$;

create trigger kasavu_refuse_address_change
before update on auth.users
for each row
when (
  old.email is distinct from new.email
  or (coalesce(new.email_change, '') <> '' and old.email_change is distinct from new.email_change)
)
execute function private.refuse_address_change();
