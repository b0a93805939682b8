import { join } from 'node:path';
import { readdir, readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import reviewsEndpoint from '#netlify/functions/reviews.ts';
import { orderPath } from '#core/mail/order-links.ts';
import { reviewLinkHeader, type OrderReviews } from '#features/reviews/domain/review.ts';
import { eachRow } from '#tests/each-row.ts';
import { logIn, setAdminPassword } from '#tests/functions/admin/admin-client.ts';
import { sendEvent } from '#tests/functions/payments/webhook-events.ts';
import { decodeSubject } from '#tests/functions/support/mail-server.ts';
import { useStack, type Answer } from '#tests/functions/support/stack.ts';

const stack = await useStack();
await setAdminPassword();
const admin = await logIn(stack);
let order = 0;
let ring = '';
let token = '';

beforeEach(async () => {
  await stack.sql('delete from public.costs where true');
  await stack.sql('delete from public.reviews where true');
  const placed = await stack.openOrder();
  ({ number: order, ring } = placed);
  await sendEvent(
    stack,
    'payment.captured',
    stack.razorpay.pay(placed.razorpayOrderId).razorpay_payment_id,
  );
  await stack.sql(
    `update public.orders set fulfilment = 'delivered', delivered_at = now() - interval '8 days' where id = $1`,
    order,
  );
  stack.mail.mails.length = 0;
  await stack.sweep();
  token = orderPath('review', { id: String(order), linkVersion: 0 }).split('#')[1] ?? '';
});

const ask = (action: string, body?: unknown, link = token): Promise<Answer> =>
  stack.call(reviewsEndpoint, `/api/reviews/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [reviewLinkHeader]: link },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const review = (changes: object = {}) => ({
  productId: ring,
  stars: 4,
  words: 'It shines.',
  keepsImage: true,
  ...changes,
});
const send = (changes: object = {}, more: object = {}): Promise<Answer> =>
  ask('send', { name: 'Anjali', town: 'Kochi', reviews: [review(changes)], ...more });
const sendImage = (bytes: Uint8Array, product = ring, link = token): Promise<Answer> =>
  stack.call(reviewsEndpoint, `/api/reviews/image?product=${product}`, {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg', [reviewLinkHeader]: link },
    body: Buffer.from(bytes),
  });
const jpeg = (): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
    .withExif({ IFD0: { Artist: 'Canary' } })
    .jpeg()
    .toBuffer();
const reviewOf = ({ json }: Answer) =>
  (json as unknown as OrderReviews).products.find(({ id }) => id === ring)?.review;
interface Listed {
  items: { id: number; image: string | null }[];
  reviews: number;
}
const inbox = async (): Promise<Listed> =>
  (await admin.ask('GET', '/api/admin/inbox?kind=reviews')).json as unknown as Listed;
const subjects = (): string[] =>
  stack.mail.mails.map(({ headers }) => decodeSubject(headers['subject'] ?? ''));

test('one mail asks, with the link to the page of the order', async () => {
  await stack.sweep();
  const asking = stack.mail.mails.filter(({ headers }) =>
    decodeSubject(headers['subject'] ?? '').startsWith('How do you like'),
  );
  expect(asking).toHaveLength(1);
  expect(asking[0]?.raw.replaceAll(/=\r\n/gu, '')).toContain(
    `https://kasavu.example/review#${token}`,
  );
});

test('a review with an image reaches the admin, who publishes it with an answer', async () => {
  expect(await ask('order')).toMatchObject({
    status: 200,
    json: { orderId: order, name: 'Anjali', town: 'Kochi', products: [{ id: ring, review: null }] },
  });
  stack.mail.mails.length = 0;
  expect(reviewOf(await send())).toEqual({
    stars: 4,
    words: 'It shines.',
    hasImage: false,
    state: 'new',
  });
  expect(reviewOf(await sendImage(await jpeg()))).toMatchObject({ hasImage: true });
  expect(reviewOf(await send({ stars: 5 }))).toMatchObject({ stars: 5, hasImage: true });
  expect(subjects()).toEqual(['A customer wrote a review']);

  const { items, reviews } = await inbox();
  expect([items, reviews]).toMatchObject([
    [{ stars: 5, words: 'It shines.', name: 'Anjali', town: 'Kochi', state: 'new', answer: '' }],
    1,
  ]);
  const [{ id, image }] = items as [Listed['items'][number]];
  const stored = await readFile(join(stack.database.images, image ?? ''));
  const { format, exif } = await sharp(stored).metadata();
  expect([format, exif]).toEqual(['webp', undefined]);

  const seen = { stars: 5, words: 'It shines.', name: 'Anjali', town: 'Kochi', image };
  const decide = (which: number | string, body: object): Promise<Answer> =>
    admin.ask('POST', `/api/admin/reviews/${String(which)}`, { seen, ...body });
  expect(await decide(id, { state: 'published', answer: ' Thank you ' })).toMatchObject({
    status: 200,
    json: { ok: true },
  });
  expect(await inbox()).toMatchObject({
    items: [{ state: 'published', answer: 'Thank you', stars: 5 }],
    reviews: 0,
  });
  expect(reviewOf(await send({ words: 'Changed' }))).toMatchObject({
    words: 'It shines.',
    state: 'published',
  });
  expect((await sendImage(await jpeg())).status).toBe(409);
  await eachRow(
    [
      [id, { state: 'new', answer: '' }, 400],
      [id, { state: 'published', answer: '', seen: undefined }, 400],
      // The customer has changed it since the admin read it.
      [id, { state: 'hidden', answer: '', seen: { ...seen, words: 'It shone.' } }, 409],
      [id, { state: 'hidden', answer: '', words: 'Hers' }, 200],
      [id + 1, { state: 'hidden', answer: '' }, 404],
      ['x', { state: 'hidden', answer: '' }, 404],
    ] as const,
    async ([which, body, status]) => {
      expect((await decide(which, body)).status).toBe(status);
    },
  );
  // Words stay the customer's.
  expect(await inbox()).toMatchObject({ items: [{ state: 'hidden', words: 'It shines.' }] });
});

