-- One share bounds every mail that somebody without a paid order causes, codes of Auth included, because the provider counts mails and
-- not kinds. Codes of accounts that have bought have a share of their own. Forms of orders are bounded for everybody together.
-- The previous site still works: it counts its codes through count_cost.

alter table public.cost_limits add column refills boolean not null default false;

delete from public.cost_limits
where effect in ('mail_to_stranger', 'mail_to_admin', 'sign_up_mail', 'login_mail') or (effect, scope) = ('order_form', 'account');

insert into public.cost_limits (effect, scope, seconds, most)
values
  ('code_mail', 'account', 3600, 6), ('code_mail', 'account', 86400, 12),
  ('code_mail', 'network', 3600, 12), ('code_mail', 'shared', 3600, 30),
  ('own_form', 'all', 0, 2000), ('own_form', 'account', 86400, 10), ('own_form', 'all', 3600, 120);

insert into public.cost_limits (effect, scope, seconds, most, refills)
values ('stranger_mail', 'all', 86400, 150, true), ('customer_mail', 'all', 86400, 75, true);

alter table public.form_entries add column of_order boolean not null default false;

-- The uses of an effect by one key since p_since: when each began, how many units, and for how many seconds it lasted.
-- Uses that are facts of other tables are read there. p_line is a last unit (private.line_key).
create or replace function private.cost_uses(
  p_effect text, p_scope text, p_key text, p_since timestamptz, p_now timestamptz, p_line text default null
)
returns table (began_at timestamptz, units double precision, lasted double precision)
language plpgsql
stable
set search_path = ''
as $$
begin
  if p_effect in ('unpaid_hold', 'last_unit', 'last_units') then
    -- Unpaid orders, from their creation to their release or the end of their hold, so an open hold counts in full.
    -- Releasing and holding again gains nothing, because both count. Orders of the admin hold for the admin.
    return query
    select h.since, h.seconds * case when p_effect = 'last_units' then h.lines else 1 end, h.seconds
    from (
      select greatest(o.created_at, p_since) as since, cardinality(o.last_units) as lines, extract(
          epoch from least(o.released_at, o.hold_expires_at) - greatest(o.created_at, p_since)
        )::double precision as seconds
      from public.orders o
      where o.payment_id is null and o.hold_state in ('held', 'released') and o.admin_key is null
        -- No hold of a customer is longer than an hour.
        and o.created_at > p_since - interval '1 hour' and o.hold_expires_at > p_since
        and (p_effect <> 'last_unit' or o.last_units @> array[p_line])
        and case p_scope
          when 'account' then o.user_id::text = p_key
          when 'all' then true
          else private.cost_keys(null, o.network) ->> p_scope = p_key
        end
    ) h
    where h.seconds > 0 and (p_effect <> 'last_units' or h.lines > 0);
  elsif p_effect = 'failed_payment' then
    return query
    select e.received_at, 1::double precision, 0::double precision
    from public.webhook_events e
    join public.orders o on o.id = e.order_id
    where e.event = 'payment.failed' and e.received_at > p_since and o.user_id::text = p_key;
  elsif p_since = p_now then
    -- The window is 0: rows that are stored now.
    return query
    select p_now, (case p_effect
        when 'message' then (select count(*) from public.contact_messages)
        when 'order_form' then (select count(*) from public.form_entries f where not f.of_order)
        when 'own_form' then (select count(*) from public.form_entries f where f.of_order)
      end)::double precision, 0::double precision;
  else
    return query
    select c.at, 1::double precision, 0::double precision
    from public.costs c
    where c.effect = p_effect and c.scope = p_scope and c.key = p_key and c.at > p_since;
  end if;
end;
$$;

