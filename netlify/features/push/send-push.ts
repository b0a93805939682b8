import { createHash } from 'node:crypto';
import { encryptNotification, vapidHeaders } from '@block65/webcrypto-web-push';
import * as z from 'zod/mini';
import type { PushMessage } from '#features/push/domain/push.ts';
import { seller } from '#settings/seller.ts';
import { passwordFingerprint } from '#core/auth/admin-session.ts';
import { ConfigurationError, pushEnv } from '#core/platform/env.ts';
import { composePush, pushOrderSchema, pushPayloadSchema } from './compose-push.ts';
import { endPushSubscription } from './push-subscriptions.ts';
import { vapidPublicKey } from './vapid-key.ts';

/** The push service refused a message. Leaves out its text, which may contain the secret endpoint. */
class PushRefused extends Error {
  override name = 'PushRefused';
  readonly responseCode: number;

  constructor(status: number) {
    super(`The push service answered ${String(status)}`);
    this.responseCode = status;
  }
}

const timeoutMs = 8_000;
/** Seconds that a push service stores a message for an offline device: one day. */
const keptSeconds = 24 * 60 * 60;

const subscriptionSchema = z.nullable(
  z.object({
    endpoint: z.string(),
    p256dh: z.string(),
    auth: z.string(),
    password_fingerprint: z.nullable(z.string()),
  }),
);

/** An entry of the outbox with a notification. */
interface PushEntry {
  payload: unknown;
  order: unknown;
  subscription: unknown;
  dedupe_key: string;
}

/**
 * Sends one notification to one device. Skips a removed device; removes one that its push service does not
 * know any more (404, 410), and one that subscribed under an earlier admin password. Throws when a retry may succeed.
 */
export async function sendPush(entry: PushEntry): Promise<void> {
  const subscription = subscriptionSchema.parse(entry.subscription);
  if (subscription === null) return;
  if (subscription.password_fingerprint !== passwordFingerprint()) {
    await endPushSubscription(subscription.endpoint);
    return;
  }
  const { VAPID_PRIVATE_KEY: key } = pushEnv();
  if (key === undefined) throw new ConfigurationError('Missing or unusable: VAPID_PRIVATE_KEY');
  // A message sent twice is shown once.
  const tag = createHash('sha256').update(entry.dedupe_key).digest('base64url').slice(0, 32);
  const message: PushMessage = {
    ...composePush(pushPayloadSchema.parse(entry.payload), pushOrderSchema.parse(entry.order)),
    tag,
  };
  const { endpoint, p256dh, auth } = subscription;
  // Only a push service on this machine speaks http, which the library refuses to sign for.
  const device = {
    endpoint: endpoint.replace(/^http:/u, 'https:'),
    expirationTime: null,
    keys: { p256dh, auth },
  };
  const { headers } = await vapidHeaders(device, {
    subject: `mailto:${seller.contact.emails[0]}`,
    publicKey: vapidPublicKey(key),
    privateKey: key,
  });
  const body = await encryptNotification(device, Buffer.from(JSON.stringify(message)));
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      ...headers,
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      topic: tag,
      ttl: String(keptSeconds),
      urgency: 'high',
    },
    body: Uint8Array.from(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.body?.cancel();
  if (response.status === 404 || response.status === 410) await endPushSubscription(endpoint);
  else if (!response.ok) throw new PushRefused(response.status);
}
