-- The admin's second factor: a TOTP secret (RFC 6238) and recovery codes. Without a row that is turned on, logging in
-- works without it.

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

create trigger admin_second_factor_report
after update or delete on public.admin_second_factor
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
