-- What each role may do; nothing else is granted anywhere. New tables and functions are closed to the browser roles by the
-- default privileges of `foundation`, so a migration that adds one grants it here or in its own file.

-- The functions of Netlify, with the service key.
grant all on all tables in schema public to service_role;
grant execute on all functions in schema public to service_role;

-- Everyone.
grant select on public.products, public.catalogue_version to anon, authenticated;

-- Shoppers, within the policies. `hold_state` and other columns for the shop's own use stay out.
grant select on public.profiles to authenticated;
grant update (full_name, phone, address, city, postal_code) on public.profiles to authenticated;
grant select (
  id, created_at, updated_at, user_id, merchant_transaction_id, customer_name, customer_email, customer_phone,
  customer_address, customer_city, customer_postal_code, notes, items, products, subtotal_paise, fee_paise,
  total_paise, currency, amount, total_amount, payment_amount, status, payment_status, payment_method,
  payment_reference, razorpay_order_id, payment_id, paid_at, fulfilment, carrier, tracking_number, tracking_url,
  packed_at, shipped_at, delivered_at, cancelled_at, invoice_number
) on public.orders to authenticated;
-- A policy runs with the rights of whoever asks. Without usage of the schema nobody can call the function by name.
grant execute on function private.confirmed_email() to authenticated;
