-- Damage claims: a customer reports what arrived damaged, with photos and a video. The admin answers with a refund, a
-- replacement or a reason. Functions lock the order first, as everywhere, then its claims.

create table public.claims (
  id bigint generated always as identity primary key,
  order_id bigint not null references public.orders (id),
  created_at timestamptz not null default now(),
  message text not null check (char_length(message) <= 2000),
  -- Reported later than the policy allows.
  late boolean not null,
  answer text check (answer in ('refund', 'replacement', 'declined')),
  answered_at timestamptz,
  -- Idempotency key of the answer.
  answer_key uuid,
  reason text not null default '' check (char_length(reason) <= 1000),
  amount_paise bigint check (amount_paise >= 100),
  replacement_id bigint references public.orders (id),
  check ((answer is null) = (answered_at is null))
);

create index claims_order_id_idx on public.claims (order_id);
create index claims_replacement_id_idx on public.claims (replacement_id);

-- At most one open claim per order. Also lists the open claims for the admin.
create unique index claims_open_idx on public.claims (order_id) where answer is null;

-- For retention: claims whose words are still there.
create index claims_words_idx on public.claims (answered_at) where message <> '' or reason <> '';

alter table public.claims enable row level security;

-- Files in the bucket `claims`. Each is recorded before its upload, so that it can be found and deleted.
create table public.claim_files (
  path text primary key check (char_length(path) <= 120),
  order_id bigint not null references public.orders (id),
  -- Null until the claim is sent.
  claim_id bigint references public.claims (id),
  kind text not null check (kind in ('photo', 'video')),
  -- Null until the upload has finished.
  bytes integer,
  -- The file is being deleted. No claim can take it, and the row is deleted after the file.
  removing boolean not null default false,
  created_at timestamptz not null default now()
);

create index claim_files_order_id_idx on public.claim_files (order_id);
create index claim_files_claim_id_idx on public.claim_files (claim_id);
create index claim_files_created_at_idx on public.claim_files (created_at);

alter table public.claim_files enable row level security;

-- Private: read and written with the service key, and read with signed URLs. Videos arrive in parts of 5 MB, so the
-- functions check the type of a file instead of the bucket.
do $$
begin
  if to_regclass('storage.buckets') is not null then
    insert into storage.buckets (id, name, public, file_size_limit)
    values ('claims', 'claims', false, 6 * 1024 * 1024)
    on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit;
  end if;
end;
$$;

-- ── Reporting ──

-- Whether an order belongs to an account, see private.order_ids_of.
create function public.owns_order(p_user_id uuid, p_order_id bigint)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select p_order_id in (select private.order_ids_of(p_user_id));
$$;

-- Whether damage can be reported, see `claim` of private.order_answers. Before its delivery a parcel that is paid at the door may still be
-- refused; then the courier has the cash. Same as isClaimable in
-- src/features/claims/domain/claimable.ts.
create function private.is_claimable(p_order public.orders)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return case (private.answers_of(p_order.state, p_order.kind)).claim
    when 'sent' then p_order.fulfilment in ('shipped', 'delivered')
    when 'delivered' then p_order.fulfilment = 'delivered'
    else false
  end;
end;
$$;

-- Why damage of an order cannot be reported now: not_found, not_possible (see private.is_claimable), already (a claim
-- waits for its answer), too_many (five claims). Null when it can.
create function private.claim_refusal(p_order public.orders)
returns text
language plpgsql
stable
set search_path = ''
as $$
begin
  return case
    when p_order.id is null then 'not_found'
    when not private.is_claimable(p_order) then 'not_possible'
    when exists (select 1 from public.claims where order_id = p_order.id and answer is null) then 'already'
    when (select count(*) from public.claims where order_id = p_order.id) >= 5 then 'too_many'
  end;
end;
$$;

-- private.claim_refusal, before anything is read from storage.
create function public.claim_refusal(p_order_id bigint)
returns text
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders where id = p_order_id;
  return private.claim_refusal(v_order);
end;
$$;

