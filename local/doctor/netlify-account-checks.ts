import { execFileSync } from 'node:child_process';
import * as z from 'zod';
import { dayMs, indiaCalendarDay, indiaMidnight } from '../../src/domain/calendar-day.ts';
import { orderFormName } from '../../src/domain/checkout/order-form.ts';
import { projectRoot } from '../shared/settings.ts';
import { type Check, Skipped, type Target } from './check.ts';
import { readDeploys, readForms, readSite } from './netlify-api.ts';
import { creditsPerDeploy, readPlan } from './netlify-plan.ts';
import { callDatabase } from './read-database.ts';

/** More than this share of a month's credits for deploys leaves too few for visits and functions. */
const maxShare = 0.4;
/** A build under way, and builds that Netlify cancelled before the shop heard of them, may make the counts differ. */
const maxDifference = 2;

/** When this month began in India, where the budget of deploys counts it. */
function monthStart(now: number): number {
  const today = indiaCalendarDay(new Date(now));
  return indiaMidnight(today - (new Date(today).getUTCDate() - 1) * dayMs);
}

/** The deploys of this month as the database counts them for its budget. */
async function readUsedDeploys(target: Target): Promise<number> {
  const answer = await callDatabase(target, 'secret', '/rest/v1/rpc/deploy_budget', {
    method: 'POST',
    body: JSON.stringify({ p_deployed_version: 0, p_quiet_seconds: 0 }),
  });
  if (!answer.ok) throw new Skipped('the database does not say how many deploys it counts.');
  return z.object({ used: z.int() }).parse(await answer.json()).used;
}

/** 'git@github.com:Owner/shop.git' and 'https://github.com/owner/shop' → 'github.com/owner/shop'. */
const repositoryOf = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/^[a-z+]+:\/\//u, '')
    .replace(/^[^@/]*@/u, '')
    .replace(/^([^/:]+):(?:\d+\/)?/u, '$1/')
    .replace(/(?:\.git)?\/*$/u, '');

/** The repository that this checkout is pushed to; null without one. */
function ownRepository(): string | null {
  try {
    return execFileSync('git', ['remote', 'get-url', 'origin'], {
      cwd: projectRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

/** Checks of the account and the project at Netlify. `origin`: the repository of this checkout. */
export const accountChecks = (origin: () => string | null): readonly Check[] => [
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
    name: 'Netlify and the shop count the same deploys',
    async run(target) {
      const counted = (await readDeploys(target, monthStart(Date.now()))).length;
      const used = await readUsedDeploys(target);
      if (Math.abs(counted - used) <= maxDifference) return null;
      return `Netlify lists ${String(counted)} deploys of production this month, and the shop counts ${String(used)}: its budget allows too ${counted > used ? 'many' : 'few'} automatic builds.`;
    },
    fix: 'In the month of the first deploy, deploys from before the database was there are missing: wait for the next month. Else look at Netlify, Logs, Functions, deploy-events: without it no deploy is reported. Too many at the shop: pushes that build nothing are reported as failed deploys, BUILD_HOOK_URL is another site’s, or somebody sends forged reports.',
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
  {
    name: 'Netlify builds the repository of this checkout',
    async run(target) {
      const built = (await readSite(target)).build_settings?.repo_url ?? '';
      if (built === '') return 'The project is connected to no repository: a push deploys nothing.';
      const own = origin();
      if (own === null) throw new Skipped('this checkout has no remote “origin”.');
      return repositoryOf(own) === repositoryOf(built)
        ? null
        : `Netlify builds ${repositoryOf(built)}, and this checkout is pushed to ${repositoryOf(own)}.`;
    },
    fix: 'Netlify, Project configuration, Build & deploy, Continuous deployment, Repository: link the repository that you push to. A Deploy button makes a copy of its own.',
  },
];

export const netlifyAccountChecks = accountChecks(ownRepository);