-- The limits of an effect for a caller: the units that are left, and, when p_units are more than that, the time when they
-- fit (again_at; null: they fit now). p_keys as in private.cost_keys, p_line as in private.cost_uses.
create or replace function private.cost_left(
  p_effect text, p_keys jsonb, p_units integer, p_now timestamptz, p_line text default null
)
returns table (scope text, units_left double precision, again_at timestamptz)
language plpgsql
stable
set search_path = ''
as $$
begin
  return query
  with uses as (
    select l.scope, l.seconds, l.most, l.refills, u.began_at, u.units, u.lasted,
      sum(u.units) over (partition by l.scope, l.seconds order by u.began_at rows unbounded preceding) as total,
      -- What this use and those after it have left of a share that refills by half of `most` in the window.
      sum(u.units) over (partition by l.scope, l.seconds order by u.began_at desc rows unbounded preceding)
        - extract(epoch from p_now - u.began_at) * l.most / 2 / nullif(l.seconds, 0) as level
    from public.cost_limits l
    left join lateral private.cost_uses(
      p_effect, l.scope, p_keys ->> l.scope, p_now - make_interval(secs => l.seconds), p_now, p_line
    ) u on true
    where l.effect = p_effect and p_keys ? l.scope
  ), used as (
    select u.scope, u.seconds, u.most, u.refills,
      case when u.refills then u.most / 2.0 else u.most end - greatest(
        coalesce(case when u.refills then max(u.level) else max(u.total) end, 0), 0
      ) as units_left
    from uses u
    group by u.scope, u.seconds, u.most, u.refills
  )
  select d.scope, d.units_left::double precision, case
    when d.units_left >= p_units then null
    when d.refills then p_now + make_interval(secs => (p_units - d.units_left) * 2 * d.seconds / greatest(d.most, 1))
    else coalesce((
      -- The oldest uses leave the window first. One that lasted leaves it little by little.
      select u.began_at + make_interval(
        secs => d.seconds + u.lasted * (p_units - d.units_left - (u.total - u.units)) / u.units
      )
      from uses u
      where u.scope = d.scope and u.seconds = d.seconds and u.total >= p_units - d.units_left
      order by u.total
      limit 1
    ), p_now + make_interval(secs => d.seconds))
  end
  from used d
  order by d.scope, d.seconds;
end;
$$;

-- Counts one use for a caller, as private.count_cost does, in a transaction of its own. Returns whether it is allowed.
-- p_account and p_network as in private.cost_keys. Raises 22023 for an unknown effect. Release 1.2.0 counts its codes here.
create or replace function public.count_cost(p_effect text, p_account text default null, p_network text default null)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if p_effect in ('sign_up_mail', 'login_mail') then
    return public.count_code_mail(p_account::uuid, coalesce(p_network, 'ip:unknown'));
  elsif not exists (select 1 from public.cost_limits l where l.effect = p_effect) then
    raise exception 'there is no effect %', p_effect using errcode = '22023';
  end if;
  return private.count_cost(p_effect, private.cost_keys(p_account, p_network)) is null;
end;
$$;

-- ── Mails ──

-- The provider counts mails, not kinds, and its day must always have room for the mails of orders. So every mail is a stranger's
-- (stranger_mail), unless a paid order or the shop causes it. Codes of accounts that have bought have a share of their own
-- (customer_mail), so that strangers keep no customer from logging in.

-- Whether strangers' mails have room for one more. Whoever lets a stranger cause a mail asks before. Tells the admin, once a day, when
-- they have none. Takes the lock of private.cost_refusal.
create function private.has_mail_left(p_share text default 'stranger_mail')
returns boolean
language plpgsql
set search_path = ''
as $$
begin
  if private.cost_refusal(p_share, private.cost_keys(null)) is null then
    return true;
  end if;
  perform public.notify_admin(
    'mails_used_up', jsonb_build_object('kind', p_share), 'mails_used_up:' || p_share || ':' || private.india_date(now())
  );
  return false;
end;
$$;

-- Counts each queued mail that is a stranger's. The shop's own are alerts and notifications to the admin, refunds, products that
-- are back in stock, which have a rate of their own, and the mails of orders that somebody paid or the admin made.
create function private.count_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.kind in ('push', 'admin_alert', 'refund_alert', 'refund_notice', 'back_in_stock') or exists (
    select 1 from public.orders o
    where o.id = new.order_id and (o.paid or o.paid_at is not null or o.admin_key is not null or o.replaces is not null
      or exists (select 1 from public.payments p where p.order_id = o.id))
  ) then
    return null;
  end if;
  if private.count_cost('stranger_mail', private.cost_keys(null)) is not null then
    raise exception 'no mail is left for strangers today' using errcode = 'KS003';
  end if;
  return null;
end;
$$;

create trigger outbox_count_mail
after insert on public.outbox
for each row execute function private.count_mail();

