import * as z from 'zod/mini';
import { shop } from '#settings/shop.ts';

/** `scrypt$N$r$p$salt$hash`, the last two in base64. */
export const passwordHashPattern =
  /^scrypt\$(\d{4,7})\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9+/]{16,}={0,2})\$([A-Za-z0-9+/]{40,}={0,2})$/u;

/** How a VAPID private key is written: base64url of 32 bytes. @public */
export const vapidKeyPattern = /^[A-Za-z0-9_-]{43}$/u;

/** One or several secrets of Supabase Auth's hooks, with `|` between them: `v1,whsec_` and at least 24 bytes in base64. */
export const hookSecretPattern =
  /^v1,whsec_[A-Za-z0-9+/]{32,}={0,2}(?:\|v1,whsec_[A-Za-z0-9+/]{32,}={0,2})*$/u;

interface VariableFacts {
  /** Whether only the functions may read it. Variables of the build are public. */
  secret: boolean;
  /** `needed` in every context; `optional`; set by the `platform`; for the `embedded` stack alone. */
  use: 'needed' | 'optional' | 'platform' | 'embedded';
  /** Where to find its value. */
  from: string;
  /** Deploy contexts in which it is set: previews have test values of their own, or none. */
  contexts: 'all' | 'production' | 'previews with test values' | 'none';
}

const variable = <Schema extends z.ZodMiniType>(
  schema: Schema,
  facts: VariableFacts,
): VariableFacts & { schema: Schema } => ({ schema, ...facts });

const filled = z.string().check(z.minLength(1));
const httpAddress = z
  .string()
  .check(z.refine((value) => /^https?:$/u.test(URL.parse(value)?.protocol ?? '')));
/** E-mail addresses with commas between them, in lower case. */
const mailAddresses = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) =>
      text
        .toLowerCase()
        .split(/[\s,]+/u)
        .filter(Boolean),
    ),
    z.array(z.email()),
  ),
);
const previews = 'previews with test values';
const notSetByHand = { secret: false, contexts: 'none' } as const;

/**
 * Every variable that the shop reads: what it must look like and what a person needs to know to set it. `env.ts` beside
 * this reads those of the functions; .env.example and docs/going-live.md are compared with it.
 */
