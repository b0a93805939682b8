-- Limits of the reports that pages send when their program fails; the function writes a line of the log. The previous site sends none.
insert into public.cost_limits (effect, scope, seconds, most)
values
  ('page_fault', 'network', 3600, 10), ('page_fault', 'shared', 3600, 60), ('page_fault', 'all', 3600, 300)
on conflict do nothing;
