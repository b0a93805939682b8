-- Forms, their mails, and the admin's login count by the one table of limits (cost_limits).

-- ── Mails that strangers cause ──

-- Queues a mail to the admin, once per dedupe key. p_topic selects the text. When strangers have caused their share of such
-- mails in a day (mail_to_admin), an alert of theirs is on the admin page only.
create or replace function public.notify_admin(
  p_topic text, p_payload jsonb, p_dedupe_key text, p_order_id bigint default null
)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_payload jsonb := coalesce(p_payload, '{}') || jsonb_build_object('topic', p_topic);
begin
  -- Without a lock: callers hold locks of orders, and a mail more does no harm.
  if private.mail_effect('admin_alert', v_payload) is not null and exists (
    select 1
    from private.cost_left('mail_to_admin', private.cost_keys(null), 1, clock_timestamp()) l
    where l.again_at is not null
  ) then
    return;
  end if;
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  values ('admin_alert', null, p_order_id, v_payload, p_dedupe_key)
  on conflict (dedupe_key) do nothing;
end;
$$;

-- Stores a message and queues the mail to the admin in one transaction. When strangers have caused their share of such
-- mails in a day, the message is stored without a mail of its own, and one mail in six hours tells the admin to read the
-- inbox. When the inbox is full, the oldest message that was read goes. Returns the id of the message; null when all of a
-- full inbox is unread, and nothing was stored.
create or replace function public.save_contact_message(p_name text, p_email text, p_subject text, p_message text)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_id bigint;
begin
  if private.cost_refusal('message', private.cost_keys(null)) is not null then
    delete from public.contact_messages
    where id = (select min(id) from public.contact_messages where read_at is not null);
    if not found then
      return null;
    end if;
  end if;
  insert into public.contact_messages (name, email, subject, message)
  values (p_name, p_email, p_subject, p_message)
  returning id into v_id;

  if private.cost_refusal('mail_to_admin', private.cost_keys(null)) is not null then
    perform public.notify_admin(
      'many_messages', '{}',
      'many_messages:' || date_bin('6 hours', clock_timestamp(), timestamptz '2026-01-01 00:00:00+05:30')
    );
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

