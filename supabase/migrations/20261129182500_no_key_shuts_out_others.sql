-- No single key has more than half of what all have, and no network takes the last mails of a share. Cash orders have a share of mails
-- of their own. The site of before sets the two shares that it knows.

update public.cost_limits set most = 1800 where effect = 'last_unit' and scope in ('network', 'shared');
update public.cost_limits set seconds = 3600 where effect = 'order_form' and scope in ('network', 'shared');
insert into public.cost_limits (effect, scope, seconds, most, refills)
select 'cash_mail', scope, seconds, most, refills from public.cost_limits where effect = 'stranger_mail';

-- Whether an account has bought: a test order and a free replacement are no purchase. False for null.
create or replace function private.has_bought(p_user_id uuid)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.orders o where o.user_id = p_user_id and o.paid and not o.is_test and o.replaces is null
  );
end;
$$;

-- The share that the mails of an account's codes, or of its cash orders, come from.
create or replace function private.mail_share(p_user_id uuid, p_is_cash boolean)
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
create or replace function private.takes_too_much(p_effect text, p_keys jsonb, p_share text)
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

-- Counts each queued mail that is a stranger's: of an order that is, or of no order, from the share of cash orders where it is one. Not counted are mails about a payment, products that
-- are back in stock, which have a rate of their own, alerts to the admin (notify_admin), and what is not sent.
create or replace function private.count_mail()
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

-- Counts a code that Auth asks the shop to mail to an account, in a transaction of its own. Returns whether it may be mailed:
-- within the limits of the account and its network, of its share of mails, and of what one network may have of that. p_network as in private.cost_keys.
create or replace function public.count_code_mail(p_user_id uuid, p_network text)
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
  -- Most forms cause a mail.
  if p_effect = 'form_try' and private.takes_too_much(p_effect, private.cost_keys(p_account, p_network), 'stranger_mail') then
    return false;
  end if;
  return private.count_cost(p_effect, private.cost_keys(p_account, p_network)) is null;
end;
$$;

-- Why these products cannot be paid at the door by this customer; null: they can. p_without is an open order of the customer's that
-- does not count, because it is this one. With p_locks, of two orders at once the second waits for the first. Without them it is a
-- question, which says nothing of a phone that no order of this account has had: it may be anybody's.
--   account      the account has no confirmed e-mail address
--   refused      the account, its phone or the recipient's did not pay a parcel at the door (p_cash.refused_days)
--   too_little, too_much  the total is outside of p_cash.min_paise and max_paise
--   pin          the PIN code begins with none of p_cash.pins
--   product      a product is sold paid online only
--   phone        the phone cannot be called in India
--   open_orders  the account, phone or network has as many cash orders open as cost_limits allow, or the shop has; or as many advances
--                went back, of orders that the shop could not confirm
--   no_mail      the share of its mails has none left today, and it is no paid order's mail, because nothing is paid before
create or replace function private.cash_refusal(
  p_user_id uuid, p_ids uuid[], p_customer jsonb, p_total_paise bigint, p_network text, p_cash jsonb,
  p_without bigint default null, p_locks boolean default true
)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_phone constant text := private.phone_key(p_customer ->> 'phone');
  v_pin constant text := regexp_replace(coalesce(p_customer ->> 'postal_code', ''), '[^0-9]', '', 'g');
  v_is_own constant boolean := p_locks
    or exists (select 1 from public.orders o where o.user_id = p_user_id and o.phone_key = v_phone);
  v_keys constant jsonb := private.cost_keys(p_user_id::text, p_network, case when v_is_own then v_phone end);
  v_advance constant bigint := private.cash_advance(p_total_paise, p_cash);
  v_this public.orders;
  v_this_keys jsonb;
begin
  if private.confirmed_email(p_user_id) is null then
    return 'account';
  elsif exists (
    select 1 from private.refused_parcels(
      p_user_id,
      case when v_is_own then private.phone_hashes(p_customer ->> 'phone', p_customer ->> 'recipient_phone') end,
      now() - make_interval(days => (p_cash ->> 'refused_days')::integer)
    )
  ) then
    return 'refused';
  elsif p_total_paise < (p_cash ->> 'min_paise')::bigint then
    return 'too_little';
  elsif p_total_paise > (p_cash ->> 'max_paise')::bigint then
    return 'too_much';
  elsif jsonb_typeof(p_cash -> 'pins') = 'array' and not exists (
    select 1 from jsonb_array_elements_text(p_cash -> 'pins') pin where starts_with(v_pin, pin)
  ) then
    return 'pin';
  elsif exists (
    select 1 from public.products p where p.id = any (p_ids) and private.is_paid_online_only(p)
  ) then
    return 'product';
  elsif not private.is_indian_phone(p_customer ->> 'phone') then
    return 'phone';
  end if;
  if p_locks then
    perform private.cost_refusal('cash_order', v_keys);
  end if;
  select * into v_this from public.orders where id = p_without and hold_state = 'reserved';
  v_this_keys := private.cost_keys(v_this.user_id::text, v_this.network, v_this.phone_key);
  return case
    when exists (
      select 1 from private.cost_left('cash_order', v_keys, 1, clock_timestamp()) l
      where l.units_left + case when v_this.id is not null and v_this_keys ->> l.scope = v_keys ->> l.scope then 1 else 0 end < 1
    ) then 'open_orders'
    when v_advance > 0 and exists (
      select 1 from private.cost_left('fee_lost', v_keys, 1, clock_timestamp()) l where l.again_at is not null
    ) then 'open_orders'
    -- The mail of an open order is sent.
    when p_locks and v_this.id is null and v_advance = 0
      and not private.has_mail_left(private.mail_share(p_user_id, true)) then 'no_mail'
  end;
