-- The mails of Supabase Auth go through the shop, by Auth's "Send Email" hook (netlify/functions/send-email.ts). Each kind is an
-- effect of its own, so that no kind uses up another's share. An account is the one that the code opens: its limit also bounds how
-- many codes a stranger can have mailed, and guess at, for one customer (docs/decisions/0041).
insert into public.cost_limits (effect, scope, seconds, most)
values
  ('sign_up_mail', 'account', 3600, 5), ('sign_up_mail', 'account', 86400, 15),
  ('sign_up_mail', 'network', 3600, 20), ('sign_up_mail', 'shared', 3600, 60),
  ('sign_up_mail', 'all', 3600, 150), ('sign_up_mail', 'all', 86400, 600),
  ('login_mail', 'account', 3600, 6), ('login_mail', 'account', 86400, 20),
  ('login_mail', 'network', 3600, 20), ('login_mail', 'shared', 3600, 60),
  ('login_mail', 'all', 3600, 150), ('login_mail', 'all', 86400, 600);
