-- Personal data: what the shop holds about one person, to export (DPDP Act 2023, section 11) and to erase (section
-- 12).

-- All data of an account or an address: {account, profile, wishlist, orders, order_changes, payments, refunds,
-- claims, invoices, credit_notes, mails, messages, newsletter, stock_alerts, order_forms}; parts without rows are
-- null. p_email is in lower case; either argument may be null. Leaves out passwords, tokens, the admin's notes and
-- internal columns.
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
    'profile', (select to_jsonb(p) - 'id' from public.profiles p where p.id = p_user_id),
    'wishlist', (
      select jsonb_agg(jsonb_build_object('product', p.name, 'kept_at', w.kept_at) order by w.kept_at)
      from public.wishlists w join public.products p on p.id = w.product_id where w.user_id = p_user_id),
    'orders', (
      select jsonb_agg(to_jsonb(o) - array[
        'user_id', 'idempotency_key', 'cart_fingerprint', 'admin_note', 'admin_key', 'pay_token', 'razorpay_key_id',
          'hold_state',
        'network', 'hold_expires_at', 'released_at', 'release_reason', 'next_check_at', 'checks', 'restocked',
          'stage', 'paid',
        'search_text', 'phone_key'] order by o.id)
      from public.orders o where o.id = any (v_orders)),
    'order_changes', (
      select jsonb_agg(to_jsonb(c) - 'id' order by c.id) from public.order_changes c where c.order_id = any (v_orders)),
    'payments', (
      select jsonb_agg(jsonb_build_object(
        'payment_id', p.payment_id, 'order_id', p.order_id, 'amount_paise', p.amount_paise, 'state', p.state,
          'created_at', p.created_at)
        order by p.created_at)
      from public.payments p where p.order_id = any (v_orders)),
    'refunds', (
      select jsonb_agg(jsonb_build_object(
        'payment_id', r.payment_id, 'order_id', r.order_id, 'amount_paise', r.amount_paise, 'state', r.state,
          'created_at', r.created_at)
        order by r.id)
      from public.refunds r where r.order_id = any (v_orders)),
    'claims', (
      select jsonb_agg(jsonb_build_object(
        'order_id', c.order_id, 'created_at', c.created_at, 'message', c.message, 'answer', c.answer, 'answered_at',
          c.answered_at,
        'reason', c.reason, 'files', (select count(*) from public.claim_files f where f.claim_id = c.id)) order by c.id)
      from public.claims c where c.order_id = any (v_orders)),
    'invoices', (
      select jsonb_agg(i.document || jsonb_build_object('number', i.number) order by i.number)
      from public.invoices i where i.order_id = any (v_orders)),
    'credit_notes', (
      select jsonb_agg(n.document || jsonb_build_object('number', n.number) order by n.number)
      from public.credit_notes n join public.invoices i on i.number = n.invoice_number where i.order_id = any (v_orders)),
    'mails', (
      select jsonb_agg(jsonb_build_object('kind', m.kind, 'created_at', m.created_at, 'sent_at', m.sent_at) order by m.id)
      from public.outbox m
      where m.kind <> 'push' and (lower(m.recipient) = p_email or m.order_id = any (v_orders))),
    'messages', (
      select jsonb_agg(to_jsonb(c) - array['id', 'read_at'] order by c.id)
      from public.contact_messages c where lower(c.email) = p_email),
    'newsletter', (
      select to_jsonb(s) - array['id', 'token', 'asked_token'] from public.subscribers s where s.email = p_email),
    'stock_alerts', (
      select jsonb_agg(jsonb_build_object('product', p.name, 'size', a.size, 'created_at', a.created_at) order by a.id)
      from public.stock_alerts a join public.products p on p.id = a.product_id where a.email = p_email),
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

-- The account with an address, confirmed or not, or null.
create function private.account_of(p_email text)
returns uuid
language sql
stable
set search_path = ''
as $$
  select u.id from auth.users u where lower(u.email) = lower(p_email) limit 1;
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

-- Queues the mail with the link that deletes an account, at most once in ten minutes. Returns {outcome}: mailed,
-- mailed_before, no_address (the account has no confirmed address).
create function public.ask_account_deletion(p_user_id uuid)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_email text := private.confirmed_email(p_user_id);
begin
  if v_email is null then
    return jsonb_build_object('outcome', 'no_address');
  end if;
  insert into public.outbox (kind, recipient, payload, dedupe_key)
  values (
    'account_deletion', v_email, jsonb_build_object('user_id', p_user_id, 'asked_at', clock_timestamp()),
    'account_deletion:' || p_user_id || ':' || floor(extract(epoch from clock_timestamp()) / 600)
  )
  on conflict (dedupe_key) do nothing;
  return jsonb_build_object('outcome', case when found then 'mailed' else 'mailed_before' end);
end;
$$;

-- Deletes an account and its personal data, except what tax law requires, see private.forget_person. Returns false
-- when there is none.
create function public.delete_account(p_user_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from auth.users where id = p_user_id;
  return found;
end;
$$;

-- Erases the data of an address, with or without an account. Returns how many orders are kept because they were paid,
-- or can still be.
create function public.erase_address(p_email text)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_account uuid := private.account_of(p_email);
  v_kept integer;
begin
  -- Counted first, because the orders are detached from the account below.
  select count(*) into v_kept
  from public.orders o
  where (o.user_id = v_account or (o.user_id is null and lower(o.customer_email) = lower(p_email)))
    and not (o.stage in ('unpaid', 'cancelled') and private.is_forgettable(o));
  perform private.forget_person(v_account, lower(p_email));
  delete from auth.users where id = v_account;
  return v_kept;
end;
$$;