-- Records files before they are uploaded for an order. Waiting files of this kind that are in neither p_paths nor
-- p_keep were replaced: they are marked and the caller deletes them. Without p_keep none are. Recording a path again
-- restarts its two days. Files of all orders together may have p_max_total_bytes; the admin is notified at 70 % of it.
-- A file of this order that has not arrived counts as 4 MB. Those of other orders count when they have arrived, because
-- announcing costs nothing; each upload is compared again. Returns {outcome, freed: [path]}: noted; not_found; not_possible
-- (nothing to claim, or a file of a sent claim); removing (a file is being deleted, so try again soon); full (40 files
-- of the order wait for their claim, or the total is reached).
create function public.note_claim_files(
  p_order_id bigint, p_kind text, p_paths text[], p_keep text[] default null,
  p_max_total_bytes bigint default 1000000000
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_freed text[];
  v_bytes_of_part constant bigint := 4194304;
  v_total bigint;
begin
  select * into v_order from public.orders where id = p_order_id for update;
  if not found then
    return jsonb_build_object('outcome', 'not_found');
  elsif not private.is_claimable(v_order)
    or exists (
      select 1 from public.claim_files
      where path = any (p_paths) and (claim_id is not null or order_id <> p_order_id)
    )
  then
    return jsonb_build_object('outcome', 'not_possible');
  elsif exists (select 1 from public.claim_files where path = any (p_paths) and removing) then
    return jsonb_build_object('outcome', 'removing');
  end if;
  with freed as (
    update public.claim_files set removing = true
    where order_id = p_order_id and claim_id is null and kind = p_kind and not removing
      and p_keep is not null and path <> all (p_paths || p_keep)
    returning path
  )
  select coalesce(array_agg(path), '{}') into v_freed from freed;
  select coalesce(sum(coalesce(f.bytes, case when f.order_id = p_order_id then v_bytes_of_part end)), 0)
    + v_bytes_of_part * cardinality(array(
      select path from unnest(p_paths) path except select f.path from public.claim_files f where f.order_id = p_order_id))
  into v_total
  from public.claim_files f where not f.removing;
  if v_total > p_max_total_bytes * 7 / 10 then
    perform public.notify_admin('claim_files_full', '{}', 'claim_files_full:' || (now() at time zone 'Asia/Kolkata')::date);
  end if;
  if v_total > p_max_total_bytes or (
    select count(*) from (
      select path from public.claim_files where order_id = p_order_id and claim_id is null and not removing
      union select unnest(p_paths)
    ) waiting
  ) > 40 then
    return jsonb_build_object('outcome', 'full', 'freed', v_freed);
  end if;
  insert into public.claim_files (path, order_id, kind)
  select path, p_order_id, p_kind from unnest(p_paths) path
  on conflict (path) do update set created_at = now();
  return jsonb_build_object('outcome', 'noted', 'freed', v_freed);
end;
$$;

-- Notes that a file has arrived, once: a claim never takes a file that can still change. Returns false when another
-- upload of the same path arrived before, or the file is being deleted.
create function public.note_claim_upload(p_path text, p_bytes integer)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.claim_files set bytes = p_bytes
  where path = p_path and claim_id is null and bytes is null and not removing;
  return found;
end;
$$;

-- Marks a file whose upload did not finish, so that the caller can delete it and upload it again. Returns false when
-- it has arrived, or is being deleted already.
create function public.drop_unfinished_upload(p_path text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.claim_files set removing = true
  where path = p_path and claim_id is null and bytes is null and not removing;
  return found;
end;
$$;

-- Reports damage and mails the customer and the admin. p_paths are uploaded files of this order; p_hours is the time
-- that the policy allows. Returns {outcome}: reported; files_missing; or a private.claim_refusal. Raises 22023.
create function public.report_claim(p_order_id bigint, p_message text, p_paths text[], p_hours integer)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_refusal text;
  v_claim_id bigint;
begin
  if coalesce(btrim(p_message), '') = '' or p_hours is null or p_paths is null then
    raise exception 'a claim needs a message, files and hours' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  v_refusal := private.claim_refusal(v_order);
  if v_refusal is not null then
    return jsonb_build_object('outcome', v_refusal);
  elsif (
    select count(*) from public.claim_files
    where path = any (p_paths) and order_id = p_order_id and claim_id is null and bytes > 0 and not removing
  ) <> cardinality(p_paths)
  then
    return jsonb_build_object('outcome', 'files_missing');
  end if;
  insert into public.claims (order_id, message, late)
  values (
    p_order_id, btrim(p_message),
    coalesce(clock_timestamp() > v_order.delivered_at + make_interval(hours => p_hours), false)
  )
  returning id into v_claim_id;
  update public.claim_files set claim_id = v_claim_id where path = any (p_paths);
  perform public.notify_admin('damage_claim', '{}', 'damage_claim:' || v_claim_id, p_order_id);
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, dedupe_key)
    values ('claim_received', v_order.customer_email, p_order_id, 'claim_received:' || v_claim_id);
  end if;
  return jsonb_build_object('outcome', 'reported');
end;
$$;

-- ── Answering ──

-- Creates a free order of an order's items. p_items is {line key: quantity}. Takes their stock and discounts them in
-- full. Returns {outcome}: placed, with order_id; too_many_items, with line_key; out_of_stock. The caller has locked
-- the order.
create function private.replace_items(p_order public.orders, p_items jsonb, p_key uuid)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_id bigint := nextval(pg_get_serial_sequence('public.orders', 'id'));
  v_wrong text;
  v_items jsonb;
  v_subtotal bigint;
begin
  select wanted.key into v_wrong
  from jsonb_each_text(p_items) wanted
  where wanted.value::bigint > coalesce((
    select sum((item ->> 'quantity')::bigint) from jsonb_array_elements(p_order.items) item
    where private.line_key(item) = wanted.key
  ), 0)
  order by 1
  limit 1;
  if v_wrong is not null then
    return jsonb_build_object('outcome', 'too_many_items', 'line_key', v_wrong);
  end if;
  -- An order has each line key once.
  select jsonb_agg(
      item || jsonb_build_object(
        'quantity', (p_items ->> private.line_key(item))::integer,
        'discount_paise',
        round(coalesce((item ->> 'price')::numeric, 0) * 100)::bigint * (p_items ->> private.line_key(item))::integer
      ) order by line),
    sum(round(coalesce((item ->> 'price')::numeric, 0) * 100)::bigint * (p_items ->> private.line_key(item))::integer)
  into v_items, v_subtotal
  from jsonb_array_elements(p_order.items) with ordinality i (item, line)
  where p_items ? private.line_key(item);
  if not private.reserve_stock_again(v_items) then
    return jsonb_build_object('outcome', 'out_of_stock');
  end if;
  insert into public.orders (
    id, user_id, merchant_transaction_id, customer_name, customer_email, customer_phone, customer_address, customer_city,
    customer_postal_code, recipient_name, recipient_phone, items, sum_rows, subtotal_paise, discount_paise, fee_paise, total_paise,
    fee_bps, status, payment_status, payment_method, hold_state, admin_key, replaces, terms
  )
  values (
    v_id, p_order.user_id, private.order_reference(v_id), p_order.customer_name,
    p_order.customer_email, p_order.customer_phone, p_order.customer_address, p_order.customer_city,
    p_order.customer_postal_code, p_order.recipient_name, p_order.recipient_phone, v_items,
    private.sum_rows(v_subtotal, jsonb_build_object('paise', v_subtotal), '[]'), v_subtotal,
    v_subtotal, 0, 0, 0, 'COMPLETED', 'COMPLETED', 'replacement', 'taken', p_key, p_order.id, p_order.terms
  );
  return jsonb_build_object('outcome', 'placed', 'order_id', v_id);
end;
$$;

-- Answers a claim and mails the customer. A refund uses request_refund, for p_items ({line key: quantity}) if given.
-- A replacement is a free order of p_items. Declining needs a reason. Returns {outcome}: answered; already (with this
-- key); answered_before (with another key); not_found; or an outcome of request_refund or private.replace_items that
-- changes nothing. Raises 22023.
create function public.answer_claim(
  p_order_id bigint, p_claim_id bigint, p_key uuid, p_answer text, p_reason text, p_amount_paise bigint, p_items jsonb
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  v_order public.orders;
  v_claim public.claims;
  v_done jsonb := '{}';
begin
  if p_key is null or p_answer is null or p_answer not in ('refund', 'replacement', 'declined')
    or jsonb_typeof(p_items) is distinct from 'object'
    or jsonb_path_exists(p_items, 'strict $.* ? (@.type() != "number" || @ < 1 || @ > 100000)')
    or (p_answer = 'replacement' and p_items = '{}') or (p_answer = 'declined' and coalesce(btrim(p_reason), '') = '')
  then
    raise exception 'an answer needs a key, and items or a reason' using errcode = '22023';
  end if;
  select * into v_order from public.orders where id = p_order_id for update;
  select * into v_claim from public.claims where id = p_claim_id and order_id = p_order_id for update;
  if v_claim.id is null then
    return jsonb_build_object('outcome', 'not_found');
  elsif v_claim.answer is not null then
    return jsonb_build_object('outcome', case when v_claim.answer_key = p_key then 'already' else 'answered_before' end);
  end if;
  if p_answer = 'refund' then
    v_done := public.request_refund(
      p_order_id, p_key, p_amount_paise, coalesce(nullif(btrim(p_reason), ''), 'Damaged on arrival'), '{}', p_items);
    if v_done ->> 'outcome' not in ('refunding', 'already') then
      return v_done;
    end if;
  elsif p_answer = 'replacement' then
    v_done := private.replace_items(v_order, p_items, p_key);
    if v_done ->> 'outcome' <> 'placed' then
      return v_done;
    end if;
  end if;
  update public.claims
  set answer = p_answer, answered_at = clock_timestamp(), answer_key = p_key, reason = coalesce(btrim(p_reason), ''),
      amount_paise = case when p_answer = 'refund' then p_amount_paise end,
      replacement_id = (v_done ->> 'order_id')::bigint
  where id = p_claim_id
  returning * into v_claim;
  if coalesce(btrim(v_order.customer_email), '') <> '' then
    insert into public.outbox (kind, recipient, order_id, payload, dedupe_key)
    values (
      'claim_answered', v_order.customer_email, p_order_id,
      jsonb_build_object('answer', v_claim.answer, 'reason', v_claim.reason, 'amount_paise', v_claim.amount_paise,
        'replacement_id', v_claim.replacement_id),
      'claim_answered:' || p_claim_id
    );
  end if;
  return jsonb_build_object('outcome', 'answered');
end;
$$;

-- The claims of an order, newest first: [{id, createdAt, message, late, answer, answeredAt, reason, amountPaise,
-- replacementId, files: [{path, kind}]}].
create function public.read_claims(p_order_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'createdAt', c.created_at, 'message', c.message, 'late', c.late,
    'answer', c.answer, 'answeredAt', c.answered_at,
    'reason', c.reason, 'amountPaise', c.amount_paise, 'replacementId', c.replacement_id,
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('path', f.path, 'kind', f.kind) order by f.path), '[]')
      from public.claim_files f where f.claim_id = c.id)
  ) order by c.id desc), '[]')
  from public.claims c
  where c.order_id = p_order_id;
$$;

-- ── Deleting files ──

-- Marks files to delete and returns their paths: p_days after the answer, two years after a claim without one, two
-- days after an upload without a claim, and files that were marked before. Marks under the order's lock, as
-- report_claim does, so that no claim takes a file that is being deleted. Skips orders locked by others.
create function public.take_due_claim_files(p_days integer, p_limit integer)
returns setof text
language sql
security definer
set search_path = ''
as $$
  update public.claim_files set removing = true
  where path = any (array(
    select f.path
    from public.claim_files f
    join public.orders o on o.id = f.order_id
    where f.removing
      or (f.created_at < now() - interval '2 days' and (f.claim_id is null or exists (
        select 1 from public.claims c
        where c.id = f.claim_id
          and (c.answered_at < now() - make_interval(days => p_days) or c.created_at < now() - interval '2 years'))))
    order by f.created_at
    limit p_limit
    for update of o, f skip locked))
  returning path;
$$;

-- Deletes the rows of marked files that were deleted.
create function public.forget_claim_files(p_paths text[])
returns void
language sql
security definer
set search_path = ''
as $$
  delete from public.claim_files where path = any (p_paths) and removing;
$$;
