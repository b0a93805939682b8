-- Strangers' messages never delay a customer's mail, never fill a list or the database, and never make the shop look
-- unhealthy.

-- 0: orders, money, alerts to the admin. 1: someone waits for a link. 2: messages of the contact form. 3: bulk mail.
-- Changing the expression rewrites the column for the mails that wait. PostgreSQL 17 and newer can do that.
alter table public.outbox alter column priority set expression as (
  case
    when kind in ('newsletter_confirmation', 'newsletter_welcome', 'stock_alert_confirmation', 'account_deletion') then 1
    when kind = 'contact_message' then 2
    when kind = 'back_in_stock' then 3
    else 0
  end
);
create index outbox_unsent_messages_idx on public.outbox (id) where kind = 'contact_message' and sent_at is null;

-- Stores a message and queues the mail to the admin in one transaction. While 20 of these mails wait, the message is
-- stored without a mail of its own, and one alert an hour tells the admin to read the inbox. Returns the id of the
-- message.
create or replace function public.save_contact_message(p_name text, p_email text, p_subject text, p_message text)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_id bigint;
begin
  insert into public.contact_messages (name, email, subject, message)
  values (p_name, p_email, p_subject, p_message)
  returning id into v_id;

  if (
    select count(*) from (
      select 1 from public.outbox m where m.kind = 'contact_message' and m.sent_at is null limit 20
    ) waiting
  ) = 20 then
    perform public.notify_admin('many_messages', '{}', 'many_messages:' || date_trunc('hour', clock_timestamp()));
    return v_id;
  end if;
  insert into public.outbox (kind, recipient, payload, dedupe_key)
  values (
    'contact_message',
    null,
    jsonb_build_object('id', v_id, 'name', p_name, 'email', p_email, 'subject', p_subject, 'message', p_message),
    'contact_message:' || v_id
  );
  return v_id;
end;
$$;

