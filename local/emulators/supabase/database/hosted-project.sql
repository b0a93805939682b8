-- A hosted Supabase project before the first migration, as far as the shop reaches: its roles, schemas, extensions and
-- privileges as https://github.com/supabase/postgres publishes them (migrations/db). Run by the superuser, supabase_admin on
-- a hosted project; migrations are run by postgres, which is none there. The default privileges are those of a project that
-- hands every new table to the browser roles: the migrations must take it back. `tests/database/support/explicit-grants.sql` has those since then.
do $$
begin
  -- Roles are the server's, not the database's.
  if to_regrole('anon') is null then
    create role anon nologin;
    create role authenticated nologin;
    create role service_role nologin bypassrls;
    create role authenticator login noinherit;
    create role supabase_auth_admin login noinherit createrole;
    create role supabase_storage_admin login noinherit createrole;
    grant anon, authenticated, service_role to authenticator;
    grant anon, authenticated, service_role to postgres with admin option;
    alter role anon set statement_timeout = '3s';
    alter role authenticated set statement_timeout = '8s';
    alter role authenticator set statement_timeout = '8s';
    alter role authenticator set lock_timeout = '8s';
  end if;
end;
$$;

create schema auth;
grant usage on schema auth to anon, authenticated, service_role;
grant all on schema auth to postgres, supabase_auth_admin;
create table auth.users (
  id uuid primary key default gen_random_uuid(),
  email varchar(255) unique,
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  email_change varchar(255),
  raw_user_meta_data jsonb default '{}',
  created_at timestamptz default now()
);
alter table auth.users owner to supabase_auth_admin;
grant all on auth.users to postgres;

create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb
$$;
create function auth.uid() returns uuid language sql stable as $$
  select nullif(auth.jwt() ->> 'sub', '')::uuid
$$;
create function auth.role() returns text language sql stable as $$
  select auth.jwt() ->> 'role'
$$;

create schema storage;
grant usage on schema storage to postgres, anon, authenticated, service_role;
grant all on schema storage to supabase_storage_admin with grant option;
create table storage.buckets (
  id text primary key,
  name text not null unique,
  public boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[]
);
alter table storage.buckets owner to supabase_storage_admin;
alter table storage.buckets enable row level security;
grant all on storage.buckets to postgres, anon, authenticated, service_role;

create schema extensions;
grant usage on schema extensions to postgres, anon, authenticated, service_role;

grant usage on schema public to anon, authenticated, service_role;
grant all on schema public to postgres;
alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated, service_role;
