import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { removeUnusedImages } from '#core/catalogue/image-files.ts';
import { logIn, setAdminPassword } from '#tests/functions/admin/admin-client.ts';
import { hostileFiles, image } from './hostile-images.ts';
import { useStack, type Answer } from '#tests/functions/support/stack.ts';
import { eachRow } from '#tests/each-row.ts';
import { reportFigures } from '#tests/figures.ts';

const hostile = await hostileFiles();
const goodJpeg = await image('jpeg');

const stack = await useStack();
await setAdminPassword();
const admin = await logIn(stack);

const upload = (content: Uint8Array, type = 'image/jpeg'): Promise<Answer> =>
  admin.ask('POST', '/api/admin/images', undefined, {
    body: new Uint8Array(content),
    type,
  });
const files = async (): Promise<string[]> =>
  (await readdir(stack.database.images, { recursive: true }).catch(() => [])).filter((name) =>
    name.includes('.'),
  );
/** An image of one colour, which is made in less time than one of noise. */
const plainJpeg = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer();
const storedBytes = (answer: Answer): Promise<Buffer> =>
  readFile(join(stack.database.images, String(answer.json['path'])));

describe('an image', () => {
  test('an image of any taken kind is stored as WebP under a name of the server’s own', () =>
    eachRow(['jpeg', 'png', 'webp', 'avif'], async (kind) => {
      const answer = await upload(await image(kind), `image/${kind}`);
      expect(answer.status).toBe(201);
      expect(answer.json).toMatchObject({ width: 320, height: 240 });
      expect(answer.json['path']).toMatch(/^products\/[\da-f-]{36}\.webp$/u);
      const { format, width, height } = await sharp(await storedBytes(answer)).metadata();
      expect({ format, width, height }).toEqual({ format: 'webp', width: 320, height: 240 });
    }));

  test('is made at most 2000 pixels wide and high, and never larger than it came', async () => {
    expect((await upload(await plainJpeg(4_000, 1_000))).json).toMatchObject({
      width: 2_000,
      height: 500,
    });
    expect((await upload(await image('jpeg', 30, 20))).json).toMatchObject({
      width: 30,
      height: 20,
    });
  });

  test('held sideways is turned upright, and has no place or camera in it', async () => {
    const withPlace = await sharp(goodJpeg)
      .withExif({
        IFD0: { Orientation: '6', Make: 'Canary Camera' },
        IFD3: { GPSLatitude: '9/1 55/1 0/1', GPSLatitudeRef: 'N' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const answer = await upload(withPlace);
    expect(answer.json).toMatchObject({ width: 240, height: 320 });
    const bytes = await storedBytes(answer);
    const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata();
    expect([exif, xmp, iptc, icc, orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(bytes.toString('latin1')).not.toContain('Canary');
  });

  test.each([
    [
      'a script behind its end',
      Buffer.concat([goodJpeg, Buffer.from('<script>alert(1)</script>')]),
    ],
    ['an archive behind its end', Buffer.concat([goodJpeg, Buffer.from('PK\u0003\u0004secret')])],
    [
      'a script in its comment',
      Buffer.concat([
        goodJpeg.subarray(0, 2),
        Buffer.from('fffe001b', 'hex'),
        Buffer.from('<script>alert(1)</script>'),
        goodJpeg.subarray(2),
      ]),
    ],
  ])('with %s keeps the image and loses the rest', async (_name, content) => {
    const answer = await upload(content);
    expect(answer.status).toBe(201);
    const bytes = (await storedBytes(answer)).toString('latin1');
    expect(bytes).not.toMatch(/script|secret/u);
  });
});

describe('an invalid or truncated image', () => {
  test('is refused in words, and no file is left', async () => {
    expect(hostile.length).toBeGreaterThan(40);
    const statuses: number[] = [];
    await eachRow(hostile, async ([, content]) => {
      const before = await files();
      for (const type of ['image/jpeg', 'image/svg+xml']) {
        const answer = await upload(content, type);
        statuses.push(answer.status);
        expect([415, 422]).toContain(answer.status);
        expect(answer.json['message']).toMatch(/picture|file/u);
      }
      expect(await files()).toEqual(before);
    }).finally(() => {
      reportFigures(16, {
        'hostile files': hostile.length,
        'not refused': statuses.filter((status) => status !== 415 && status !== 422).length,
      });
    });
  });

  test('a file above 8 MB is refused, announced or not', async () => {
    const large = Buffer.concat([goodJpeg, Buffer.alloc(8 * 1024 * 1024)]);
    expect(await upload(large)).toMatchObject({ status: 413, json: { error: 'too_large' } });
  });
});

test('every file in the bucket is WebP', async () => {
  const names = await files();
  expect(names.length).toBeGreaterThan(5);
  const formats: unknown[] = [];
  for (const name of names)
    formats.push(
      (await sharp(await readFile(join(stack.database.images, name))).metadata()).format,
    );
  reportFigures(16, {
    'stored pictures': names.length,
    'of another kind than WebP': formats.filter((format) => format !== 'webp').length,
  });
  expect(formats).toEqual(names.map(() => 'webp'));
});

test('the file of an image that nothing shows any more is removed, and that of a product stays', async () => {
  const [own, shown] = [await upload(goodJpeg), await upload(goodJpeg)].map(({ json }) =>
    String(json['path']),
  );
  const [id, other] = [await stack.addProduct(), await stack.addProduct()];
  for (const [product, path] of [
    [id, own],
    [other, shown],
  ])
    await stack.sql('update public.products set images = array[$2] where id = $1', product, path);
  await stack.sql('delete from public.products where id = $1', id);
  await stack.sql(`update public.pictures set dropped_at = dropped_at - interval '1 hour'`);
  const before = await files();
  expect(await removeUnusedImages(50, 'products')).toBe(1);
  expect((await files()).toSorted()).toEqual(before.filter((name) => name !== own).toSorted());
});
