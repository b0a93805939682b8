import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Handler } from '../http/handler.ts';
import { writeFileAtomically } from '../stack/files.ts';
import type { NetlifyRuntime } from './netlify.ts';
import { inTurns } from './turns.ts';

export interface ImageCdn {
  /** Answers /.netlify/images. */
  handle: Handler;
  /** Forgets pictures of the site's own files: a new build may have changed them. */
  forgetSiteFiles: () => void;
  /** How many pictures are being made for somebody now. */
  busy: () => number;
}

interface Picture {
  status: number;
  content: Uint8Array<ArrayBuffer>;
  type: string;
}

const types: Readonly<Record<string, string>> = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' };
const atOnce = 2;

/**
 * Netlify's image CDN (sharp, in its development runtime) with what the real one has besides: results are kept, in
 * the data folder, and equal requests wait for one another instead of doing the work twice.
 */
export function openImageCdn(dir: string, netlify: NetlifyRuntime): ImageCdn {
  const pending = new Map<string, Promise<Picture>>();
  const inTurn = inTurns(atOnce);
  let edition = String(Date.now());

  async function make(request: Request, path: string): Promise<Picture> {
    const { response } = (await inTurn(async () => netlify.handle(request))) ?? { response: new Response(null, { status: 404 }) };
    const content = new Uint8Array(await response.arrayBuffer());
    if (response.status === 200) await writeFileAtomically(path, content);
    return { status: response.status, content, type: response.headers.get('content-type') ?? 'text/plain' };
  }

  return {
    async handle(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (!/^\/\.netlify\/images\/?$/u.test(pathname) || !['GET', 'HEAD'].includes(request.method)) return undefined;
      const format = searchParams.get('fm') ?? '';
      const uploaded = searchParams.get('url')?.includes('/storage/v1/object/public/') === true;
      const identity = JSON.stringify([[...searchParams].sort(), uploaded ? '' : edition]);
      const name = `${createHash('sha256').update(identity).digest('hex').slice(0, 40)}.${/^\w+$/u.test(format) ? format : 'img'}`;
      const path = join(dir, name);
      const kept = types[format] === undefined ? null : await readFile(path).catch(() => null);
      const response = toResponse(
        kept ? { status: 200, content: new Uint8Array(kept), type: types[format] ?? '' } : await share(name, request, path),
      );
      return request.headers.get('if-none-match') === response.headers.get('etag') && response.status === 200
        ? new Response(null, { status: 304, headers: response.headers })
        : response;
    },
    forgetSiteFiles() {
      edition = String(Date.now());
    },
    busy: () => pending.size,
  };

  async function share(name: string, request: Request, path: string): Promise<Picture> {
    const asGet = new Request(request.url, { headers: { accept: request.headers.get('accept') ?? '*/*' } });
    const work = pending.get(name) ?? make(asGet, path).finally(() => pending.delete(name));
    pending.set(name, work);
    return work;
  }
}

function toResponse({ status, content, type }: Picture): Response {
  const headers = new Headers({ 'content-type': type, 'x-content-type-options': 'nosniff' });
  if (status === 200) {
    headers.set('content-length', String(content.byteLength));
    headers.set('cache-control', 'public, max-age=604800, stale-while-revalidate=2592000');
    headers.set('etag', `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`);
  }
  return new Response(content, { status, headers });
}
