-- What the shop holds about one person, to export (DPDP Act 2023, section 11). The export names what goes out.

-- All data of an account or an address: {account, profile, wishlist, orders, order_changes, payments, refunds,
-- cash_refusals, claims, reviews, invoices, credit_notes, mails, messages, newsletter, stock_alerts, cart_mails, order_forms}; parts without
-- rows are null. p_email is in lower case; either argument may be null. Names every column that goes out: a new column stays
-- inside until it is added here. The admin's notes, passwords, tokens and internal columns stay inside.
create function private.personal_data(p_user_id uuid, p_email text)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_orders bigint[];
begin
  select array_agg(o.id order by o.id) into v_orders
  from public.orders o
  where o.user_id = p_user_id or (o.user_id is null and lower(o.customer_email) = p_email);
  return jsonb_build_object(
    'account', (
      select jsonb_build_object('email', u.email, 'created_at', u.created_at, 'confirmed_at', u.email_confirmed_at)
      from auth.users u where u.id = p_user_id),
    'profile', (
      select jsonb_build_object('email', p.email, 'full_name', p.full_name, 'phone', p.phone, 'address', p.address,
        'city', p.city, 'postal_code', p.postal_code, 'updated_at', p.updated_at)
      from public.profiles p where p.id = p_user_id),
    'wishlist', (
      select jsonb_agg(jsonb_build_object('product', p.name, 'kept_at', w.kept_at) order by w.kept_at)
      from public.wishlists w join public.products p on p.id = w.product_id where w.user_id = p_user_id),
    'orders', (
      select jsonb_agg(
        jsonb_build_object(
          'id', o.id, 'created_at', o.created_at, 'updated_at', o.updated_at,
          'merchant_transaction_id', o.merchant_transaction_id, 'customer_name', o.customer_name,
          'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
          'customer_address', o.customer_address, 'customer_city', o.customer_city,
          'customer_postal_code', o.customer_postal_code, 'customer_gstin', o.customer_gstin, 'notes', o.notes,
          'gift_note', o.gift_note, 'recipient_name', o.recipient_name, 'recipient_phone', o.recipient_phone,
          'items', o.items, 'products', o.products, 'sum_rows', o.sum_rows, 'currency', o.currency)
        || jsonb_build_object(
          'subtotal_paise', o.subtotal_paise, 'discount_code', o.discount_code, 'discount_paise', o.discount_paise,
          'fee_paise', o.fee_paise, 'fee_bps', o.fee_bps, 'total_paise', o.total_paise, 'kept_paise', o.kept_paise,
          'amount', o.amount, 'total_amount', o.total_amount, 'payment_amount', o.payment_amount,
          'status', o.status, 'payment_status', o.payment_status, 'payment_method', o.payment_method,
          'payment_reference', o.payment_reference, 'razorpay_order_id', o.razorpay_order_id,
          'payment_id', o.payment_id, 'paid_at', o.paid_at,
          'cash_paise', o.cash_paise, 'cash_charge_paise', o.cash_charge_paise,
          'advance_payment_id', o.advance_payment_id, 'cash_confirmed_at', o.cash_confirmed_at)
        || jsonb_build_object(
          'fulfilment', o.fulfilment, 'carrier', o.carrier, 'tracking_number', o.tracking_number,
          'tracking_url', o.tracking_url, 'packed_at', o.packed_at, 'shipped_at', o.shipped_at,
          'delivered_at', o.delivered_at, 'cancelled_at', o.cancelled_at, 'invoice_number', o.invoice_number,
          'delivery_notice', o.delivery_notice, 'terms', o.terms, 'channel', o.channel, 'hand_over', o.hand_over,
          'replaces', o.replaces)
        order by o.id)
      from public.orders o where o.id = any (v_orders)),
    'order_changes', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'field', c.field, 'old_value', c.old_value,
        'new_value', c.new_value, 'changed_by', c.changed_by, 'created_at', c.created_at) order by c.id)
      from public.order_changes c where c.order_id = any (v_orders) and c.field <> 'admin_note'),
    'payments', (
      select jsonb_agg(jsonb_build_object('payment_id', p.payment_id, 'order_id', p.order_id,
        'amount_paise', p.amount_paise, 'state', p.state, 'created_at', p.created_at) order by p.created_at)
      from public.payments p where p.order_id = any (v_orders)),
    'refunds', (
      select jsonb_agg(jsonb_build_object('payment_id', r.payment_id, 'order_id', r.order_id,
        'amount_paise', r.amount_paise, 'state', r.state, 'created_at', r.created_at) order by r.id)
      from public.refunds r where r.order_id = any (v_orders)),
    'cash_refusals', (
      select jsonb_agg(jsonb_build_object('order_id', r.order_id, 'created_at', r.created_at,
        'forgiven_at', r.forgiven_at) order by r.id)
      from public.cash_refusals r where r.order_id = any (v_orders) or r.user_id = p_user_id),
    'claims', (
      select jsonb_agg(jsonb_build_object('order_id', c.order_id, 'created_at', c.created_at, 'message', c.message,
        'answer', c.answer, 'answered_at', c.answered_at, 'reason', c.reason,
        'files', (select count(*) from public.claim_files f where f.claim_id = c.id and not f.removing)) order by c.id)
      from public.claims c where c.order_id = any (v_orders)),
    'reviews', (
      select jsonb_agg(jsonb_build_object('order_id', r.order_id, 'product', p.name, 'created_at', r.created_at,
        'stars', r.stars, 'words', r.words, 'name', r.name, 'town', r.town, 'image', r.image, 'state', r.state,
        'answer', r.answer) order by r.id)
      from public.reviews r join public.products p on p.id = r.product_id where r.order_id = any (v_orders)),
    'invoices', (
      select jsonb_agg(i.document || jsonb_build_object('number', i.number) order by i.number)
      from public.invoices i where i.order_id = any (v_orders)),
    'credit_notes', (
      select jsonb_agg(n.document || jsonb_build_object('number', n.number) order by n.number)
      from public.credit_notes n join public.invoices i on i.number = n.invoice_number where i.order_id = any (v_orders)),
    'mails', (
      select jsonb_agg(jsonb_build_object('kind', m.kind, 'created_at', m.created_at, 'sent_at', m.sent_at) order by m.id)
      from public.outbox m
      where m.kind not in ('push', 'admin_alert') and (lower(m.recipient) = p_email or m.order_id = any (v_orders))),
    'messages', (
      select jsonb_agg(jsonb_build_object('created_at', c.created_at, 'name', c.name, 'email', c.email,
        'subject', c.subject, 'message', c.message, 'answered_at', c.answered_at) order by c.id)
      from public.contact_messages c where lower(c.email) = p_email),
    'newsletter', (
      select jsonb_build_object('created_at', s.created_at, 'email', s.email, 'consent_at', s.consent_at,
        'consent_text', s.consent_text, 'confirmed_at', s.confirmed_at, 'unsubscribed_at', s.unsubscribed_at,
        'asked_at', s.asked_at, 'asked_text', s.asked_text)
      from public.subscribers s where s.email = p_email),
    'stock_alerts', (
      select jsonb_agg(jsonb_build_object('product', p.name, 'size', a.size, 'created_at', a.created_at) order by a.id)
      from public.stock_alerts a join public.products p on p.id = a.product_id where a.email = p_email),
    'cart_mails', (
      select jsonb_build_object('refused_at', r.refused_at)
      from public.cart_mail_refusals r where r.address_hash = private.address_hash(p_email)),
    'order_forms', (
      select jsonb_agg(f.fields || jsonb_build_object('sent_at', f.created_at) order by f.id)
      from public.form_entries f where lower(f.fields ->> 'email') = p_email)
  );
end;
$$;

-- The data of a customer. Rows found by address are included only if the account has confirmed it.
create function public.own_data(p_user_id uuid)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.personal_data(p_user_id, private.confirmed_email(p_user_id));
$$;

-- The data of an address, for the admin to send to the person who wrote from it. Null when there is none.
create function public.data_of_address(p_email text)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select nullif(jsonb_strip_nulls(private.personal_data(private.account_of(p_email), lower(p_email))), '{}');
$$;
