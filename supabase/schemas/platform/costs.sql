-- What a stranger can cost the shop: one table of limits, and one function that counts and refuses. docs/security.md
-- shows the table with its reasons, and a test compares the two.
--
-- An effect is something that costs the shop when a customer or stranger causes it: a mail, a call to Razorpay, a second in
-- which nobody else can buy a product. private.cost_uses says where its uses are recorded. Scopes:
--   account  an account, or an order for what is done with the link of an order
--   phone    private.phone_key, hashed
--   network  the /64 of an IPv6 address: a household or a server
--   shared   an IPv4 address, which thousands of customers of a mobile company may share, or the /48 of an IPv6
--            address, which tunnels and hosting companies hand out for free
--   all      everybody together
-- No other key has more than half of what all have, so that none shuts out the others.
--
-- In the LOCK ORDER of `orders.sql`, the locks of private.cost_refusal come after those of products (4a).

create table public.cost_limits (
  effect text not null check (effect ~ '^[a-z_]{3,30}$'),
  scope text not null check (scope in ('account', 'phone', 'network', 'shared', 'all')),
  -- A sliding window; 0: what is stored at any time.
  seconds integer not null check (seconds between 0 and 2592000),
  most integer not null check (most >= 0),
  -- Half of `most` at once, and the other half evenly over the window, so that a flood closes nothing until tomorrow.
  refills boolean not null default false,
  primary key (effect, scope, seconds)
);

alter table public.cost_limits enable row level security;

insert into public.cost_limits (effect, scope, seconds, most)
values
  -- Submitted forms, before the security check and after it.
  ('form_try', 'network', 600, 10), ('form_try', 'network', 86400, 30),
  ('form_try', 'shared', 600, 30), ('form_try', 'shared', 86400, 90),
  ('form', 'all', 3600, 300),
  ('account_request', 'account', 3600, 20),
  -- Codes that Auth asks the shop to mail, beside the share of mails below. The account is the one that the code opens: its limit also
  -- bounds how many codes a stranger can have mailed, and guess at, for one customer (docs/decisions/0041).
  ('code_mail', 'account', 3600, 6), ('code_mail', 'account', 86400, 12),
  ('code_mail', 'network', 3600, 12), ('code_mail', 'shared', 3600, 30),
  -- Rows and megabytes.
  ('message', 'all', 0, 2000), ('order_form', 'all', 0, 2000), ('own_form', 'all', 0, 2000),
  ('order_form', 'network', 3600, 20), ('order_form', 'shared', 3600, 20), ('order_form', 'all', 3600, 60),
  ('own_form', 'account', 86400, 10), ('own_form', 'all', 3600, 120),
  -- Calls to Razorpay, lost fees, refused cards.
  ('provider_call', 'account', 60, 6), ('provider_call', 'account', 3600, 20),
  ('provider_call', 'network', 600, 120), ('provider_call', 'shared', 600, 600),
  ('fee_lost', 'account', 2592000, 2), ('fee_lost', 'phone', 2592000, 2), ('fee_lost', 'network', 2592000, 2),
  ('fee_lost', 'shared', 2592000, 20), ('fee_lost', 'all', 2592000, 50),
  ('failed_payment', 'account', 3600, 10),
  -- Parcels that may be sent for nothing: cash orders whose cash is not there, those of a week that the shop did not confirm, those of
  -- a network in a day, and those that wait for the shop's word.
  ('cash_order', 'account', 0, 2), ('cash_order', 'account', 604800, 3), ('cash_order', 'phone', 0, 2),
  ('cash_order', 'phone', 604800, 3), ('cash_order', 'network', 86400, 3), ('cash_order', 'shared', 86400, 20),
  ('cash_order', 'all', 0, 60),
  -- A last unit that an order without an advance kept from others until it ended, unconfirmed: of one product or size.
  ('cash_last_unit', 'account', 604800, 1), ('cash_last_unit', 'phone', 604800, 1),
  ('cash_last_unit', 'network', 604800, 1), ('cash_last_unit', 'shared', 604800, 1), ('cash_last_unit', 'all', 604800, 2),
  -- Seconds of unpaid holds: of any stock, of one last unit, and of all last units together.
  ('unpaid_hold', 'account', 7200, 2160),
  ('last_unit', 'network', 7200, 1800), ('last_unit', 'shared', 7200, 1800), ('last_unit', 'all', 7200, 3600),
  ('last_units', 'account', 7200, 9000), ('last_units', 'network', 7200, 36000), ('last_units', 'shared', 7200, 36000),
  -- Work: pages behind links, tries of discount codes, images and videos, reports of builds and of refused sign-ups.
  ('lookup', 'network', 600, 120), ('lookup', 'shared', 600, 600),
  ('code_try', 'network', 600, 60), ('code_try', 'shared', 600, 120),
  ('image_work', 'account', 3600, 120), ('image_work', 'network', 600, 120), ('image_work', 'shared', 600, 600),
  ('claim_report', 'account', 3600, 5), ('review', 'account', 3600, 20),
  ('deploy_report', 'all', 3600, 60),
  -- Guesses at the admin's password and second factor. An account is here a browser that has logged in before.
  ('admin_login', 'account', 900, 5), ('admin_login', 'network', 900, 5), ('admin_login', 'shared', 900, 5),
  ('admin_login', 'all', 900, 10), ('wrong_code', 'all', 86400, 9),
  ('sign_up_refused', 'network', 3600, 1), ('sign_up_refused', 'shared', 3600, 1), ('sign_up_refused', 'all', 3600, 100),
  -- Lines of the log.
  ('page_fault', 'network', 3600, 10), ('page_fault', 'shared', 3600, 60), ('page_fault', 'all', 3600, 300);

