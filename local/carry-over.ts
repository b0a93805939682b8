/*
 * `npm run carry-over [-- --from COMMIT]`: once, for a shop of 1.1.0: takes its settings out of the two files of before and writes them to
 * src/shop. Says each one, and which of the shop's other changes have a new place.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { faultsOf } from '../src/integrations/check-shop/check-shop.ts';
import { shopFolder } from '../src/integrations/check-shop/shop-folder.ts';
import { runCommand } from './backup/command-line.ts';
import { say, warn } from './shared/log.ts';
import { readReleases } from './shared/releases.ts';
import { projectRoot } from './shared/settings.ts';
import { StartError } from './shared/start-error.ts';
import { carrySettings } from './shop-folder/carry-settings.ts';
import { oldFiles, readOldSettings } from './shop-folder/read-settings-1.1.ts';
import { writeSettings } from './shop-folder/write-settings.ts';

const usage = `npm run carry-over [-- --from COMMIT]
  Writes what a shop of 1.1.0 had set in ${oldFiles.join(' and ')} to src/shop.
  --from COMMIT   the shop before this upgrade; HEAD while "git pull" waits for its conflicts to be resolved`;

/** Where words, colours and pictures of a page are now, by the path they had. */
const newPlaces: readonly (readonly [before: RegExp, now: string])[] = [
  [/^src\/pages\/index\.astro$|^src\/components\/home\//u, 'src/shop/texts/home.yaml'],
  [/^src\/pages\/about\.astro$|^src\/components\/about\//u, 'src/shop/texts/about.yaml'],
  [/^src\/components\/contact\/faq-questions\.ts$/u, 'src/shop/texts/contact.yaml'],
  [/^src\/pages\/shop\//u, 'src/shop/texts/shop.yaml'],
  [/^src\/pages\/privacy\.astro$/u, 'src/shop/texts/privacy.md'],
  [/^src\/pages\/returns\.astro$/u, 'src/shop/texts/returns.md'],
  [/^src\/pages\/shipping-policy\.astro$/u, 'src/shop/texts/shipping-policy.md'],
  [/^src\/pages\/terms\.astro$|^src\/components\/policy\//u, 'src/shop/texts/terms.md'],
  [/^tailwind\.config\.mjs$/u, 'src/shop/theme.ts'],
  [/^public\//u, 'src/shop/public/'],
  [/^src\/styles\/fonts/u, 'src/shop/fonts/'],
  [/^src\/components\/site\/Logo\.astro$/u, 'src/shop/logo.svg'],
  [
    /^supabase\/(?:config\.toml|templates\/)/u,
    'nowhere: sign-up mails take name and colours from src/shop',
  ],
  [/^src\/domain\/catalogue\/product\.ts$/u, 'src/shop/categories.ts'],
];

async function carryOver(): Promise<void> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string', default: 'HEAD' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    say(usage);
    return;
  }
  const { from } = values;
  const release = (await readReleases()).find(({ version }) => version === '1.1.0');
  if (release === undefined) throw new StartError('releases.json does not name 1.1.0.');
  const [old, released] = [await readOldSettings(from), await readOldSettings(release.commit)];
  const { settings, sentences, toDo } = carrySettings(shopFolder, old, released);
  await writeSettings(join(projectRoot, 'src/shop'), settings, shopFolder);
  for (const sentence of sentences) say(sentence);
  say(`${String(sentences.length)} settings written to src/shop.`);

  const changed = execFileSync('git', ['diff', '--name-only', release.commit, from], {
    cwd: projectRoot,
    encoding: 'utf8',
  }).split('\n');
  for (const path of changed) {
    const place = newPlaces.find(([before]) => before.test(path))?.[1];
    if (place !== undefined) toDo.push(`You changed ${path}. Its place is ${place} now.`);
  }
  for (const sentence of [...toDo, ...faultsOf(settings)]) warn(`To do: ${sentence}`);
  say(
    `Then: git rm ${oldFiles.join(' ')}, git add src/shop, settle the other conflicts that git status names, git commit, npm test.`,
  );
}

await runCommand(carryOver);
