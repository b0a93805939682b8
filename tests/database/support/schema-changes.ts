import { expect } from 'vitest';
import { readSchemas, type SqlFile } from '#local/shared/sql-files.ts';

/* Changes of supabase/schemas, and what `npm run migration` writes for each. */

export const schemas = await readSchemas();

type Replacement = readonly [from: string, to: string];

/** The schema files with texts of one file replaced. Each must be there once. */
export const changing = (file: string, ...replacements: readonly Replacement[]): SqlFile[] =>
  schemas.map(({ name, sql }) => {
    if (name !== file) return { name, sql };
    const changed = replacements.reduce((text, [from, to]) => {
      expect(text.split(from)).toHaveLength(2);
      return text.replace(from, () => to);
    }, sql);
    return { name, sql: changed };
  });

const withoutText = (file: string, expression: RegExp): Replacement => {
  const [text = ''] = expression.exec(schemas.find(({ name }) => name === file)?.sql ?? '') ?? [];
  return [text, ''];
};

interface SchemaChange {
  change: SqlFile[];
  /** Lines of SQL that the block has, in this order. */
  written: string[];
  /** Lines for the author. */
  asked?: unknown[];
  /** What the author writes before the block, and after it. */
  byHand?: readonly [before: string, after: string];
}

const notes = `create table public.notes (id bigint generated always as identity primary key, words text not null check (words <> ''));
alter table public.notes enable row level security;`;

export const schemaChanges: Readonly<Record<string, () => SchemaChange>> = {
  'the text of a function': () => ({
    change: changing('foundation.sql', [
      'new.updated_at := now();',
      `new.updated_at := now() + interval '0';`,
    ]),
    written: ['create or replace function private.touch_updated_at()'],
  }),
  'a further argument': () => ({
    change: changing('reconciliation.sql', [
      'p_deducted_paise bigint default null\n)\nreturns jsonb',
      'p_deducted_paise bigint default null, p_note text default null\n)\nreturns jsonb',
    ]),
    written: [
      'drop function public.record_dispute(text,text,text,bigint,text,text,timestamp with time zone,bigint);',
      'create function public.record_dispute(',
      'grant execute on function public.record_dispute(text,text,text,bigint,text,text,timestamp with time zone,bigint,text) to service_role;',
    ],
  }),
  'the arguments of a function that a policy asks': () => ({
    change: changing(
      'orders.sql',
      [
        'create function private.own_order_ids()',
        'create function private.own_order_ids(p_any boolean default true)',
      ],
      ['private.own_order_ids() to', 'private.own_order_ids(boolean) to'],
    ),
    written: [
      'drop policy "Customers read their own orders" on public.orders;',
      'drop function private.own_order_ids();',
      'create function private.own_order_ids(p_any boolean default true)',
      'create policy "Customers read their own orders" on public.orders',
      'grant execute on function private.own_order_ids(boolean) to authenticated;',
    ],
  }),
  'a view': () => ({
    change: changing('figures.sql', ['o.admin_key, o.restocked, o.paid,', 'o.admin_key, o.paid,']),
    written: ['drop view private.bought_orders;', 'create view private.bought_orders as'],
  }),
  'a policy': () => ({
    change: changing('occasion.sql', [
      'for select to anon, authenticated using (true);',
      'for select to anon using (true);',
    ]),
    written: [
      'drop policy "Everyone reads the occasion" on public.occasion;',
      'create policy "Everyone reads the occasion" on public.occasion',
    ],
  }),
  'a trigger': () => ({
    change: changing('orders.sql', [
      `when (old.hold_state in ('held', 'reserved')`,
      `when (old.hold_state in ('held')`,
    ]),
    written: [
      'drop trigger orders_set_released_at on public.orders;',
      'create trigger orders_set_released_at',
    ],
  }),
  'an index': () => ({
    change: changing('claims.sql', [
      'create unique index claims_open_idx',
      'create index claims_open_idx',
    ]),
    written: [
      'drop index public.claims_open_idx;',
      'create index claims_open_idx on public.claims (order_id) where answer is null;',
    ],
  }),
  'rights of columns': () => ({
    change: changing('reviews.sql', [
      'words, name, town, image, state, answer) on',
      'words, name, image, order_id) on',
    ]),
    written: [
      'revoke select (answer, state, town) on table public.reviews from anon;',
      'grant select (order_id) on table public.reviews to authenticated;',
    ],
  }),
  'rights of a table, and a comment with a quote': () => ({
    change: changing(
      'products.sql',
      [`'Rupees each while an offer applies; this is what is charged'`, `'The customer''s price'`],
      [
        'grant select on public.products to anon, authenticated;',
        'grant select on public.products to anon, authenticated;\ngrant insert on public.products to authenticated;',
      ],
    ),
    written: [
      `comment on column public.products."offerPrice" is 'The customer''s price';`,
      'grant insert on table public.products to authenticated;',
    ],
  }),
  'a function and an index that are gone': () => {
    const file = 'cash-on-delivery.sql';
    return {
      change: changing(
        file,
        withoutText(file, /^create index cash_refusals_created_at_idx .*$/mu),
        withoutText(file, /^create function private\.tracking_key\([^]*?^\$\$;$/mu),
      ),
      written: [
        'drop index public.cash_refusals_created_at_idx;',
        'drop function private.tracking_key(text);',
      ],
    };
  },
  'a column': () => ({
    change: changing(
      'orders.sql',
      [
        '  amount numeric(12, 2) generated',
        '  parcel_notes jsonb,\n  amount numeric(12, 2) generated',
      ],
      [
        'create trigger orders_touch_updated_at',
        'create index orders_parcel_notes_idx on public.orders (id) where parcel_notes is null;\ncreate trigger orders_touch_updated_at',
      ],
    ),
    asked: ['column public.orders.parcel_notes jsonb'],
    byHand: ['alter table public.orders add column parcel_notes jsonb;', ''],
    written: [
      'create index orders_parcel_notes_idx on public.orders (id) where parcel_notes is null;',
    ],
  }),
  'a table that comes, and one that goes': () => {
    const file = 'fulfilment.sql';
    const [gone] = withoutText(
      file,
      /^create table public\.order_changes \([^]*?^alter table public\.order_changes enable row level security;$/mu,
    );
    return {
      change: changing(file, [
        gone,
        `${notes}\ncreate index notes_words_idx on public.notes (words);`,
      ]),
      asked: [
        'table public.notes owner postgres, row level security on',
        'drop table public.order_changes',
      ],
      byHand: [notes, 'drop table public.order_changes;'],
      written: [
        'create index notes_words_idx on public.notes (words);',
        'grant all on table public.notes to service_role;',
      ],
    };
  },
  'a row': () => ({
    change: changing('shop-settings.sql', [
      `values ('KSV', 'KSV', 'CN');`,
      `values ('KSV', 'KSV', 'CX');`,
    ]),
    asked: [
      expect.stringMatching(/^rows public\.shop_settings .*"CX"/u),
      expect.stringMatching(/^drop rows public\.shop_settings .*"CN"/u),
    ],
    byHand: ['', `update public.shop_settings set credit_note_prefix = 'CX' where true;`],
    written: [],
  }),
};
