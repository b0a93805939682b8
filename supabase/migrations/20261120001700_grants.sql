-- All grants. Nothing is granted anywhere else. New tables and functions are closed to the browser roles by the
-- default privileges in `foundation`, and to service_role by those of a hosted project. A later migration must grant
-- what it adds, to service_role too.

-- The Netlify functions, which use the service key.
grant all on all tables in schema public to service_role;
grant all on all sequences in schema public to service_role;
grant execute on all functions in schema public to service_role;
-- A trigger and a constraint of products and generated columns of orders run with the rights of the role that writes.
grant execute on function private.page_content_changed(public.products, public.products) to service_role;
grant execute on function private.are_sizes(jsonb) to service_role;
grant execute on function private.payment_stage(text, text) to service_role;
grant execute on function private.phone_key(text) to service_role;

-- Everyone.
grant select on public.products, public.catalogue_version, public.shop_notice, public.occasion to anon, authenticated;

-- Customers, within the policies. Internal columns of `orders`, such as checks, are not granted.
grant select on public.profiles to authenticated;
grant update (full_name, phone, address, city, postal_code) on public.profiles to authenticated;
grant select, delete on public.wishlists to authenticated;
grant insert (product_id, kept_at) on public.wishlists to authenticated;
grant select (
  id, created_at, updated_at, user_id, merchant_transaction_id, customer_name, customer_email, customer_phone,
  customer_address, customer_city, customer_postal_code, customer_gstin, notes, gift_note, items, products,
    subtotal_paise, discount_code,
  discount_paise, fee_paise,
  total_paise, currency, amount, total_amount, payment_amount, status, payment_status, payment_method,
  payment_reference, razorpay_order_id, payment_id, paid_at, fulfilment, carrier, tracking_number, tracking_url,
  packed_at, shipped_at, delivered_at, cancelled_at, invoice_number, delivery_notice, hand_over,
  hold_state, hold_expires_at
) on public.orders to authenticated;
-- Policies run with the rights of the caller. Without usage of the schema nobody can call the function by name.
grant execute on function private.own_order_ids() to authenticated;
