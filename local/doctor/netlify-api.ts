import * as z from 'zod';
import { Skipped, type Target, ask } from './check.ts';

/* https://open-api.netlify.com (github.com/netlify/open-api, swagger.yml, read on 28 November 2026). */

/** getSite. */
const siteSchema = z.object({
  account_id: z.string(),
  functions_region: z.string().nullish(),
  published_deploy: z.object({ functions_region: z.string().nullish() }).nullish(),
});
/** getEnvVars. */
const envSchema = z.array(
  z.object({
    key: z.string(),
    scopes: z.array(z.string()).default([]),
    values: z.array(z.object({ context: z.string(), value: z.string().default('') })),
  }),
);
/** listSiteDeploys. `skipped`: by `[skip netlify]`, or without credits. */
const deploysSchema = z.array(
  z.object({
    created_at: z.string(),
    skipped: z.boolean().nullish(),
    error_message: z.string().nullish(),
  }),
);
const formsSchema = z.array(z.object({ name: z.string() }));
const accountSchema = z.object({ type_name: z.string() });

const perPage = 100;
/** More deploys than a month's credits of any plan would pay for. */
const maxPages = 30;

async function askNetlify<T>(target: Target, path: string, schema: z.ZodType<T>): Promise<T> {
  const { address, token } = target.netlifyApi;
  const answer = await ask(`${address}/api/v1/${path}`, {
    headers: { authorization: `Bearer ${token ?? ''}` },
  });
  if (!answer.ok)
    throw new Error(
      `Netlify’s API answers ${String(answer.status)}: are NETLIFY_AUTH_TOKEN and NETLIFY_SITE_ID those of this site?`,
    );
  return schema.parse(await answer.json());
}

/** The path of the site in the API. Throws Skipped without a token. */
function sitePath({ netlifyApi: { token, siteId } }: Target): string {
  if (token === undefined || siteId === undefined)
    throw new Skipped(
      'it needs NETLIFY_AUTH_TOKEN and NETLIFY_SITE_ID (Netlify: User settings, Applications; Project configuration).',
    );
  return `sites/${encodeURIComponent(siteId)}`;
}

type Site = z.infer<typeof siteSchema>;
const sites = new WeakMap<Target, Promise<Site>>();

/** The site's settings, fetched once for all checks. Throws Skipped without a token. */
export async function readSite(target: Target): Promise<Site> {
  const path = sitePath(target);
  const site = sites.get(target) ?? askNetlify(target, path, siteSchema);
  sites.set(target, site);
  return site;
}

const accountPath = async (target: Target): Promise<string> =>
  `accounts/${encodeURIComponent((await readSite(target)).account_id)}`;

/** The site's variables with their contexts. */
export async function readVariables(target: Target): Promise<z.infer<typeof envSchema>> {
  const site = encodeURIComponent(target.netlifyApi.siteId ?? '');
  return askNetlify(target, `${await accountPath(target)}/env?site_id=${site}`, envSchema);
}

/** The name of the team's plan, such as "Pro". */
export const readPlanName = async (target: Target): Promise<string> =>
  (await askNetlify(target, await accountPath(target), accountSchema)).type_name;

/** The names of the forms that Netlify detected. */
export const readForms = async (target: Target): Promise<string[]> =>
  (await askNetlify(target, `${sitePath(target)}/forms`, formsSchema)).map(({ name }) => name);

/** When production was built since a time, in ms since 1970, whether or not that succeeded: newest first, as Netlify lists them. */
export async function readDeploys(target: Target, since: number): Promise<number[]> {
  const times: number[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const deploys = await askNetlify(
      target,
      `${sitePath(target)}/deploys?production=true&page=${String(page)}&per_page=${String(perPage)}`,
      deploysSchema,
    );
    // A build that `ignore` of netlify.toml stops is listed as one that failed, with this message.
    const built = deploys.filter(
      ({ skipped, error_message: error }) =>
        skipped !== true && error?.includes('Canceled build due to no content change') !== true,
    );
    times.push(...built.map(({ created_at: at }) => Date.parse(at)));
    const oldest = Date.parse(deploys.at(-1)?.created_at ?? '');
    if (deploys.length < perPage || oldest < since) break;
  }
  return times.filter((at) => at >= since);
}
