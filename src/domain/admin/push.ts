import * as z from 'zod/mini';

/** What a device is told. `public/admin-worker.js` shows it. */
export interface PushMessage {
  title: string;
  body: string;
  /** A page of the admin, which a tap opens. */
  url: string;
  /** Two messages with the same tag are shown as one. */
  tag: string;
}

/** Where a device is reached and what only it can read, as `PushSubscription.toJSON()` says it. */
export const pushSubscriptionSchema = z.object({
  endpoint: z
    .url('This browser’s push address cannot be used.')
    .check(z.maxLength(2000, 'This browser’s push address cannot be used.')),
  keys: z.object({
    p256dh: z
      .string()
      .check(z.regex(/^[A-Za-z0-9_-]{87}$/u, 'This browser’s push key cannot be used.')),
    auth: z
      .string()
      .check(z.regex(/^[A-Za-z0-9_-]{22}$/u, 'This browser’s push key cannot be used.')),
  }),
});
export type PushSubscriptionInput = z.infer<typeof pushSubscriptionSchema>;

/** Which of the shop's keys a device subscribes with; null when the shop has none. */
export const pushKeySchema = z.object({ publicKey: z.nullable(z.string()) });
