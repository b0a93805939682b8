import { demoKey } from '#domain/demo-key.ts';

const text = (value: unknown, fallback = ''): string =>
  typeof value === 'string' ? value : fallback;

/*
 * The public settings, fixed when the site is built. The only reader of `import.meta.env` in `src`. Each is an export of its own, so that
 * a page carries those that it uses.
 */

export const supabaseUrl = text(import.meta.env.PUBLIC_SUPABASE_URL)
  .trim()
  .replace(/\/+$/u, '');
export const supabaseKey = text(import.meta.env.PUBLIC_SUPABASE_PUBLISHABLE_KEY);
export const checkoutScript = text(
  import.meta.env.PUBLIC_RAZORPAY_CHECKOUT_URL,
  'https://checkout.razorpay.com/v1/checkout.js',
);
export const formEndpoint = text(import.meta.env.PUBLIC_FORM_ENDPOINT, '/');
/** Netlify's deploy context; empty elsewhere. */
export const deployContext = text(import.meta.env.PUBLIC_DEPLOY_CONTEXT);
/** Netlify's id of this deploy, by which a page finds the files that belong to it; empty elsewhere. */
export const deployId = text(import.meta.env.PUBLIC_DEPLOY_ID);

/** Whether orders can be paid at the door. Fixed when the site is built, so that a shop without it carries none of its code. */
export const offersCash = import.meta.env.PUBLIC_OFFERS_CASH === true;

/** Whether this build shows the demo catalogue, without a database: nothing can be bought. */
export const isDemo = supabaseKey === demoKey;

/** Cloudflare Turnstile, for the build alone: it puts both into the pages' head, and nothing when `siteKey` is empty. */
export const turnstile = {
  siteKey: text(import.meta.env.PUBLIC_TURNSTILE_SITE_KEY),
  script: text(
    import.meta.env.PUBLIC_TURNSTILE_SCRIPT,
    'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  ),
} as const;
