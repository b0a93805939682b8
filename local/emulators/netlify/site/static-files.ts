import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StaticHandler } from '@netlify/static';
import type { NetlifyConfig } from './netlify-config.ts';

/** A static file at an address, or null. */
export type FindFile = (request: Request) => Promise<Response | null>;

const assetPath = /^\/_astro\/[\w.@~-]+$/u;
/** How many assets are cached in memory, each up to 256 KB: those of a few builds. */
const maxAssets = 400;

/**
 * The files of the built site as a CDN serves them, with the headers of netlify.toml. `dist` is the build that is
 * served, `buildsDir` holds the last ones: a page opened before a publish finds its scripts in an older build. (On
 * Netlify the addresses of such a page name their deploy.)
 */
export function serveFiles(
  dist: string,
  buildsDir: string,
  { withHeaders }: NetlifyConfig,
): FindFile {
  const files = new StaticHandler({ directory: dist });
  // An asset's name changes with its content, so a cached file is valid for every build.
  const assets = new Map<string, StoredFile>();
  return async (request) => {
    const { pathname } = new URL(request.url);
    const isAsset = assetPath.test(pathname);
    const stored = assets.get(pathname);
    if (stored) return asCdnResponse(request, stored);
    const found =
      (await files.match(request)) ??
      (isAsset ? await findInOlderBuild(request, buildsDir) : undefined);
    if (!found) return null;
    const file = await readFound(withHeaders(pathname, await found.handle()));
    if (
      isAsset &&
      request.method === 'GET' &&
      assets.size < maxAssets &&
      file.content.byteLength <= 256 * 1024
    )
      assets.set(pathname, file);
    return asCdnResponse(request, file);
  };
}

async function findInOlderBuild(
  request: Request,
  buildsDir: string,
): ReturnType<StaticHandler['match']> {
  const builds = (await readdir(buildsDir)).sort().reverse();
  return new StaticHandler({ directory: builds.map((build) => join(buildsDir, build)) }).match(
    request,
  );
}

interface StoredFile {
  headers: Headers;
  content: Uint8Array<ArrayBuffer>;
}

async function readFound(response: Response): Promise<StoredFile> {
  const content = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  headers.set('etag', `W/"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`);
  headers.set('content-length', String(content.byteLength));
  return { headers, content };
}

export const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** The answer of a static file to every other method. */
export const methodNotAllowed = (): Response =>
  new Response('Method not allowed', { status: 405, headers: { allow: 'GET, HEAD' } });

/** Answers with a validator, with 304 when the browser has the file, and refuses methods that only functions take. */
function asCdnResponse(request: Request, { headers, content }: StoredFile): Response {
  if (!isRead(request)) return methodNotAllowed();
  if (request.headers.get('if-none-match') !== headers.get('etag'))
    return new Response(content, { status: 200, headers });
  const unchanged = new Headers(headers);
  unchanged.delete('content-length');
  return new Response(null, { status: 304, headers: unchanged });
}

/** The site's 404.html with status 404. Fetched by its own address, so that it carries the headers of netlify.toml. */
export async function fetchNotFoundPage(request: Request, findFile: FindFile): Promise<Response> {
  const page = await findFile(new Request(new URL('/404.html', request.url)));
  const headers = new Headers(page?.headers);
  headers.delete('etag');
  return new Response(page?.body ?? 'Not found', { status: 404, headers });
}
