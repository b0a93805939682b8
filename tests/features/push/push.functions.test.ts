import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sendOutbox } from '#core/mail/outbox.ts';
import { createVapidKey, vapidPublicKey } from '#netlify/features/push/vapid-key.ts';
import type { PushSubscriptionInput } from '#features/push/domain/push.ts';
import { eachRow } from '#tests/each-row.ts';
import { sendForm } from '#tests/functions/forms/visitor-forms.ts';
import { sendEvent } from '#tests/functions/payments/webhook-events.ts';
import { startPushService, type PushService } from './push-service.ts';
import { useStack, type Answer, type Line } from '#tests/functions/support/stack.ts';
import {
  logIn,
  setAdminPassword,
  type AdminClient,
  type AskOptions,
} from '#tests/functions/admin/admin-client.ts';
import { shop } from '#settings/shop.ts';

const stack = await useStack();
let service: PushService;
let admin: AdminClient;
const privateKey = createVapidKey();

beforeAll(async () => {
  service = await startPushService();
  await setAdminPassword();
});
beforeEach(async () => {
  vi.stubEnv('VAPID_PRIVATE_KEY', privateKey);
  service.setStatus(201);
  service.pushed.length = 0;
  stack.mail.mails.length = 0;
  await stack.sql(
    'truncate public.push_subscriptions, public.outbox, public.costs, public.contact_messages',
  );
  admin = await logIn(stack);
});
afterAll(async () => {
  await service.close();
});

const ask = (method: string, body?: unknown, options?: AskOptions): Promise<Answer> =>
  admin.ask(method, '/api/admin/push', body, options);

/** A device of the admin's, turned on. */
async function turnOn(): Promise<PushSubscriptionInput> {
  const device = service.subscribe();
  expect(await ask('POST', device)).toMatchObject({ status: 200, json: { on: true } });
  return device;
}

const endpoints = async (): Promise<unknown[]> =>
  (await stack.sql('select endpoint from public.push_subscriptions order by id')).map(
    ({ endpoint }) => endpoint,
  );
const messages = (): unknown[] => service.pushed.map(({ message }) => message);

const visitor = {
  name: 'Devika Pillai',
  email: 'devika@example.org',
  subject: 'Ring size',
  message: 'Which size fits 52 mm?',
};
const write = (): Promise<Answer> => sendForm(stack, 'contact', visitor);
const newMessage = {
  title: 'New message',
  body: 'Someone wrote through the contact form.',
  url: '/admin#inbox',
  tag: expect.stringMatching(/^[\w-]{32}$/u) as string,
};

/** A paid order of these lines. Returns its number. */
async function buy(lines: Line[]): Promise<unknown> {
  const placed = await stack.createOrder(await stack.signUp(), lines);
  const { razorpay_payment_id: payment } = stack.razorpay.pay(String(placed.json['order_id']));
  await sendEvent(stack, 'payment.captured', payment);
  return (placed.json['order'] as { number: unknown }).number;
}

test('a paid order notifies every subscribed device with its number and total, without personal data, and sends the usual mail', async () => {
  await turnOn();
  await turnOn();
  const number = await buy([
    { product_id: await stack.addProduct({ price: 1_000, stock: 50 }), quantity: 2 },
  ]);
  const message = {
    title: `New order #${String(number)}`,
    body: '₹2,047.20, paid. Open it to pack.',
    url: `/admin#orders/${String(number)}`,
    tag: expect.any(String) as string,
  };
  expect(messages()).toEqual([message, message]);
  expect(stack.mail.mails.map(({ to }) => to[0]).sort()).toEqual([
    'anjali@example.com',
    'owner@kasavu.example',
  ]);
  expect(await sendOutbox()).toEqual({ sent: 0, failed: 0 });
});

test('a push service learns who sends, how long to keep a message, and what takes its place', async () => {
  await turnOn();
  await write();
  expect(messages()).toEqual([newMessage]);
  const [pushed] = service.pushed;
  expect(pushed?.headers.get('authorization')).toMatch(`, k=${vapidPublicKey(privateKey)}`);
  expect(pushed?.claims).toMatchObject({
    aud: service.url.replace('http:', 'https:'),
    sub: expect.stringMatching(/^mailto:.+@/u) as string,
  });
  const hours = ((pushed?.claims.exp ?? 0) - Date.now() / 1000) / 3600;
  expect(hours).toBeGreaterThan(11);
  expect(hours).toBeLessThan(24);
  const { topic, ttl, urgency } = Object.fromEntries(pushed?.headers ?? []);
  expect({ topic, ttl, urgency }).toEqual({
    topic: (pushed?.message as { tag: string } | undefined)?.tag,
    ttl: '86400',
    urgency: 'high',
  });
});

