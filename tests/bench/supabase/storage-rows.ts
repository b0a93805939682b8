import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { ask, newCustomer, short, type Place, type Row } from './place.ts';

const images = 'product-images';
const claims = 'claims';
const picture = await sharp({
  create: { width: 40, height: 40, channels: 3, background: '#b08d57' },
})
  .webp()
  .toBuffer();
const webp = { 'content-type': 'image/webp' };
const newPath = (): string => `products/${randomUUID()}.webp`;

const upload = async (
  place: Place,
  bucket: string,
  path: string,
  options: {
    key?: string;
    token?: string;
    headers?: Record<string, string>;
    body?: Uint8Array;
  } = {},
) =>
  ask(place, `/storage/v1/object/${bucket}/${path}`, {
    method: 'POST',
    body: options.body ?? picture,
    key: options.key ?? place.secretKey,
    token: options.token,
    headers: { ...webp, ...options.headers },
  });
const read = async (place: Place, bucket: string, path: string) =>
  ask(place, `/storage/v1/object/public/${bucket}/${path}`);

/** The buckets of product images and of damage reports. */
export const storageRows: readonly Row[] = [
  {
    name: 'the buckets',
    want: 'claims private, product-images public',
    async run(place) {
      const answer = await ask(place, '/storage/v1/bucket', { key: place.secretKey });
      return (JSON.parse(answer.text) as { id: string; public: boolean }[])
        .map(({ id, public: open }) => `${id} ${open ? 'public' : 'private'}`)
        .sort()
        .join(', ');
    },
  },
  {
    name: 'an image is uploaded, read by anybody, replaced and removed',
    want: '200, 200 image/webp max-age=31536000, 200, 200, gone',
    async run(place) {
      const path = newPath();
      const cache = { 'cache-control': 'max-age=31536000' };
      const added = await upload(place, images, path, { headers: cache });
      const shown = await read(place, images, path);
      const replaced = await upload(place, images, path, {
        headers: { ...cache, 'x-upsert': 'true' },
      });
      const removed = await ask(place, `/storage/v1/object/${images}`, {
        method: 'DELETE',
        key: place.secretKey,
        body: { prefixes: [path] },
      });
      const after = await read(place, images, path);
      const type = `${shown.headers.get('content-type') ?? ''} ${shown.headers.get('cache-control') ?? ''}`;
      return [
        short(added),
        `${short(shown)} ${type}`,
        short(replaced),
        short(removed),
        after.status === 400 || after.status === 404 ? 'gone' : short(after),
      ].join(', ');
    },
  },
  {
    name: 'the same name twice, a type that the bucket does not take, a file that is too large',
    want: '409, 415, 413',
    async run(place) {
      const path = newPath();
      await upload(place, images, path);
      const outcomes = [
        await upload(place, images, path),
        await upload(place, images, newPath(), { headers: { 'content-type': 'text/html' } }),
        await upload(place, images, newPath(), { body: new Uint8Array(8 * 1024 * 1024 + 1) }),
      ];
      // Storage answers 400 and names the status in its body.
      return outcomes
        .map(({ status, text }) => /"statusCode":"(\d+)"/u.exec(text)?.[1] ?? String(status))
        .join(', ');
    },
  },
  {
    name: 'a visitor and a customer: neither uploads, replaces nor removes an image',
    want: 'refused refused, refused refused, nothing removed, still there',
    async run(place) {
      const path = newPath();
      await upload(place, images, path);
      const { access_token: token } = await newCustomer(place);
      const key = place.publishableKey;
      const tries = [
        [
          await upload(place, images, newPath(), { key }),
          await upload(place, images, newPath(), { key, token }),
        ],
        [
          await upload(place, images, path, { key, headers: { 'x-upsert': 'true' } }),
          await upload(place, images, path, { key, token, headers: { 'x-upsert': 'true' } }),
        ],
      ];
      const removed = await ask(place, `/storage/v1/object/${images}`, {
        method: 'DELETE',
        token,
        body: { prefixes: [path] },
      });
      const after = await read(place, images, path);
      return [
        ...tries.map((pair) =>
          pair
            .map(({ status }) => (status >= 400 && status < 500 ? 'refused' : String(status)))
            .join(' '),
        ),
        removed.text === '[]' || removed.status >= 400 ? 'nothing removed' : removed.text,
        after.status === 200 ? 'still there' : short(after),
      ].join(', ');
    },
  },
  {
    name: 'photos of damage: private; no listing and no reading for a visitor or customer',
    want: '200, refused, refused, nothing listed, nothing listed',
    async run(place) {
      const path = `1/${randomUUID()}.webp`;
      const { access_token: token } = await newCustomer(place);
      const added = await upload(place, claims, path);
      const list = async (session?: string): Promise<string> => {
        const answer = await ask(place, `/storage/v1/object/list/${claims}`, {
          body: { prefix: '1', limit: 10 },
          token: session,
        });
        return answer.text === '[]' || answer.status >= 400 ? 'nothing listed' : answer.text;
      };
      const reads = [
        await read(place, claims, path),
        await ask(place, `/storage/v1/object/authenticated/${claims}/${path}`, { token }),
      ];
      return [
        short(added),
        ...reads.map(({ status }) => (status >= 400 && status < 500 ? 'refused' : String(status))),
        await list(),
        await list(token),
      ].join(', ');
    },
  },
  {
    name: 'a signed link opens a photo of damage, for as long as it says',
    want: '200, 200, refused',
    embedded: {
      want: '200, 404, refused',
      why: 'its address has /storage/v1 twice; the shop makes no signed links',
    },
    async run(place) {
      const path = `1/${randomUUID()}.webp`;
      await upload(place, claims, path);
      const signed = await ask(place, `/storage/v1/object/sign/${claims}/${path}`, {
        key: place.secretKey,
        body: { expiresIn: 60 },
      });
      const address = String(signed.body['signedURL']);
      const opened = await ask(place, `/storage/v1${address}`);
      const changed = await ask(place, `/storage/v1${address.slice(0, -3)}xyz`);
      return [
        short(signed),
        short(opened),
        changed.status >= 400 && changed.status < 500 ? 'refused' : short(changed),
      ].join(', ');
    },
  },
  {
    name: 'a listing of the shop’s own, and removing by it',
    want: '2 files, 0 files',
    async run(place) {
      const folder = randomUUID();
      for (const name of ['a', 'b']) await upload(place, claims, `${folder}/${name}.webp`);
      const list = async (): Promise<string[]> => {
        const { text } = await ask(place, `/storage/v1/object/list/${claims}`, {
          key: place.secretKey,
          body: { prefix: folder, limit: 100 },
        });
        return (JSON.parse(text) as { name: string }[]).map(({ name }) => `${folder}/${name}`);
      };
      const before = await list();
      await ask(place, `/storage/v1/object/${claims}`, {
        method: 'DELETE',
        key: place.secretKey,
        body: { prefixes: before },
      });
      return `${String(before.length)} files, ${String((await list()).length)} files`;
    },
  },
];
