import type { AddStackPart } from '#local/stack/stack-parts.ts';
import { requireCaptcha } from './captcha.ts';
import { createTurnstile } from './turnstile.ts';

/** Turnstile's stand-in, in front of the auth service, too. Off without a site key. */
export const addStackPart: AddStackPart = ({ origin, sandboxOrigin, router, env }, supabase) => {
  const { PUBLIC_TURNSTILE_SITE_KEY: siteKey = '', TURNSTILE_SECRET_KEY: secretKey = '' } = env;
  if (siteKey === '') return supabase;
  const turnstile = createTurnstile({ siteKey, secretKey }, origin);
  router.add(turnstile.handle, sandboxOrigin);
  return requireCaptcha(turnstile, secretKey, supabase);
};
