-- The admin's second factor: a TOTP secret (RFC 6238) and recovery codes. Without a row that is turned on, logging in
-- works as before. A session also stores when its admin last proved who they are, for what asks again.

-- At most one row. The secret is stored as it is, see decision 0031. `enabled_at` is null until the admin typed a
-- first code. Recovery codes have 120 random bits, so their SHA-256 is enough. Delete the row to turn the factor off.
create table public.admin_second_factor (
  id boolean primary key default true check (id),
  secret text not null check (secret ~ '^[A-Z2-7]{32}$'),
  created_at timestamptz not null default now(),
  enabled_at timestamptz,
  -- The time step (Unix time / 30 s) of the last accepted code. Neither it nor an earlier one is accepted again.
  last_step bigint not null default 0,
  recovery_hashes text[] not null default '{}'
);

alter table public.admin_second_factor enable row level security;
grant all on table public.admin_second_factor to service_role;

alter table public.admin_sessions
add column confirmed_at timestamptz,
add column unconfirmed_paise bigint not null default 0 check (unconfirmed_paise >= 0);
comment on column public.admin_sessions.confirmed_at is
  'When the admin last typed the password in this session, and the code of a second factor that is turned on';
comment on column public.admin_sessions.unconfirmed_paise is
  'Refunds of this session since then that needed no password, see allow_refund';

-- Mails the admin every change of the second factor, also one made in the SQL editor, and every recovery code that is used:
-- whoever holds a stolen session or password cannot do either unseen.
create function private.report_second_factor()
returns trigger
language plpgsql
set search_path = ''
as $$
declare
  v_kind text;
begin
  if old.enabled_at is null then
    v_kind := case when tg_op = 'UPDATE' and new.enabled_at is not null then 'on' end;
  elsif tg_op = 'DELETE' then
    v_kind := 'off';
  elsif cardinality(new.recovery_hashes) < cardinality(old.recovery_hashes)
    and new.recovery_hashes <@ old.recovery_hashes then
    v_kind := 'recovery_code';
  elsif new.recovery_hashes is distinct from old.recovery_hashes then
    v_kind := 'new_codes';
  end if;
  if v_kind is not null then
    perform public.notify_admin(
      'second_factor',
      jsonb_build_object('kind', v_kind),
      'second_factor:' || v_kind || ':' || extract(epoch from clock_timestamp())
    );
  end if;
  return null;
end;
$$;
create trigger admin_second_factor_report after update or delete on public.admin_second_factor
  for each row execute function private.report_second_factor();

-- Accepts a code once: by its time step, which the caller has computed, or by the hash of a recovery code. Locks the row
-- first, so that only one of two calls at once passes, and a login without a code is over before the factor is turned
-- on, which ends its session. Returns true without a second factor.
create function private.accept_code(p_step bigint, p_recovery_hash text)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_enabled_at timestamptz;
begin
  select enabled_at into v_enabled_at from public.admin_second_factor for update;
  if v_enabled_at is null then
    return true;
  end if;
  update public.admin_second_factor set last_step = p_step
  where enabled_at is not null and last_step < p_step;
  if found then
    return true;
  end if;
  update public.admin_second_factor set recovery_hashes = array_remove(recovery_hashes, p_recovery_hash)
  where enabled_at is not null and p_recovery_hash = any (recovery_hashes);
  return found;
end;
$$;

-- Returns the second factor as {secret, enabled_at, recovery_left}, else null. `enabled_at` is null while it is only
-- offered.
create function public.read_second_factor()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'secret', f.secret, 'enabled_at', f.enabled_at, 'recovery_left', cardinality(f.recovery_hashes)
    )
    from public.admin_second_factor f
  );
end;
$$;
grant execute on function public.read_second_factor() to service_role;

