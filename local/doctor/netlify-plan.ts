import type { Target } from './check.ts';
import { readPlanName } from './netlify-api.ts';

/** What a plan has, as docs/provider-facts.md lists it. */
interface Plan {
  name: string;
  /** Credits of a month; null where Netlify counts none, or as many as were agreed. */
  credits: number | null;
  /** Whether the region of functions and the scopes of variables can be chosen. */
  complete: boolean;
}

/** Plans by a word of their name. "Starter" and the Pro of its time are from before September 2025 and have no credits. */
const plans: Readonly<Record<string, Omit<Plan, 'name'>>> = {
  free: { credits: 300, complete: false },
  starter: { credits: null, complete: false },
  personal: { credits: 1000, complete: false },
  pro: { credits: 3000, complete: true },
  enterprise: { credits: null, complete: true },
};

/** Credits that one production deploy costs. */
export const creditsPerDeploy = 15;

/** The team's plan; null for one that is not known here. */
export async function readPlan(target: Target): Promise<Plan | null> {
  const name = await readPlanName(target);
  const words = name.toLowerCase().split(/[^a-z]+/u);
  const found = Object.entries(plans).find(([word]) => words.includes(word));
  return found ? { name, ...found[1] } : null;
}

/**
 * A sentence to add to a fault that cannot be corrected on the team's plan; '' on one where it can. Never throws: the fault counts
 * without it, too.
 */
export async function planSentence(target: Target, missing: string): Promise<string> {
  const plan = await readPlan(target).catch(() => null);
  return plan === null || plan.complete
    ? ''
    : ` Netlify’s plan ${plan.name} has no ${missing}: it needs Pro.`;
}
