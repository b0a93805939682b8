-- Health and schema, for monitors, the admin's alerts and `npm run doctor`: whether scheduled work runs, and whether
-- the database matches the migrations.

-- When recurring work last finished. `since` is when it was first expected. `rest`: until when the sweep's look at the catalogue holds
-- (note_catalogue_rest).
create table public.heartbeats (
  name text primary key check (name in ('sweep', 'forget')),
  since timestamptz not null default clock_timestamp(),
  last_at timestamptz,
  rest jsonb
);

alter table public.heartbeats enable row level security;

insert into public.heartbeats (name) values ('sweep'), ('forget');

-- Records that a sweep finished, and deletes uses that no longer count. p_stranger_mails is how many mails a day strangers can cause, from
-- src/shop/seller.ts; cash orders can cause as many more, and customers who have bought half as many (private.count_mail). Fewer than 12
-- count as 12. Null leaves it as it is.
create function public.note_sweep(p_stranger_mails integer default null)
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
create function public.shop_health()
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

-- The same for /api/health, after a write that changes nothing: a database that is read-only or full answers reads, and nobody can buy.
create function public.check_health()
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

-- The actual database, to compare with the migrations and the grants:
--   migrations  versions that the Supabase CLI recorded, or null
--   tables      {name: whether row level security is enabled}
--   functions   {schema.name: md5 of its body}
--   policies    ['table: name']
--   grants      ['role privilege table' or 'role privilege table(column)'] of the browser roles and of everyone
--               ('public')
--   executable  functions in public that one of these roles may execute
--   bucket      {public, file_size_limit, allowed_mime_types} of the product images, or null
--   claims      the same for the files of damage claims
create function public.describe_schema()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_migrations jsonb;
  v_bucket jsonb;
  v_claims jsonb;
  v_roles oid[] := array(select r.oid from pg_catalog.pg_roles r where r.rolname in ('anon', 'authenticated')) || 0::oid;
begin
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select jsonb_agg(m.version order by m.version) from supabase_migrations.schema_migrations m'
    into v_migrations;
  end if;
  if to_regclass('storage.buckets') is not null then
    execute 'select to_jsonb(b) from storage.buckets b where b.id = ''product-images''' into v_bucket;
    execute 'select to_jsonb(b) from storage.buckets b where b.id = ''claims''' into v_claims;
  end if;
  return jsonb_build_object(
    'migrations', v_migrations,
    'tables', (
      select jsonb_object_agg(c.relname, c.relrowsecurity) from pg_catalog.pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    ),
    'functions', (
      select jsonb_object_agg(n.nspname || '.' || p.proname, md5(p.prosrc))
      from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'private')
    ),
    'policies', (
      select coalesce(jsonb_agg(p.tablename || ': ' || p.policyname order by p.tablename, p.policyname), '[]')
      from pg_catalog.pg_policies p
      where p.schemaname = 'public'
    ),
    'grants', (
      select coalesce(
        jsonb_agg(distinct coalesce(r.rolname, 'public') || ' ' || lower(a.privilege) || ' ' || a.what), '[]'
      )
      from (
        select c.relname::text as what, x.grantee, x.privilege_type as privilege
        from pg_catalog.pg_class c, aclexplode(c.relacl) x
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
        union all
        select c.relname || '(' || t.attname || ')', x.grantee, x.privilege_type
        from pg_catalog.pg_class c join pg_catalog.pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) x
        where c.relnamespace = 'public'::regnamespace
      ) a
      left join pg_catalog.pg_roles r on r.oid = a.grantee
      where a.grantee = any (v_roles)
    ),
    'executable', (
      select coalesce(jsonb_agg(distinct p.proname), '[]') from pg_catalog.pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and exists (
          select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x
          where x.grantee = any (v_roles) and x.privilege_type = 'EXECUTE'
        )
    ),
    'bucket', v_bucket,
    'claims', v_claims
  );
end;
$$;
