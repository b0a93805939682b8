import * as z from 'zod';
import { unknownNetwork } from '../../netlify/core/platform/costs.ts';
import { sqlSettings } from '../../src/settings/sql-settings.ts';
import { describeVersion, readReleases } from '../shared/releases.ts';
import { type Check, Skipped, tellUnreachable, valueOf } from './check.ts';
import { callDatabase, describeSchema, readDescription } from './read-database.ts';
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
const grantsFile = 'supabase/migrations/20261120001700_grants.sql';

export const databaseChecks: readonly Check[] = [
  {
    name: 'The database can be reached',
    run: async (target) =>
      tellUnreachable(async () => {
        const { status } = await callDatabase(
          target,
          'publishable',
          '/rest/v1/catalogue_version?select=version',
        );
        return status >= 500 ? `Supabase answers ${String(status)}.` : null;
      }),
    fix: 'Compare SUPABASE_URL with the Project URL. A free project that nobody used for a week is paused: wake it in the Supabase dashboard.',
  },
  {
    name: 'Supabase takes the publishable key',
    async run(target) {
      const { status } = await callDatabase(
        target,
        'publishable',
        '/rest/v1/catalogue_version?select=version',
      );
      return status === 401 || status === 403
        ? `Supabase refuses PUBLIC_SUPABASE_PUBLISHABLE_KEY (${String(status)}).`
        : null;
    },
    fix: 'Copy the publishable key of this project: Project Settings, API Keys. After a change, deploy again: the key is in the pages.',
  },
  {
    name: 'Supabase takes the secret key',
    async run(target) {
      const { status } = await describeSchema(target);
      return status === 401 || status === 403
        ? `Supabase refuses SUPABASE_SECRET_KEY (${String(status)}).`
        : null;
    },
    fix: 'Copy the secret key of this project: Project Settings, API Keys.',
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
      const absent =
        migrations === null ? [] : expected.filter((version) => !migrations.includes(version));
      return absent.length === 0
        ? null
        : `${await compareVersions(migrations ?? [], expected)} Not applied: ${summarise(absent)}.`;
    },
    fix: push,
  },
  {
    name: 'The database is not newer than this checkout',
    async run(target) {
      const { migrations } = await readDescription(target);
      const expected = (await readMigratedSchema()).migrations ?? [];
      const more = (migrations ?? []).filter((version) => !expected.includes(version));
      return more.length === 0 ? null : await compareVersions(migrations ?? [], expected);
    },
    fix: 'Continue the upgrade: `git pull`, `npm install`, deploy that commit, and run its doctor. docs/upgrading.md has the steps. The deployed site works meanwhile.',
  },
  {
    name: 'The functions in the database are those of the migrations',
    async run(target) {
      const { functions } = await readDescription(target);
      const wrong = Object.entries((await readMigratedSchema()).functions)
        .filter(([name, hash]) => functions[name] !== hash)
        .map(([name]) => name);
      return wrong.length === 0 ? null : `Missing or changed: ${summarise(wrong)}.`;
    },
    fix: `${push} If somebody edited a function by hand, put the text of supabase/schemas back in the SQL editor.`,
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
    name: 'Row level security is on for every table',
    async run(target) {
      const off = Object.entries((await readDescription(target)).tables).flatMap(([name, on]) =>
        on ? [] : [name],
      );
      return off.length === 0
        ? null
        : `It is off for ${summarise(off)}: whoever has the publishable key may read these.`;
    },
    fix: 'Run `alter table public.NAME enable row level security;` in the SQL editor.',
  },
  {
    name: 'The policies are those of the migrations',
    async run(target) {
      const { policies } = await readDescription(target);
      const expected = (await readMigratedSchema()).policies;
      const [missing, more] = [
        expected.filter((name) => !policies.includes(name)),
        policies.filter((name) => !expected.includes(name)),
      ];
      if (more.length > 0)
        return `Somebody added ${summarise(more)}: it opens rows that the shop keeps closed.`;
      return missing.length === 0 ? null : `Missing: ${summarise(missing)}.`;
    },
    fix: 'Drop what was added (`drop policy "NAME" on public.TABLE;`); make what is missing again: it is in supabase/schemas.',
  },
  {
    name: 'Browsers may do what the grants file says, and no more',
    async run(target) {
      const { grants } = await readDescription(target);
      const expected = (await readMigratedSchema()).grants;
      const [missing, more] = [
        expected.filter((grant) => !grants.includes(grant)),
        grants.filter((grant) => !expected.includes(grant)),
      ];
      if (more.length > 0) return `Granted besides: ${summarise(more)}.`;
      return missing.length === 0 ? null : `Not granted: ${summarise(missing)}.`;
    },
    fix: `Run ${grantsFile} again in the SQL editor (it may run twice); take away the rest with \`revoke PRIVILEGE on public.TABLE from ROLE;\`.`,
  },
  {
    name: 'No browser may execute a function of the shop',
    async run(target) {
      const { executable } = await readDescription(target);
      return executable.length === 0 ? null : `It may execute ${summarise(executable)}.`;
    },
    fix: 'Run `revoke execute on function public.NAME from public, anon, authenticated;` in the SQL editor.',
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
    fix: `Add the first product at /admin once the site is deployed. If reading is refused, run ${grantsFile} again.`,
  },
  {
    name: 'A visitor reads no orders',
    async run(target) {
      const answer = await callDatabase(target, 'publishable', '/rest/v1/orders?select=id&limit=1');
      return answer.ok && z.array(z.unknown()).parse(await answer.json()).length > 0
        ? 'With the publishable key orders can be read: names, addresses and phone numbers are open to everyone.'
        : null;
    },
    fix: 'Take the shop offline until it is fixed: `alter table public.orders enable row level security;`, and drop every policy on it but the migrations’.',
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
  {
    name: 'The bucket of the pictures is public and has its limits',
    async run(target) {
      const { bucket } = await readDescription(target);
      if (bucket === null) return 'There is no bucket product-images.';
      if (bucket.public !== true)
        return 'The bucket product-images is private: customers see no pictures.';
      if (bucket.file_size_limit !== 8 * 1024 * 1024)
        return 'The bucket product-images does not limit files to 8 MB.';
      return bucket.allowed_mime_types?.every((type) => type.startsWith('image/')) === true
        ? null
        : 'The bucket product-images takes files that are no pictures.';
    },
    fix: 'In Supabase, Storage, product-images, Edit bucket: public, 8 MB, image/jpeg, image/png, image/webp, image/avif. `supabase/schemas/products.sql` has it.',
  },
  {
    name: 'The files of damage claims are private',
    async run(target) {
      const { claims } = await readDescription(target);
      if (claims === null) return 'There is no bucket claims.';
      return claims.public === true
        ? 'The bucket claims is public: everyone can open customers’ photos.'
        : null;
    },
    fix: 'In Supabase, Storage, claims, Edit bucket: not public, 6 MB. `supabase/schemas/claims.sql` has it.',
  },
];
