import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressible =
  /^(?:text\/|image\/svg\+xml|application\/(?:[\w.+-]*\+)?(?:json|javascript|xml|manifest\+json|wasm))/u;

/** The encoding to answer with: what a CDN would choose for this browser and this content, or null for none. */
export function chooseEncoding(accepted: string, headers: Headers): 'br' | 'gzip' | null {
  if (headers.has('content-encoding') || !compressible.test(headers.get('content-type') ?? ''))
    return null;
  if (headers.get('content-type')?.startsWith('text/event-stream')) return null;
  if (/\bbr\b/u.test(accepted)) return 'br';
  return /\bgzip\b/u.test(accepted) ? 'gzip' : null;
}

/** Smaller responses fit into one packet uncompressed. */
export const minCompressedBytes = 1_024;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Brotli 6 or gzip 6: about what CDNs do on the fly. */
export async function compress(content: ArrayBuffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  return encoding === 'br'
    ? brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
    : gzipped(content, { level: 6 });
}

const stored = new Map<string, Promise<Buffer>>();
const maxStored = 500;

/**
 * Brotli at its best, done once for each content, as a CDN stores static files: bytes measured here mean something.
 * `etag` names the content by its hash.
 */
export function compressStored(content: ArrayBuffer, etag: string): Promise<Buffer> {
  const before = stored.get(etag);
  if (before) return before;
  const [oldest] = stored.keys();
  if (stored.size >= maxStored && oldest !== undefined) stored.delete(oldest);
  const compressed = brotli(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    },
  });
  stored.set(etag, compressed);
  return compressed;
}
