import * as z from 'zod/mini';
import type { Config, Context } from '@netlify/functions';
import { adminEndpoint, requireOwnOrigin } from '../server/auth/admin-endpoint.ts';
import { endSession, openSession } from '../server/auth/admin-session.ts';
import { recordAttempt, deviceCookieFor } from '../server/auth/login-throttle.ts';
import { isPassword } from '../server/auth/password.ts';
import { takesTestPayments } from '../server/payments/payment-provider.ts';
import { routeByAction } from '../server/platform/route-by-action.ts';
import { adminEnv } from '../server/platform/env.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { readJson } from '../server/platform/request-body.ts';
import {
  endPushSubscription,
  listPushDevices,
  pushKey,
  removePushDevice,
  savePushSubscription,
} from '../server/push/push-subscriptions.ts';
import { pushSubscriptionSchema } from '../../src/domain/admin/push.ts';

/** GET /api/admin/session: until when the admin is logged in, and whether the site takes test payments; 401 when they are not. */
const session = adminEndpoint({
  route: 'admin/session',
  handlers: {
    GET: ({ session: { expiresAt }, context }) =>
      Promise.resolve(json({ expiresAt, testPayments: takesTestPayments(context) })),
  },
});

const loginSchema = z.object({
  password: z
    .string('Enter the password')
    .check(z.minLength(1, 'Enter the password'), z.maxLength(200, 'Wrong password')),
});

/** POST /api/admin/login: `{password}` → a session cookie. The attempt is counted before the password is checked. */
const login = endpoint({
  route: 'admin/login',
  method: 'POST',
  async handler({ request, context, addLogFields }) {
    requireOwnOrigin(request);
    const { password } = await readJson(request, loginSchema);
    const { ADMIN_PASSWORD_HASH: hash } = adminEnv();
    const source = await recordAttempt(request, context);
    addLogFields({ device: source.device === null ? 'new' : 'known' });
    if (!(await isPassword(password, hash)))
      throw new HttpError(401, 'wrong_password', 'Wrong password');
    const { cookie, expiresAt } = await openSession(source);
    const response = json({ expiresAt });
    response.headers.append('set-cookie', cookie);
    response.headers.append('set-cookie', deviceCookieFor(source));
    return response;
  },
});

const logoutSchema = z.object({ everywhere: z.optional(z.boolean()) });

/** POST /api/admin/logout: ends this session on the server, or with `everywhere` all of them. */
const logout = adminEndpoint({
  route: 'admin/logout',
  handlers: {
    async POST({ request, session: current, addLogFields }) {
      const { everywhere = false } = await readJson(request, logoutSchema);
      addLogFields({ everywhere });
      const response = json({ loggedOut: true });
      response.headers.append('set-cookie', await endSession(current, everywhere));
      return response;
    },
  },
});

/**
 * /api/admin/push. GET: `{publicKey, devices}`, the key that a device subscribes with and the devices that have. POST
 * `{endpoint, keys}` turns notifications on for a device until its session is logged out; DELETE `{endpoint}` turns them off.
 * DELETE `{id}` removes another device and logs it out.
 */
const push = adminEndpoint({
  route: 'admin/push',
  handlers: {
    GET: async ({ session: { id } }) =>
      json({ publicKey: pushKey(), devices: await listPushDevices(id) }),
    async POST({ request, session: current, context }) {
      await savePushSubscription(
        await readJson(request, pushSubscriptionSchema),
        current.id,
        request.headers.get('user-agent') ?? '',
        (context as Partial<Context>).deploy?.context,
      );
      return json({ on: true });
    },
    async DELETE({ request }) {
      const wanted = await readJson(
        request,
        z.union([z.pick(pushSubscriptionSchema, { endpoint: true }), z.object({ id: z.int() })]),
      );
      if ('id' in wanted) await removePushDevice(wanted.id);
      else await endPushSubscription(wanted.endpoint);
      return json({ on: false });
    },
  },
});

export default routeByAction({ login, logout, push }, session);

export const config: Config = { path: '/api/admin/:action(session|login|logout|push)' };
