import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { requireOwnOrigin } from '../server/auth/admin-endpoint.ts';
import { openSession } from '../server/auth/admin-session.ts';
import { recordAttempt, deviceCookieFor } from '../server/auth/login-throttle.ts';
import { isPassword } from '../server/auth/password.ts';
import { adminEnv, ConfigurationError } from '../server/platform/env.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { readJson } from '../server/platform/request-body.ts';

const loginSchema = z.object({
  password: z.string('Enter the password').check(z.minLength(1, 'Enter the password'), z.maxLength(200, 'Wrong password')),
});

function passwordHash(): string {
  try {
    return adminEnv().ADMIN_PASSWORD_HASH;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const sentence = 'The owner’s page has no password yet: set ADMIN_PASSWORD_HASH (npm run hash-password makes it).';
    throw new HttpError(503, 'not_configured', sentence, {}, error);
  }
}

/** POST /api/admin/login: `{password}` → a session cookie. The attempt is counted before the password is checked. */
export default endpoint({
  route: 'admin/login',
  method: 'POST',
  async handler({ request, context, addLogFields }) {
    requireOwnOrigin(request);
    const { password } = await readJson(request, loginSchema);
    const hash = passwordHash();
    const source = await recordAttempt(request, context);
    addLogFields({ device: source.device === null ? 'new' : 'known' });
    if (!(await isPassword(password, hash))) throw new HttpError(401, 'wrong_password', 'Wrong password');
    const { cookie, expiresAt } = await openSession(source);
    const response = json({ expiresAt });
    response.headers.append('set-cookie', cookie);
    response.headers.append('set-cookie', deviceCookieFor(source));
    return response;
  },
});

export const config: Config = { path: '/api/admin/login' };
