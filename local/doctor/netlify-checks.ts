import * as z from 'zod';
import { type VariableName, variables } from '#core/platform/variables.ts';
import { dayMs } from '#domain/calendar-day.ts';
import { orderFormName } from '#domain/checkout/order-form.ts';
import { type Check, Skipped, ask, projectReference } from './check.ts';
import { readDeploys, readForms, readSite, readVariables } from './netlify-api.ts';
import { creditsPerDeploy, planSentence, readPlan } from './netlify-plan.ts';

/** More than this share of a month's credits for deploys leaves too few for visits and functions. */
const maxShare = 0.4;

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
  {
    name: 'Netlify’s plan has what the shop needs',
    async run(target) {
      const plan = await readPlan(target);
      if (plan === null) throw new Skipped('the doctor does not know this plan.');
      if (plan.complete) return null;
      const few =
        plan.credits === null
          ? ''
          : ` Its ${String(plan.credits)} credits pay for ${String(Math.floor(plan.credits / creditsPerDeploy))} deploys and nothing else; at zero the shop is offline.`;
      return `The team is on the plan ${plan.name}, without a region for functions and scopes of variables.${few}`;
    },
    fix: 'Netlify, Team settings, Usage & billing: change the plan to Pro, and enable auto recharge. Then set the region and the scopes (docs/going-live.md, step 5), and deploy again.',
  },
  {
    name: 'Deploys leave most of the month’s credits to customers',
    async run(target) {
      const plan = await readPlan(target);
      if (plan?.credits == null)
        throw new Skipped('the doctor does not know the credits of this plan.');
      const deploys = (await readDeploys(target, Date.now() - 30 * dayMs)).length;
      const credits = deploys * creditsPerDeploy;
      return credits <= plan.credits * maxShare
        ? null
        : `${String(deploys)} deploys of production in thirty days took ${String(credits)} of the ${String(plan.credits)} credits that the plan ${plan.name} has in a month. At zero the shop is offline.`;
    },
    fix: 'Lower deploysPerMonth in src/shop/shop.ts, push several commits together, and press “Publish now” less often. Netlify, Usage & billing: enable auto recharge, or choose more credits.',
  },
  {
    name: 'Netlify stores the forms that the shop sends',
    async run(target) {
      const forms = await readForms(target);
      return forms.includes(orderFormName)
        ? null
        : `Netlify does not know the form “${orderFormName}”: it refuses the copies of order forms, and customers read “Submission Failed”.`;
    },
    fix: 'Netlify, Forms: Enable form detection. It works from the next deploy on.',
  },
];