export const variables = {
  PUBLIC_SUPABASE_URL: variable(httpAddress, {
    secret: false,
    use: 'needed',
    contexts: previews,
    from: 'Supabase: Connect, or Integrations, Data API: the Project URL',
  }),
  PUBLIC_SUPABASE_PUBLISHABLE_KEY: variable(filled, {
    secret: false,
    use: 'needed',
    contexts: previews,
    from: 'Supabase: Project Settings, API Keys, publishable key',
  }),
  PUBLIC_SITE_URL: variable(z.optional(httpAddress), {
    secret: false,
    use: 'optional',
    contexts: 'production',
    from: 'your domain, when canonical links shall name another one than Netlify’s `URL`',
  }),
  PUBLIC_FORM_ENDPOINT: variable(z.optional(filled), {
    secret: false,
    use: 'optional',
    contexts: 'all',
    from: 'nothing for Netlify Forms; else the address of a form service',
  }),
  PUBLIC_RAZORPAY_CHECKOUT_URL: variable(z.optional(httpAddress), {
    ...notSetByHand,
    use: 'embedded',
    from: 'the embedded stack',
  }),
  PUBLIC_TURNSTILE_SITE_KEY: variable(z.optional(filled), {
    secret: false,
    use: 'optional',
    contexts: previews,
    from: 'Cloudflare: Turnstile, the widget’s site key; without it no form carries the check',
  }),
  PUBLIC_TURNSTILE_SCRIPT: variable(z.optional(httpAddress), {
    ...notSetByHand,
    use: 'embedded',
    from: 'the embedded stack',
  }),
  SUPABASE_URL: variable(httpAddress, {
    secret: false,
    use: 'needed',
    contexts: previews,
    from: 'the same as `PUBLIC_SUPABASE_URL`',
  }),
  SUPABASE_SECRET_KEY: variable(filled, {
    secret: true,
    use: 'needed',
    contexts: previews,
    from: 'Supabase: Project Settings, API Keys, secret key',
  }),
  LINK_SECRET: variable(z.optional(z.string().check(z.minLength(24))), {
    secret: true,
    use: 'optional',
    contexts: 'production',
    from: 'made by you (`openssl rand -hex 32`); signs mailed links. Without it SUPABASE_SECRET_KEY does',
  }),
  LINK_SECRET_PREVIOUS: variable(z.optional(filled), {
    secret: true,
    use: 'optional',
    contexts: 'production',
    from: 'the old one, or the old SUPABASE_SECRET_KEY, while links signed with it shall work (180 days)',
  }),
  SEND_EMAIL_HOOK_SECRET: variable(z.string().check(z.regex(hookSecretPattern)), {
    secret: true,
    use: 'needed',
    contexts: previews,
    from: 'made by you (`echo "v1,whsec_$(openssl rand -base64 32)"`); the same goes to Supabase (step 8)',
  }),
  RAZORPAY_KEY_ID: variable(filled, {
    secret: false,
    use: 'needed',
    contexts: previews,
    from: 'Razorpay: Account & Settings, API Keys (`rzp_live_…`; previews `rzp_test_…`)',
  }),
  RAZORPAY_KEY_SECRET: variable(filled, {
    secret: true,
    use: 'needed',
    contexts: previews,
    from: 'shown once with the key id',
  }),
  RAZORPAY_KEY_SECRET_PREVIOUS: variable(z.optional(filled), {
    secret: true,
    use: 'optional',
    contexts: 'production',
    from: 'the old key secret, for 24 hours after a change',
  }),
  // Guessing it would mark orders as paid: `openssl rand -hex 32` has 64 characters.
  RAZORPAY_WEBHOOK_SECRET: variable(z.string().check(z.minLength(24)), {
    secret: true,
    use: 'needed',
    contexts: previews,
    from: 'made by you (`openssl rand -hex 32`), typed into Razorpay’s webhook',
  }),
  RAZORPAY_WEBHOOK_SECRET_PREVIOUS: variable(z.optional(filled), {
    secret: true,
    use: 'optional',
    contexts: 'production',
    from: 'the old one, for 24 hours after a change',
  }),
  RAZORPAY_API_URL: variable(z._default(httpAddress, 'https://api.razorpay.com'), {
    ...notSetByHand,
    use: 'embedded',
    from: 'the embedded stack',
  }),
  SMTP_URL: variable(filled, {
    secret: true,
    use: 'needed',
    contexts: previews,
    from: 'your mail provider, as `smtps://user:password@host`; signs in the password’s `@ : / # %` as `%40 %3A %2F %23 %25`',
  }),
  MAIL_FROM: variable(filled, {
    secret: false,
    use: 'needed',
    contexts: previews,
    from: 'an address that the mail provider lets you send from',
  }),
  OWNER_EMAIL: variable(filled, {
    secret: false,
    use: 'needed',
    contexts: previews,
    from: 'your own address: orders, messages and alerts come here',
  }),
  ADMIN_PASSWORD_HASH: variable(z.string().check(z.regex(passwordHashPattern)), {
    secret: true,
    use: 'needed',
    contexts: previews,
    from: '`npm run hash-password`',
  }),
  VAPID_PRIVATE_KEY: variable(z.optional(z.string().check(z.regex(vapidKeyPattern))), {
    secret: true,
    use: 'optional',
    contexts: 'production',
    from: '`npm run push-key`; without it the owner is notified by mail alone',
  }),
  TURNSTILE_SECRET_KEY: variable(z.optional(filled), {
    secret: true,
    use: 'optional',
    contexts: previews,
    from: 'Cloudflare: Turnstile, the widget’s secret key; the same goes to Supabase (step 8)',
  }),
  TURNSTILE_API_URL: variable(z._default(httpAddress, 'https://challenges.cloudflare.com'), {
    ...notSetByHand,
    use: 'embedded',
    from: 'the embedded stack',
  }),
  BUILD_HOOK_URL: variable(z.optional(httpAddress), {
    secret: true,
    use: 'needed',
    contexts: 'production',
    from: 'Netlify: Build & deploy, Build hooks; publishes what the admin edits',
  }),
  BUILDS_ARE_FREE: variable(z.optional(filled), {
    ...notSetByHand,
    use: 'embedded',
    from: 'the embedded stack',
  }),
  TEST_BUYERS: variable(z._default(mailAddresses, []), {
    secret: false,
    use: 'optional',
    contexts: 'production',
    from: 'the addresses that may buy with test keys before the shop opens, with commas between them: yours, your engineer’s, Razorpay’s examiner’s account',
  }),
  IMAGES_FROM_HOST: variable(z.optional(filled), {
    ...notSetByHand,
    use: 'embedded',
    from: 'the embedded stack',
  }),
  CDN_API_URL: variable(z.optional(httpAddress), {
    ...notSetByHand,
    use: 'embedded',
    from: 'the embedded stack',
  }),
  URL: variable(z._default(httpAddress, shop.defaultOrigin), {
    ...notSetByHand,
    use: 'platform',
    from: 'Netlify: the site’s main address',
  }),
  DEPLOY_ID: variable(z.optional(filled), {
    ...notSetByHand,
    use: 'platform',
    from: 'Netlify: the id of the deploy, by which pages find the files built with them',
  }),
  CONTEXT: variable(z._default(z.string(), 'dev'), {
    ...notSetByHand,
    use: 'platform',
    from: 'Netlify: production, deploy-preview, branch-deploy or dev',
  }),
} as const;

export type VariableName = keyof typeof variables;