-- Stores a submitted form. p_caller is the rate-limit bucket of the caller's address. Senders are not authenticated, so
-- a form whose e-mail matches an order of the last day counts against that order, ten in all. All others share a limit
-- of 60 an hour and of 2,000 stored rows (16 MB), so that a flood of them displaces no form of an order and fills no
-- database. Returns false when a limit is reached; then nothing is stored. Raises the errors of the table's
-- constraints.
create or replace function public.save_form_entry(p_form text, p_fields jsonb, p_caller text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order_id bigint;
begin
  select max(o.id) into v_order_id from public.orders o
  where lower(o.customer_email) = lower(btrim(p_fields ->> 'email'))
    and o.created_at > clock_timestamp() - interval '1 day';
  if not (
    case
      when v_order_id is not null then private.hit_rate_limit('collected-form:order:' || v_order_id, 10, 86400)
      else (select count(*) from (select 1 from public.form_entries limit 2000) kept) < 2000
        and public.hit_rate_limits(array[p_caller, 'collected-form:others'], array[20, 60], array[600, 3600])
    end
  ) then
    return false;
  end if;
  insert into public.form_entries (form, fields) values (p_form, p_fields);
  return true;
end;
$$;

-- Adds an address to the list of a product or size, and mails it a confirmation link unless it is the confirmed
-- address of account p_user_id. Returns {outcome}: waiting (also if it was on the list); available; unknown (no
-- visible product or size); full (200 confirmed addresses wait for the product); too_many (the address waits for three
-- products). Requests without a confirmation have 200 places of their own: a new one replaces the oldest, so that
-- invented addresses close the list for nobody. Raises the errors of the table's constraints.
create or replace function public.ask_stock_alert(p_product_id uuid, p_size text, p_email text, p_user_id uuid default null)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_email text := lower(btrim(p_email));
  v_confirmed boolean := coalesce(private.confirmed_email(p_user_id) = v_email, false);
  v_product public.products;
  v_stock integer;
  v_token uuid;
begin
  select * into v_product from public.products where id = p_product_id and not hidden and deleted_at is null;
  if not found then
    return jsonb_build_object('outcome', 'unknown');
  end if;
  v_stock := case when p_size is null then v_product.stock
    when v_product.sizes <> '[]' then private.stock_of_line(v_product.stock, v_product.sizes, p_size) end;
  if coalesce(v_stock, 1) > 0 then
    return jsonb_build_object('outcome', case when v_stock is null then 'unknown' else 'available' end);
  end if;
  update public.stock_alerts
  set confirmed_at = case when v_confirmed then coalesce(confirmed_at, clock_timestamp()) else confirmed_at end
  where product_id = p_product_id and size is not distinct from p_size and email = v_email;
  if found then
    return jsonb_build_object('outcome', 'waiting');
  elsif (
    select count(*) from public.stock_alerts where product_id = p_product_id and confirmed_at is not null
  ) >= 200 then
    return jsonb_build_object('outcome', 'full');
  elsif (
    select count(distinct product_id) from public.stock_alerts where email = v_email and product_id <> p_product_id
  ) >= 3 then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  delete from public.stock_alerts
  where id in (
    select a.id from public.stock_alerts a
    where a.product_id = p_product_id and a.confirmed_at is null
    order by a.id desc
    offset 199
  );
  insert into public.stock_alerts (product_id, size, email, confirmed_at)
  values (p_product_id, p_size, v_email, case when v_confirmed then clock_timestamp() end)
  on conflict on constraint stock_alerts_once do nothing
  returning token into v_token;
  if v_token is not null and not v_confirmed then
    insert into public.outbox (kind, recipient, payload, dedupe_key)
    values (
      'stock_alert_confirmation', v_email,
      jsonb_build_object('token', v_token, 'name', private.sized_name(v_product.name, p_size)),
      'stock_alert_confirmation:' || v_token
    );
  end if;
  return jsonb_build_object('outcome', 'waiting');
end;
$$;

-- The facts behind /api/health; times are timestamptz:
--   sweep_at               the last finished sweep; null: none yet, expected since sweep_expected_since
--   forget_at              the last finished `forget`, which runs once in 20 hours; likewise forget_expected_since
--   outbox_waiting         unsent mails, except those given up after twenty attempts (outbox_given_up)
--   outbox_stuck_since     a mail has waited for 15 minutes, and no mail was sent since it was queued; null: none.
--                          Counts mails to the admin, and mails to others until an attempt shows that the mail server
--                          works and refuses the address: anyone can enter an address that does not exist
--   sign_ups_refused       networks whose sign-up mails the auth service refused in the last hour, its limit reached.
--                          Reported by visitors, so it decides nothing
--   webhook_at             the last stored webhook event
--   webhook_missing_since  the newest payment older than an hour without an event, if no event came since; null: none
create or replace function public.shop_health()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    with newest_payment as (
      select p.payment_id, p.created_at from public.payments p
      where p.created_at between clock_timestamp() - interval '7 days' and clock_timestamp() - interval '1 hour'
        -- Razorpay may report another site's payment to that site only.
        and p.state <> 'foreign'
      order by p.created_at desc
      limit 1
    ), oldest_mail as (
      select min(m.created_at) as created_at from public.outbox m
      where m.sent_at is null and m.attempts < 20 and m.kind <> 'push'
        and (m.recipient is null or m.last_error is null or m.last_error like 'unreachable %')
    )
    select jsonb_build_object(
      'sweep_at', (select h.last_at from public.heartbeats h where h.name = 'sweep'),
      'sweep_expected_since', (select h.since from public.heartbeats h where h.name = 'sweep'),
      'forget_at', (select h.last_at from public.heartbeats h where h.name = 'forget'),
      'forget_expected_since', (select h.since from public.heartbeats h where h.name = 'forget'),
      'outbox_waiting', (
        select count(*) from public.outbox m where m.sent_at is null and m.attempts < 20 and m.kind <> 'push'
      ),
      'outbox_given_up', (
        select count(*) from public.outbox m where m.sent_at is null and m.attempts >= 20 and m.kind <> 'push'
      ),
      'outbox_stuck_since', (
        select m.created_at from oldest_mail m
        where m.created_at < clock_timestamp() - interval '15 minutes'
          and not exists (select 1 from public.outbox s where s.sent_at > m.created_at and s.kind <> 'push')
      ),
      'sign_ups_refused', (
        select count(*) from public.rate_limits l, unnest(l.hits) hit
        where l.bucket = 'sign-up-refused' and hit > clock_timestamp() - interval '1 hour'
      ),
      'webhook_at', (select max(e.received_at) from public.webhook_events e),
      'webhook_missing_since', (
        select p.created_at from newest_payment p
        where not exists (select 1 from public.webhook_events e where e.payment_id = p.payment_id)
          and ((select max(e.received_at) from public.webhook_events e) > p.created_at) is not true
      )
    )
  );
end;
$$;
