import type { Config } from '@netlify/functions';
import { csvFileApi } from '#features/csv-file/domain/csv-file-api.ts';
import { adminFunction, answer, respond } from '#core/auth/admin-routes.ts';
import { storeImage } from '#core/catalogue/image-files.ts';
import { reencodeImage } from '#core/catalogue/reencode-image.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { json } from '#core/platform/http/http.ts';
import { readBytes } from '#core/platform/http/request-body.ts';
import { fetchImageBytes } from '#netlify/features/csv-file/fetch-image.ts';

const maxImageBytes = 8 * 1024 * 1024;

/** POST /api/admin/images: the bytes of an image → `{path, width, height}` of what is stored, always WebP. */
export default adminFunction([
  respond(
    { method: 'POST', path: '/api/admin/images' },
    async ({ request, addLogFields }) => {
      const bytes = await readBytes(request, maxImageBytes).catch((error: unknown) => {
        if (!(error instanceof HttpError) || error.status !== 413) throw error;
        throw new HttpError(
          413,
          'too_large',
          'This picture is too large: 8 MB at most. Please make it smaller and try again.',
        );
      });
      const image = await reencodeImage(bytes);
      const stored = await storeImage(image);
      addLogFields({ path: stored, bytes: bytes.byteLength, stored: image.content.byteLength });
      return json({ path: stored, width: image.width, height: image.height }, 201);
    },
    'images',
  ),
  // Imports send many at once, some of which fail.
  answer(csvFileApi.fetchImage, async ({ body, addLogFields }) => {
    const stored = await storeImage(await reencodeImage(await fetchImageBytes(body.address)));
    addLogFields({ path: stored });
    return { path: stored };
  }),
]);

export const config: Config = { path: ['/api/admin/images', '/api/admin/images/from-address'] };