-- Counts a code that Auth asks the shop to mail to an account, in a transaction of its own. Returns whether it may be mailed:
-- within the limits of the account and its network, and of its share of mails. p_network as in private.cost_keys.
create function public.count_code_mail(p_user_id uuid, p_network text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_keys constant jsonb := private.cost_keys(p_user_id::text, p_network);
  v_share constant text := case
    when exists (select 1 from public.orders o where o.user_id = p_user_id and o.paid) then 'customer_mail'
    else 'stranger_mail'
  end;
begin
  if private.cost_refusal('code_mail', v_keys) is not null or not private.has_mail_left(v_share) then
    return false;
  end if;
  perform private.count_cost('code_mail', v_keys);
  perform private.count_cost(v_share, private.cost_keys(null));
  return true;
end;
$$;

-- Queues a mail to the admin, once per dedupe key. p_topic selects the text. Nothing else bounds alerts, so the key of one that
-- strangers can cause names the day.
create or replace function public.notify_admin(
  p_topic text, p_payload jsonb, p_dedupe_key text, p_order_id bigint default null
)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
  values ('admin_alert', null, p_order_id, coalesce(p_payload, '{}') || jsonb_build_object('topic', p_topic), p_dedupe_key)
  on conflict (dedupe_key) do nothing;
end;
$$;

-- Tells the admin when a product's last unit was held without payment for so long that the next holds of it are short: once
-- a day, with the name of the first. Runs when a hold ends, so it does not depend on anyone who was refused.
create or replace function private.alert_of_held_product()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform public.notify_admin(
    'stock_held',
    jsonb_build_object('kind', 'product', 'name', i.item ->> 'name', 'minutes', floor(used.seconds / 60)::integer),
    'stock_held:product:' || private.india_date(now())
  )
  from unnest(new.last_units) l (line)
  join lateral (
    select item from jsonb_array_elements(new.items) item where private.line_key(item) = l.line limit 1
  ) i on true
  cross join lateral (
    select coalesce(sum(u.units), 0) as seconds
    from private.cost_uses('last_unit', 'all', '', now() - interval '2 hours', clock_timestamp(), l.line) u
  ) used
  where exists (
    select 1 from private.cost_left('last_unit', '{"all": ""}', 300, clock_timestamp(), l.line) c
    where c.again_at is not null
  );
  return null;
end;
$$;

-- Requests a newsletter subscription, which starts when the address confirms it (double opt-in). Until then it
-- changes neither an earlier consent nor an earlier unsubscription. An address gets at most one confirmation mail in
-- 30 days, and none while it is subscribed. Returns {outcome}: asked; later (strangers have caused their share of mails
-- today, and nothing was stored).
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
  if not private.has_mail_left() then
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
  if v_subscriber.id is not null and private.has_mail_left() then
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
  if not v_confirmed and not private.has_mail_left() then
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

  if not private.has_mail_left() then
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

-- Stores a submitted form. p_caller is the caller's network, see private.cost_keys. Senders are not authenticated. A form whose
-- e-mail matches an order of the last day counts against that order and a share of its own (own_form), all others against
-- order_form, so that a flood of them displaces no form of an order. Both are bounded for everybody together, so that neither fills
-- the database. Returns false when a limit is reached; then nothing is stored. Raises the errors of the table's constraints.
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
  if private.count_cost(
    case when v_order_id is null then 'order_form' else 'own_form' end,
    private.cost_keys('order:' || v_order_id, p_caller)
  ) is not null then
    return false;
  end if;
  insert into public.form_entries (form, fields, of_order) values (p_form, p_fields, v_order_id is not null);
  return true;
end;
$$;

-- Queues the mail with the link that deletes an account, at most once in ten minutes. Returns {outcome}: mailed,
-- mailed_before, no_address (the account has no confirmed address), later (the share of mails is used up).
create or replace function public.ask_account_deletion(p_user_id uuid)
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

-- Records that a sweep finished, and deletes uses and rate limits (of release 1.1.0) that no longer count. Rows that are
-- locked by a request stay until the next sweep. p_stranger_mails is how many mails a day strangers can cause, from
-- src/shop/seller.ts; customers who have bought can cause half as many more (private.count_mail). Fewer than 12 count as 12. Null
-- leaves it as it is.
create or replace function public.note_sweep(p_stranger_mails integer default null)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- A setting that is too small must not stop the heartbeat.
  v_mails constant integer := case when p_stranger_mails is not null then greatest(p_stranger_mails, 12) end;
begin
  insert into public.heartbeats (name, last_at) values ('sweep', clock_timestamp())
  on conflict (name) do update set last_at = excluded.last_at;
  update public.cost_limits l set most = shares.most
  from (values ('stranger_mail', v_mails), ('customer_mail', v_mails / 2)) shares (effect, most)
  where l.effect = shares.effect and l.most <> shares.most;
  delete from public.costs c
  where c.at < clock_timestamp() - make_interval(secs => coalesce((
    select max(l.seconds) from public.cost_limits l where l.effect = c.effect
  ), 0));
  delete from public.rate_limits l
  where l.bucket = any (array(
    select old.bucket from public.rate_limits old where old.kept_until < clock_timestamp() for update skip locked
  ));
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
--   mails_used_up          whether the share of strangers' or of customers' mails has no room now, so that they get no codes
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
      'mails_used_up', exists (
        select 1
        from (values ('stranger_mail'), ('customer_mail')) share (effect)
        cross join private.cost_left(share.effect, private.cost_keys(null), 1, clock_timestamp()) l
        where l.again_at is not null
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

drop index public.outbox_mail_effect_idx;
drop function private.mail_effect(text, jsonb);

grant execute on function public.count_code_mail(uuid, text) to service_role;
