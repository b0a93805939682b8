-- What a run of the sweep has to do. One call answers for all of its steps, so that a run with nothing due makes no other.

-- What the catalogue's step found is true until this changes: the catalogue, the builds, or the hour. The hour, because the live
-- site can change without a word, as by publishing an older deploy.
create function private.catalogue_state()
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return (
    select concat_ws(
      ' ', v.version, date_trunc('hour', now()),
      (select max(greatest(b.requested_at, b.started_at, b.finished_at)) from public.builds b),
      (select b.state from public.builds b order by b.id desc limit 1)
    )
    from public.catalogue_version v
  );
end;
$$;

-- The steps with nothing to do now, by the names of the site (netlify/core/scheduled/run-sweep.ts). A step without a rule here always
-- runs, so a rule may call a step due that finds nothing, and never the other way round: each covers what the step's own
-- function claims. p_settings, the days and the hours are those of the site.
create function private.idle_steps(
  p_settings jsonb, p_claim_days integer, p_review_days integer default null, p_cart_hours integer default null
)
returns text[]
language plpgsql
stable
set search_path = ''
as $$
declare
  v_now constant timestamptz := clock_timestamp();
begin
  return (
    select coalesce(array_agg(steps.name) filter (where not steps.is_due), '{}')
    from (values
      -- alertOfSilence: a sweep that comes late looks at how late it is.
      ('silence', not exists (
        select 1 from public.heartbeats h where h.name = 'sweep' and h.last_at > v_now - interval '15 minutes'
      ) or public.shop_health() ->> 'webhook_missing_since' is not null),
      -- probe_mail_server
      ('mail server', exists (select 1 from public.mail_server m where m.is_out)),
      -- queue_dispute_reminders
      ('disputes', exists (select 1 from private.disputes_due(1))),
      -- set_shop_settings
      ('settings', not exists (select 1 from public.shop_settings s where to_jsonb(s) @> p_settings)),
      -- queue_back_in_stock
      ('back in stock', exists (
        select 1 from public.stock_alerts a
        cross join lateral (select * from public.products w where w.id = a.product_id offset 0) p
        where a.confirmed_at is not null and p.stock > 0 and not p.hidden and p.deleted_at is null
          and case
            when a.size is null or p.sizes = '[]' then true
            else private.stock_of_line(p.stock, p.sizes, a.size) > 0
          end
      )),
      -- queue_review_requests
      ('review requests', exists (select 1 from private.review_requests_due(p_review_days, 1))),
      -- end_unconfirmed_orders
      ('cash orders', exists (
        select 1 from public.orders o where o.hold_state = 'reserved' and o.hold_expires_at <= v_now
      )),
      -- queue_cart_mails
      ('cart mails', exists (select 1 from private.left_carts_due(p_cart_hours, 1))),
      -- claim_refunds
      ('refunds', exists (
        select 1 from public.refunds r where r.state = 'due' and r.next_attempt_at <= v_now and not private.awaits_bank(r)
      )),
      -- claim_outbox
      ('outbox', exists (
        select 1 from public.outbox m
        where m.sent_at is null and m.next_attempt_at <= v_now and m.attempts < 20
          and (m.kind <> 'push' or m.created_at > v_now - interval '1 day')
      )),
      -- refunds_to_poll
      ('poll refunds', exists (
        select 1 from public.refunds r
        where (r.state = 'requested' or (r.state = 'failed' and r.unanswered > 0)) and r.next_attempt_at <= v_now
      )),
      ('payment origins', exists (select 1 from public.payments_of_unknown_origin(1))),
      -- orders_to_check
      ('sweep', exists (
        select 1 from public.orders o
        where o.next_check_at <= v_now and o.payment_id is null and o.advance_payment_id is null
          and o.status in ('PENDING', 'FAILED') and o.payment_status in ('PENDING', 'FAILED')
      )),
      -- next_reconciliation
      ('reconcile', exists (select 1 from public.reconciliations r where r.finished_at is null)
        or exists (select 1 from public.provider_health h where h.reconcile and h.unreachable_since is null)
        or not exists (select 1 from public.reconciliations r where r.finished_at > v_now - interval '24 hours')),
      -- Its last look holds (note_catalogue_rest), no product ends (end_deleted_products), and no image is unused.
      ('catalogue', not exists (
        select 1 from public.heartbeats h
        where h.name = 'sweep' and h.rest ->> 'state' = private.catalogue_state()
          and coalesce((h.rest ->> 'until')::timestamptz > v_now, true)
          and not ((h.rest ->> 'complete')::boolean and exists (select 1 from public.unused_pictures(1)))
      ) or exists (select 1 from public.unused_pictures(1, true))
      or exists (select 1 from public.products p where p.deleted_at < v_now - interval '30 days')),
      ('credit notes', exists (select 1 from public.credit_notes_due(1))),
      -- take_due_claim_files
      ('claim files', exists (
        select 1 from public.claim_files f
        where f.removing or (f.created_at < v_now - interval '2 days' and (f.claim_id is null or exists (
          select 1 from public.claims c
          where c.id = f.claim_id and (
            c.created_at < v_now - interval '2 years'
            or c.answered_at < v_now - make_interval(days => coalesce(p_claim_days, 0))
          )
        )))
      )),
      ('forget', not exists (
        select 1 from public.heartbeats h where h.name = 'forget' and h.last_at > v_now - interval '20 hours'
      ))
    ) steps (name, is_due)
  );
end;
$$;

-- Begins a run of a site whose sweep has these steps. Returns {idle, isOver, catalogueState}: the steps with nothing to do; whether that
-- is all of them, and then the run is recorded as note_sweep does; what note_catalogue_rest takes.
create function public.begin_sweep(
  p_steps text[], p_settings jsonb, p_claim_days integer, p_stranger_mails integer, p_review_days integer default null,
  p_cart_hours integer default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_idle constant text[] := private.idle_steps(p_settings, p_claim_days, p_review_days, p_cart_hours);
begin
  if p_steps <@ v_idle then
    perform public.note_sweep(p_stranger_mails);
  end if;
  return jsonb_build_object(
    'idle', v_idle, 'isOver', p_steps <@ v_idle, 'catalogueState', private.catalogue_state()
  );
end;
$$;

-- Records that the catalogue's step has nothing to do until p_state, as begin_sweep returned it before the step looked, is another, or until
-- p_until. p_complete: every change is live, so that images can be removed.
create function public.note_catalogue_rest(p_state text, p_until timestamptz, p_complete boolean)
returns void
language sql
security definer
set search_path = ''
as $$
  update public.heartbeats
  set rest = jsonb_build_object('state', p_state, 'until', p_until, 'complete', p_complete)
  where name = 'sweep';
$$;
