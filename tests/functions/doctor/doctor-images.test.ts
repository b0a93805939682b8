import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Target } from '../../../local/doctor/check.ts';
import { imageChecks } from '../../../local/doctor/image-checks.ts';
import { publishableKey, secretKey } from '../support/database-server.ts';
import { useStack } from '../support/stack.ts';
import { expectFault, expectHealthy, targetOf } from './doctor-target.ts';

const stack = await useStack();
const target = (): Target =>
  targetOf({
    env: {
      PUBLIC_SUPABASE_URL: stack.database.url,
      PUBLIC_SUPABASE_PUBLISHABLE_KEY: publishableKey,
    },
  });

/** A product whose first image has these sides, in pixels; null for an image that is not in the bucket. */
async function addProduct(
  name: string,
  sides: readonly [number, number] | null,
  format: 'webp' | 'jpeg' | 'png' | 'avif' = 'webp',
): Promise<void> {
  const path = `products/${crypto.randomUUID()}.${format}`;
  if (sides !== null) {
    const [width, height] = sides;
    const body = await sharp({ create: { width, height, channels: 3, background: '#b08c3d' } })
      .toFormat(format)
      .toBuffer();
    const answer = await fetch(`${stack.database.url}/storage/v1/object/product-images/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secretKey}`,
        apikey: secretKey,
        'content-type': `image/${format}`,
      },
      body: new Blob([new Uint8Array(body)]),
    });
    expect(answer.status).toBe(200);
  }
  const id = await stack.addProduct({ name });
  await stack.sql('update public.products set images = $2 where id = $1', id, [path]);
}

test('the doctor names the products whose first picture Google will not take', async () => {
  await stack.addProduct({ name: 'Without a picture' });
  await addProduct('Wide enough', [500, 500]);
  await addProduct('A photograph', [1500, 1500], 'jpeg');
  await addProduct('A modern file', [900, 900], 'avif');
  await addProduct('A drawing', [600, 1200], 'png');
  expect(await expectHealthy(imageChecks, target())).toEqual([]);
  await addProduct('A thumbnail', [240, 240]);
  await addProduct('A band', [1200, 499], 'jpeg');
  await addProduct('Lost', null);
  const [{ name } = { name: '' }] = imageChecks;
  await expectFault(
    imageChecks,
    name,
    target(),
    /500 × 500 pixels: A band, A thumbnail, Lost\. From 31 January 2027/u,
  );
});
