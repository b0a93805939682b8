import type { IncomingMessage } from 'node:http';
import { fromPlainCookies } from './plain-cookies.ts';

/** Requests above this size are refused; Netlify's own limit for functions is 6 MB, images go up to 8 MB. */
const maxBodyBytes = 16 * 1024 * 1024;

/** A request that cannot be served, with its status. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const bodiless = new Set(['GET', 'HEAD']);
const methods = new Set([...bodiless, 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * The one of our addresses that a request is for, by its Host header. Null for any other name: one that a stranger's
 * page brought to this machine (DNS rebinding) would read as its own what is here.
 */
export function addressOf(
  { headers: { host = '' } }: IncomingMessage,
  origins: readonly string[],
): string | null {
  return origins.find((origin) => new URL(origin).host === host.toLowerCase()) ?? null;
}

/**
 * Node's request as a web Request at one of our addresses, with the body's exact bytes. Throws RequestError on requests
 * for another host, on those that have no such form, and on bodies that are too large or break off.
 */
export async function readRequest(
  incoming: IncomingMessage,
  origins: readonly string[],
): Promise<Request> {
  const origin = addressOf(incoming, origins);
  if (origin === null)
    throw new RequestError(421, `This server answers under ${origins.join(', ')} alone.`);
  const method = incoming.method ?? 'GET';
  if (!methods.has(method)) throw new RequestError(405, 'Method not allowed');
  const path = incoming.url ?? '/';
  const url = path.startsWith('/') ? URL.parse(origin + path) : null;
  if (!url || !isDecodable(url.pathname)) throw new RequestError(400, 'Bad request');
  const headers = readHeaders(incoming, url);
  if (bodiless.has(method)) return new Request(url, { method, headers });
  return new Request(url, { method, headers, body: await readBody(incoming) });
}

/** Whether the path's percent escapes are valid; the redirect matcher throws on others. */
function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

function readHeaders(incoming: IncomingMessage, url: URL): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const cookies = headers.get('cookie');
  if (cookies !== null) headers.set('cookie', fromPlainCookies(cookies));
  // Functions build links from these headers and limit rates by the address, so the client must not set them.
  headers.set('host', url.host);
  headers.set('x-forwarded-host', url.host);
  headers.set('x-forwarded-proto', 'http');
  headers.set('x-forwarded-for', incoming.socket.remoteAddress ?? '127.0.0.1');
  return headers;
}

async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes)
    throw new RequestError(413, 'Request too large');
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > maxBodyBytes) throw new RequestError(413, 'Request too large');
    chunks.push(bytes);
  }
  return size === 0 ? null : new Uint8Array(Buffer.concat(chunks));
}
