-- What the mail server answers, to every sender, in one row: health and the admin's page see an outage that no waiting mail shows, and
-- the sweep finds its end. And a health check that writes. The site of before writes nothing into the row, and reads no new key.

create table public.mail_server (
  id boolean primary key default true check (id),
  accepted_at timestamptz,
  refused_since timestamptz,
  refused_at timestamptz,
  refusal text,
  scope text check (scope in ('connection', 'sender', 'recipient')),
  recipients text[] not null default '{}',
  is_out boolean not null default false
);

alter table public.mail_server enable row level security;

insert into public.mail_server default values;

create or replace function public.note_mail(p_refusal text, p_scope text default null, p_recipient text default null)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_was_out boolean;
  v_recipients text[];
begin
  select m.is_out, m.recipients into v_was_out, v_recipients from public.mail_server m for update;
  if p_refusal is null then
    update public.mail_server set
      accepted_at = case when p_scope is null then v_now else accepted_at end,
      refused_since = null, refused_at = null, refusal = null, scope = null, recipients = '{}', is_out = false
    where id;
    if v_was_out then
      update public.outbox set next_attempt_at = v_now
      where id in (
        select m.id from public.outbox m
        where m.sent_at is null and m.kind <> 'push' and m.last_error is not null and m.next_attempt_at > v_now
        for update skip locked
      );
    end if;
    return;
  end if;
  if p_scope = 'recipient' and p_recipient <> all (v_recipients) and cardinality(v_recipients) < 2 then
    v_recipients := v_recipients || p_recipient;
  end if;
  update public.mail_server set
    refused_since = coalesce(refused_since, v_now), refused_at = v_now, refusal = left(p_refusal, 100), scope = p_scope,
    recipients = v_recipients,
    is_out = is_out or p_scope <> 'recipient' or cardinality(v_recipients) > 1
  where id;
end;
$$;

create or replace function private.mail_out_since(p_minutes integer)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select m.refused_since from public.mail_server m
  where m.is_out and m.refused_since < clock_timestamp() - make_interval(mins => p_minutes);
$$;

create or replace function public.probe_mail_server()
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_server public.mail_server;
  v_since constant timestamptz := private.mail_out_since(5);
  v_key constant text := 'mail_refused:' || v_since;
begin
  select * into v_server from public.mail_server where is_out;
  if v_since is not null then
    perform public.notify_admin(
      'mail_refused', jsonb_build_object('since', v_since, 'reason', v_server.refusal), v_key
    );
    update public.outbox set next_attempt_at = clock_timestamp(), attempts = least(attempts, 5)
    where dedupe_key = v_key and sent_at is null and next_attempt_at > clock_timestamp()
      and v_server.refused_at < clock_timestamp() - interval '14 minutes';
  end if;
  return case when v_server.is_out then jsonb_build_object('scope', v_server.scope) end;
end;
$$;

create or replace function private.queue_push_for_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_topic text := case
    when new.kind = 'order_notice' then 'order'
    when new.kind = 'contact_message' then 'message'
    when new.kind = 'refund_alert' and new.payload ->> 'reason' <> 'refund_failed' then 'payment'
    when new.kind = 'admin_alert' and new.payload ->> 'topic' = 'difference' then 'payment'
    when new.kind = 'admin_alert' and new.payload ->> 'topic' = 'review' then 'review'
    -- The only news that a mail cannot bring.
    when new.kind = 'admin_alert' and new.payload ->> 'topic' = 'mail_refused' then 'mail'
  end;
begin
  if v_topic is not null then
    perform private.queue_push(
      v_topic,
      case when v_topic = 'payment' then jsonb_build_object('amount_paise', new.payload -> 'amount_paise') end,
      new.dedupe_key,
      new.order_id
    );
  end if;
  return null;
end;
$$;

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

create or replace function public.check_health()
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.heartbeats set last_at = last_at where name = 'sweep';
  return public.shop_health();
end;
$$;

-- read_today and idle_steps, which ask about the mail server and about disputes, are in dispute_terms.

grant all on public.mail_server to service_role;
grant execute on function public.note_mail(text, text, text) to service_role;
grant execute on function public.probe_mail_server() to service_role;
grant execute on function public.check_health() to service_role;
