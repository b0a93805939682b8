-- What each state of an order means: the one table of answers. docs/order-states.md has the diagram of the states. A query that wants to
-- know something of an order joins private.order_answers by orders.state and orders.kind. The functions that move an order from state to
-- state keep guards of their own, which are the machine, and so do the predicates of partial indexes, which can name no table.
--
-- `npm run states` writes src/domain/orders/order-answers.ts from the view, and a test compares them.

-- Returns 'paid', 'unpaid' or 'other' (refunded in full, or an unknown status). Imported orders have other texts than
-- the shop's own. orderStatus in src/domain/orders/order-status.ts reads the same texts.
create function private.payment_stage(p_status text, p_payment_status text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return (
    select case
      when word in ('completed', 'captured', 'success', 'partially_refunded') then 'paid'
      when word in ('', 'pending', 'created', 'failed', 'failure') then 'unpaid'
      else 'other'
    end
    from (select lower(coalesce(nullif(btrim(p_payment_status), ''), btrim(p_status), '')) as word) t
  );
end;
$$;

-- The state of an order; p_stage is its private.payment_stage, because the role that writes may name no function of this schema. A new
-- state needs a row of private.state_answers: a missing row would drop its orders from every join, so
-- tests/database/orders/order-answers.test.ts reads the words here, and fails. A changed body does not change stored rows; that takes
-- `alter column state set expression`.
--   open            holds its stock until it is paid
--   left            holds nothing any more and may still be paid
--   ended           nobody paid in time
--   to_confirm      to be paid at the door, waits for the shop's word
--   due             confirmed, and its cash is to come
--   paid            paid, and not refunded in full
--   refunded        paid and refunded in full, not cancelled
--   owed, returned  a payment that the order could not use goes back, or went back
--   cancelled       cancelled before all of it was paid; its stock is back
--   cancelled_paid  cancelled after it was paid
--   refused         not paid at the door; its stock is back
--   written_off     refused or cancelled before its cash came, and its units did not come back
--   unknown         none of these, which no function makes
create function private.order_state(
  p_stage text, p_status text, p_payment_status text, p_hold_state text, p_fulfilment text, p_release_reason text
)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    -- An imported order has no stock here, and texts of its own.
    when p_hold_state is null then case
      when p_fulfilment = 'cancelled' then case when p_stage = 'unpaid' then 'cancelled' else 'cancelled_paid' end
      when p_stage = 'paid' then 'paid'
      when p_stage = 'unpaid' then 'ended'
      else 'refunded'
    end
    when p_fulfilment = 'cancelled' then case
      when p_status = 'COMPLETED' then 'cancelled_paid'
      when p_hold_state <> 'released' then 'written_off'
      when p_release_reason = 'refused' then 'refused'
      else 'cancelled'
    end
    when p_hold_state = 'held' then 'open'
    when p_hold_state = 'reserved' then 'to_confirm'
    when p_hold_state = 'taken' then case
      when p_stage = 'paid' then 'paid'
      when p_status = 'PENDING' then 'due'
      when p_status = 'COMPLETED' then 'refunded'
      else 'unknown'
    end
    when p_payment_status = 'REFUND_DUE' then 'owed'
    when p_payment_status in ('REFUNDED', 'PARTIALLY_REFUNDED') then 'returned'
    when p_status = 'PENDING' then 'left'
    when p_status = 'FAILED' then 'ended'
    else 'unknown'
  end;
end;
$$;

-- The kind of an order: how it came about and how it is paid. By columns that an erasure leaves alone, so a kind never changes by it.
--   test         made with a test key of Razorpay, whatever else it is
--   replacement  free, for damaged items of another order
--   imported     of another system
--   hand         the admin's, paid to the admin
--   link         the admin's, paid by its link
--   door         paid at the door
--   door_advance paid at the door after an advance
--   now          paid online
create function private.order_kind(
  p_hold_state text, p_replaces bigint, p_cash_paise bigint, p_total_paise bigint, p_admin_key uuid, p_payment_id text,
  p_key_id text
)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  return case
    when starts_with(p_key_id, 'rzp_test_') then 'test'
    when p_replaces is not null then 'replacement'
    when p_hold_state is null then 'imported'
    when p_admin_key is not null and starts_with(p_payment_id, 'hand_') then 'hand'
    when p_admin_key is not null then 'link'
    when p_cash_paise > 0 and p_cash_paise < p_total_paise then 'door_advance'
    when p_cash_paise > 0 then 'door'
    else 'now'
  end;
end;
$$;

-- What a state answers for an order that is paid online or at the door. private.order_answers says what the columns mean.
create view private.state_answers as
select * from (values
  ('open', 'waiting', 'none', false, false, 'none', 'never', 'pay', 'nobody', 'payment'),
  ('left', 'none', 'none', false, false, 'none', 'never', 'give_up', 'written', 'payment'),
  ('ended', 'none', 'none', false, false, 'none', 'never', 'give_up', 'written', 'nothing'),
  ('to_confirm', 'waiting', 'advance', false, false, 'none', 'never', 'cancel', 'nobody', 'shop'),
  ('due', 'sold', 'advance', true, false, 'none', 'delivered', 'cancel', 'nobody', 'cash'),
  ('paid', 'sold', 'all', true, true, 'total', 'sent', 'cancel', 'nobody', 'nothing'),
  ('refunded', 'sold', 'none', false, false, 'total', 'never', 'nothing', 'nobody', 'nothing'),
  ('owed', 'none', 'back', false, false, 'none', 'never', 'nothing', 'written', 'nothing'),
  ('returned', 'none', 'none', false, false, 'none', 'never', 'nothing', 'written', 'nothing'),
  ('cancelled', 'none', 'back', false, false, 'none', 'never', 'nothing', 'written', 'nothing'),
  ('cancelled_paid', 'gone', 'kept', false, false, 'kept', 'never', 'nothing', 'written', 'nothing'),
  ('refused', 'none', 'kept', false, false, 'kept', 'never', 'nothing', 'customer', 'nothing'),
  ('written_off', 'gone', 'kept', false, false, 'kept', 'never', 'nothing', 'written', 'nothing'),
  -- The cautious answers: nothing is sold twice, given back or counted.
  ('unknown', 'sold', 'none', false, false, 'none', 'never', 'nothing', 'written', 'nothing')
) s (state, takes_stock, money, is_sale, is_purchase, income, claim, customer_may, ended_by, waits_for);

-- What a kind changes in those answers: whether it takes stock here, whether its money is money, and whether that comes with an advance and
-- in cash; whether it is a purchase and income; whether its customer may end it alone.
create view private.kind_answers as
select * from (values
  ('now', true, true, false, false, true, true),
  ('door', true, true, false, true, true, true),
  ('door_advance', true, true, true, true, true, true),
  ('link', true, true, false, false, true, true),
  ('hand', true, true, false, false, true, false),
  ('imported', false, true, false, false, true, false),
  ('replacement', true, false, false, false, false, false),
  ('test', true, false, false, false, false, true)
) k (kind, has_stock, has_money, has_advance, has_cash, counts, may_end);

-- The answers for each state of each kind:
--   takes_stock   none; waiting (others cannot buy it, and nobody has bought it); sold; gone (its units are neither in stock nor with a
--                 customer, unless orders.restocked says that they came back)
--   money         what is here and may be called the order's: none; advance; all, less its refunds; kept (orders.kept_paise); back (what is
--                 here goes back)
--   is_sale       to be packed and sent: paid, or confirmed to be paid at the door
--   cash_open     cash that is money is still to come
--   is_purchase   counts as bought by its customer: reviews, codes, the share of mails
--   income        none; total, less its refunds; kept (orders.kept_paise)
--   claim         damage may be reported never; once it is sent; once it is delivered
--   customer_may  nothing; pay, or give up; give_up, so that a late payment goes back; cancel, as long as it is new
--   ended_by      nobody; customer; written (orders.ended_by, null in orders that ended before it was written)
--   waits_for     nothing; payment; shop (its word); cash
create view private.order_answers as
select
  s.state,
  k.kind,
  case when k.has_stock then s.takes_stock else 'none' end as takes_stock,
  case when not k.has_money or (s.money = 'advance' and not k.has_advance) then 'none' else s.money end as money,
  s.is_sale,
  s.waits_for = 'cash' and k.has_cash as cash_open,
  s.is_purchase and k.counts as is_purchase,
  case when k.counts then s.income else 'none' end as income,
  s.claim,
  case when not k.has_stock or (s.customer_may = 'cancel' and not k.may_end) then 'nothing' else s.customer_may end as customer_may,
  s.ended_by,
  s.waits_for
from private.state_answers s
cross join private.kind_answers k;

-- The answers for one order, by its state and kind. Raises P0002 where the table has none.
create function private.answers_of(p_state text, p_kind text)
returns private.order_answers
language plpgsql
stable
set search_path = ''
as $$
declare
  v_answers private.order_answers;
begin
  select * into strict v_answers from private.order_answers a where a.state = p_state and a.kind = p_kind;
  return v_answers;
end;
$$;
