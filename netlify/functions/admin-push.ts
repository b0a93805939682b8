import * as z from 'zod/mini';
import type { Config, Context } from '@netlify/functions';
import { pushSubscriptionSchema } from '../../src/domain/admin/push.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';
import {
  endPushSubscription,
  listPushDevices,
  pushKey,
  removePushDevice,
  savePushSubscription,
} from '../server/push/push-subscriptions.ts';

/**
 * GET: `{publicKey, devices}`, the key that a device subscribes with and the devices that have. POST
 * `{endpoint, keys}` turns notifications on for a device until its session is logged out; DELETE `{endpoint}` turns them off.
 * DELETE `{id}` removes another device and logs it out.
 */
export default adminEndpoint({
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

export const config: Config = { path: '/api/admin/push' };
