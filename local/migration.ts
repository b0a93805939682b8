/* `npm run migration -- SUBJECT`: makes an empty migration that runs after every other one, and prints its path. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say, warn } from './shared/log.ts';
import { nextMigration, readMigrationChecksums } from './shared/releases.ts';
import { projectRoot } from './shared/settings.ts';

const subject = process.argv.slice(2).join('_').toLowerCase();

if (!/^[a-z][a-z0-9_]*$/u.test(subject)) {
  warn(
    'Name the subject in letters, digits and underscores: npm run migration -- closure_in_catalogue',
  );
  process.exitCode = 1;
} else {
  const files = Object.keys(await readMigrationChecksums());
  const path = join('supabase/migrations', nextMigration(files, subject, new Date()));
  await writeFile(
    join(projectRoot, path),
    '-- What changes, and why the previous site still works on it.\n',
    { flag: 'wx' },
  );
  say(path);
}