-- Mails, whatever their kind, because the provider counts mails (private.count_mail). note_sweep sets them by the number of
-- src/shop/seller.ts.
insert into public.cost_limits (effect, scope, seconds, most, refills)
values
  ('stranger_mail', 'all', 86400, 150, true), ('cash_mail', 'all', 86400, 150, true),
  ('customer_mail', 'all', 86400, 75, true);

-- Uses that no other table records. A key is a hash, an account or an order; '' for everybody.
create table public.costs (
  id bigint generated always as identity primary key,
  effect text not null,
  scope text not null,
  key text not null default '' check (char_length(key) <= 200),
  at timestamptz not null default clock_timestamp()
);

create index costs_key_idx on public.costs (effect, scope, key, at);
create index costs_at_idx on public.costs (at);

alter table public.costs enable row level security;

-- ── Phones and networks ──

-- Whether a text is a phone number that can be called in India: ten digits after +91 and 0. Same as readPhone in
-- src/domain/checkout/phone.ts.
create function private.is_indian_phone(p_phone text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return regexp_replace(coalesce(p_phone, ''), '[\s().‐‑‒–—-]', '', 'g') ~ '^((\+|00)?91)?0?[1-9][0-9]{9}$';
end;
$$;

-- Makes hashes of phone numbers useless outside this database: ten digits are quickly tried.
create table private.hash_key (
  id boolean primary key default true check (id),
  key text not null default gen_random_uuid()::text || gen_random_uuid()::text
);

insert into private.hash_key default values;

create function private.phone_hash(p_phone_key text)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return (select encode(sha256(convert_to(k.key || ':' || p_phone_key, 'UTF8')), 'hex') from private.hash_key k);
end;
$$;

-- The keys of a caller as {scope: key}, without those that are unknown. p_network is the text that the functions send:
-- 'ip:HASH' of an IPv4 address, '64:HASH 48:HASH' of an IPv6 address.
create function private.cost_keys(p_account text, p_network text default null, p_phone_key text default null)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return jsonb_strip_nulls(jsonb_build_object(
    'account', p_account,
    'phone', case when p_phone_key is not null then private.phone_hash(p_phone_key) end,
    'network', substring(p_network from '64:([^ ]+)'),
    'shared', substring(p_network from '(?:ip|48):([^ ]+)'),
    'all', ''
  ));
end;
$$;

-- ── Counting ──

-- Whether an order for cash is a use of `cash_order` for this scope. For an account or a phone only one that the shop did not confirm,
-- so that nobody keeps a last unit by ordering it again and again. Nothing is sent before an advance is paid.
create function private.is_cash_use(p_order public.orders, p_scope text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
begin
  return p_order.cash_paise > 0 and (p_order.advance_payment_id is not null or p_order.cash_paise = p_order.total_paise)
    and (p_order.cash_confirmed_at is null or p_scope not in ('account', 'phone'));
end;
$$;

-- The uses of an effect by one key since p_since: when each began, how many units, and for how many seconds it lasted.
-- Uses that are facts of other tables are read there. p_line is a last unit (private.line_key).
create function private.cost_uses(
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
    -- Releasing and holding again gains nothing, because both count. Orders of the admin hold for the admin, and nothing was to be
    -- paid online any more for a cash order that waited for the shop's word.
    return query
    select h.since, h.seconds * case when p_effect = 'last_units' then h.lines else 1 end, h.seconds
    from (
      select greatest(o.created_at, p_since) as since, cardinality(o.last_units) as lines, extract(
          epoch from least(o.released_at, o.hold_expires_at) - greatest(o.created_at, p_since)
        )::double precision as seconds
      from public.orders o
      join private.order_answers a on a.state = o.state and a.kind = o.kind
      where o.payment_id is null and a.takes_stock in ('waiting', 'none') and o.admin_key is null
        and o.advance_payment_id is null and o.total_paise > o.cash_paise
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
  elsif p_effect = 'cash_order' and p_since < p_now then
    -- An order keeps its network for a day.
    return query
    select o.created_at, 1::double precision, 0::double precision
    from public.orders o
    where o.created_at > p_since and private.is_cash_use(o, p_scope)
      and case p_scope
        when 'account' then o.user_id::text = p_key
        when 'phone' then private.phone_hash(o.phone_key) = p_key
        else o.network is not null and private.cost_keys(null, o.network) ->> p_scope = p_key
      end
    union all
    -- Those of deleted accounts.
    select c.at, 1::double precision, 0::double precision
    from public.costs c
    where c.effect = p_effect and c.scope = p_scope and c.key = p_key and c.at > p_since;
  elsif p_effect = 'cash_order' then
    return query
    select o.created_at, 1::double precision, 0::double precision
    from public.orders o
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    -- The first two are the predicate of an index.
    where o.cash_paise > 0 and o.status = 'PENDING' and case p_scope
      when 'all' then a.waits_for = 'shop'
      else a.waits_for in ('shop', 'cash')
        and p_key = case p_scope when 'account' then o.user_id::text else private.phone_hash(o.phone_key) end
    end;
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
create function private.cost_left(
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

-- The keys of a caller for one last unit (private.line_key), for an effect that counts each by itself.
create function private.keys_of_line(p_keys jsonb, p_line text)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select jsonb_object_agg(k.key, k.value || ' ' || p_line) from jsonb_each_text(p_keys) k;
$$;

-- When one more use will be allowed; null: now. Of two calls at once, the second waits for the end of the first's
-- transaction, so a caller takes no other lock afterwards. Keys are locked in the order of their scopes.
create function private.cost_refusal(p_effect text, p_keys jsonb)
returns timestamptz
language plpgsql
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('cost:' || p_effect || ':' || k.scope || ':' || k.key, 0))
  from (
    select distinct l.scope, p_keys ->> l.scope as key
    from public.cost_limits l
    where l.effect = p_effect and p_keys ? l.scope
    order by 1
  ) k;
  return (select max(l.again_at) from private.cost_left(p_effect, p_keys, 1, clock_timestamp()) l);
end;
$$;

-- Records one use in `costs`, whether a limit has room for it or not.
create function private.record_cost(p_effect text, p_keys jsonb)
returns void
language plpgsql
set search_path = ''
as $$
begin
  insert into public.costs (effect, scope, key)
  select distinct p_effect, l.scope, p_keys ->> l.scope
  from public.cost_limits l
  where l.effect = p_effect and p_keys ? l.scope and l.seconds > 0;
end;
$$;

-- Records one use in `costs`, unless a limit refuses it. Returns when it will be allowed; null: it is recorded.
create function private.count_cost(p_effect text, p_keys jsonb)
returns timestamptz
language plpgsql
set search_path = ''
as $$
declare
  v_again_at timestamptz := private.cost_refusal(p_effect, p_keys);
begin
  if v_again_at is null then
    perform private.record_cost(p_effect, p_keys);
  end if;
  return v_again_at;
end;
$$;

-- Counts one use for a caller, as private.count_cost does, in a transaction of its own. Returns whether it is allowed.
-- p_account and p_network as in private.cost_keys. Raises 22023 for an unknown effect.
create function public.count_cost(p_effect text, p_account text default null, p_network text default null)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if not exists (select 1 from public.cost_limits l where l.effect = p_effect) then
    raise exception 'there is no effect %', p_effect using errcode = '22023';
  end if;
  -- Most forms cause a mail.
  if p_effect = 'form_try' and private.takes_too_much(p_effect, private.cost_keys(p_account, p_network), 'stranger_mail') then
    return false;
  end if;
  return private.count_cost(p_effect, private.cost_keys(p_account, p_network)) is null;
end;
$$;

-- ── Mails ──

-- The provider counts mails, not kinds, and its day must always have room for the mails of orders. So every mail is a stranger's
-- (stranger_mail), unless a paid order or the shop causes it. Codes and cash orders of accounts that have bought have a share of their
-- own (customer_mail), so that strangers keep no customer from logging in; so have cash orders of others (cash_mail), so that a good
-- evening of them closes no sign-up.

-- Whether an account has bought: a test order and a free replacement are no purchase. False for null.
create function private.has_bought(p_user_id uuid)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.orders o
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    where o.user_id = p_user_id and a.is_purchase
  );
end;
$$;

-- The share that the mails of an account's codes, or of its cash orders, come from.
create function private.mail_share(p_user_id uuid, p_is_cash boolean)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return case
    when private.has_bought(p_user_id) then 'customer_mail'
    when p_is_cash then 'cash_mail'
    else 'stranger_mail'
  end;
end;
$$;

-- Whether a network has had as many of an effect in a day as its share of mails has left for all: so it never takes the last of them.
-- Three are no flood.
create function private.takes_too_much(p_effect text, p_keys jsonb, p_share text)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
declare
  v_left constant double precision := (
    select min(l.units_left) from private.cost_left(p_share, private.cost_keys(null), 1, clock_timestamp()) l
  );
begin
  return exists (
    select 1 from jsonb_each_text(p_keys) k
    where k.key in ('network', 'shared') and greatest(v_left, 3) <= (
      select count(*) from public.costs c
      where c.effect = p_effect and c.scope = k.key and c.key = k.value and c.at > clock_timestamp() - interval '1 day'
    )
  );
end;
$$;

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

-- Whether an order is a stranger's: nothing was paid for it, and the shop neither made nor confirmed it. False for null.
create function private.is_strangers_order(p_order_id bigint)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.orders o
    join private.order_answers a on a.state = o.state and a.kind = o.kind
    where o.id = p_order_id
      and not (a.is_sale or o.paid_at is not null or o.admin_key is not null or o.replaces is not null
        or o.cash_confirmed_at is not null)
      and not exists (select 1 from public.payments p where p.order_id = o.id)
  );
end;
$$;

-- Sends the mails of a stranger's order to the confirmed address of its account: the one in the form may be anybody's. Without an
-- account no mail is queued, because one without an address is the admin's.
create function private.address_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.recipient is not null and new.kind <> 'push' and private.is_strangers_order(new.order_id) then
    new.recipient := (select private.confirmed_email(o.user_id) from public.orders o where o.id = new.order_id);
    if new.recipient is null then
      return null;
    end if;
  end if;
  return new;
end;
$$;

create trigger outbox_address_mail
before insert on public.outbox
for each row execute function private.address_mail();

-- Counts each queued mail that is a stranger's: of an order that is, or of no order, from the share of cash orders where it is one. Not counted are mails about a payment, products that
-- are back in stock, which have a rate of their own, alerts to the admin (notify_admin), and what is not sent.
create function private.count_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_share constant text := coalesce((
    select private.mail_share(o.user_id, true) from public.orders o where o.id = new.order_id and o.cash_paise > 0
  ), 'stranger_mail');
begin
  if new.kind in ('push', 'admin_alert', 'refund_alert', 'refund_notice', 'back_in_stock') or new.sent_at is not null
    or (new.order_id is not null and not private.is_strangers_order(new.order_id))
  then
    return null;
  elsif new.kind in ('order_notice', 'cash_order_ended') then
    -- They follow a mail that had room, and an order must end without room, too. Without the lock of private.cost_refusal, because
    -- the sweep ends several, and each locks its products.
    perform private.record_cost(v_share, private.cost_keys(null));
  elsif private.count_cost(v_share, private.cost_keys(null)) is not null then
    raise exception 'no mail is left for strangers today' using errcode = 'KS003';
  end if;
  return null;
end;
$$;

create trigger outbox_count_mail
after insert on public.outbox
for each row execute function private.count_mail();

-- Counts a code that Auth asks the shop to mail to an account, in a transaction of its own. Returns whether it may be mailed:
-- within the limits of the account and its network, of its share of mails, and of what one network may have of that. p_network as in private.cost_keys.
create function public.count_code_mail(p_user_id uuid, p_network text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_keys constant jsonb := private.cost_keys(p_user_id::text, p_network);
  v_share constant text := private.mail_share(p_user_id, false);
begin
  if private.cost_refusal('code_mail', v_keys) is not null or private.takes_too_much('code_mail', v_keys, v_share) or not private.has_mail_left(v_share) then
    return false;
  end if;
  perform private.count_cost('code_mail', v_keys);
  perform private.count_cost(v_share, private.cost_keys(null));
  return true;
end;
$$;
