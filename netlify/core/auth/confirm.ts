import * as z from 'zod/mini';
import { credentialsSchema } from '#domain/admin/credentials.ts';
import { proveCode } from '#netlify/features/second-factor/factor.ts';
import { callFunction } from '#core/platform/database.ts';
import { adminEnv } from '#core/platform/env.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import type { RequestContext } from '#core/platform/http/http.ts';
import { readJson } from '#core/platform/http/request-body.ts';
import type { AdminSession, LoginSource } from './admin-session.ts';
import { requireAccepted, type CodeProof } from './login-check.ts';
import { forgetAttempt, recordAttempt } from './login-throttle.ts';
import { isPassword } from './password.ts';

/**
 * Checks the password and the code of a request, and counts it as a login attempt first. Throws 429, `wrong_password`,
 * `code_required` or `wrong_code`. Login answers with 401; an open session with 403, because 401 ends it on the page.
 * The caller passes the proof to the SQL function, which accepts it once.
 */
export async function checkCredentials(
  { request, context, addLogFields }: RequestContext,
  status: 401 | 403,
): Promise<{ source: LoginSource; proof: CodeProof }> {
  const { password, code } = await readJson(request, credentialsSchema);
  const { ADMIN_PASSWORD_HASH: hash } = adminEnv();
  const source = await recordAttempt(request, context);
  addLogFields({ device: source.device === null ? 'new' : 'known' });
  if (!(await isPassword(password, hash)))
    throw new HttpError(status, 'wrong_password', 'Wrong password');
  try {
    return { source, proof: await proveCode(code, status) };
  } catch (error) {
    const refusal = error instanceof HttpError ? error.code : null;
    // The password was right and no code was tried.
    if (refusal === 'code_required') await forgetAttempt(source);
    if (refusal === 'wrong_code') await callFunction('note_wrong_code', {}, z.unknown());
    throw error;
  }
}

/** Notes that the admin proved who they are. Throws as `checkCredentials`. */
export async function confirmSession({ id }: AdminSession, ctx: RequestContext): Promise<void> {
  const { source, proof } = await checkCredentials(ctx, 403);
  const args = { p_id: id, p_address: source.address, p_device: source.device, ...proof };
  requireAccepted(await callFunction('confirm_admin_session', args, z.boolean()), 403);
}

/** Throws 403 `confirm_again` unless the admin logged in or confirmed in the last ten minutes. The page then shows the dialog. */
export function requireConfirmed({ confirmed, secondFactor }: AdminSession): void {
  if (confirmed) return;
  throw new HttpError(403, 'confirm_again', 'Please enter your password again.', {
    code_needed: secondFactor,
  });
}
