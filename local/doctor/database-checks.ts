import * as z from 'zod';
import { unknownNetwork } from '#core/platform/costs.ts';
import { sqlSettings } from '#settings/sql-settings.ts';
import { describeGap, describeVersion, foldHistory } from '#local/shared/migration-history.ts';
import { readReleases } from '#local/shared/releases.ts';
import { type Check, Skipped, tellUnreachable, valueOf } from './check.ts';
import {
  callDatabase,
  describeSchema,
  type Description,
  readDescription,
} from './read-database.ts';
import { readMigratedSchema } from './schema-of-migrations.ts';

const summarise = (found: readonly string[]): string =>
  `${found.slice(0, 5).join(', ')}${found.length > 5 ? ` and ${String(found.length - 5)} more` : ''}`;
const push =
  'Back up, run `npm run supabase -- db push --remote` from this checkout, then deploy it: docs/upgrading.md has the steps.';

/** Migrations are named by their time here. */
async function compareVersions(
  applied: readonly string[],
  expected: readonly string[],
): Promise<string> {
  const releases = await readReleases();
  return `The database is ${describeVersion(releases, applied)}, this code expects one ${describeVersion(releases, expected)}.`;
}

/** What a database has, a line each. `others`: what somebody may have added, and what would open rows to a browser. */
function linesOf(schema: Description, others: boolean): string[] {
  const bucket = (
    name: string,
    { allowed_mime_types: types, ...rest }: NonNullable<Description['bucket']>,
  ) => `bucket ${name} ${JSON.stringify({ ...rest, types: types?.toSorted() })}`;
  return [
    ...Object.entries(schema.tables).flatMap(([name, locked]) =>
      locked ? (others ? [] : [`table ${name}`]) : [`table ${name} without row level security`],
    ),
    ...(others
      ? []
      : Object.entries(schema.functions).map((entry) => `function ${entry.join(' ')}`)),
    ...schema.policies.map((policy) => `policy ${policy}`),
    ...schema.grants.map((grant) => `grant ${grant}`),
    ...schema.executable.map((name) => `browsers may execute ${name}`),
    ...(schema.bucket === null ? [] : [bucket('product-images', schema.bucket)]),
    ...(schema.claims === null ? [] : [bucket('claims', schema.claims)]),
  ];
}

