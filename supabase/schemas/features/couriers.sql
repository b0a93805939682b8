-- Ships several orders as set_fulfilment does, all or none. p_parcels: [{order_id, carrier, tracking_number,
-- tracking_url, document, revision}], each order once. Without p_save it only checks. Returns {outcome, orders:
-- [{order_id, outcome}]}; the outcome is saved, checked, or refused (nothing is stored). An order's outcome is one of
-- set_fulfilment, hand_over (no parcel) or shipped_otherwise (shipped or delivered with another number).
create function public.ship_orders(p_parcels jsonb, p_save boolean)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_parcel jsonb;
  v_order public.orders;
  v_outcome text;
  v_orders jsonb := '[]';
  v_refused boolean := false;
begin
  -- Locks all orders before the first invoice, because its counter is the last lock.
  perform 1 from public.orders o
  where o.id in (select (p ->> 'order_id')::bigint from jsonb_array_elements(p_parcels) p)
  order by o.id for update;
  begin
    for v_parcel in select p from jsonb_array_elements(p_parcels) p loop
      select * into v_order from public.orders where id = (v_parcel ->> 'order_id')::bigint;
      v_outcome := case
        when v_order.id is null then 'not_found'
        when v_order.hand_over then 'hand_over'
        when v_order.fulfilment not in ('shipped', 'delivered') then null
        when lower(v_order.tracking_number) = lower(v_parcel ->> 'tracking_number') then 'same'
        else 'shipped_otherwise'
      end;
      if v_outcome is null then
        v_outcome := public.set_fulfilment(
          v_order.id, 'shipped', v_parcel ->> 'carrier', v_parcel ->> 'tracking_number', v_parcel ->> 'tracking_url',
          nullif(v_parcel -> 'document', 'null'), (v_parcel ->> 'revision')::timestamptz
        ) ->> 'outcome';
      end if;
      v_refused := v_refused or v_outcome not in ('changed', 'same');
      v_orders := v_orders || jsonb_build_object('order_id', v_parcel -> 'order_id', 'outcome', v_outcome);
    end loop;
    if v_refused or not p_save then
      raise exception 'nothing is kept' using errcode = 'KS001';
    end if;
  exception when sqlstate 'KS001' then
    return jsonb_build_object('outcome', case when v_refused then 'refused' else 'checked' end, 'orders', v_orders);
  end;
  return jsonb_build_object('outcome', 'saved', 'orders', v_orders);
end;
$$;
