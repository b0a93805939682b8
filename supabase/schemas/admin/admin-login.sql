-- The admin's login: sessions, and the limits of attempts.

-- Stores only the SHA-256 of the session cookie, so a copy of this table does not let anyone sign in. The fingerprint
-- of the password ends all sessions when ADMIN_PASSWORD_HASH changes.
create table public.admin_sessions (
  id bigint generated always as identity primary key,
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  password_fingerprint text not null check (password_fingerprint ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  -- Accurate to five minutes, so that most requests write nothing.
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  confirmed_at timestamptz,
  unconfirmed_paise bigint not null default 0 check (unconfirmed_paise >= 0)
);

comment on column public.admin_sessions.confirmed_at is
  'When the admin last typed the password in this session, and the code of a second factor that is turned on';
comment on column public.admin_sessions.unconfirmed_paise is
  'Refunds of this session since then that needed no password, see allow_refund';

alter table public.admin_sessions enable row level security;

-- ── Attempts ──

-- A known browser counts by itself, any other by its network and with all others.
create function private.login_keys(p_address text, p_device text)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
begin
  return case when p_device is null then private.cost_keys(null, p_address)
    else jsonb_build_object('account', p_device) end;
end;
$$;

-- Counts a sign-in attempt before the password is checked. Returns {allowed, retry_after}; retry_after is in seconds,
-- and 0 when allowed. Raises 22023 without an address.
--   * A browser that has signed in before sends its device id. It has its own limit, which nobody else can use up.
--   * All others count by p_address, the text of private.cost_keys, and together. One network can use up at most half of
--     what all have together, however often it tries.
-- The limits are rows of cost_limits; the last three parameters are of release 1.3.2.
create function public.count_login_attempt(
  p_address text, p_device text, p_limit_per_source integer default null, p_limit_overall integer default null,
  p_window_seconds integer default null
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_again_at timestamptz;
begin
  if coalesce(p_address, '') = '' then
    raise exception 'an address is required' using errcode = '22023';
  end if;
  v_again_at := private.count_cost('admin_login', private.login_keys(p_address, p_device));
  return jsonb_build_object(
    'allowed', v_again_at is null,
    'retry_after', greatest(1, ceil(extract(epoch from v_again_at - clock_timestamp())))::integer
  );
end;
$$;

-- Takes a login attempt off the counts, so that only wrong passwords and wrong codes use up the limits.
create function public.forget_login_attempt(p_address text, p_device text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.costs
  where id in (
    select max(c.id)
    from jsonb_each_text(private.login_keys(p_address, p_device)) k
    join public.costs c on c.effect = 'admin_login' and c.scope = k.key and c.key = k.value
    group by c.scope
  );
end;
$$;

-- Notes a wrong code after the correct password. The tenth in a day mails the admin: the limits of a login allow 960
-- guesses a day, for as long as nobody knows of them.
create function public.note_wrong_code()
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if private.count_cost('wrong_code', private.cost_keys(null)) is not null then
    perform public.notify_admin(
      'second_factor', '{"kind": "guessed"}', 'second_factor:guessed:' || private.india_date(now())
    );
  end if;
end;
$$;

-- ── Sessions ──

-- Creates a session after the correct password, and the code of a second factor that is turned on (accept_code).
-- Returns when it expires; null when the code is missing or not accepted. Takes the attempt off the counts.
create function public.open_admin_session(
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

-- Returns the valid session of a cookie as {id, expires_at, confirmed, second_factor}, else null. `confirmed`: the
-- admin logged in or confirmed in the last ten minutes. A session expires after 24 hours without use.
create function public.read_admin_session(p_token_hash text, p_password_fingerprint text)
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

-- Whether a session may make a refund without its admin being asked for the password: p_limit_paise in all since they
-- last proved who they are, of every payment together. Counts the refund when it may. The update locks the session, so
-- that two refunds at once are not each compared alone. The payment is p_payment_id, else those of the order; without
-- p_amount_paise all that is left of them is refunded, and refunds with an unknown outcome are tried again.
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
    select sum(private.refundable_paise(p) + (
      select coalesce(sum(r.amount_paise), 0) from public.refunds r
      where r.payment_id = p.payment_id and private.outcome_unknown(r)
    )) into v_amount
    from public.payments p
    where case
      when p_payment_id is not null then p.payment_id = p_payment_id
      else p.payment_id in (
        select unnest(array[o.payment_id, o.advance_payment_id]) from public.orders o where o.id = p_order_id
      )
    end;
  end if;
  v_amount := greatest(coalesce(v_amount, 0), 0);
  update public.admin_sessions set unconfirmed_paise = unconfirmed_paise + v_amount
  where id = p_session_id and unconfirmed_paise + v_amount <= p_limit_paise;
  return found;
end;
$$;

-- Ends one session or all of them, and unsubscribes their devices from notifications. Returns how many sessions
-- ended.
create function public.end_admin_sessions(p_id bigint, p_everywhere boolean)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_count integer;
begin
  update public.admin_sessions
  set revoked_at = now()
  where revoked_at is null and (id = p_id or coalesce(p_everywhere, false));
  get diagnostics v_count = row_count;
  delete from public.push_subscriptions where session_id = p_id or coalesce(p_everywhere, false);
  return v_count;
end;
$$;
