import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import adminEndpoint from '#netlify/functions/admin.ts';
import type { Context } from '@netlify/functions';
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import claimsEndpoint from '#netlify/functions/claims.ts';
import { orderPath } from '#core/mail/order-links.ts';
import { sendOutbox } from '#core/mail/outbox.ts';
import { removeDueClaimFiles } from '#netlify/features/claims/claim-files.ts';
import { claimLimits, claimLinkHeader } from '#features/claims/domain/damage-claim.ts';
import { eachRow } from '#tests/each-row.ts';
import { logIn, setAdminPassword } from '#tests/functions/admin/admin-client.ts';
import { sendEvent } from '#tests/functions/payments/webhook-events.ts';
import { pathParameters } from '#tests/functions/support/functions.ts';
import { decodeSubject } from '#tests/functions/support/mail-server.ts';
import { useStack, type Answer, type Customer } from '#tests/functions/support/stack.ts';
import { shop as settings } from '#settings/shop.ts';

const stack = await useStack();
await setAdminPassword();
const admin = await logIn(stack);
let customer: Customer;
let order = 0;
let token = '';

beforeEach(async () => {
  stack.mail.mails.length = 0;
  await stack.sql('delete from public.costs where true');
  await stack.sql('delete from public.claim_files');
  const placed = await stack.openOrder();
  ({ customer, number: order } = placed);
  const { razorpay_payment_id: payment } = stack.razorpay.pay(placed.razorpayOrderId);
  await sendEvent(stack, 'payment.captured', payment);
  token = orderPath('claim', { id: String(order), linkVersion: 0 }).split('#')[1] ?? '';
  await step('packed');
  await step('shipped', { carrier: 'DTDC', trackingNumber: 'D12345678' });
  await step('delivered');
});

const ask = (action: string, body?: unknown, link = token): Promise<Answer> =>
  stack.call(claimsEndpoint, `/api/claims/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [claimLinkHeader]: link },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const adminAsk = (method: string, action: string, body?: unknown): Promise<Answer> =>
  admin.ask(method, `/api/admin/orders/${String(order)}/${action}`, body);
const step = async (state: string, more: object = {}): Promise<void> => {
  expect((await adminAsk('POST', 'fulfilment', { state, ...more })).status).toBe(200);
};
/** A file as the admin's browser reads it. */
const adminFile = async (address: string): Promise<Response> => {
  const request = new Request(new URL(address, 'https://kasavu.example'), {
    headers: { cookie: admin.cookie },
  });
  const platform = { ip: '203.0.113.7', params: await pathParameters(request) };
  return adminEndpoint(request, platform as unknown as Context);
};
const jpeg = (): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
    .withExif({ IFD0: { Artist: 'Canary' } })
    .jpeg()
    .toBuffer();
const sendPhoto = async (bytes: Uint8Array, keep: string[] = []): Promise<Answer> =>
  stack.call(claimsEndpoint, `/api/claims/photo?${keep.map((path) => `keep=${path}`).join('&')}`, {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg', [claimLinkHeader]: token },
    body: Buffer.from(bytes),
  });
const storedFiles = async (): Promise<string[]> =>
  (
    await readdir(join(stack.database.images, '../claims', String(order)), {
      recursive: true,
    }).catch(() => [])
  ).toSorted();
/** Sends a video as the page does. Returns the statuses of its parts. */
async function sendVideo(video: Uint8Array, id: string = crypto.randomUUID()): Promise<number[]> {
  const { json } = await ask('video', { id, bytes: video.byteLength });
  const statuses: number[] = [];
  for (const index of json['missing'] as number[]) {
    const from = index * claimLimits.partBytes;
    const path = `/api/claims/part?video=${id}&index=${String(index)}`;
    const { status } = await stack.call(claimsEndpoint, path, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', [claimLinkHeader]: token },
      body: Buffer.from(video.subarray(from, from + claimLimits.partBytes)),
    });
    statuses.push(status);
  }
  return statuses;
}
/** Subjects of the mails, and the text of the one whose subject begins so, without its line breaks. */
const subjects = (): string[] =>
  stack.mail.mails.map(({ headers }) => decodeSubject(headers['subject'] ?? ''));
const textOf = (subject: string): string =>
  stack.mail.mails
    .find(({ headers }) => decodeSubject(headers['subject'] ?? '').startsWith(subject))
    ?.raw.replaceAll(/=\r\n/gu, '') ?? '';
/** Bytes that begin as an MP4 file does. */
const mp4 = (bytes: number): Uint8Array => {
  const video = new Uint8Array(bytes);
  video.set(Buffer.from('\0\0\0\x18ftypmp42', 'latin1'));
  return video;
};

test('the delivery is mailed once, with the link to report damage', async () => {
  const delivered = `Order #${String(order)} was delivered`;
  expect(textOf(delivered)).toContain(`https://kasavu.example/damage#${token}`);
  await step('shipped', { carrier: 'DTDC', trackingNumber: 'D12345678' });
  await step('delivered');
  expect(subjects().filter((subject) => subject.startsWith(delivered))).toHaveLength(1);
});