end;
$$;

-- Places the order of a customer's cart and holds its stock, or returns the open order of the same key or cart. Returns
-- {outcome, …}:
--   placed, reused   with the order, whose online_paise are to be paid now
--   reserved         with the order: nothing is to be paid before it is sent (p_cash without an advance); repeated when another
--                    request placed it
--   no_cash          with reason, see private.cash_refusal: this order cannot be paid at the door
--   paid             with the order: this key's order is already paid
--   expired          this key's order has ended, or was for another cart or price. The client must use a new key
--   closed           with until, the last day: the notice closes checkout. Open orders can still be reused
--   wait             with reason, until and more: cards (ten failed payments, failed_payment in cost_limits), or one of
--                    private.limit_hold
--   too_many_units   with items and the limit: more of one product or size than one order may have
--   choose_size      with items {product_id, name, size}: no size given, or one that the product does not have
--   discount         with reason and more, see private.discount_refusal: the code cannot be used
--   unknown_product (deleted or hidden), out_of_stock, amount_out_of_range, price_changed
-- A call that places nothing changes nothing: the customer keeps what they hold, and it counts as theirs in the check
-- of stock. A placed or reused order releases the customer's other open orders. Raises 22023 for bad input.
-- p_expected_total_paise is the total shown in the cart; no other amount is ever charged. A hold lasts p_hold_seconds
-- from the last call. p_max_hold_seconds is of release 1.1.0; cost_limits has the limit now. p_network is the caller's
-- network as in private.cost_keys, or null.
-- p_blank (customer fields that may be blank) and p_reduction_paise are for place_admin_order only. With p_blank the
-- order has no account, ignores the notice and may include hidden products. p_reduction_paise is taken off the goods
-- and spread over them like a discount without a code.
-- p_cash: the terms of an order that is paid at the door, null for one that is paid now: {whole_rupees, charge_paise, advance_percent or
-- advance_paise, min_paise, max_paise, pins (beginnings of PIN codes; none: all), confirm_seconds, refused_days, key_id (of
-- Razorpay, which says whether it is a test)}. p_fee_bps is then the fee of such an order.
create or replace function public.place_order(
  p_user_id uuid,
  p_idempotency_key uuid,
  p_lines jsonb,
  p_customer jsonb,
  p_expected_total_paise bigint,
  p_fee_bps integer,
  p_hold_seconds integer,
  p_max_hold_seconds integer default 2160,
  p_max_units integer default 100000,
  p_blank text[] default null,
  p_discount_code text default null,
  p_network text default null,
  p_reduction_paise bigint default 0,
  p_cash jsonb default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_ids uuid[];
  v_sizes text[];
  v_quantities integer[];
  v_fingerprint text;
  v_order public.orders;
  v_answer jsonb;
begin
  if (p_user_id is null) <> (p_blank is not null) or p_idempotency_key is null then
    raise exception 'user and idempotency key are required' using errcode = '22023';
  end if;
  if p_expected_total_paise is null then
    raise exception 'the expected total is required' using errcode = '22023';
  end if;
  if p_fee_bps is null or p_fee_bps not between 0 and 10000 then
    raise exception 'fee_bps must be 0 to 10000' using errcode = '22023';
  end if;
  if p_hold_seconds is null or p_hold_seconds not between 1 and 604800 then
    raise exception 'hold_seconds must be 1 to 604800' using errcode = '22023';
  end if;
  if p_max_hold_seconds is null or p_max_hold_seconds < p_hold_seconds or p_max_units is null or p_max_units < 1 then
    raise exception 'max_hold_seconds must not be below hold_seconds, max_units not below 1' using errcode = '22023';
  end if;
  if p_cash is not null and (jsonb_typeof(p_cash) <> 'object' or p_blank is not null
    or coalesce((p_cash ->> 'charge_paise')::bigint, -1) < 0 or coalesce((p_cash ->> 'confirm_seconds')::bigint, 0) < 1)
  then
    raise exception 'the terms of cash need a charge and the seconds to confirm, and an account' using errcode = '22023';
  end if;
  if p_reduction_paise is null or p_reduction_paise < 0
    or (p_reduction_paise > 0 and (p_blank is null or p_discount_code is not null))
  then
    raise exception 'only the admin lowers a price, and without a code' using errcode = '22023';
  end if;
  perform private.check_customer(p_customer, coalesce(p_blank, '{}'));
  select array_agg(l.product_id order by l.line_number), array_agg(l.size order by l.line_number),
    array_agg(l.quantity order by l.line_number)
  into v_ids, v_sizes, v_quantities
  from private.cart_lines(p_lines) l;

  -- Identifies the cart by products, sizes and quantities, in any order of lines.
  select encode(sha256(convert_to(
    string_agg(l.id || coalesce(to_json(l.size)::text, '') || ':' || l.quantity, ',' order by l.id, l.size), 'UTF8'
  )), 'hex')
  into v_fingerprint
  from unnest(v_ids, v_sizes, v_quantities) l (id, size, quantity);

  -- One call per customer at a time, so that two clicks cannot hold the stock twice.
  perform pg_advisory_xact_lock(hashtextextended('place_order:' || p_user_id, 0));

  select * into v_order from public.orders where user_id = p_user_id and idempotency_key = p_idempotency_key for update;
  if found and (
    v_order.cart_fingerprint is distinct from v_fingerprint or v_order.total_paise <> p_expected_total_paise
    or v_order.discount_code is distinct from p_discount_code or (v_order.cash_paise > 0) <> (p_cash is not null)
  ) then
    return jsonb_build_object('outcome', 'expired');
  elsif v_order.payment_id is not null then
    return private.order_result('paid', v_order);
  elsif v_order.hold_state = 'reserved' or v_order.sold then
    return private.order_result('reserved', v_order);
  elsif v_order.id is not null and (
    v_order.hold_state <> 'held' or v_order.hold_expires_at <= clock_timestamp()
    or v_order.total_paise is distinct from private.total_with_fee(
      private.cart_subtotal(v_ids, v_quantities) - v_order.discount_paise, p_fee_bps
    ) + v_order.cash_charge_paise + private.rounding_of(v_order)
    or (p_cash is not null and v_order.cash_paise <> v_order.total_paise - private.cash_advance(v_order.total_paise, p_cash))
  ) then
    return jsonb_build_object('outcome', 'expired');
  end if;

  begin
    v_answer := private.place_cart(
      p_user_id, p_idempotency_key, v_ids, v_sizes, v_quantities, v_fingerprint, p_customer, p_expected_total_paise,
      p_fee_bps, p_hold_seconds, p_max_hold_seconds, p_max_units, p_blank, p_discount_code, p_network, p_reduction_paise,
      p_cash
    );
    if v_answer ->> 'outcome' not in ('placed', 'reused', 'reserved') then
      raise exception 'nothing is placed' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    -- Everything above is rolled back; the variable keeps the answer.
    if v_answer ->> 'reason' in ('minutes', 'network', 'last_pieces') then
      perform public.notify_admin(
        'stock_held', jsonb_build_object('kind', v_answer ->> 'reason'),
        'stock_held:' || (now() at time zone 'Asia/Kolkata')::date
      );
    elsif v_answer ->> 'reason' = 'no_mail' then
      -- Its alert was rolled back, too.
      perform private.has_mail_left(private.mail_share(p_user_id, true));
    end if;
  end;
  return v_answer;
end;
$$;

-- Records that a sweep finished, and deletes uses and rate limits (of release 1.1.0) that no longer count. Rows that are
-- locked by a request stay until the next sweep. p_stranger_mails is how many mails a day strangers can cause, from
-- src/shop/seller.ts; cash orders can cause as many more, and customers who have bought half as many (private.count_mail). Fewer than 12 count as 12. Null
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
  from (values ('stranger_mail', v_mails), ('cash_mail', v_mails), ('customer_mail', v_mails / 2)) shares (effect, most)
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
--   mail_refused_since     for 15 minutes the mail server has refused every mail (see mail_server), since then; null: not so
--   mail_refused_by        the scope of the last refusal, with mail_refused_since; mail_refusal has its codes
--   sign_ups_refused       networks whose sign-up mails the auth service refused in the last hour, its limit reached.
--                          Reported by visitors, so it decides nothing
--   mails_used_up          whether a share of mails has no room now: of strangers', customers' or cash orders'
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
      'mail_refused_since', private.mail_out_since(15),
      'mail_refused_by', (select m.scope from public.mail_server m where private.mail_out_since(15) is not null),
      'mail_refusal', (select m.refusal from public.mail_server m where private.mail_out_since(15) is not null),
      'sign_ups_refused', (
        select count(*) from private.cost_uses(
          'sign_up_refused', 'all', '', clock_timestamp() - interval '1 hour', clock_timestamp()
        )
      ),
      'mails_used_up', exists (
        select 1
        from (values ('stranger_mail'), ('cash_mail'), ('customer_mail')) share (effect)
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
