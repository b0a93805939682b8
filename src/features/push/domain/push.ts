import * as z from 'zod/mini';
import { changes, reads } from '#domain/admin/endpoint.ts';

/** A notification as the device receives it. The service worker of `pages/admin-worker.js.ts` shows it. */
export interface PushMessage {
  title: string;
  body: string;
  /** A page of the admin, which a tap opens. */
  url: string;
  /** Two messages with the same tag are shown as one. */
  tag: string;
}

/** The address and the keys of a device, as `PushSubscription.toJSON()` returns them. */
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

/** A device that gets notifications, as the admin sees it. */
export const pushDeviceSchema = z.object({
  id: z.int(),
  /** 'Chrome on Android'; '' when its browser is unknown. */
  device: z.string(),
  /** ISO 8601. */
  since: z.string(),
  /** The device that asks. */
  current: z.boolean(),
});
export type PushDevice = z.infer<typeof pushDeviceSchema>;

/** The key that a device subscribes with, null when the shop has none; and the devices that have. */
const pushSettingsSchema = z.object({
  publicKey: z.nullable(z.string()),
  devices: z.array(pushDeviceSchema),
});

const browsers = [
  [/\bEdg(?:e|A|iOS)?\//u, 'Edge'],
  [/\b(?:Firefox|FxiOS)\//u, 'Firefox'],
  [/\bSamsungBrowser\//u, 'Samsung Internet'],
  [/\b(?:Chrome|CriOS)\//u, 'Chrome'],
  [/\bSafari\//u, 'Safari'],
] as const;
const systems = [
  [/\biPhone\b/u, 'iPhone'],
  [/\biPad\b/u, 'iPad'],
  [/\bAndroid\b/u, 'Android'],
  [/\bWindows\b/u, 'Windows'],
  [/\bMacintosh\b/u, 'Mac'],
  [/\bLinux\b/u, 'Linux'],
] as const;

/** A device in words, from its user agent: 'Chrome on Android'; '' when neither is known. */
export function describeDevice(userAgent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [browser, system].filter((part) => part !== undefined).join(' on ');
}

const deviceSchema = z.object({ on: z.boolean() });

export const pushApi = {
  read: reads('/api/admin/push', pushSettingsSchema),
  /** Turns notifications on for a device, until its session is logged out. */
  turnOn: changes('POST', '/api/admin/push', pushSubscriptionSchema, deviceSchema),
  /** Turns them off by the device's endpoint; by its id another device, which is logged out, too. */
  turnOff: changes(
    'DELETE',
    '/api/admin/push',
    z.union([z.pick(pushSubscriptionSchema, { endpoint: true }), z.object({ id: z.int() })]),
    deviceSchema,
  ),
};
