/* `npm run upgrade`: brings a live shop to the version of this checkout, in the order of docs/upgrading.md. */
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { version } from '#core/platform/version.ts';
import { shopFolder } from '#integrations/check-shop/shop-folder.ts';
import { unsetSettings } from '#integrations/check-shop/unset-settings.ts';
import { runCommand } from './backup/command-line.ts';
import { loadEnvFile } from './shared/env-file.ts';
import { say } from './shared/log.ts';
import { projectRoot } from './shared/settings.ts';
import { StartError } from './shared/start-error.ts';
import {
  pushMigrations,
  pushSettings,
  requireSettings,
  run,
} from './supabase-project/supabase-cli.ts';

const usage = `npm run upgrade -- --env-file FILE --site https://… [--from migrate|deploy|settings|doctor]
  Backs up, applies the new migrations with Supabase's CLI, waits until the site shows version ${version}, pushes the settings of
  the sign-up, and runs the doctor.
  --env-file FILE   the variables of production, with those of the backup (DATABASE_URL, BACKUP_PASSPHRASE)
  --site ADDRESS    the deployed site
  --from STEP       continues with this step`;

const deployWaitMs = 30 * 60_000;
const healthSchema = z.object({ version: z.string() });

interface Shop {
  envFile: string;
  site: string;
}

const runScript = (name: string, ...words: string[]): void => {
  run(process.execPath, ['--', join(projectRoot, 'local', name), ...words]);
};

/** The version of the deployed functions; null while the site does not report it. An unhealthy shop reports it, too. */
async function deployedVersion(site: string): Promise<string | null> {
  try {
    const response = await fetch(new URL('/api/health', site));
    return healthSchema.safeParse(await response.json()).data?.version ?? null;
  } catch {
    return null;
  }
}

async function awaitDeploy({ site }: Shop): Promise<void> {
  say(
    `Push this commit to the branch that Netlify builds. Waiting until ${site} shows ${version} …`,
  );
  const until = Date.now() + deployWaitMs;
  while ((await deployedVersion(site)) !== version) {
    if (Date.now() > until)
      throw new StartError(
        'The site does not show it after half an hour: look at Netlify, Deploys.',
      );
    await pause(10_000);
  }
}

const steps: Readonly<Record<string, { why: string; run: (shop: Shop) => Promise<void> | void }>> =
  {
    'back-up': {
      why: 'A migration cannot be taken back.',
      run: ({ envFile }) => {
        runScript('backup.ts', '--env-file', envFile);
      },
    },
    migrate: {
      why: 'The new functions need the new database; the present ones work on it, too.',
      run: async ({ envFile }) => {
        loadEnvFile(envFile);
        const address = process.env['DATABASE_URL'];
        if (!address)
          throw new StartError(
            `DATABASE_URL is not in ${envFile}: it is the connection string of the database (Connect, Session pooler).`,
          );
        await pushMigrations(address);
      },
    },
    deploy: { why: 'From here on the site is the new one.', run: awaitDeploy },
    settings: {
      why: 'Codes and limits of the sign-up, and the hook to the deployed function that mails them.',
      run: () => pushSettings(),
    },
    doctor: {
      why: 'It compares what is live with this checkout.',
      run: ({ envFile, site }) => {
        runScript('doctor.ts', '--env-file', envFile, '--site', site);
      },
    },
  };

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      'env-file': { type: 'string' },
      site: { type: 'string' },
      from: { type: 'string', default: 'back-up' },
      help: { type: 'boolean', default: false },
    },
  });
  const { 'env-file': envFile, site, from } = values;
  const first = Object.keys(steps).indexOf(from);
  if (values.help || envFile === undefined || !site || !URL.canParse(site) || first === -1) {
    say(usage);
    if (!values.help) process.exitCode = 2;
    return;
  }
  const unset = unsetSettings(shopFolder);
  if (unset.length > 0)
    say(
      `Settings that src/shop leaves to the engine: ${unset.join(', ')}. CHANGELOG.md names those that are new, with their defaults.`,
    );
  const ahead = Object.entries(steps).slice(first);
  // What would stop a later step stops the upgrade while the shop is still as it was.
  if (ahead.some(([name]) => name === 'settings')) {
    loadEnvFile(envFile);
    await requireSettings();
  }
  for (const [name, step] of ahead) {
    say(`\n── ${name}: ${step.why}`);
    try {
      await step.run({ envFile, site });
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      throw new StartError(
        `${error.message} Nothing after it was done. Continue with \`--from ${name}\` when it is right.`,
      );
    }
  }
  say(`\nThe shop is at ${version}.`);
});