export const databaseChecks: readonly Check[] = [
  {
    name: 'Supabase can be reached, and takes both keys',
    run: async (target) =>
      tellUnreachable(async () => {
        const path = '/rest/v1/catalogue_version?select=version';
        const { status } = await callDatabase(target, 'publishable', path);
        if (status >= 500) return `Supabase answers ${String(status)}.`;
        if (status === 401 || status === 403)
          return `Supabase refuses PUBLIC_SUPABASE_PUBLISHABLE_KEY (${String(status)}).`;
        const { status: secret } = await describeSchema(target);
        return secret === 401 || secret === 403
          ? `Supabase refuses SUPABASE_SECRET_KEY (${String(secret)}).`
          : null;
      }),
    fix: 'Compare SUPABASE_URL with the Project URL, and the keys with Project Settings, API Keys; after a change deploy again. A free project that nobody used for a week is paused: wake it in the Supabase dashboard.',
  },
  {
    name: 'The migrations are applied',
    async run(target) {
      const answer = await describeSchema(target);
      if (answer.status === 404)
        return 'The database does not know the shop’s functions: no migration is applied, or an old version.';
      const { migrations, tables } = await readDescription(target);
      const migrated = await readMigratedSchema();
      const missing = Object.keys(migrated.tables).filter((name) => !(name in tables));
      if (missing.length > 0) return `Tables are missing: ${summarise(missing)}.`;
      const expected = migrated.migrations ?? [];
      const { history, gap } = foldHistory(await readReleases(), migrations ?? []);
      const absent =
        migrations === null ? [] : expected.filter((version) => !history.includes(version));
      if (absent.length === 0 && gap === null) return null;
      const which = `${await compareVersions(migrations ?? [], expected)} Not applied: ${summarise(gap?.missing ?? absent)}.`;
      return gap === null ? which : `${which} ${describeGap('It', gap)}`;
    },
    fix: push,
  },
  {
    name: 'The database is not newer than this checkout',
    async run(target) {
      const { migrations } = await readDescription(target);
      const expected = (await readMigratedSchema()).migrations ?? [];
      const { history, gap } = foldHistory(await readReleases(), migrations ?? []);
      // A database that is too old has migrations which this checkout no longer has.
      if (gap) return null;
      const more = history.filter((version) => !expected.includes(version));
      return more.length === 0 ? null : await compareVersions(migrations ?? [], expected);
    },
    fix: 'Continue the upgrade: `git pull`, `npm install`, deploy that commit, and run its doctor. docs/upgrading.md has the steps. The deployed site works meanwhile.',
  },
  {
    name: 'The database is as the migrations make it',
    async run(target) {
      const [live, migrated] = [await readDescription(target), await readMigratedSchema()];
      const has = new Set(linesOf(live, false));
      const missing = linesOf(migrated, false).filter((line) => !has.has(line));
      const expected = new Set(linesOf(migrated, true));
      const more = linesOf(live, true).filter((line) => !expected.has(line));
      const found = [
        ...(more.length > 0 ? [`Besides: ${summarise(more)}.`] : []),
        ...(missing.length > 0 ? [`Missing or changed: ${summarise(missing)}.`] : []),
      ];
      return found.length === 0 ? null : found.join(' ');
    },
    fix: `${push} What somebody added by hand may open customers’ data to everyone: drop the policy, revoke the grant, or run \`alter table public.NAME enable row level security;\`. What was changed by hand is in supabase/schemas: run its text in the SQL editor. Buckets: Supabase, Storage, Edit bucket.`,
  },
  {
    name: 'The database has the prefixes of this checkout',
    async run(target) {
      const columns = Object.keys(sqlSettings).join(',');
      const answer = await callDatabase(
        target,
        'secret',
        `/rest/v1/shop_settings?select=${columns}`,
      );
      if (!answer.ok) throw new Skipped('the migrations are not applied.');
      const [row] = z.array(z.record(z.string(), z.string())).parse(await answer.json());
      const wrong = Object.entries(sqlSettings).flatMap(([column, value]) =>
        row?.[column] === value
          ? []
          : [`${column} is ${row?.[column] ?? 'missing'} instead of ${value}`],
      );
      return wrong.length === 0 ? null : `${wrong.join(', ')}.`;
    },
    fix: 'Deploy this checkout: its next sweep, within five minutes, writes the prefixes of src/shop/shop.ts. Or run `select public.set_shop_settings(…)` in the SQL editor.',
  },
  {
    name: 'A visitor reads the catalogue, and there is something in it',
    async run(target) {
      const answer = await callDatabase(
        target,
        'publishable',
        '/rest/v1/products?select=id&limit=1',
      );
      if (answer.status === 401 || answer.status >= 500)
        throw new Skipped('the database does not take the publishable key.');
      if (!answer.ok)
        return `Reading products is answered with ${String(answer.status)}: pages show no price.`;
      return z.array(z.unknown()).parse(await answer.json()).length > 0
        ? null
        : 'There is no product.';
    },
    fix: 'Add the first product at /admin once the site is deployed. If reading is refused, the check of the database above says why.',
  },
  {
    name: 'Auth names the network of whoever requests a code',
    async run(target) {
      if (target.embedded) throw new Skipped('here everybody is on this machine.');
      const answer = await callDatabase(
        target,
        'secret',
        '/rest/v1/costs?select=key&effect=eq.code_mail&scope=eq.shared&order=at.desc&limit=100',
      );
      if (!answer.ok) throw new Skipped('another check reports that the database cannot be read.');
      const codes = z.array(z.object({ key: z.string() })).parse(await answer.json());
      if (codes.length === 0) throw new Skipped('nobody has requested a code in the last day.');
      const unknown = unknownNetwork(valueOf(target, 'SUPABASE_SECRET_KEY'));
      const nameless = codes.filter(({ key }) => key === unknown).length;
      return nameless === 0
        ? null
        : `${String(nameless)} of the last ${String(codes.length)} codes came from no network that Auth names. Such customers share the limits of one network.`;
    },
    fix: 'docs/going-live.md, step 8, "What only your project can show": the count of networks after two sign-ups.',
  },
];
