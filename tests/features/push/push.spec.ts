import type { BrowserContext, Page, Worker } from '@playwright/test';
import type { PushSubscriptionInput } from '#features/push/domain/push.ts';
import { startPushService } from './push-service.ts';
import { expectAccessible } from '#tests/browser/support/accessible.ts';
import { runningShop, supabaseAs } from '#tests/browser/support/running-shop.ts';
import { expectToast } from '#tests/browser/support/toasts.ts';
import { expect, openMore, test } from '#tests/browser/admin/admin-page.ts';

test.use({ serviceWorkers: 'allow' });

/*
 * A headless browser has no push service and allows no notification. What it lacks is put in its place: the answer to the
 * question for the permission, and the address that a push service would give. The rest is real: the shop's requests to that
 * address, and what they hold, handed to the service worker as the browser does it.
 */
async function bePhone(
  context: BrowserContext,
  answer: 'granted' | 'denied',
  device: PushSubscriptionInput | null,
): Promise<void> {
  await context.addInitScript(
    ([answered, given]) => {
      const stored = (key: string): string | null => localStorage.getItem(`test:${key}`);
      Object.defineProperty(Notification, 'permission', {
        get: () => stored('permission') ?? 'default',
      });
      Notification.requestPermission = () => {
        localStorage.setItem('test:permission', answered);
        return Promise.resolve(answered);
      };
      if (given === null) return;
      const subscription = (): unknown => ({
        endpoint: given.endpoint,
        toJSON: () => given,
        options: {
          applicationServerKey: Uint8Array.from(
            atob((stored('key') ?? '').replaceAll('-', '+').replaceAll('_', '/')),
            (sign) => sign.charCodeAt(0),
          ).buffer,
        },
      });
      Object.assign(PushManager.prototype, {
        getSubscription: () => Promise.resolve(stored('key') === null ? null : subscription()),
        subscribe(options: { applicationServerKey: string }) {
          localStorage.setItem('test:key', options.applicationServerKey);
          return Promise.resolve(subscription());
        },
      });
    },
    [answer, device] as const,
  );
}

/** The admin's open tasks: orders of this month, or nothing yet. */
async function haveOrders(page: Page, monthOrders: number): Promise<void> {
  await page.route('**/api/admin/today*', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as {
      today: { toPack: object; toShip: object; sales: object } | null;
    };
    const none = { count: 0, orders: [] };
    if (answer.today)
      answer.today = {
        ...answer.today,
        toPack: none,
        toShip: none,
        sales: { ...answer.today.sales, monthOrders },
      };
    await route.fulfill({ response, json: answer });
  });
}

/** Hands a message to the page's service worker, and returns what the worker asks the browser to show. */
async function deliver(page: Page, worker: Worker, data: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const known = Promise.withResolvers<string>();
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId } of registrations) known.resolve(registrationId);
  });
  await session.send('ServiceWorker.enable');
  await worker.evaluate(`self.shown = new Promise((resolve) => {
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => resolve({ title, ...options });
  }), undefined`);
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: runningShop().url,
    registrationId: await known.promise,
    data,
  });
  return worker.evaluate('self.shown');
}

/** Taps a notification with this address, as the browser tells the worker of it. */
const tap = (worker: Worker, url: string): Promise<unknown> =>
  worker.evaluate(`(async () => {
    WindowClient.prototype.focus = async function () { return this; };
    let opened;
    const event = new ExtendableEvent('notificationclick');
    const notification = { close() {}, data: { url: ${JSON.stringify(url)} } };
    Object.defineProperties(event, { notification: { value: notification }, waitUntil: { value: (work) => { opened = work; } } });
    self.dispatchEvent(event);
    await opened;
  })()`);

test('after the first order a phone is offered notifications; turned on it gets them, a tap leads there, and one press turns it off', async ({
  page,
  context,
}) => {
  const service = await startPushService();
  const device = service.subscribe();
  await bePhone(context, 'granted', device);
  await haveOrders(page, 0);
  await openMore(page);
  const settings = page.locator('details').filter({ hasText: 'Notifications on this device' });
  const unfold = () => settings.locator('summary').click();
  await unfold();
  const offer = page.getByRole('region', { name: 'Get a notification for each new order?' });
  await expect(settings.getByRole('button', { name: 'Turn on notifications' })).toBeVisible();
  await expect(offer).toBeHidden();

  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await haveOrders(page, 1);
  await page.goto('/admin#today');
  // The state of this device comes last: what the offer adds moves nothing.
  const answer = Promise.withResolvers<undefined>();
  await page.route('**/api/admin/push*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.reload();
  const tasks = page.getByRole('heading', { name: 'Today' });
  await expect(page.getByText('Sold today')).toBeVisible();
  await expect(offer).toHaveCount(0);
  const before = await tasks.boundingBox();
  answer.resolve(undefined);
  await expect(offer).toBeVisible();
  expect(await tasks.boundingBox()).toEqual(before);
  await expectAccessible(page, 'the offer of notifications');
  const registered = context.waitForEvent('serviceworker');
  await offer.getByRole('button', { name: 'Turn on notifications' }).click();
  await expectToast(page, 'Notifications are on');
  await expect(offer).toBeHidden();
  await openMore(page);
  await unfold();
  await expect(settings.getByText(/^On\./u)).toBeVisible();
  await page.reload();
  await unfold();
  await expect(settings.getByRole('button', { name: 'Turn off notifications' })).toBeVisible();

  const shop = supabaseAs('shop');
  const id = crypto.randomUUID();
  await shop.rpc('save_contact_message', {
    p_name: 'Devika',
    p_email: 'devika@example.org',
    p_subject: id,
    p_message: 'Which size fits 52 mm?',
  });
  await page.request.post('/local/sweep');
  await expect
    .poll(() => service.pushed.map(({ message }) => (message as { title: string }).title))
    .toContain('New message');
  const message = JSON.stringify(
    service.pushed.find(({ message: sent }) => (sent as { title: string }).title === 'New message')
      ?.message,
  );
  const worker = await registered;
  expect(await deliver(page, worker, message)).toMatchObject({
    title: 'New message',
    icon: '/icon-512.png',
    data: { url: '/admin#inbox' },
  });
  await tap(worker, '/admin#inbox');
  await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible();
  expect(await deliver(page, worker, 'unreadable')).toMatchObject({
    title: 'News from your shop',
    data: { url: '/admin' },
  });

  await openMore(page);
  await unfold();
  await settings.getByRole('button', { name: 'Turn off notifications' }).click();
  await expectToast(page, 'Notifications are off');
  await expect(settings.getByRole('button', { name: 'Turn on notifications' })).toBeVisible();
  expect(
    (await shop.from('push_subscriptions').select('id').eq('endpoint', device.endpoint)).data,
  ).toEqual([]);
  await page.evaluate(() => {
    localStorage.removeItem('test:key');
    PushManager.prototype.subscribe = () => Promise.reject(new Error('no service'));
  });
  await settings.getByRole('button', { name: 'Turn on notifications' }).click();
  await expect(settings.getByRole('alert')).toContainText('could not reach its notification');
  await expectAccessible(page, 'notifications that cannot be turned on');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await service.close();
});
