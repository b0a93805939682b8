import type * as z from 'zod/mini';
import { variables, type VariableName } from './variables.ts';

/** A variable is missing or unusable. The message names variables, never their values. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
  /** The sentence of the 503; null for the general sentence of an outage. */
  readonly sentence: string | null;

  constructor(message: string, sentence: string | null = null) {
    super(message);
    this.sentence = sentence;
  }
}

const noPayments = 'Payments are not configured';
const noPassword =
  'The owner’s page has no password yet: set ADMIN_PASSWORD_HASH (npm run hash-password makes it).';

/*
 * Read at call time, not at import: a function starts even when a variable of another one is missing, and says
 * which one it needs. The last result is cached as long as the text of the variables stays the same.
 */
function read<Name extends VariableName>(
  names: readonly Name[],
  sentence: string | null = null,
): () => { [Key in Name]: z.infer<(typeof variables)[Key]['schema']> } {
  type Values = { [Key in Name]: z.infer<(typeof variables)[Key]['schema']> };
  let last: { raw: string; values: Values } | undefined;
  return () => {
    const given = names.map((name) => process.env[name]?.trim() || undefined);
    const raw = JSON.stringify(given);
    if (last?.raw === raw) return last.values;
    const parsed = names.map(
      (name, index) => [name, variables[name].schema.safeParse(given[index])] as const,
    );
    const wrong = parsed.filter(([, { success }]) => !success).map(([name]) => name);
    if (wrong.length > 0)
      throw new ConfigurationError(`Missing or unusable: ${wrong.join(', ')}`, sentence);
    const values = Object.fromEntries(parsed.map(([name, { data }]) => [name, data])) as Values;
    last = { raw, values };
    return values;
  };
}

/** Address and secret key of the Supabase project. */
export const databaseEnv = read(['SUPABASE_URL', 'SUPABASE_SECRET_KEY']);

/** The secrets that sign mailed links: the current one, and the previous one while its links shall work. */
export const linkEnv = read(['LINK_SECRET', 'LINK_SECRET_PREVIOUS', 'SUPABASE_SECRET_KEY']);

/** The mail server, the sender and the admin's address. */
export const mailEnv = read(['SMTP_URL', 'MAIL_FROM', 'OWNER_EMAIL']);

/** The secrets of Supabase Auth's "Send Email" hook. */
export const hookEnv = read(['SEND_EMAIL_HOOK_SECRET']);

/** The webhook's secret, and the one before it while Razorpay still retries events signed with it. */
export const webhookEnv = read(
  ['RAZORPAY_WEBHOOK_SECRET', 'RAZORPAY_WEBHOOK_SECRET_PREVIOUS'],
  noPayments,
);

/** The site's own address. */
export const siteEnv = read(['URL']);

/**
 * Turnstile on the public forms; without a secret, forms are not checked.
 *
 * @public The feature that reads it may be taken out.
 */
export const turnstileEnv = read(['TURNSTILE_SECRET_KEY', 'TURNSTILE_API_URL']);

/** The hash of the admin's password, printed by `npm run hash-password`. */
export const adminEnv = read(['ADMIN_PASSWORD_HASH'], noPassword);

/** The key that signs push notifications to the admin's devices; without it there are none. @public */
export const pushEnv = read(['VAPID_PRIVATE_KEY']);

/** The build hook; without it, the admin page publishes nothing. With BUILDS_ARE_FREE, builds wait for no budget. */
export const buildHookEnv = read(['BUILD_HOOK_URL', 'BUILDS_ARE_FREE']);

/** A host whose images an import may fetch although it is not public: this machine, for the tests on the embedded stack. @public */
export const importedImagesEnv = read(['IMAGES_FROM_HOST']);

/** The CDN's purge API: the platform's address, unless the embedded stack sets another. */
export const purgeEnv = read(['CDN_API_URL']);

const paymentVariables = read(
  [
    'RAZORPAY_KEY_ID',
    'RAZORPAY_KEY_SECRET',
    'RAZORPAY_KEY_SECRET_PREVIOUS',
    'RAZORPAY_API_URL',
    'CONTEXT',
  ],
  noPayments,
);

/** The key id of Razorpay, which alone says whether the shop means to sell; null without one. */
export const razorpayKeyId = (): string | null => process.env['RAZORPAY_KEY_ID']?.trim() || null;

/** The addresses that may buy before the shop is open. */
export const testBuyersEnv = read(['TEST_BUYERS']);

const local = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/u;

/** Whether an address is https and not of this machine. */
function isPublicAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && !local.test(hostname);
}

/** Whether payments with this key are not real: Razorpay's test mode, or the embedded sandbox. */
export const isTestKey = (keyId: string): boolean => !keyId.startsWith('rzp_live_');

/** Whether this is the live site, by CONTEXT or by the deploy's context. */
export const isProduction = (deployContext?: string): boolean =>
  deployContext === 'production' || process.env['CONTEXT'] === 'production';

/**
 * Razorpay's keys and address. CONTEXT, or the deploy's context, names the kind of site.
 * Production refuses the sandbox: its keys, and beside live keys any address that is not public https. Every other kind of
 * deploy refuses live keys. Test keys are taken everywhere: who may buy with them is `checkoutState`'s to say.
 */
export function paymentEnv(deployContext?: string): ReturnType<typeof paymentVariables> {
  const values = paymentVariables();
  const refuse = (reason: string): never => {
    throw new ConfigurationError(reason, noPayments);
  };
  const { CONTEXT: context, RAZORPAY_KEY_ID: keyId, RAZORPAY_API_URL: address } = values;
  if (!isProduction(deployContext)) {
    const isDeployed = [context, deployContext].some(
      (kind) => kind === 'deploy-preview' || kind === 'branch-deploy',
    );
    if (isDeployed && !isTestKey(keyId))
      refuse('RAZORPAY_KEY_ID is a live key, refused in a preview or branch deploy');
    return values;
  }
  if (keyId.startsWith('rzp_sandbox_'))
    refuse('RAZORPAY_KEY_ID is a sandbox key, refused in production');
  if (!isTestKey(keyId) && !isPublicAddress(address))
    refuse('RAZORPAY_API_URL is a local address, refused in production');
  return values;
}
