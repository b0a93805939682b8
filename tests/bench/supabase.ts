/*
 * `npm run bench -- supabase [--captcha] [--only WORDS]`: one list of what the shop relies on, run on the embedded Supabase and on the
 * project of SHOP_SUPABASE (docs/going-live.md, "A rehearsal"), printed as one table. Without SHOP_SUPABASE the embedded one alone.
 * `--captcha` runs the rows for a project whose security check is on. Fails on a difference without a reason.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readProject } from '#local/supabase-project/project.ts';
import { startEmbeddedStack } from './support/embedded-stack.ts';
import { accountRows } from './supabase/account-rows.ts';
import { backUpAndRestore, backupWant } from './supabase/backup-row.ts';
import { captchaRows } from './supabase/captcha-rows.ts';
import { databaseRows } from './supabase/database-rows.ts';
import { sessionRows } from './supabase/session-rows.ts';
import { shopRows } from './supabase/shop-rows.ts';
import { storageRows } from './supabase/storage-rows.ts';
import { ask, sql, type Place, type Row } from './supabase/place.ts';

const { values: options } = parseArgs({
  options: { captcha: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const projectFile = process.env['SHOP_SUPABASE'];
delete process.env['SHOP_SUPABASE'];
const rows = (
  options.captcha
    ? captchaRows
    : [...databaseRows, ...accountRows, ...sessionRows, ...storageRows, ...shopRows]
).filter(({ name }) => name.includes(options.only ?? ''));

const folder = await mkdtemp(join(tmpdir(), 'bench-supabase-'));

/** Starts the shop on the embedded Supabase, or on the project. */
async function startPlace(name: 'embedded' | 'project'): Promise<Place> {
  const project = name === 'project' && projectFile ? readProject(resolve(projectFile)) : null;
  const stack = await startEmbeddedStack(join(folder, name), {
    env: {
      ...(project && projectFile ? { SHOP_SUPABASE: resolve(projectFile) } : {}),
      ...(options.captcha && !project ? { SHOP_TURNSTILE: '1' } : {}),
      PORT: process.env['PORT'] ?? '',
    },
    // Auth calls the shop of a project at an address that it knows.
    ...(project && process.env['PORT'] ? { port: Number(process.env['PORT']) } : {}),
  });
  return {
    stack,
    origin: stack.origin,
    supabase: project?.SUPABASE_URL ?? stack.origin,
    publishableKey: project?.SUPABASE_PUBLISHABLE_KEY ?? stack.secrets.publishableKey,
    secretKey: project?.SUPABASE_SECRET_KEY ?? stack.secrets.secretKey,
  };
}

/** What the servers say of themselves. */
async function describe(place: Place): Promise<string> {
  const { text } = await ask(place, '/auth/v1/health');
  const version = /"version":"([^"]*)"/u.exec(text)?.[1] ?? '';
  const { headers } = await ask(place, '/rest/v1/', { key: place.secretKey });
  const [postgres] = await sql<{ server_version: string }>(place, 'show server_version');
  return `Auth ${version === '' ? 'without a version' : version}, Data API ${headers.get('server') ?? 'without a name'}, PostgreSQL ${postgres?.server_version ?? ''}`;
}

const outcomeOf = async (row: Row, place: Place | null): Promise<string | null> =>
  place === null ? null : row.run(place).catch((error: unknown) => `failed: ${String(error)}`);

let faults = 0;
function print(
  { name, want, embedded }: Pick<Row, 'name' | 'want' | 'embedded'>,
  outcomes: { embedded: string; project: string | null },
): void {
  const isRight = outcomes.embedded === (embedded?.want ?? want);
  const isSame = outcomes.project === null || outcomes.project === want;
  const verdict =
    outcomes.project === null
      ? isRight
        ? 'embedded only'
        : 'WRONG'
      : isRight && isSame
        ? embedded
          ? 'differs'
          : 'same'
        : 'DIFFERENT';
  if (!isRight || !isSame) faults += 1;
  console.log(`${verdict.padEnd(14)}${name}`);
  if (verdict === 'differs') console.log(`${' '.repeat(14)}${embedded?.why ?? ''}`);
  if (isRight && isSame) return;
  console.log(`${' '.repeat(14)}wanted   ${want}`);
  console.log(`${' '.repeat(14)}embedded ${outcomes.embedded}`);
  if (outcomes.project !== null) console.log(`${' '.repeat(14)}project  ${outcomes.project}`);
}

const embedded = await startPlace('embedded');
let project: Place | null = null;
try {
  project = projectFile ? await startPlace('project') : null;
  console.log(`embedded      ${await describe(embedded)}`);
  if (project) console.log(`project       ${await describe(project)}`);
  for (const row of rows)
    print(row, {
      embedded: (await outcomeOf(row, embedded)) ?? '',
      project: await outcomeOf(row, project),
    });
} finally {
  await embedded.stack.stop();
  await project?.stack.stop();
}
try {
  if (!options.captcha && 'backup'.includes(options.only ?? ''))
    print(
      { name: 'a backup and its restore: rows, accounts and files', want: backupWant },
      {
        embedded: await backUpAndRestore({ SHOP_DATA_DIR: join(folder, 'embedded') }),
        project: projectFile
          ? await backUpAndRestore({ ...readProject(resolve(projectFile)) })
          : null,
      },
    );
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(
  faults === 0 ? '\nNo difference without a reason.' : `\n${String(faults)} differences.`,
);
process.exit(faults === 0 ? 0 : 1);