test('a report with a photo and a video reaches the admin, whose refund is mailed to the customer', async () => {
  expect((await ask('order')).json).toMatchObject({
    orderId: order,
    items: ['Temple ring × 1'],
    claims: [],
  });
  const photo = await sendPhoto(await jpeg());
  expect(photo).toMatchObject({ status: 201 });
  const video = mp4(claimLimits.partBytes + 10);
  const id = crypto.randomUUID();
  expect(await sendVideo(video, id)).toEqual([201, 201]);
  // A repeated request, as after a cut connection, sends nothing twice.
  expect(await sendVideo(video, id)).toEqual([]);

  const claim = {
    message: 'The clasp is broken',
    photos: [photo.json['path']],
    video: { id, bytes: video.byteLength },
  };
  expect(await ask('send', claim)).toMatchObject({
    status: 201,
    json: { claims: [{ answer: null, late: false }] },
  });
  expect((await ask('send', claim)).json).toMatchObject({ claims: [{ answer: null }] });
  expect(subjects()).toEqual(
    expect.arrayContaining([
      'A customer reports damage',
      `We have your report about Order #${String(order)} – ${settings.name}`,
    ]),
  );

  const { json } = await adminAsk('GET', 'claims');
  const [shown] = json['claims'] as { id: number; photos: string[]; videoParts: string[] }[];
  expect(shown).toMatchObject({ message: 'The clasp is broken', late: false });
  const fileOf = async (address = ''): Promise<Buffer> => {
    const response = await adminFile(address);
    return Buffer.from(await response.arrayBuffer());
  };
  const image = await fileOf(shown?.photos[0]);
  expect(await sharp(image).metadata()).toMatchObject({ format: 'webp', width: 60 });
  expect(image.includes('Canary')).toBe(false);
  const parts = await Promise.all((shown?.videoParts ?? []).map(fileOf));
  expect(Buffer.concat(parts).equals(Buffer.from(video))).toBe(true);
  const strangers = `/api/admin/orders/${String(order)}/claim-file?path=1%2Fa.webp`;
  expect((await admin.ask('GET', strangers)).status).toBe(404);

  const answer = {
    claimId: shown?.id,
    key: crypto.randomUUID(),
    answer: 'refund',
    amountPaise: 50_000,
    reason: 'We are sorry.',
    items: [],
  };
  expect(await adminAsk('POST', 'claims', { ...answer, amountPaise: 99_999_999 })).toMatchObject({
    status: 409,
    json: { error: 'too_much' },
  });
  expect(await adminAsk('POST', 'claims', answer)).toMatchObject({
    status: 200,
    json: { order: { refundedPaise: 50_000 } },
  });
  // The same press again is the same answer; another one reads that it came too late.
  expect((await adminAsk('POST', 'claims', answer)).status).toBe(200);
  expect(await adminAsk('POST', 'claims', { ...answer, key: crypto.randomUUID() })).toMatchObject({
    status: 409,
    json: { error: 'answered_before' },
  });
  expect((await ask('order')).json).toMatchObject({
    claims: [{ answer: 'refund', amountPaise: 50_000, reason: 'We are sorry.' }],
  });
  expect(textOf('Your report about')).toContain('We refund =E2=82=B9500');
});

