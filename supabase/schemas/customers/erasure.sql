-- What an erasure removes (DPDP Act 2023, section 12): everything that tax law does not require. Used when an account is
-- deleted, when somebody asks for it, and by `retention.sql` when a term ends.

-- ── Which orders ──

-- Whether an order has ended and no sale took place, so that tax law does not require its data: no money ever came for it,
-- or all of it was of no use and went back.
create function private.is_forgettable(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
declare
  v_answers constant private.order_answers := private.answers_of(p_order.state, p_order.kind);
begin
  return v_answers.takes_stock in ('none', 'gone') and not v_answers.is_sale
    and p_order.next_check_at is null and p_order.payment_id is null and p_order.paid_at is null and p_order.invoice_number is null
    and v_answers.income <> 'total' and p_order.kept_paise = 0
    and not exists (select 1 from public.payments p where p.order_id = p_order.id and p.state <> 'refunded');
end;
$$;

-- Whether nobody needs the phone, the notes or a claim of an order any more: it is delivered, cancelled, handed over or
-- refunded in full, no refund or cash is under way, and no claim waits for its answer.
create function private.has_ended(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
declare
  v_answers constant private.order_answers := private.answers_of(p_order.state, p_order.kind);
begin
  return v_answers.waits_for <> 'cash' and (
      p_order.fulfilment in ('delivered', 'cancelled') or p_order.hand_over
      -- Paid, and all of it went back.
      or private.unrefunded_paise(p_order) = 0
      -- Never paid: the payments that came were of no use and went back.
      or (p_order.payment_id is null and v_answers.takes_stock <> 'waiting'
        and p_order.next_check_at is null)
    )
    and not exists (
      select 1 from public.refunds r where r.order_id = p_order.id and r.state in ('due', 'requested')
    )
    and not exists (
      select 1 from public.payments p where p.order_id = p_order.id and p.state in ('unmatched', 'refund_due')
    )
    and not exists (select 1 from public.claims c where c.order_id = p_order.id and c.answer is null);
end;
$$;

-- ── Orders and documents ──

-- Removes the person from orders and keeps what was ordered. Their mails lose address and text. The caller has locked
-- the orders.
create function private.anonymise_orders(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  -- The limits of cash orders read these columns, and an account that is deleted is no way around them.
  insert into public.costs (effect, scope, key, at)
  select 'cash_order', k.key, k.value, o.created_at
  from public.orders o
  cross join jsonb_each_text(private.cost_keys(null, o.network, o.phone_key) - 'all') k
  where o.id = any (p_ids) and private.is_cash_use(o, k.key) and o.created_at > now() - interval '7 days';
  update public.orders
  set user_id = null, customer_name = null, customer_email = null, customer_phone = null, customer_address = null,
      customer_city = null, customer_postal_code = null, customer_gstin = null, notes = null, gift_note = null,
      recipient_name = null, recipient_phone = null, network = null, admin_note = '', cancel_reason = null,
      payment_reference = null, pay_token = null, tracking_number = null, tracking_url = null
  where id = any (p_ids);
  update public.cash_refusals set reason = '' where order_id = any (p_ids);
  perform private.detach_reviews(p_ids);
  delete from public.order_changes where order_id = any (p_ids);
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.outbox set recipient = null, payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null;
  delete from public.outbox where order_id = any (p_ids) and sent_at is null;
end;
$$;

-- A document without its buyer. The GSTIN of a business stays.
create function private.without_buyer(p_document jsonb)
returns jsonb
language plpgsql
immutable
set search_path = ''
as $$
begin
  return jsonb_set(p_document, '{buyer}', coalesce(p_document -> 'buyer', '{}')
    || '{"name": "", "address": "", "city": "", "postalCode": "", "phone": "", "email": ""}');
end;
$$;

-- Removes the buyer from documents that tax law no longer requires. Numbers, lines and tax stay.
create function private.anonymise_documents(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.invoices set document = private.without_buyer(document) where order_id = any (p_order_ids);
  update public.credit_notes set document = private.without_buyer(document)
  where invoice_number in (select i.number from public.invoices i where i.order_id = any (p_order_ids));
end;
$$;

-- Replaces the admin's words about refunds of these orders, which their credit notes repeat. A credit note without a refund has the
-- shop's own words.
create function private.erase_refund_reasons(p_order_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.refunds set reason = 'Refund' where order_id = any (p_order_ids) and reason <> 'Refund';
  update public.credit_notes set document = jsonb_set(document, '{reason}', '"Refund"')
  where invoice_number in (select i.number from public.invoices i where i.order_id = any (p_order_ids))
    and document ? 'reason' and refused_order_id is null;
end;
$$;

-- Removes from orders what is needed until they have arrived and no longer: the customer's phone, the notes, the gift note and who
-- gets the gift, also from corrected details, and the phone from the documents. The caller has locked the orders.
create function private.erase_contact(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  update public.orders
  set customer_phone = null, notes = null, gift_note = null, recipient_name = null, recipient_phone = null
  where id = any (p_ids);
  if not found then
    return;
  end if;
  delete from public.order_changes
  where order_id = any (p_ids) and field in ('customer_phone', 'recipient_name', 'recipient_phone');
  update public.invoices set document = jsonb_set(document, '{buyer,phone}', '""')
  where order_id = any (p_ids) and document -> 'buyer' ? 'phone';
  update public.credit_notes set document = jsonb_set(document, '{buyer,phone}', '""')
  where invoice_number = any (array(select i.number from public.invoices i where i.order_id = any (p_ids)))
    and document -> 'buyer' ? 'phone';
end;
$$;

-- Removes from paid orders of an erased person what Rule 46 of the CGST Rules does not require on an invoice: phone,
-- notes, gift note and recipient, network, tracking, reviews, the words and files of claims, the reasons of refunds, corrected details,
-- and the admin's notes. Name, address, e-mail, items, amounts and documents stay until the term of paid orders; the phone leaves
-- the documents too. Marked files are deleted by take_due_claim_files, their rows after them. The caller has locked the
-- orders.
create function private.erase_kept_orders(p_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.erase_contact(p_ids);
  update public.orders
  set network = null, admin_note = '', cancel_reason = null, pay_token = null, tracking_number = null, tracking_url = null,
      erase_pending = false, review_request = 'ended', cart_mail_of = null
  where id = any (p_ids);
  update public.cash_refusals set reason = '' where order_id = any (p_ids);
  delete from public.reviews where order_id = any (p_ids);
  delete from public.order_changes where order_id = any (p_ids) and field <> 'customer_gstin';
  perform private.erase_refund_reasons(p_ids);
  update public.claims set message = '', reason = '' where order_id = any (p_ids);
  update public.claim_files set removing = true where order_id = any (p_ids) and not removing;
  update public.outbox set payload = '{}', last_error = null
  where order_id = any (p_ids) and sent_at is not null and payload <> '{}';
end;
$$;

-- ── A person ──

-- Deletes a person's data, except what tax law requires of paid orders, see private.erase_kept_orders. Rows are also
-- found by p_email, in lower case, if given. An order that can still be paid, is on its way or has an open claim keeps
-- its data until it has ended; the next run of `forget` takes it then.
create function private.forget_person(p_user_id uuid, p_email text)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_all bigint[];
  v_ids bigint[];
begin
  select array_agg(t.id) into v_all
  from (
    select o.id from public.orders o
    where o.user_id = p_user_id or (o.user_id is null and lower(o.customer_email) = p_email)
    order by o.id
    for update
  ) t;
  select array_agg(o.id) into v_ids
  from public.orders o
  where o.id = any (v_all) and o.stage in ('unpaid', 'cancelled', 'other') and private.is_forgettable(o);
  perform private.anonymise_orders(v_ids);
  update public.orders set erase_pending = true where id = any (v_all) and id <> all (coalesce(v_ids, '{}'));
  select array_agg(o.id) into v_ids
  from public.orders o
  where o.id = any (v_all) and o.erase_pending and private.has_ended(o);
  perform private.erase_kept_orders(v_ids);
  delete from public.stock_alerts where email = p_email;
  update public.outbox set recipient = null, payload = '{}', last_error = null
  where sent_at is not null and lower(recipient) = p_email;
  update public.outbox set payload = '{}', last_error = null
  where sent_at is not null and kind = 'contact_message' and lower(payload ->> 'email') = p_email;
  -- The customer of an order that is kept still gets what the shop owes them.
  delete from public.outbox m
  where m.sent_at is null and lower(m.recipient) = p_email and (m.order_id is null or not private.is_wanted(m));
  delete from public.outbox
  where sent_at is null and kind = 'contact_message' and lower(payload ->> 'email') = p_email;
  delete from public.contact_messages where lower(email) = p_email;
  delete from public.subscribers where email = p_email;
  delete from public.form_entries where lower(fields ->> 'email') = p_email;
end;
$$;

-- The account's profile and wishlist are deleted by their foreign keys. Rows found by address are deleted only if the
-- account has confirmed the address.
create function private.forget_account()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.forget_person(old.id, case when old.email_confirmed_at is not null then lower(old.email) end);
  return old;
end;
$$;

create trigger kasavu_forget_account
before delete on auth.users
for each row execute function private.forget_account();

-- ── On request ──

-- Queues the mail with the link that deletes an account, at most once in ten minutes. Returns {outcome}: mailed,
-- mailed_before, no_address (the account has no confirmed address), later (the share of mails is used up).
create function public.ask_account_deletion(p_user_id uuid)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_email text := private.confirmed_email(p_user_id);
  v_key text := 'account_deletion:' || p_user_id || ':' || floor(extract(epoch from clock_timestamp()) / 600);
begin
  if v_email is null then
    return jsonb_build_object('outcome', 'no_address');
  elsif exists (select 1 from public.outbox m where m.dedupe_key = v_key) then
    return jsonb_build_object('outcome', 'mailed_before');
  elsif not private.has_mail_left() then
    return jsonb_build_object('outcome', 'later');
  end if;
  insert into public.outbox (kind, recipient, payload, dedupe_key)
  values (
    'account_deletion', v_email, jsonb_build_object('user_id', p_user_id, 'asked_at', clock_timestamp()), v_key
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
  -- In the LOCK ORDER of `orders.sql`.
  perform 1 from public.orders where user_id = p_user_id order by id for update;
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
  -- In the LOCK ORDER of `orders.sql`.
  perform 1 from public.orders where user_id = v_account order by id for update;
  -- Counted first, because the orders are detached from the account below.
  select count(*) into v_kept
  from public.orders o
  where (o.user_id = v_account or (o.user_id is null and lower(o.customer_email) = lower(p_email)))
    and not (o.stage in ('unpaid', 'cancelled', 'other') and private.is_forgettable(o));
  perform private.forget_person(v_account, lower(p_email));
  delete from auth.users where id = v_account;
  return v_kept;
end;
$$;

-- Numbers of the orders of other accounts that carry this address, oldest first. The checkout takes any address, so they are not
-- exported to it nor erased for it: the admin is told, and decides.
create function public.orders_naming(p_email text)
returns setof bigint
language sql
stable
security definer
set search_path = ''
as $$
  select o.id from public.orders o
  where lower(o.customer_email) = lower(p_email) and o.user_id is not null
    and o.user_id is distinct from private.account_of(p_email)
  order by o.id;
$$;