-- Stores a secret that the admin sets their app up with. It replaces one that was offered before. Returns false when a
-- second factor is turned on.
create function public.offer_second_factor(p_secret text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.admin_second_factor as f (secret) values (p_secret)
  on conflict (id) do update set secret = excluded.secret, created_at = now()
  where f.enabled_at is null;
  return found;
end;
$$;
grant execute on function public.offer_second_factor(text) to service_role;

-- Turns the offered secret on after its first code, whose step counts as used, and ends every session but p_session_id:
-- whoever stole the password before has one without a code. Returns false when another secret was offered meanwhile, or
-- one is turned on.
create function public.turn_on_second_factor(
  p_secret text, p_step bigint, p_recovery_hashes text[], p_session_id bigint
)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.admin_second_factor
  set enabled_at = now(), last_step = p_step, recovery_hashes = p_recovery_hashes
  where enabled_at is null and secret = p_secret;
  if not found then
    return false;
  end if;
  update public.admin_sessions set revoked_at = now() where revoked_at is null and id is distinct from p_session_id;
  delete from public.push_subscriptions where session_id is distinct from p_session_id;
  return true;
end;
$$;
grant execute on function public.turn_on_second_factor(text, bigint, text[], bigint) to service_role;

-- Notes a wrong code after the correct password. The tenth in a day mails the admin: the limits of a login allow 960
-- guesses a day, for as long as nobody knows of them.
create function public.note_wrong_code()
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if not private.hit_rate_limit('admin-login:wrong-code', 9, 86400) then
    perform public.notify_admin(
      'second_factor',
      '{"kind": "guessed"}',
      'second_factor:guessed:' || (now() at time zone 'Asia/Kolkata')::date
    );
  end if;
end;
$$;
grant execute on function public.note_wrong_code() to service_role;

-- Takes a login attempt off the counts, so that only wrong passwords and wrong codes use up the limits.
create function public.forget_login_attempt(p_address text, p_device text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- The same order as in count_login_attempt, so that the two cannot deadlock.
  update public.rate_limits l set hits = trim_array(l.hits, least(1, cardinality(l.hits)))
  where l.bucket = case
      when p_device is null then 'admin-login:address:' || p_address
      else 'admin-login:device:' || p_device
    end;
  if p_device is null then
    update public.rate_limits l set hits = trim_array(l.hits, least(1, cardinality(l.hits)))
    where l.bucket = 'admin-login:everybody';
  end if;
end;
$$;
grant execute on function public.forget_login_attempt(text, text) to service_role;

-- Replaces the recovery codes, after a code (accept_code). Returns false when the code is not accepted.
create function public.replace_recovery_codes(p_step bigint, p_recovery_hash text, p_recovery_hashes text[])
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if not private.accept_code(p_step, p_recovery_hash) then
    return false;
  end if;
  update public.admin_second_factor set recovery_hashes = p_recovery_hashes where enabled_at is not null;
  return found;
end;
$$;
grant execute on function public.replace_recovery_codes(bigint, text, text[]) to service_role;

-- Turns the second factor off, after a code (accept_code). Returns false when the code is not accepted.
create function public.turn_off_second_factor(p_step bigint, p_recovery_hash text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if not private.accept_code(p_step, p_recovery_hash) then
    return false;
  end if;
  delete from public.admin_second_factor where id;
  return true;
end;
$$;
grant execute on function public.turn_off_second_factor(bigint, text) to service_role;

-- Creates a session after the correct password, and the code of a second factor that is turned on (accept_code).
-- Returns when it expires; null when the code is missing or not accepted. Takes the attempt off the counts.
drop function public.open_admin_session(text, text, integer, text, text);
create or replace function public.open_admin_session(
  p_token_hash text,
  p_password_fingerprint text,
  p_seconds integer,
  p_address text,
  p_device text,
  p_step bigint default null,
  p_recovery_hash text default null
)
returns timestamptz
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_expires_at timestamptz;
begin
  if not private.accept_code(p_step, p_recovery_hash) then
    return null;
  end if;
  perform public.forget_login_attempt(p_address, p_device);
  insert into public.admin_sessions (token_hash, password_fingerprint, expires_at, confirmed_at)
  values (p_token_hash, p_password_fingerprint, now() + make_interval(secs => p_seconds), now())
  returning expires_at into v_expires_at;
  return v_expires_at;
end;
$$;
grant execute on function public.open_admin_session(text, text, integer, text, text, bigint, text) to service_role;

-- Notes that the admin typed the correct password again in this session, and the code of a second factor that is
-- turned on (accept_code). Returns false when the code is missing or not accepted. Takes the attempt off the counts.
create function public.confirm_admin_session(
  p_id bigint, p_address text, p_device text, p_step bigint default null, p_recovery_hash text default null
)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if not private.accept_code(p_step, p_recovery_hash) then
    return false;
  end if;
  perform public.forget_login_attempt(p_address, p_device);
  update public.admin_sessions set confirmed_at = now(), unconfirmed_paise = 0 where id = p_id;
  return found;
end;
$$;
grant execute on function public.confirm_admin_session(bigint, text, text, bigint, text) to service_role;

-- Returns the valid session of a cookie as {id, expires_at, confirmed, second_factor}, else null. `confirmed`: the
-- admin logged in or confirmed in the last ten minutes. A session expires after 24 hours without use.
create or replace function public.read_admin_session(p_token_hash text, p_password_fingerprint text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_session public.admin_sessions;
begin
  select * into v_session from public.admin_sessions s
  where s.token_hash = p_token_hash
    and s.password_fingerprint = p_password_fingerprint
    and s.revoked_at is null
    and s.expires_at > now()
    and s.last_used_at > now() - interval '24 hours';
  if not found then
    return null;
  end if;
  update public.admin_sessions set last_used_at = now()
  where id = v_session.id and last_used_at < now() - interval '5 minutes';
  return jsonb_build_object(
    'id', v_session.id,
    'expires_at', v_session.expires_at,
    'confirmed', coalesce(v_session.confirmed_at > now() - interval '10 minutes', false),
    'second_factor', exists (select 1 from public.admin_second_factor where enabled_at is not null)
  );
end;
$$;

-- Whether a session may make a refund without its admin being asked for the password: p_limit_paise in all since they
-- last proved who they are, of every payment together. Counts the refund when it may. The update locks the session, so
-- that two refunds at once are not each compared alone. The payment is p_payment_id, else the one of the order; without
-- p_amount_paise all that is left of it is refunded, and refunds with an unknown outcome are tried again.
create function public.allow_refund(
  p_session_id bigint, p_order_id bigint, p_payment_id text, p_amount_paise bigint, p_limit_paise bigint
)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_amount bigint := p_amount_paise;
begin
  if v_amount is null then
    select private.refundable_paise(p) + (
      select coalesce(sum(r.amount_paise), 0) from public.refunds r
      where r.payment_id = p.payment_id and private.outcome_unknown(r)
    ) into v_amount
    from public.payments p
    where p.payment_id = coalesce(p_payment_id, (select o.payment_id from public.orders o where o.id = p_order_id));
  end if;
  v_amount := greatest(coalesce(v_amount, 0), 0);
  update public.admin_sessions set unconfirmed_paise = unconfirmed_paise + v_amount
  where id = p_session_id and unconfirmed_paise + v_amount <= p_limit_paise;
  return found;
end;
$$;
grant execute on function public.allow_refund(bigint, bigint, text, bigint, bigint) to service_role;
