-- What the Netlify functions may do, which use the service key: everything in `public`. Browser roles get their grants
-- where a table is created. New tables and functions are closed to the browser roles by the default privileges in
-- `foundation.sql`, and to service_role by those of a hosted project. So a migration must grant what it adds, to
-- service_role too.

grant all on all tables in schema public to service_role;
grant all on all sequences in schema public to service_role;
grant execute on all functions in schema public to service_role;
