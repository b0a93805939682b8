-- The way of an order: new, packed, shipped, delivered. Forward by any number of steps, back by one, to mend a slip of the
-- thumb; cancelled is the end. Only a paid order goes forward to packing or shipping.

-- Takes a step: {outcome}. Outcomes: changed; same (nothing to do); not_found; cancelled; not_paid; refunded (all of it
-- went back: nothing is to be sent); too_far_back; needs_document (shipping writes the invoice, see assign_invoice).
-- The buyer is told once for each carrier and number, so a corrected number is told again.
create function public.set_fulfilment(
  p_order_id bigint, p_state text, p_carrier text default null, p_tracking_number text default null,
  p_tracking_url text default null, p_document jsonb default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_now timestamptz := clock_timestamp();
  v_steps constant text[] := array['new', 'packed', 'shipped', 'delivered'];
  v_from integer;
  v_to integer := array_position(v_steps, p_state);
begin
  if v_to is null then
    raise exception 'state must be new, packed, shipped or delivered' using errcode = '22023';
  end if;
  if p_state = 'shipped' and (coalesce(btrim(p_carrier), '') = '' or coalesce(btrim(p_tracking_number), '') = '') then
    raise exception 'shipping needs a carrier and a tracking number' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if v_order.fulfilment = 'cancelled' then
    return jsonb_build_object('outcome', 'cancelled');
  end if;
  v_from := array_position(v_steps, v_order.fulfilment);
  if v_to < v_from - 1 then
    return jsonb_build_object('outcome', 'too_far_back');
  end if;
  if v_to > v_from and v_from <= 2 then
    if private.owed_paise(v_order) = 0 then
      return jsonb_build_object('outcome', 'refunded');
    end if;
    if not private.is_paid(v_order) then
      return jsonb_build_object('outcome', 'not_paid');
    end if;
  end if;
  if v_to = v_from and (p_state <> 'shipped' or (v_order.carrier, v_order.tracking_number, v_order.tracking_url)
    is not distinct from (p_carrier, p_tracking_number, nullif(p_tracking_url, '')))
  then
    return jsonb_build_object('outcome', 'same');
  end if;
  -- What is sent is sold: its invoice goes with it. Orders that were on their way before are left as they are.
  if v_to >= 3 and v_to > v_from and v_order.invoice_number is null and p_document is null then
    return jsonb_build_object('outcome', 'needs_document');
  end if;

  update public.orders
  set fulfilment = p_state,
      carrier = case when p_state = 'shipped' then p_carrier when v_to >= 3 then carrier end,
      tracking_number = case when p_state = 'shipped' then p_tracking_number when v_to >= 3 then tracking_number end,
      tracking_url = case when p_state = 'shipped' then nullif(p_tracking_url, '') when v_to >= 3 then tracking_url end,
      packed_at = case when v_to >= 2 then coalesce(packed_at, v_now) end,
      shipped_at = case when v_to = 3 or (v_to = 4 and v_from = 3) then coalesce(shipped_at, v_now) end,
      delivered_at = case when v_to = 4 then coalesce(delivered_at, v_now) end
  where id = p_order_id;

  if p_state = 'shipped' and coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'shipped_notice', v_order.customer_email, p_order_id,
      jsonb_build_object('carrier', p_carrier, 'tracking_number', p_tracking_number, 'tracking_url', nullif(p_tracking_url, '')),
      'shipped_notice:' || p_order_id || ':' || md5(lower(p_carrier) || '|' || lower(p_tracking_number))
    )
    on conflict (dedupe_key) do nothing;
  end if;
  if v_to >= 3 and v_to > v_from and v_order.invoice_number is null then
    perform private.issue_invoice(p_order_id, p_document);
  end if;
  return jsonb_build_object('outcome', 'changed');
end;
$$;

-- What the shop still has of what the order's own payment brought, less what is going back; null when no payment is on
-- record. A refund that failed can be asked for again, so it does not count as gone.
create function private.owed_paise(p_order public.orders)
returns bigint
language sql
stable
set search_path = ''
as $$
  select p.amount_paise - coalesce((
    select sum(r.amount_paise) from public.refunds r where r.payment_id = p.payment_id and r.state <> 'failed'
  ), 0)
  from public.payments p
  where p.payment_id = p_order.payment_id and p.order_id = p_order.id and p.state in ('accepted', 'refunded');
$$;

revoke execute on function private.owed_paise(public.orders) from public, anon, authenticated;
revoke execute on function public.set_fulfilment(bigint, text, text, text, text, jsonb) from public, anon, authenticated;
grant execute on function public.set_fulfilment(bigint, text, text, text, text, jsonb) to service_role;
