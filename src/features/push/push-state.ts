import { pushApi, pushSubscriptionSchema } from './domain/push.ts';
import { localTexts } from '#services/storage/browser-storage.ts';
import { callAdmin } from '#services/admin/api.ts';
import { AdminError } from '#services/admin/admin-error.ts';

/** Whether this device receives notifications, and if not, why not. */
export type PushState =
  'on' | 'off' | 'blocked' | 'unsupported' | 'needs_home_screen' | 'not_set_up';

const scope = '/admin';

const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
/** An iPhone or iPad has all of it, once the page is on its home screen. */
const isPhoneOfApple = (): boolean => 'standalone' in navigator && !navigator.standalone;

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const fetchPushKey = async (signal?: AbortSignal): Promise<string | null> =>
  (await callAdmin(pushApi.read, { signal })).publicKey;

/** This device's subscription; null when it has none, or one for a key that the shop does not use any more. */
async function currentSubscription(publicKey: string): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(scope);
  const subscription = (await registration?.pushManager.getSubscription()) ?? null;
  const key = subscription?.options.applicationServerKey;
  return key && base64url(key) === publicKey ? subscription : null;
}

const save = (subscription: PushSubscription): Promise<unknown> =>
  callAdmin(pushApi.turnOn, { body: pushSubscriptionSchema.parse(subscription.toJSON()) });

/**
 * How this device stands. One that is on is registered with the shop again, which may have removed it since: with a log-out, for
 * instance. Throws AdminError.
 */
export async function readPushState(signal?: AbortSignal): Promise<PushState> {
  if (!isSupported()) return isPhoneOfApple() ? 'needs_home_screen' : 'unsupported';
  const publicKey = await fetchPushKey(signal);
  if (publicKey === null) return 'not_set_up';
  if (Notification.permission === 'denied') return 'blocked';
  const subscription = await currentSubscription(publicKey);
  if (Notification.permission !== 'granted' || subscription === null) return 'off';
  await save(subscription);
  return 'on';
}

/** Asks for the permission, and subscribes this device. Throws AdminError with a sentence for whoever pressed the button. */
export async function turnPushOn(): Promise<PushState> {
  // The permission is requested first, because browsers ask only while the press is fresh.
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off';
  const publicKey = await fetchPushKey();
  if (publicKey === null) return 'not_set_up';
  await save(await subscribe(publicKey));
  return 'on';
}

async function subscribe(publicKey: string): Promise<PushSubscription> {
  try {
    await navigator.serviceWorker.register('/admin-worker.js', { scope });
    const { pushManager } = await navigator.serviceWorker.ready;
    const current = await currentSubscription(publicKey);
    if (current) return current;
    // One for an old key stands in the way of the new one.
    await (await pushManager.getSubscription())?.unsubscribe();
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  } catch (error) {
    console.warn('This device could not be subscribed', error);
    const sentence =
      'This browser could not reach its notification service. Check the connection, and that this is no private window; or try another browser. Mails arrive as usual.';
    throw new AdminError(sentence, 0, 'no_push_service');
  }
}

/** Unsubscribes this device. It is silent from then on, also when the shop cannot be reached: the push service reports it. */
export async function turnPushOff(): Promise<PushState> {
  const registration = await navigator.serviceWorker.getRegistration(scope);
  const endpoint = (await registration?.pushManager.getSubscription())?.endpoint;
  await registration?.unregister();
  if (endpoint !== undefined)
    await callAdmin(pushApi.turnOff, { body: { endpoint } }).catch(() => undefined);
  return 'off';
}

const declinedKey = 'kasavu:notifications-declined';

/** Whether the offer was answered with ‘Not now’ on this device. */
export const isPushDeclined = (): boolean => localTexts.getItem(declinedKey) !== null;

export function declinePush(): void {
  localTexts.setItem(declinedKey, 'yes');
}
