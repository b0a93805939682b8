import { expect, test } from 'vitest';
import { planBetween } from '#local/migration/make-migration.ts';
import { splitStatements } from '#local/migration/sql-statements.ts';
import { readReleases } from '#local/shared/releases.ts';
import { schemaPaths, type SqlFile } from '#local/shared/sql-files.ts';
import { expectEqualAfter } from '#tests/database/support/equal-databases.ts';
import { createDatabaseOf } from '#tests/database/support/postgres.ts';
import { hasCommit, listSources, readSource } from '#tests/git-sources.ts';

const commit = (await readReleases()).find(({ version }) => version === '1.3.2')?.commit ?? '';
const own =
  /^(?:create (?:or replace )?(?:function|view|policy|trigger|(?:unique )?index)|comment|grant|drop (?:function|view|policy|trigger|index)) /u;

const lostPaise = [
  'column public.credit_notes.credited_paise',
  'column public.payments.lost_paise',
  'constraint public.credit_notes: credit_notes_credited_paise_check',
  'constraint public.payments: payments_check',
];

test.for([
  [
    '350_cash_on_delivery',
    [
      ...lostPaise,
      'column public.orders.cash_paise',
      'column public.orders.stage',
      'table public.cash_refusals',
    ],
  ],
  [
    '410_ended_cash_orders',
    [
      ...lostPaise,
      'rows public.cost_limits',
      'drop constraint public.credit_notes: credit_notes_refused_order_id_key',
    ],
  ],
  [
    '420_disputed_money',
    [...lostPaise, 'drop constraint public.credit_notes: credit_notes_refused_order_id_key'],
  ],
] as const)(
  'the migrations of 1.3.2 from %s on are written again, but for what moves data',
  async ([from, asked], { skip }) => {
    if (!hasCommit(commit)) skip('This clone has no commit of 1.3.2: fetch the whole history.');
    const read = (path: string): SqlFile => ({ name: path, sql: readSource(commit, path) });
    const old = schemaPaths(read('supabase/config.toml').sql).map((path) =>
      read(`supabase/${path.replace('./', '')}`),
    );
    const migrations = listSources(commit, 'supabase/migrations').map(read);
    const first = migrations.findIndex(({ name }) => name.includes(from));
    expect(first).toBeGreaterThan(0);
    const byHand = migrations
      .slice(first)
      .flatMap(({ sql }) => splitStatements(sql))
      .filter((text) => !own.test(text));
    const isLate = (text: string): boolean => /^(?:select|update) /u.test(text);
    const declared = await createDatabaseOf(old);
    const migrated = await createDatabaseOf(migrations.slice(0, first));
    try {
      const unaided = await planBetween(declared, migrated, old);
      const lines = [...unaided.before, ...unaided.after];
      expect(
        asked.filter((one) => !lines.some((line) => `${line} `.startsWith(`${one} `))),
      ).toEqual([]);
      for (const text of byHand.filter((one) => !isLate(one))) await migrated.run(text);
      const plan = await planBetween(declared, migrated, old);
      expect(plan.sql).toMatch(/^create or replace function /mu);
      expect({ before: plan.before, after: plan.after }).toEqual({ before: [], after: [] });
      await expectEqualAfter(migrated, declared, [plan.sql, ...byHand.filter(isLate)]);
    } finally {
      await migrated.close();
      await declared.close();
    }
  },
);