test('the admin is notified once of a payment of this shop that matches no order, however often Razorpay repeats it', async () => {
  await turnOn();
  const order = { id: 'order_Somebody000001', amount: 123_400, currency: 'INR' };
  stack.razorpay.addOrder({
    ...order,
    receipt: `${shop.orderPrefix}9999-lost`,
    status: 'paid',
    notes: [],
  });
  const event = {
    order_id: order.id,
    amount: order.amount,
    currency: 'INR',
    status: 'captured',
    method: 'upi',
    id: 'pay_Nobody00000001',
  };
  for (const id of ['event_a', 'event_b'])
    await sendEvent(stack, 'payment.captured', 'none', { id, payment: event });
  expect(messages()).toEqual([
    {
      title: 'A payment needs your attention',
      body: '₹1,234.00. It matches no order.',
      url: '/admin',
      tag: expect.any(String) as string,
    },
  ]);
});

test('the admin is notified when a sale takes a product below five or sells it out; held stock does not count as sold', async () => {
  await turnOn();
  const products = {
    many: await stack.addProduct({ name: 'Many', stock: 50 }),
    lotus: await stack.addProduct({ name: 'Lotus ring', stock: 6 }),
    last: await stack.addProduct({ name: 'Last chain', stock: 1 }),
  };
  const told = (): unknown[] =>
    messages().filter((message) => !(message as { title: string }).title.startsWith('New order'));
  await stack.createOrder(await stack.signUp(), [{ product_id: products.lotus, quantity: 1 }]);
  await buy([
    { product_id: products.many, quantity: 1 },
    { product_id: products.lotus, quantity: 1 },
  ]);
  expect(told()).toEqual([]);
  await buy([
    { product_id: products.lotus, quantity: 1 },
    { product_id: products.last, quantity: 1 },
  ]);
  expect(told()).toEqual([
    {
      title: 'Sold out',
      body: 'Last chain\nLow: Lotus ring (4 left)',
      url: '/admin',
      tag: expect.any(String) as string,
    },
  ]);
  await buy([{ product_id: products.lotus, quantity: 1 }]);
  expect(told()).toHaveLength(1);
});

test('a device that is turned off, or logged out, is silent; logging out everywhere silences all', async () => {
  const [gone, kept] = [await turnOn(), await turnOn()];
  expect(await ask('DELETE', { endpoint: gone.endpoint })).toMatchObject({
    status: 200,
    json: { on: false },
  });
  expect(await endpoints()).toEqual([kept.endpoint]);
  const other = await logIn(stack);
  await other.ask('POST', '/api/admin/logout', {});
  expect(await endpoints()).toEqual([kept.endpoint]);
  await admin.ask('POST', '/api/admin/logout', {});
  expect(await endpoints()).toEqual([]);
  admin = await logIn(stack);
  await turnOn();
  await (await logIn(stack)).ask('POST', '/api/admin/logout', { everywhere: true });
  expect(await endpoints()).toEqual([]);
});

test('a device that its push service no longer knows is removed, and does not count as a failure', () =>
  eachRow([404, 410], async (status) => {
    await turnOn();
    service.setStatus(status);
    await write();
    expect(await endpoints()).toEqual([]);
    expect(await stack.sql('select 1 from public.outbox where sent_at is null')).toEqual([]);
    service.setStatus(201);
    await stack.sql('delete from public.costs where true');
  }));

test('a failing or redirecting push service is retried, and its address and response are not logged', () =>
  eachRow([500, 429, 403, 307], async (status) => {
    const { endpoint } = await turnOn();
    stack.logs.length = 0;
    service.setStatus(status);
    await write();
    const failed = await stack.sql(
      `select attempts, last_error from public.outbox where sent_at is null`,
    );
    expect(failed).toEqual([
      {
        attempts: 1,
        last_error: expect.stringMatching(`^PushRefused ${String(status)}: `) as unknown,
      },
    ]);
    expect(
      await stack.sql('select last_failure is not null as failed from public.push_subscriptions'),
    ).toEqual([{ failed: true }]);
    expect(stack.logs.some((line) => line.includes('PushRefused'))).toBe(true);
    expect(stack.logs.filter((line) => line.includes(endpoint) || line.includes('words'))).toEqual(
      [],
    );
    service.setStatus(201);
    await stack.sql('update public.outbox set next_attempt_at = now()');
    expect(await sendOutbox()).toEqual({ sent: 1, failed: 0 });
    expect(messages().at(-1)).toEqual(newMessage);
    expect(await stack.sql('select last_failure from public.push_subscriptions')).toEqual([
      { last_failure: null },
    ]);
    await stack.sql('truncate public.push_subscriptions, public.costs, public.outbox');
  }));

