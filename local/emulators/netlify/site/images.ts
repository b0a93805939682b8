import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type FitEnum } from 'sharp';
import * as z from 'zod';
import type { Handler } from '#local/emulators/http/handler.ts';
import { writeFileAtomically } from '#local/data-folder/files.ts';

const size = z.coerce.number().int().min(1).max(4000).optional();

/** The parameters of Netlify's image CDN (docs.netlify.com/build/image-cdn/overview), as far as the shop uses them. */
const parametersSchema = z.object({
  url: z.string().min(1),
  w: size,
  h: size,
  q: z.coerce.number().int().min(1).max(100).default(75),
  fm: z.enum(['avif', 'webp', 'jpg', 'png']).default('webp'),
  fit: z.enum(['contain', 'cover', 'fill']).default('contain'),
});
type Parameters = z.infer<typeof parametersSchema>;

const types = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
} as const;
const fits = { contain: 'inside', cover: 'cover', fill: 'fill' } as const satisfies Record<
  Parameters['fit'],
  keyof FitEnum
>;
/**
 * AVIF at effort 1 of 9 takes a tenth of the time of the default 4 for 3 to 10 % more bytes (measured on the demo's
 * images at 240 to 840 px). Netlify's own encoder serves the real shop.
 */
const avifEffort = 1;

export interface ImageCdnOptions {
  /** The folder of cached images. */
  dir: string;
  origin: string;
  /** The address of the product images: of all addresses outside the site the CDN serves these alone. */
  bucket: string;
  /** Fetches an image of the site itself or of an allowed address. */
  fetchSource: (url: URL) => Promise<Response>;
}

export interface ImageCdn {
  /** Serves /.netlify/images. */
  handle: Handler;
  /** Drops cached images of the site's own files, which a new build may have changed. */
  forgetSiteFiles: () => void;
}

/** Netlify's image CDN over sharp. Each image is made on its first request and cached. */
export function createImageCdn({ dir, origin, bucket, fetchSource }: ImageCdnOptions): ImageCdn {
  const pending = new Map<string, Promise<Response>>();
  // Encoders share the thread pool with file reads: two at a time leave threads for those.
  const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
  let nextLane = 0;
  let build = Date.now();

  async function inLane<T>(work: () => Promise<T>): Promise<T> {
    const lane = (nextLane = (nextLane + 1) % lanes.length);
    const done = (lanes[lane] ?? Promise.resolve()).then(work);
    lanes[lane] = done.catch(() => undefined);
    return done;
  }

  async function make(parameters: Parameters, source: URL, path: string): Promise<Response> {
    const kept = await readFile(path).catch(() => null);
    if (kept) return toResponse(kept, parameters.fm);
    const original = await fetchSource(source);
    if (!original.ok)
      return new Response('The image could not be loaded', {
        status: original.status === 404 ? 404 : 502,
      });
    const content = Buffer.from(await original.arrayBuffer());
    const made = await inLane(async () => resize(content, parameters)).catch(() => null);
    if (!made) return new Response('Not an image', { status: 415 });
    await writeFileAtomically(path, made);
    return toResponse(made, parameters.fm);
  }

  return {
    async handle(request) {
      const url = new URL(request.url);
      if (!/^\/\.netlify\/images\/?$/u.test(url.pathname)) return undefined;
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response('Method Not Allowed', { status: 405 });
      const { success, data } = parametersSchema.safeParse(Object.fromEntries(url.searchParams));
      const source = success ? URL.parse(data.url, origin) : null;
      if (!success || !source) return new Response('Bad Request', { status: 400 });
      const isOfSite = source.origin === origin;
      // An uploaded image never changes under its address; a file of the site may with each build.
      const isUpload = source.href.startsWith(bucket);
      if (!isOfSite && !isUpload) {
        return new Response('Forbidden: Remote image URL not allowed', { status: 403 });
      }
      const identity = JSON.stringify([data, source.href, isUpload ? 0 : build]);
      const name = `${createHash('sha256').update(identity).digest('hex').slice(0, 40)}.${data.fm}`;
      const work =
        pending.get(name) ??
        make(data, source, join(dir, name)).finally(() => pending.delete(name));
      pending.set(name, work);
      const response = (await work).clone();
      const isKnown =
        response.ok && request.headers.get('if-none-match') === response.headers.get('etag');
      return isKnown ? new Response(null, { status: 304, headers: response.headers }) : response;
    },
    forgetSiteFiles() {
      build = Date.now();
    },
  };
}

async function resize(content: Buffer, { w, h, q, fm, fit }: Parameters): Promise<Buffer> {
  const image = sharp(content)
    .rotate()
    .resize({
      ...(w ? { width: w } : {}),
      ...(h ? { height: h } : {}),
      fit: fits[fit],
      withoutEnlargement: true,
    });
  if (fm === 'avif') return image.avif({ quality: q, effort: avifEffort }).toBuffer();
  if (fm === 'webp') return image.webp({ quality: q }).toBuffer();
  return fm === 'jpg' ? image.jpeg({ quality: q }).toBuffer() : image.png().toBuffer();
}

function toResponse(content: Buffer, format: Parameters['fm']): Response {
  return new Response(new Uint8Array(content), {
    headers: {
      'content-type': types[format],
      'x-content-type-options': 'nosniff',
      'content-length': String(content.byteLength),
      'cache-control': 'public, max-age=604800, stale-while-revalidate=2592000',
      etag: `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`,
    },
  });
}
