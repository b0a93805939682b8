-- Files of images that a review has no more go at once, and not with the next build. The site of before asks for the others alone.

alter table public.pictures add column of_review boolean not null default false;

drop function public.unused_pictures(integer);

-- Images whose files can be deleted: used by no product, review or order, and either removed from a product ten minutes
-- ago, or uploaded a day ago and never saved. Built pages can still show a removed image, so the caller asks only
-- when no change waits for a build. With p_of_reviews only those that a review has no more, at once: what a customer replaced was
-- never shown, and what the shop hides or somebody has erased ends where it is shown.
create function public.unused_pictures(p_limit integer, p_of_reviews boolean default false)
returns setof text
language sql
security definer
stable
set search_path = ''
as $$
  select u.path
  from public.pictures u
  where case
      when p_of_reviews then u.of_review and u.dropped_at is not null
      else coalesce(u.dropped_at + interval '10 minutes', u.uploaded_at + interval '1 day') < now()
    end
    -- Counts instead of `exists`, for which PostgreSQL reads all orders instead of the index.
    and 0 = (select count(*) from public.products p where p.images @> array[u.path])
    and 0 = (select count(*) from public.reviews r where r.image = u.path)
    and 0 = (select count(*) from public.orders o where o.items @> jsonb_build_array(jsonb_build_object('image', u.path)))
    and 0 = (
      select count(*) from public.orders o
      where o.products is not null and o.products @> jsonb_build_array(jsonb_build_object('image', u.path))
    )
  order by coalesce(u.dropped_at, u.uploaded_at)
  limit greatest(p_limit, 0);
$$;

grant execute on function public.unused_pictures to service_role;

-- What a page shows of a review has changed: the product waits for a build. An image that no review has any more is deleted as one of
-- products is (`pictures.sql`). By a trigger, so that a new way to change a review cannot forget either.
create or replace function private.follow_review()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_before jsonb := case when tg_op <> 'INSERT' and old.state = 'published' then to_jsonb(old) - 'order_id' end;
  v_after jsonb := case when tg_op <> 'DELETE' and new.state = 'published' then to_jsonb(new) - 'order_id' end;
  v_image_before text := case when tg_op <> 'INSERT' then old.image end;
  v_image_after text := case when tg_op <> 'DELETE' then new.image end;
begin
  if v_image_before is distinct from v_image_after then
    delete from public.pictures where path = v_image_after;
    insert into public.pictures (path, dropped_at, of_review)
    select v_image_before, now(), true where v_image_before is not null
    on conflict (path) do update set dropped_at = excluded.dropped_at, of_review = true;
  end if;
  if v_before is distinct from v_after then
    insert into public.product_changes (version, product_id, name, kind)
    select private.next_catalogue_version(), p.id, p.name, 'changed'
    from public.products p
    where p.id = case tg_op when 'DELETE' then old.product_id else new.product_id end
      and not p.hidden and p.deleted_at is null;
  end if;
  return null;
end;
$$;

-- The steps with nothing to do now, by the names of the site (netlify/core/scheduled/run-sweep.ts). A step without a rule here always
-- runs, so a rule may call a step due that finds nothing, and never the other way round: each covers what the step's own
-- function claims. p_settings, the days and the hours are those of the site.
create or replace function private.idle_steps(
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