-- Requests a newsletter subscription, which starts when the address confirms it (double opt-in). Until then it
-- changes neither an earlier consent nor an earlier unsubscription. An address gets at most one confirmation mail in
-- 30 days, and none while it is subscribed. Returns {outcome}: asked; later (strangers have caused their share of mails
-- today, and nothing was stored).
drop function public.subscribe(text, text);
create or replace function public.subscribe(p_email text, p_consent_text text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_email text := lower(btrim(p_email));
  v_now timestamptz := clock_timestamp();
  v_token uuid;
begin
  if private.cost_refusal('mail_to_stranger', private.cost_keys(null)) is not null then
    return jsonb_build_object('outcome', 'later');
  end if;
  insert into public.subscribers as s (email, consent_at, consent_text, asked_at, asked_text)
  values (v_email, v_now, p_consent_text, v_now, p_consent_text)
  on conflict (email) do update
    set asked_at = v_now, asked_text = excluded.asked_text, asked_token = gen_random_uuid()
    where (s.confirmed_at is null or s.unsubscribed_at is not null) and s.asked_at < v_now - interval '30 days'
  returning s.asked_token into v_token;

  if v_token is not null then
    insert into public.outbox (kind, recipient, payload, dedupe_key)
    values (
      'newsletter_confirmation', v_email, jsonb_build_object('token', v_token), 'newsletter_confirmation:' || v_token
    );
  end if;
  return jsonb_build_object('outcome', 'asked');
end;
$$;
grant execute on function public.subscribe(text, text) to service_role;

-- Confirms a request by its token and queues the welcome mail, if strangers have not caused their share of mails today. A
-- token expires after 30 days and when the address unsubscribes. Returns whether the address is subscribed by this token,
-- including by an earlier call.
create or replace function public.confirm_subscription(p_token uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_subscriber public.subscribers;
begin
  update public.subscribers s
  set consent_at = s.asked_at,
      consent_text = coalesce(s.asked_text, s.consent_text),
      confirmed_at = v_now,
      unsubscribed_at = null
  where s.asked_token = p_token and s.asked_at > v_now - interval '30 days'
    and (s.confirmed_at is null or s.unsubscribed_at is not null)
    and s.asked_at > coalesce(s.unsubscribed_at, '-infinity')
  returning * into v_subscriber;
  if v_subscriber.id is not null
    and private.cost_refusal('mail_to_stranger', private.cost_keys(null)) is null
  then
    insert into public.outbox (kind, recipient, payload, dedupe_key)
    values (
      'newsletter_welcome', v_subscriber.email, jsonb_build_object('token', v_subscriber.token),
      'newsletter_welcome:' || p_token
    );
  end if;
  return exists (
    select from public.subscribers where asked_token = p_token and confirmed_at is not null and unsubscribed_at is null
  );
end;
$$;

-- Adds an address to the list of a product or size, and mails it a confirmation link unless it is the confirmed
-- address of account p_user_id. Returns {outcome}: waiting (also if it was on the list); available; unknown (no
-- visible product or size); full (200 confirmed addresses wait for the product); too_many (the address waits for three
-- products); later (strangers have caused their share of mails today). Requests without a confirmation have 200 places of
-- their own: a new one replaces the oldest, so that invented addresses close the list for nobody. Raises the errors of the
-- table's constraints.
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
  if not v_confirmed and private.cost_refusal('mail_to_stranger', private.cost_keys(null)) is not null then
    return jsonb_build_object('outcome', 'later');
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

-- Stores a submitted form. p_caller is the caller's network, see private.cost_keys. Senders are not authenticated, so a
-- form whose e-mail matches an order of the last day counts against that order. All others share the limits of order_form,
-- so that a flood of them displaces no form of an order and fills no database. Returns false when a limit is reached; then
-- nothing is stored. Raises the errors of the table's constraints.
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
  if private.count_cost('order_form', case when v_order_id is null then private.cost_keys(null, p_caller)
    else jsonb_build_object('account', 'order:' || v_order_id) end) is not null
  then
    return false;
  end if;
  insert into public.form_entries (form, fields) values (p_form, p_fields);
  return true;
end;
$$;

-- The facts behind /api/health; times are timestamptz:
--   sweep_at               the last finished sweep; null: none yet, expected since sweep_expected_since
--   forget_at              the last finished `forget`, which runs once in 20 hours; likewise forget_expected_since
--   outbox_waiting         unsent mails, except those given up after twenty attempts (outbox_given_up)
--   outbox_stuck_since     a mail has waited for 15 minutes, and no mail was sent since it was queued; null: none.
--                          Counts a mail until an attempt shows that the mail server works and refuses this one:
--                          strangers choose addresses and texts
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
        and (m.last_error is null or m.last_error like 'unreachable %')
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
        select count(*) from private.cost_uses(
          'sign_up_refused', 'all', '', clock_timestamp() - interval '1 hour', clock_timestamp()
        )
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

-- ── The admin's login ──

-- Counts a sign-in attempt before the password is checked. Returns {allowed, retry_after}; retry_after is in seconds,
-- and 0 when allowed. Raises 22023 without an address.
--   * A browser that has signed in before sends its device id. It has its own limit, which nobody else can use up.
--   * All others count by p_address, the text of private.cost_keys, and together. One network can use up at most half of
--     what all have together, however often it tries.
-- The limits are rows of cost_limits; the last three parameters are of release 1.1.0.
create or replace function public.count_login_attempt(
  p_address text, p_device text, p_limit_per_source integer, p_limit_overall integer, p_window_seconds integer
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_again_at timestamptz;
begin
  if coalesce(p_address, '') = '' then
    raise exception 'an address is required' using errcode = '22023';
  end if;
  v_again_at := private.count_cost('admin_login', private.login_keys(p_address, p_device));
  return jsonb_build_object(
    'allowed', v_again_at is null,
    'retry_after', greatest(1, ceil(extract(epoch from v_again_at - clock_timestamp())))::integer
  );
end;
$$;

-- A known browser counts by itself, any other by its network and with all others.
create function private.login_keys(p_address text, p_device text)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return case when p_device is null then private.cost_keys(null, p_address)
    else jsonb_build_object('account', p_device) end;
end;
$$;

-- Takes a login attempt off the counts, so that only wrong passwords and wrong codes use up the limits.
create or replace function public.forget_login_attempt(p_address text, p_device text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.costs
  where id in (
    select max(c.id)
    from jsonb_each_text(private.login_keys(p_address, p_device)) k
    join public.costs c on c.effect = 'admin_login' and c.scope = k.key and c.key = k.value
    group by c.scope
  );
end;
$$;

-- Notes a wrong code after the correct password. The tenth in a day mails the admin: the limits of a login allow 960
-- guesses a day, for as long as nobody knows of them.
create or replace function public.note_wrong_code()
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if private.count_cost('wrong_code', private.cost_keys(null)) is not null then
    perform public.notify_admin(
      'second_factor', '{"kind": "guessed"}', 'second_factor:guessed:' || private.india_date(now())
    );
  end if;
end;
$$;
