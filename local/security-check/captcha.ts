import * as z from 'zod';
import type { Handler } from '#local/emulators/http/handler.ts';
import { refuse } from '#local/emulators/supabase/auth/refusals.ts';
import type { Turnstile } from './turnstile.ts';

const bodySchema = z.object({
  gotrue_meta_security: z.object({ captcha_token: z.string().default('') }).optional(),
});

/** Matches the calls that Supabase Auth protects when its captcha setting is on: everything that signs in or sends a mail, but no refresh. */
function isProtected({ method, url }: Request): boolean {
  const { pathname, searchParams } = new URL(url);
  if (method !== 'POST') return false;
  if (pathname === '/auth/v1/token') return searchParams.get('grant_type') === 'password';
  return /^\/auth\/v1\/(?:signup|recover|resend|otp|magiclink)$/u.test(pathname);
}

/**
 * The captcha check that a hosted project has and the embedded one lacks: stands in front of its auth and answers as Supabase
 * Auth does (github.com/supabase/auth, internal/api/middleware.go).
 */
export function requireCaptcha({ verify }: Turnstile, secretKey: string, next: Handler): Handler {
  return async (request) => {
    if (!isProtected(request)) return next(request);
    const body = bodySchema.safeParse(await request.clone().json());
    const token = body.data?.gotrue_meta_security?.captcha_token ?? '';
    const reason = 'captcha protection: request disallowed';
    if (token === '')
      return refuse(400, 'captcha_failed', `${reason} (no captcha_token found in request)`);
    const answer = verify(secretKey, token);
    if (answer === null)
      return refuse(500, 'unexpected_failure', 'captcha verification process failed');
    if (answer['success'] !== true)
      return refuse(400, 'captcha_failed', `${reason} (${String(answer['error-codes'])})`);
    return next(request);
  };
}
