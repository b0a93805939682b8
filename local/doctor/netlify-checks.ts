import * as z from 'zod';
import { type VariableName, variables } from '../../netlify/core/platform/variables.ts';
import { type Check, Skipped, ask, projectReference } from './check.ts';
import { readSite, readVariables } from './netlify-api.ts';
import { planSentence } from './netlify-plan.ts';

/** Where functions run until a region is chosen: Ohio. */
const defaultRegion = 'cmh';

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
      const env = await readVariables(target);
      const given = env
        .filter(({ values }) => values.some(({ context }) => reaches(context, 'production')))
        .map(({ key }) => key);
      const missing = Object.entries(variables)
        .filter(([name, { use }]) => use === 'needed' && !given.includes(name))
        .map(([name]) => name);
      return missing.length === 0 ? null : `Not set for production: ${missing.join(', ')}.`;
    },
    fix: 'Netlify, Project configuration, Environment variables: add it, "Different value for each deploy context".',
  },
  {
    name: 'No secret of the live shop reaches a preview',
    async run(target) {
      const env = await readVariables(target);
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
      const env = await readVariables(target);
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
      const env = await readVariables(target);
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
        : `Every package that runs in the build can read ${given.join(', ')}.${await planSentence(target, 'scopes of variables')}`;
    },
    fix: 'Netlify, Environment variables, Scopes: "Specific scopes", and of these Functions alone. The build needs only what begins with PUBLIC_.',
  },
  {
    name: 'Previews use Razorpay’s test mode',
    async run(target) {
      const env = await readVariables(target);
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
      const { functions_region: chosen, published_deploy: live } = await readSite(target);
      // A chosen region holds from the next deploy on, so the live one says more.
      const given = live?.functions_region ?? chosen ?? defaultRegion;
      const answer = await ask(`${address}/v1/projects/${projectReference(target)}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { region } = z.object({ region: z.string() }).parse(await answer.json());
      return (regions[given] ?? given) === region
        ? null
        : `Functions run in ${given}, the database in ${region}: every step of a purchase crosses the way between them.${await planSentence(target, 'region of functions to choose')}`;
    },
    fix: 'Netlify has no region in India: choose Singapore (sin) for the functions and ap-southeast-1 for the project. A project’s region is chosen once; the functions’ in Project configuration, Cloud compute, Functions, Region. It holds from the next deploy on.',
  },
];
