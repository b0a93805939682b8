-- What follows a restore from a backup: docs/going-live.md, "Backups".

-- Prepares a database restored from a backup of p_backup_at to continue where the lost one stopped. p_last_order is
-- the highest order number issued; p_last_invoice and p_last_credit_note are the last numbers issued, or null.
--   * Order, invoice and internal numbers continue after those already issued.
--   * Mails that were waiting count as sent, and so do confirmations of orders whose hold has ended since. If such an
--     order turns out to be paid, its mails were sent before.
--   * Cash orders that waited for the shop's word wait for it anew: they may have been confirmed, or even sent, since.
--   * Customers of delivered orders count as asked for a review, because they may have been since.
--   * Unpaid orders count as mailed about, for the same reason. The figures of that day show these mails.
--   * All admin sessions end, and their devices are unsubscribed.
--   * The next sweep reconciles with Razorpay, so that paid orders in the backup are marked as paid.
--   * The catalogue version moves past the version of the live pages.
-- Returns {orders_after, mails, sessions}: the last order number, and how many mails were marked and sessions ended.
-- Safe to repeat. Raises 22023 for a future p_backup_at and for invalid numbers.
create function public.after_restore(p_backup_at timestamptz, p_last_order bigint, p_last_invoice text,
  p_last_credit_note text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_last_order bigint;
  v_mails integer;
  v_sessions integer;
  v_sequence record;
begin
  if p_backup_at is null or p_backup_at > v_now or p_last_order is null or p_last_order < 0 then
    raise exception 'the time of the backup and the highest order number are required' using errcode = '22023';
  end if;

  insert into public.document_counters as c (series, financial_year, last_serial, last_issued_at)
  select d.series, n.financial_year, n.serial, v_now
  from (values ('invoice', p_last_invoice), ('credit_note', p_last_credit_note)) d (series, number)
  cross join lateral private.parse_document_number(d.series, d.number) n
  where d.number is not null
  on conflict (series, financial_year) do update
    set last_serial = greatest(c.last_serial, excluded.last_serial),
        last_issued_at = greatest(c.last_issued_at, excluded.last_issued_at);

  v_last_order := greatest(p_last_order, (select coalesce(max(id), 0) from public.orders));
  -- The dedupe keys of mails and refunds contain ids. Gaps are harmless.
  for v_sequence in
    select format('%I.%I', s.schemaname, s.sequencename) as name, coalesce(s.last_value, s.start_value) as last
    from pg_catalog.pg_sequences s where s.schemaname = 'public'
  loop
    perform setval(v_sequence.name::regclass, case
      when v_sequence.name = pg_get_serial_sequence('public.orders', 'id') then greatest(v_last_order, v_sequence.last)
      else v_sequence.last + 1000000
    end);
  end loop;

  -- Before the mails, which would notify the devices.
  v_sessions := public.end_admin_sessions(null, true);
  insert into public.outbox (kind, order_id, dedupe_key, sent_at)
  select m.kind, o.id, m.kind || ':' || o.id, v_now
  from public.orders o
  cross join (values ('order_confirmation'), ('order_notice'), ('cash_order_placed')) m (kind)
  where o.created_at <= p_backup_at and o.payment_id is null and o.razorpay_order_id is not null
    and o.hold_expires_at < v_now
  on conflict (dedupe_key) do nothing;
  update public.outbox set sent_at = v_now, locked_until = null where sent_at is null and created_at <= p_backup_at;
  get diagnostics v_mails = row_count;
  update public.orders
  set hold_expires_at = greatest(hold_expires_at, v_now + make_interval(secs => coalesce(confirm_seconds, 86400)))
  where hold_state = 'reserved';
  -- The shortest wait of `reviews.askAfterDays` is a day.
  update public.orders set review_request = 'asked'
  where fulfilment = 'delivered' and review_request is null and delivered_at < v_now - interval '1 day';
  -- One that is held ends later, and no mail comes a day after the end.
  update public.orders set cart_mailed_at = v_now
  where hold_state in ('held', 'released') and payment_id is null and cart_mailed_at is null
    and (hold_state = 'held' or released_at > v_now - interval '1 day');

  -- A backup of release 1.3.2 has the parts of the sum in columns alone.
  update public.orders set sum_rows = private.rows_of_columns(
    total_paise, subtotal_paise, discount_code, discount_paise, fee_paise, fee_bps, cash_charge_paise
  )
  where sum_rows is null and subtotal_paise is not null;
  -- The backup may be of a release that did not keep what a bank gave back.
  perform private.settle_old_disputes();
  update public.provider_health set reconcile = true, unreachable_since = null where id;
  update public.catalogue_version set version = version + 1000000 where id;
  return jsonb_build_object(
    'orders_after', v_last_order, 'mails', v_mails, 'sessions', v_sessions
  );
end;
$$;
