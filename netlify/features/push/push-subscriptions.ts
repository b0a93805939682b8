import * as z from 'zod/mini';
import {
  describeDevice,
  pushDeviceSchema,
  type PushDevice,
  type PushSubscriptionInput,
} from '#features/push/domain/push.ts';
import { callFunction } from '#core/platform/database.ts';
import { isProduction, pushEnv } from '#core/platform/env.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { vapidPublicKey } from './vapid-key.ts';

/** The key that devices subscribe with; null when the shop has none. */
export function pushKey(): string | null {
  const { VAPID_PRIVATE_KEY: key } = pushEnv();
  return key === undefined ? null : vapidPublicKey(key);
}

/** The push services of Chrome, Firefox, Edge and Safari: the shop sends requests to no other host. */
const pushServices =
  /^(?:fcm\.googleapis\.com|web\.push\.apple\.com|[\w-]+\.push\.services\.mozilla\.com|(?:[\w-]+\.)+notify\.windows\.com)$/u;

function isPushService(address: string): boolean {
  const { protocol, hostname, port } = new URL(address);
  return protocol === 'https:' && port === '' && pushServices.test(hostname);
}

/**
 * Stores a device's subscription. Throws 503 when the shop has no key, 400 for an endpoint of no known push service: the
 * shop would send requests there.
 */
export async function savePushSubscription(
  { endpoint, keys }: PushSubscriptionInput,
  sessionId: number,
  userAgent: string,
  deployContext?: string,
): Promise<void> {
  if (pushKey() === null)
    throw new HttpError(
      503,
      'not_configured',
      'Notifications are not set up: VAPID_PRIVATE_KEY is missing (npm run push-key makes it).',
    );
  if (isProduction(deployContext) && !isPushService(endpoint)) {
    throw new HttpError(400, 'invalid_request', 'This browser’s push address cannot be used.');
  }
  await callFunction(
    'save_push_subscription',
    {
      p_endpoint: endpoint,
      p_p256dh: keys.p256dh,
      p_auth: keys.auth,
      p_session_id: sessionId,
      p_device: describeDevice(userAgent),
    },
    z.unknown(),
  );
}

/** Removes a device. True when it existed. */
export const endPushSubscription = (endpoint: string): Promise<boolean> =>
  callFunction('end_push_subscription', { p_endpoint: endpoint }, z.boolean());

/** The devices that get notifications, newest first. */
export const listPushDevices = (sessionId: number): Promise<PushDevice[]> =>
  callFunction('list_push_devices', { p_session_id: sessionId }, z.array(pushDeviceSchema));

/** Ends a device's notifications and logs it out. Throws 404 for an unknown one. */
export async function removePushDevice(id: number): Promise<void> {
  if (!(await callFunction('remove_push_device', { p_id: id }, z.boolean())))
    throw new HttpError(404, 'not_found', 'This device is no longer on the list.');
}
