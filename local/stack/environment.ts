import { shop, supportEmail } from '#settings/shop.ts';
import type { CheckoutState } from '#domain/checkout/checkout-state.ts';
import type { Secrets } from '#local/data-folder/secrets.ts';
import { demoCustomer } from '#local/demo/customer.ts';
import type { Settings } from '#local/shared/settings.ts';

interface Addresses extends Pick<Settings, 'origin' | 'sandboxOrigin' | 'turnstile' | 'checkout'> {
  supabaseUrl: string;
}

/** The keys of the Turnstile stand-in, valid nowhere else. */
const turnstileKeys = { siteKey: 'stand-in-site-key', secretKey: 'stand-in-secret-key' };

/** The key id by which the functions know how the shop stands. */
const keyIds: Readonly<Record<CheckoutState, (sandboxKeyId: string) => string>> = {
  open: (keyId) => keyId,
  test: (keyId) => keyId.replace('rzp_sandbox_', 'rzp_test_'),
  closed: () => '',
};

/** Public variables baked into the pages: the embedded parts, at the stack's own addresses. */
export function publicEnvironment(
  { origin, sandboxOrigin, turnstile, supabaseUrl }: Addresses,
  secrets: Secrets,
): Record<string, string> {
  return {
    PUBLIC_SUPABASE_URL: supabaseUrl,
    PUBLIC_SUPABASE_PUBLISHABLE_KEY: secrets.publishableKey,
    PUBLIC_RAZORPAY_CHECKOUT_URL: `${sandboxOrigin}/local/razorpay/checkout.js`,
    PUBLIC_TURNSTILE_SITE_KEY: turnstile ? turnstileKeys.siteKey : '',
    PUBLIC_TURNSTILE_SCRIPT: `${sandboxOrigin}/local/turnstile/api.js`,
    PUBLIC_FORM_ENDPOINT: '/',
    PUBLIC_SITE_URL: origin,
    // Local builds are production builds, whatever the functions' variable is.
    CONTEXT: '',
  };
}

/** Variables of the functions. They override the environment, so that no real service is reached. */
export function functionEnvironment(
  { origin, sandboxOrigin, turnstile, checkout, supabaseUrl }: Addresses,
  secrets: Secrets,
  smtpPort: number,
): Record<string, string> {
  return {
    SUPABASE_URL: supabaseUrl,
    SUPABASE_SECRET_KEY: secrets.secretKey,
    SUPABASE_PUBLISHABLE_KEY: secrets.publishableKey,
    SEND_EMAIL_HOOK_SECRET: secrets.sendEmailHookSecret,
    RAZORPAY_KEY_ID: keyIds[checkout](secrets.razorpayKeyId),
    TEST_BUYERS: demoCustomer.email,
    RAZORPAY_KEY_SECRET: secrets.razorpayKeySecret,
    RAZORPAY_WEBHOOK_SECRET: secrets.razorpayWebhookSecret,
    RAZORPAY_API_URL: `${sandboxOrigin}/local/razorpay`,
    SMTP_URL: `smtp://127.0.0.1:${String(smtpPort)}`,
    MAIL_FROM: `${shop.name} <${supportEmail}>`,
    OWNER_EMAIL: 'owner@kasavu.example',
    ADMIN_PASSWORD_HASH: secrets.adminPasswordHash,
    TURNSTILE_SECRET_KEY: turnstile ? turnstileKeys.secretKey : '',
    TURNSTILE_API_URL: sandboxOrigin,
    ...secrets.variables,
    // Netlify's own variables for telling its CDN to forget something.
    CDN_API_URL: `${origin}/local/cdn`,
    NETLIFY_PURGE_API_TOKEN: 'embedded',
    SITE_ID: 'embedded',
    BUILD_HOOK_URL: `${origin}/local/build-hook`,
    BUILDS_ARE_FREE: '1',
    // Tests serve another shop's images from this machine.
    IMAGES_FROM_HOST: '127.0.0.1',
    URL: origin,
    DEPLOY_PRIME_URL: origin,
    CONTEXT: checkout === 'open' ? 'dev' : 'production',
  };
}

/** Variables that `local/emulators/supabase/database/config.toml` refers to with `env(…)`. */
export function databaseEnvironment(
  origin: string,
  secrets: Pick<Secrets, 'jwtSecret' | 'publishableKey' | 'secretKey'>,
  databaseDir: string,
): Record<string, string> {
  return {
    SHOP_DATABASE: databaseDir,
    SHOP_AUTH_PAGE: `${origin}/auth`,
    SUPABASE_JWT_SECRET: secrets.jwtSecret,
    SUPABASE_PUBLISHABLE_KEY: secrets.publishableKey,
    SUPABASE_SECRET_KEY: secrets.secretKey,
  };
}