test('a free replacement costs nothing on the admin’s page and on its invoice', async () => {
  const photo = await sendPhoto(await jpeg());
  await ask('send', { message: 'The clasp is broken', photos: [photo.json['path']], video: null });
  const { json } = await adminAsk('GET', 'claims');
  const [claim] = json['claims'] as { id: number }[];
  const [item] = await stack.sql<{ items: { product_id: string }[] }>(
    `select items from public.orders where id = ${String(order)}`,
  );
  const answered = await adminAsk('POST', 'claims', {
    claimId: claim?.id,
    key: crypto.randomUUID(),
    answer: 'replacement',
    reason: '',
    items: [{ productId: item?.items[0]?.product_id, quantity: 1 }],
  });
  expect(answered.status).toBe(200);
  const after = await adminAsk('GET', 'claims');
  const [{ replacementId } = { replacementId: 0 }] = after.json['claims'] as {
    replacementId: number;
  }[];
  const replacement = await admin.ask('GET', `/api/admin/orders/${String(replacementId)}`);
  expect(replacement.json).toMatchObject({ order: { totalPaise: 0 } });
  order = replacementId;
  await step('packed');
  await step('shipped', { carrier: 'DTDC', trackingNumber: 'D12345679' });
  const page = await adminFile(`/api/admin/orders/${String(replacementId)}/invoice`);
  const text = (await page.text()).replaceAll(/<[^>]*>|\s+/gu, ' ');
  expect(text).toMatch(/Total[^₹]*₹0\.00/u);
  expect(text).not.toContain('Other charges');
});

test('a link that is cut, changed or of another order opens nothing', async () => {
  const [, signature = ''] = token.split('-');
  await eachRow(
    ['', token.slice(0, -1), `${String(order + 1)}-${signature}`, `${token}x`],
    async (link) => {
      expect(await ask('order', undefined, link)).toMatchObject({ status: 404 });
      expect(await ask('send', { message: 'Hi', photos: [], video: null }, link)).toMatchObject({
        status: 404,
      });
    },
  );
});

test('files that lie, are too large, or did not arrive are refused with a sentence, and nothing is reported', async () => {
  expect(await sendPhoto(Buffer.from('<svg onload=alert(1)>'))).toMatchObject({ status: 415 });
  expect(await sendPhoto(mp4(100))).toMatchObject({ status: 415 });
  expect(await sendPhoto(await jpeg(), ['../x'])).toMatchObject({ status: 400 });
  expect(await sendPhoto(new Uint8Array(9 * 1024 * 1024))).toMatchObject({ status: 413 });
  expect(await ask('video', { id: crypto.randomUUID(), bytes: 2 * 1024 ** 3 })).toMatchObject({
    status: 400,
    json: { message: 'This video is larger than 50 MB. Send a shorter one.' },
  });
  expect(await sendVideo(new Uint8Array(100))).toEqual([415]);
  const id = crypto.randomUUID();
  expect(await sendVideo(mp4(100), id)).toEqual([201]);
  const claim = { message: 'Broken', photos: [], video: { id, bytes: 100 } };
  await eachRow(
    [
      { ...claim, video: { id, bytes: 101 } },
      { ...claim, video: { id: crypto.randomUUID(), bytes: 100 } },
      { ...claim, video: null, photos: [`${String(order)}/${crypto.randomUUID()}.webp`] },
      { ...claim, video: null, photos: [`1/${crypto.randomUUID()}.webp`] },
    ],
    async (body) => {
      expect(await ask('send', body)).toMatchObject({
        status: 400,
        json: { error: 'files_missing' },
      });
    },
  );
  expect((await ask('order')).json).toMatchObject({ claims: [] });
});

