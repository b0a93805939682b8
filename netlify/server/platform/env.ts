import * as z from 'zod/mini';
import { shop } from '../../../src/shop.config.ts';
import { passwordHashPattern } from '../auth/password.ts';

/** A variable is missing or unusable. The message names variables, never their values. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

const filled = z.string().check(z.minLength(1));
const httpAddress = z
  .string()
  .check(z.refine((value) => /^https?:$/u.test(URL.parse(value)?.protocol ?? '')));

/*
 * Read at call time, not at import: a function starts even when a variable of another one is missing, and says
 * which one it needs. The last result is cached as long as the text of the variables stays the same.
 */
function variables<Shape extends z.core.$ZodShape>(shape: Shape): () => z.infer<z.ZodMiniObject<Shape>> {
  const schema = z.object(shape);
  const names = Object.keys(shape);
  let last: { raw: string; values: z.infer<typeof schema> } | undefined;
  return () => {
    const given = names.map((name) => [name, process.env[name]?.trim()] as const);
    const raw = JSON.stringify(given);
    if (last?.raw === raw) return last.values;
    const parsed = schema.safeParse(
      Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== '')),
    );
    if (!parsed.success) {
      const wrong = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
      throw new ConfigurationError(`Missing or unusable: ${wrong.join(', ')}`);
    }
    last = { raw, values: parsed.data };
    return parsed.data;
  };
}

/** Address and secret key of the Supabase project. */
export const databaseEnv = variables({ SUPABASE_URL: httpAddress, SUPABASE_SECRET_KEY: filled });

/** Where mail goes out, from whom, and where the shop's own mail goes. */
export const mailEnv = variables({ SMTP_URL: filled, MAIL_FROM: filled, OWNER_EMAIL: filled });

/** The webhook's secret, and the one before it while Razorpay still retries events signed with it. */
export const webhookEnv = variables({
  RAZORPAY_WEBHOOK_SECRET: filled,
  RAZORPAY_WEBHOOK_SECRET_PREVIOUS: z.optional(filled),
});

/** The site's own address. */
export const siteEnv = variables({ URL: z._default(httpAddress, shop.defaultOrigin) });

/** What the admin's password is checked against: the line that `npm run hash-password` prints. */
export const adminEnv = variables({
  ADMIN_PASSWORD_HASH: z.string().check(z.regex(passwordHashPattern)),
});

/** Where a new build of the site is asked for; without it nothing is published from the admin page. */
export const buildHookEnv = variables({ BUILD_HOOK_URL: z.optional(httpAddress) });

/** Where the CDN is told to purge a response; the platform's own address unless the embedded stack says another. */
export const purgeEnv = variables({ CDN_API_URL: z.optional(httpAddress) });

const paymentVariables = variables({
  RAZORPAY_KEY_ID: filled,
  RAZORPAY_KEY_SECRET: filled,
  RAZORPAY_API_URL: z._default(httpAddress, 'https://api.razorpay.com'),
  CONTEXT: z._default(z.string(), 'dev'),
  ALLOW_TEST_PAYMENTS: z.optional(z.string()),
});

const local = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/u;

/** Whether payments with this key are no money: Razorpay's test mode, or the embedded sandbox. */
export const isTestKey = (keyId: string): boolean => !keyId.startsWith('rzp_live_');

/** Whether this is the live site: the platform says so by CONTEXT, or by the deploy's context. */
export const isProduction = (deployContext?: string): boolean =>
  deployContext === 'production' || process.env['CONTEXT'] === 'production';

/**
 * Razorpay's keys and address. The platform says by CONTEXT, or by the deploy's context, what kind of site this is.
 * Production refuses the sandbox (its keys, and any address that is not public https), and test keys too unless
 * ALLOW_TEST_PAYMENTS is set: pieces would be sent for no money. Every other kind of deploy refuses live keys.
 */
export function paymentEnv(deployContext?: string): ReturnType<typeof paymentVariables> {
  const values = paymentVariables();
  const contexts = [values.CONTEXT, deployContext];
  if (!isProduction(deployContext)) {
    if ((contexts.includes('deploy-preview') || contexts.includes('branch-deploy')) && !isTestKey(values.RAZORPAY_KEY_ID)) {
      throw new ConfigurationError('RAZORPAY_KEY_ID is a live key, refused in a preview or branch deploy');
    }
    return values;
  }
  const { protocol, hostname } = new URL(values.RAZORPAY_API_URL);
  if (values.RAZORPAY_KEY_ID.startsWith('rzp_sandbox_')) {
    throw new ConfigurationError('RAZORPAY_KEY_ID is a sandbox key, refused in production');
  }
  if (isTestKey(values.RAZORPAY_KEY_ID) && values.ALLOW_TEST_PAYMENTS === undefined) {
    throw new ConfigurationError('RAZORPAY_KEY_ID is a test key, refused in production unless ALLOW_TEST_PAYMENTS is set');
  }
  if (protocol !== 'https:' || local.test(hostname)) {
    throw new ConfigurationError('RAZORPAY_API_URL is a local address, refused in production');
  }
  return values;
}
