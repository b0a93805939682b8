/* `npm run doctor`: reports what is wrong with a shop, before and after a deploy, and how to fix it. */
import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { Target } from './doctor/check.ts';
import { embeddedTarget } from './doctor/embedded-target.ts';
import { runChecks } from './doctor/run-checks.ts';
import { reportJson, reportText, toLookAt } from './doctor/report.ts';
import { variableTable } from './doctor/variable-table.ts';
import { loadEnvFile } from './shared/env-file.ts';
import { messageOf, say, warn } from './shared/log.ts';
import { StartError } from './shared/start-error.ts';

const usage = `npm run doctor -- [--env-file FILE] [--site https://…] [--context production]
  Reads the variables from the environment, or from FILE, and says what is wrong. Exit code 1 on any fault.
  --site ADDRESS    looks at the deployed site as well
  --context NAME    production (as it is), deploy-preview or branch-deploy
  --embedded        looks at the stack that \`npm start\` runs
  --send-mail       sends one mail to OWNER_EMAIL
  --trigger-build   asks the build hook for one build
  --json            for programs
  --variables       prints the table of the variables
  SUPABASE_ACCESS_TOKEN, and NETLIFY_AUTH_TOKEN with NETLIFY_SITE_ID, let it ask what only the management APIs tell.`;

const contextSchema = z.enum(['production', 'deploy-preview', 'branch-deploy']);

const options = {
  'env-file': { type: 'string' },
  site: { type: 'string' },
  context: { type: 'string', default: 'production' },
  embedded: { type: 'boolean', default: false },
  'send-mail': { type: 'boolean', default: false },
  'trigger-build': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  variables: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;
type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** A shop's variables and address as they were given. Throws for what cannot be used. */
function deployedTarget(values: Values): Pick<Target, 'env' | 'context' | 'site' | 'embedded'> {
  loadEnvFile(values['env-file']);
  const context = contextSchema.parse(values.context);
  return {
    env: process.env,
    context,
    site: values.site === undefined ? null : new URL(values.site).origin,
    embedded: false,
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help || values.variables) {
    say(values.help ? usage : variableTable());
    return;
  }
  const shop = values.embedded ? await embeddedTarget() : deployedTarget(values);
  // The checks call the functions' own modules, which read the environment of this process.
  Object.assign(process.env, shop.env, { CONTEXT: shop.context });
  const target: Target = {
    ...shop,
    sendMail: values['send-mail'],
    triggerBuild: values['trigger-build'],
    supabaseApi: {
      address: 'https://api.supabase.com',
      token: process.env['SUPABASE_ACCESS_TOKEN'],
    },
    netlifyApi: {
      address: 'https://api.netlify.com',
      token: process.env['NETLIFY_AUTH_TOKEN'],
      siteId: process.env['NETLIFY_SITE_ID'],
    },
  };
  const findings = await runChecks(target);
  const look = toLookAt(target);
  say(values.json ? reportJson(findings, look) : reportText(findings, look));
  if (findings.some(({ result }) => result === 'fault')) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  warn(error instanceof StartError ? error.message : `${messageOf(error)}\n\n${usage}`);
  process.exitCode = 2;
}
