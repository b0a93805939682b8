import type { Context } from '@netlify/functions';
import { pushApi } from '#features/push/domain/push.ts';
import { answer } from '#core/auth/admin-routes.ts';
import {
  endPushSubscription,
  listPushDevices,
  pushKey,
  removePushDevice,
  savePushSubscription,
} from './push-subscriptions.ts';

export const routes = [
  answer(pushApi.read, async ({ session: { id } }) => ({
    publicKey: pushKey(),
    devices: await listPushDevices(id),
  })),
  answer(pushApi.turnOn, async ({ request, body, session, context }) => {
    await savePushSubscription(
      body,
      session.id,
      request.headers.get('user-agent') ?? '',
      (context as Partial<Context>).deploy?.context,
    );
    return { on: true };
  }),
  answer(pushApi.turnOff, async ({ body }) => {
    if ('id' in body) await removePushDevice(body.id);
    else await endPushSubscription(body.endpoint);
    return { on: false };
  }),
];