test('only the customer of an order gets its link', async () => {
  const askLink = (by: Customer | null): Promise<Answer> =>
    stack.post(
      claimsEndpoint,
      '/api/claims/link',
      { orderId: order },
      { ...(by === null ? {} : { token: by.token }) },
    );
  expect((await askLink(customer)).json).toEqual({
    path: orderPath('claim', { id: String(order), linkVersion: 0 }),
    reportedAt: null,
  });
  expect((await askLink(await stack.signUp())).status).toBe(404);
  expect((await askLink(null)).status).toBe(401);
});

test('an order that is not on its way takes no file, and none is decoded for it', async () => {
  await stack.sql(`update public.orders set fulfilment = 'packed' where id = $1`, order);
  const refused = { status: 409, json: { error: 'not_possible' } };
  expect(await sendPhoto(Buffer.from('no photo'))).toMatchObject(refused);
  expect(await ask('video', { id: crypto.randomUUID(), bytes: 20 })).toMatchObject(refused);
});

test('files are deleted when their term is over, and rows with them', async () => {
  await sendPhoto(await jpeg());
  expect(await storedFiles()).toHaveLength(1);
  expect(await removeDueClaimFiles(Date.now() + 5_000)).toBe(0);
  await stack.sql(`update public.claim_files set created_at = now() - interval '3 days'`);
  expect(await removeDueClaimFiles(Date.now() + 5_000)).toBe(1);
  expect(await storedFiles()).toEqual([]);
  expect(await stack.sql('select 1 from public.claim_files')).toEqual([]);
  expect(await sendOutbox()).toMatchObject({ failed: 0 });
});

test('the link ends 180 days after the parcel was sent, and when the admin withdraws it', async () => {
  const sent = (days: number) =>
    stack.sql(
      `update public.orders set shipped_at = now() - interval '${String(days)} days', delivered_at = null, fulfilment = 'shipped' where id = ${String(order)}`,
    );
  await sent(179);
  expect((await ask('order')).status).toBe(200);
  await sent(181);
  expect(await ask('order')).toMatchObject({
    status: 404,
    json: { message: 'This link has expired. Please write to us.' },
  });
  await sent(1);
  expect((await adminAsk('POST', 'withdraw-links', {})).status).toBe(200);
  expect((await ask('order')).status).toBe(404);
  const renewed = orderPath('claim', { id: String(order), linkVersion: 1 }).split('#')[1] ?? '';
  expect((await ask('order', undefined, renewed)).status).toBe(200);
});

test('a part that has arrived is never written over, before the report and after it', async () => {
  const id = crypto.randomUUID();
  const video = mp4(100);
  expect(await sendVideo(video, id)).toEqual([201]);
  const other = mp4(100).fill(7, 50);
  const sendAgain = () =>
    stack.call(claimsEndpoint, `/api/claims/part?video=${id}&index=0`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', [claimLinkHeader]: token },
      body: Buffer.from(other),
    });
  expect((await sendAgain()).status).toBe(201);
  await ask('send', { message: 'Broken', photos: [], video: { id, bytes: video.byteLength } });
  expect((await sendAgain()).status).toBe(409);
  const { json } = await adminAsk('GET', 'claims');
  const [shown] = json['claims'] as { videoParts: string[] }[];
  const response = await adminFile(shown?.videoParts[0] ?? '');
  expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(video))).toBe(true);
});

test('an upload that did not finish is replaced by the next try', async () => {
  const id = crypto.randomUUID();
  const video = mp4(100);
  expect(await sendVideo(video, id)).toEqual([201]);
  await stack.sql('update public.claim_files set bytes = null');
  expect(await sendVideo(video, id)).toEqual([503]);
  expect(await sendVideo(video, id)).toEqual([201]);
  const claim = { message: 'Broken', photos: [], video: { id, bytes: video.byteLength } };
  expect((await ask('send', claim)).status).toBe(201);
});
