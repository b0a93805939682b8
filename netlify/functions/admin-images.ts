import type { Config } from '@netlify/functions';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { storePicture } from '../server/catalogue/picture-files.ts';
import { restorePicture } from '../server/catalogue/picture.ts';
import { HttpError } from '../server/platform/http-error.ts';
import { json } from '../server/platform/http.ts';
import { readBytes } from '../server/platform/request-body.ts';

const largest = 8 * 1024 * 1024;

/** POST /api/admin/images: the bytes of a picture → `{path, width, height}` of what is stored, always WebP. */
export default adminEndpoint({
  route: 'admin/images',
  takes: 'pictures',
  handlers: {
    async POST({ request, addLogFields }) {
      const bytes = await readBytes(request, largest).catch((error: unknown) => {
        if (!(error instanceof HttpError) || error.status !== 413) throw error;
        throw new HttpError(413, 'too_large', 'This picture is too large: 8 MB at most. Please make it smaller and try again.');
      });
      const picture = await restorePicture(bytes);
      const path = await storePicture(picture);
      addLogFields({ path, bytes: bytes.byteLength, stored: picture.content.byteLength });
      return json({ path, width: picture.width, height: picture.height }, 201);
    },
  },
});

export const config: Config = { path: '/api/admin/images' };