test('a review has one file, however often its image is sent, and none once it is hidden, while a change waits for a build', async () => {
  const files = (): Promise<string[]> => readdir(join(stack.database.images, 'products'));
  const before = (await files()).length;
  await send();
  for (let round = 0; round < 4; round += 1)
    expect((await sendImage(await jpeg())).status).toBe(201);
  expect(await files()).toHaveLength(before + 1);
  const [{ id, image }] = (await inbox()).items as [Listed['items'][number]];
  const seen = { stars: 4, words: 'It shines.', name: 'Anjali', town: 'Kochi', image };
  const decide = (state: string): Promise<Answer> =>
    admin.ask('POST', `/api/admin/reviews/${String(id)}`, { state, answer: '', seen });
  expect((await decide('published')).status).toBe(200);
  expect(await files()).toHaveLength(before + 1);
  expect(
    await stack.value<number>(`select (public.unpublished_changes(0, 1) ->> 'to_build')::int`),
  ).toBeGreaterThan(0);
  expect((await decide('hidden')).status).toBe(200);
  expect(await files()).toHaveLength(before);
});

test('what is no link, no review of this order or no image is refused, and nothing is stored', async () => {
  const another = await stack.addProduct();
  const claim = orderPath('claim', { id: String(order), linkVersion: 0 }).split('#')[1] ?? '';
  const withdrawn = orderPath('review', { id: String(order), linkVersion: 1 }).split('#')[1] ?? '';
  const unpaid = await stack.openOrder();
  const ofUnpaid =
    orderPath('review', { id: String(unpaid.number), linkVersion: 0 }).split('#')[1] ?? '';
  await eachRow(
    [
      [404, () => ask('order', undefined, '')],
      [
        404,
        () => ask('order', undefined, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
      ],
      [404, () => ask('order', undefined, claim)],
      [404, () => ask('order', undefined, withdrawn)],
      [404, () => ask('order', undefined, ofUnpaid)],
      [404, () => sendImage(new Uint8Array(3), ring, '')],
      [400, () => send({ productId: another })],
      [400, () => send({ stars: 0 })],
      [400, () => send({ stars: 6 })],
      [400, () => send({ stars: 4.5 })],
      [400, () => send({ words: ' \u200B' })],
      [400, () => send({ words: 'a'.repeat(1_001) })],
      [400, () => send({}, { name: ' ' })],
      [400, () => send({}, { name: 'a'.repeat(61) })],
      [400, () => send({}, { town: 'a'.repeat(61) })],
      [400, () => send({}, { reviews: [] })],
      [400, () => send({}, { reviews: [review(), review()] })],
      [413, () => send({ words: 'a'.repeat(300_000) })],
      // There is no review yet that it could belong to.
      [409, async () => sendImage(await jpeg())],
      [400, async () => sendImage(await jpeg(), 'ring')],
    ] as const,
    async ([status, run]) => {
      expect((await run()).status).toBe(status);
    },
  );
  expect(await stack.column('select id from public.reviews')).toEqual([]);
  await send();
  const before = (await readdir(join(stack.database.images, 'products')).catch(() => [])).length;
  await eachRow(
    [
      [415, new TextEncoder().encode('<svg onload="alert(1)"/>')],
      [422, (await jpeg()).subarray(0, 200)],
      [409, await jpeg(), another],
    ] as const,
    async ([status, bytes, product]) => {
      expect((await sendImage(bytes, product)).status).toBe(status);
    },
  );
  expect((await readdir(join(stack.database.images, 'products')).catch(() => [])).length).toBe(
    before,
  );
});