test('a notification that could not be delivered for a day is not news any more, and no unsent mail either', async () => {
  await turnOn();
  service.setStatus(500);
  await write();
  await stack.sql(
    `update public.outbox set created_at = now() - interval '25 hours', next_attempt_at = now(), attempts = 19`,
  );
  service.setStatus(201);
  expect(await sendOutbox()).toEqual({ sent: 0, failed: 0 });
  const [health] = await stack.sql<{ waiting: number; stuck: unknown }>(
    `select public.shop_health() -> 'outbox_waiting' as waiting, public.read_today(5) -> 'unsentMails' as stuck`,
  );
  expect(health).toEqual({ waiting: 0, stuck: 0 });
});

test('a new admin password stops notifications on every device until someone signs in there again', async () => {
  const device = await turnOn();
  await setAdminPassword('another-password-of-the-shop');
  await write();
  expect(messages()).toEqual([]);
  expect(await endpoints()).toEqual([]);
  await setAdminPassword();
  admin = await logIn(stack);
  await ask('POST', device);
  await write();
  expect(messages()).toEqual([newMessage]);
});

test('the same device twice is one, with its newest keys; the ten newest devices are kept', async () => {
  const device = await turnOn();
  const { keys } = service.subscribe();
  await ask('POST', { ...device, keys });
  expect(await stack.sql('select endpoint, p256dh, auth from public.push_subscriptions')).toEqual([
    { endpoint: device.endpoint, ...keys },
  ]);
  for (let count = 0; count < 10; count += 1) await turnOn();
  const left = await endpoints();
  expect(left).toHaveLength(10);
  expect(left).not.toContain(device.endpoint);
});

test('an invalid subscription is refused, and so is any in a shop without a key', async () => {
  const { endpoint, keys } = service.subscribe();
  await eachRow<unknown>(
    [
      {},
      { endpoint },
      { endpoint: 'nowhere', keys },
      { endpoint, keys: { ...keys, auth: 'short' } },
      { endpoint, keys: { ...keys, p256dh: `${keys.p256dh}=` } },
    ],
    async (body) => {
      expect((await ask('POST', body)).status).toBe(400);
    },
  );
  const production = { context: { deploy: { context: 'production' } } };
  expect((await ask('POST', { endpoint, keys }, production)).status).toBe(400);
  const services: [string, number][] = [
    ['https://fcm.googleapis.com/fcm/send/1', 200],
    ['https://updates.push.services.mozilla.com/wpush/v2/1', 200],
    ['https://wns2-pn1p.notify.windows.com/w/?token=1', 200],
    ['https://web.push.apple.com/1', 200],
    ['https://push.example.com/1', 400],
    ['http://fcm.googleapis.com/1', 400],
    ['https://fcm.googleapis.com:8443/1', 400],
    ['https://fcm.googleapis.com.example.com/1', 400],
    ['https://notify.windows.com/1', 400],
    ['https://169.254.169.254/latest', 400],
  ];
  await eachRow(services, async ([address, status]) => {
    expect((await ask('POST', { endpoint: address, keys }, production)).status).toBe(status);
  });
  expect((await ask('GET')).json).toMatchObject({ publicKey: vapidPublicKey(privateKey) });
  vi.stubEnv('VAPID_PRIVATE_KEY', '');
  expect((await ask('GET')).json).toMatchObject({ publicKey: null });
  expect(await ask('POST', { endpoint, keys })).toMatchObject({
    status: 503,
    json: { error: 'not_configured' },
  });
});

test('the admin sees the devices that get notifications, and removes one: it is logged out too', async () => {
  const lost = await logIn(stack);
  await lost.ask('POST', '/api/admin/push', service.subscribe());
  await turnOn();
  const { devices } = (await ask('GET')).json as unknown as {
    devices: { id: number; device: string; current: boolean }[];
  };
  expect(devices.map(({ current }) => current)).toEqual([true, false]);
  const [, other] = devices;
  expect(await ask('DELETE', { id: other?.id })).toMatchObject({ status: 200 });
  expect(await endpoints()).toHaveLength(1);
  expect((await lost.ask('GET', '/api/admin/session')).status).toBe(401);
  expect((await ask('GET')).status).toBe(200);
  expect(await ask('DELETE', { id: other?.id })).toMatchObject({ status: 404 });
});
