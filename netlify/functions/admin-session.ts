import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { adminFunction, requireOwnOrigin, respond } from '#core/auth/admin-routes.ts';
import { endSession, createSession } from '#core/auth/admin-session.ts';
import { checkCredentials, confirmSession } from '#core/auth/confirm.ts';
import { deviceCookieFor } from '#core/auth/login-throttle.ts';
import { checkoutState } from '#core/payments/payment-provider.ts';
import { routeByAction } from '#core/platform/http/route-by-action.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { readJson } from '#core/platform/http/request-body.ts';

/**
 * POST /api/admin/login: `{password, code}` → a session cookie. 401 `code_required` when only the code is missing. The
 * attempt is counted before the password is checked.
 */
const login = endpoint({
  route: 'admin/login',
  method: 'POST',
  async handler(ctx) {
    requireOwnOrigin(ctx.request);
    const { source, proof } = await checkCredentials(ctx, 401);
    const { cookie, expiresAt } = await createSession(source, proof);
    const response = json({ expiresAt });
    response.headers.append('set-cookie', cookie);
    response.headers.append('set-cookie', deviceCookieFor(source));
    return response;
  },
});

const logoutSchema = z.object({ everywhere: z.optional(z.boolean()) });

const session = adminFunction([
  // Until when the admin is logged in, and whether the site sells.
  respond({ method: 'GET', path: '/api/admin/session' }, ({ session: { expiresAt }, context }) =>
    Promise.resolve(json({ expiresAt, checkout: checkoutState(context) })),
  ),
  // Ends this session on the server, or with `everywhere` all of them.
  respond(
    { method: 'POST', path: '/api/admin/logout' },
    async ({ request, session: current, addLogFields }) => {
      const { everywhere = false } = await readJson(request, logoutSchema);
      addLogFields({ everywhere });
      const response = json({ loggedOut: true });
      response.headers.append('set-cookie', await endSession(current, everywhere));
      return response;
    },
  ),
  // `{password, code}`, before a large refund and other steps that ask again.
  respond({ method: 'POST', path: '/api/admin/confirm' }, async (ctx) => {
    await confirmSession(ctx.session, ctx);
    return json({ confirmed: true });
  }),
]);

export default routeByAction({ login }, session);

export const config: Config = { path: '/api/admin/:action(session|login|logout|confirm)' };
