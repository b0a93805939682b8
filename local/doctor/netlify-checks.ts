import * as z from 'zod';
import { type VariableName, variables } from '../../netlify/server/platform/variables.ts';
import { type Check, Skipped, type Target, ask, projectReference } from './check.ts';

/** https://open-api.netlify.com: getSite, getEnvVars, listSiteBuildHooks. */
const siteSchema = z.object({ account_id: z.string(), functions_region: z.string().nullish() });
const envSchema = z.array(
  z.object({
    key: z.string(),
    is_secret: z.boolean().default(false),
    scopes: z.array(z.string()).default([]),
    values: z.array(z.object({ context: z.string(), value: z.string().default('') })),
  }),
);

async function askNetlify<T>(
  { netlifyApi: { address, token } }: Target,
  path: string,
  schema: z.ZodType<T>,
): Promise<T> {
  const answer = await ask(`${address}/api/v1/${path}`, {
    headers: { authorization: `Bearer ${token ?? ''}` },
  });
  if (!answer.ok)
    throw new Error(
      `Netlify’s API answers ${String(answer.status)}: are NETLIFY_AUTH_TOKEN and NETLIFY_SITE_ID those of this site?`,
    );
  return schema.parse(await answer.json());
}

/** The site and its variables with their contexts. Throws Skipped without a token. */
async function readSite(
  target: Target,
): Promise<{ site: z.infer<typeof siteSchema>; env: z.infer<typeof envSchema> }> {
  const { token, siteId } = target.netlifyApi;
  if (token === undefined || siteId === undefined)
    throw new Skipped(
      'it needs NETLIFY_AUTH_TOKEN and NETLIFY_SITE_ID (Netlify: User settings, Applications; Site configuration).',
    );
  const site = await askNetlify(target, `sites/${encodeURIComponent(siteId)}`, siteSchema);
  return {
    site,
    env: await askNetlify(
      target,
      `accounts/${encodeURIComponent(site.account_id)}/env?site_id=${encodeURIComponent(siteId)}`,
      envSchema,
    ),
  };
}

/** Netlify's airport codes and Supabase's names of the regions that both have. https://docs.netlify.com/build/functions/configuration */
const regions: Readonly<Record<string, string>> = {
  cmh: 'us-east-2',
  iad: 'us-east-1',
  pdx: 'us-west-2',
  sfo: 'us-west-1',
  yul: 'ca-central-1',
  gru: 'sa-east-1',
  dub: 'eu-west-1',
  fra: 'eu-central-1',
  lhr: 'eu-west-2',
  nrt: 'ap-northeast-1',
  sin: 'ap-southeast-1',
  syd: 'ap-southeast-2',
};

const isOurs = (name: string): name is VariableName => name in variables;
/** 'all' is Netlify's word for a value of every context. */
const reaches = (context: string, wanted: string): boolean =>
  context === 'all' || context === wanted;

export const netlifyChecks: readonly Check[] = [
  {
    name: 'Netlify has every needed variable for production',
    async run(target) {
      const { env } = await readSite(target);
      const given = env
        .filter(({ values }) => values.some(({ context }) => reaches(context, 'production')))
        .map(({ key }) => key);
      const missing = Object.entries(variables)
        .filter(([name, { use }]) => use === 'needed' && !given.includes(name))
        .map(([name]) => name);
      return missing.length === 0 ? null : `Not set for production: ${missing.join(', ')}.`;
    },
    fix: 'Netlify, Site configuration, Environment variables: add it, "Different value for each deploy context".',
  },
  {
    name: 'No secret of the live shop reaches a preview',
    async run(target) {
      const { env } = await readSite(target);
      const shared = env
        .filter(
          ({ key, values }) =>
            isOurs(key) && variables[key].secret && values.some(({ context }) => context === 'all'),
        )
        .map(({ key }) => key);
      return shared.length === 0
        ? null
        : `One value for all contexts: ${shared.join(', ')}. A pull request from anybody builds with it.`;
    },
    fix: 'Choose "Different value for each deploy context", keep the value for Production alone, and give previews test values or none.',
  },
  {
    name: 'Secrets are kept as secrets',
    async run(target) {
      const { env } = await readSite(target);
      const open = env
        .filter(({ key, is_secret: secret }) => isOurs(key) && variables[key].secret && !secret)
        .map(({ key }) => key);
      return open.length === 0
        ? null
        : `Everyone with access to the site reads ${open.join(', ')}.`;
    },
    fix: 'Netlify, Environment variables: tick "Contains secret values". They are then hidden, and their text in a log fails the deploy.',
  },
  {
    name: 'No secret reaches the build',
    async run(target) {
      const { env } = await readSite(target);
      const given = env
        .filter(
          ({ key, scopes }) =>
            isOurs(key) &&
            variables[key].secret &&
            !(scopes.length > 0 && scopes.every((scope) => /^(?:functions|runtime)$/u.test(scope))),
        )
        .map(({ key }) => key);
      return given.length === 0
        ? null
        : `Every package that runs in the build can read ${given.join(', ')}.`;
    },
    fix: 'Netlify, Environment variables, Scopes: "Specific scopes", and of these Functions alone. The build needs only what begins with PUBLIC_. Plans without scopes cannot keep secrets from the build.',
  },
  {
    name: 'Previews use Razorpay’s test mode',
    async run(target) {
      const { env } = await readSite(target);
      const key = env.find(({ key: name }) => name === 'RAZORPAY_KEY_ID');
      const live =
        key?.values
          .filter(
            ({ context, value }) =>
              !reaches(context, 'production') && value.startsWith('rzp_live_'),
          )
          .map(({ context }) => context) ?? [];
      return live.length === 0 ? null : `RAZORPAY_KEY_ID is a live key for ${live.join(', ')}.`;
    },
    fix: 'Set the rzp_test_… keys for Deploy Previews and Branch deploys.',
  },
  {
    name: 'Functions run beside the database',
    async run(target) {
      const { address, token } = target.supabaseApi;
      if (token === undefined)
        throw new Skipped('it needs SUPABASE_ACCESS_TOKEN (Supabase: Account, Access Tokens).');
      const given = (await readSite(target)).site.functions_region;
      if (given == null)
        throw new Skipped(
          'Netlify does not tell the region: look in Site configuration, Functions.',
        );
      const answer = await ask(`${address}/v1/projects/${projectReference(target)}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { region } = z.object({ region: z.string() }).parse(await answer.json());
      return (regions[given] ?? given) === region
        ? null
        : `Functions run in ${given}, the database in ${region}: every step of a purchase crosses the way between them.`;
    },
    fix: 'Netlify has no region in India: choose Singapore (sin) for the functions and ap-southeast-1 for the project. A project’s region is chosen once; the functions’ in Site configuration, Functions.',
  },
];
