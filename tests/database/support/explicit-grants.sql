-- New tables are no longer exposed to the Data API: since 30 May 2026 in new projects, since 30 October 2026 in all.
-- https://supabase.com/changelog/45329-breaking-change-tables-not-exposed-to-data-and-graphql-api-automatically
-- TRUNCATE, REFERENCES and TRIGGER stay with the roles, the Data API has no use of them.
alter default privileges for role postgres in schema public
  revoke select, insert, update, delete on tables from anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  revoke usage, select on sequences from anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  revoke execute on functions from anon, authenticated, service_role;
