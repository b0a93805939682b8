import { lookup } from 'node:dns';
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { importedImagesEnv } from '#core/platform/env.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

/*
 * Fetches an image from wherever an imported file says it is. The address is a stranger's: the function has a network and keys that
 * it must not reach by it (server-side request forgery), so it connects to public addresses alone, looked up once and used as looked
 * up, and follows a redirect by the same rules.
 */

const maxBytes = 20 * 1024 * 1024;
const maxRedirects = 3;
const timeoutMs = 12_000;

const refused = (status: number, code: string, sentence: string, cause?: unknown): HttpError =>
  new HttpError(status, code, sentence, {}, cause);
const unreachable = (cause?: unknown): HttpError =>
  refused(422, 'unreachable_picture', 'The other shop did not send this picture.', cause);
const notPublic = (): HttpError =>
  refused(422, 'refused_address', 'This is not the address of a picture on the internet.');

/** Whether everybody reaches this IP address: neither a private network, nor this machine, nor a reserved range. */
const isPublicIp = (ip: string): boolean =>
  ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'unicast';

/** Looks a host up, and refuses it unless each of its addresses is public. */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) {
      callback(error, '', 0);
      return;
    }
    const [first] = addresses;
    if (first === undefined) callback(new Error('no address'), '', 0);
    else if (!addresses.every(({ address }) => isPublicIp(address))) callback(notPublic(), '', 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/** One request, without following redirects. Throws HttpError for an address that is not public. */
function request(address: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const isOwn = address.hostname === importedImagesEnv().IMAGES_FROM_HOST;
  const host = address.hostname.replace(/^\[|\]$/gu, '');
  // Old files have addresses of before https.
  if (!isOwn && address.protocol === 'http:') address.protocol = 'https:';
  const isHttps = address.protocol === 'https:';
  // A host that is an IP address is not looked up.
  if (!isOwn && (!isHttps || address.port !== '' || (ipaddr.isValid(host) && !isPublicIp(host))))
    return Promise.reject(notPublic());
  const options: RequestOptions = {
    signal,
    headers: { accept: 'image/avif,image/webp,image/png,image/jpeg', 'user-agent': 'shop-import' },
    ...(!isOwn && { lookup: lookUpPublic }),
  };
  return new Promise((resolve, reject) => {
    (isHttps ? https : http).get(address, options, resolve).on('error', reject);
  });
}

async function readImage(response: IncomingMessage): Promise<Uint8Array> {
  const tooLarge = refused(413, 'too_large', 'This picture is larger than 20 MB.');
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The bytes at the address of an image. Throws HttpError 413, 415 or 422 with a sentence for the admin. */
export async function fetchImageBytes(text: string): Promise<Uint8Array> {
  if (!URL.canParse(text)) throw notPublic();
  let address = new URL(text);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await request(address, signal);
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy();
        if (!URL.canParse(headers.location, address)) throw unreachable();
        address = new URL(headers.location, address);
        continue;
      }
      if (statusCode !== 200) {
        response.destroy();
        throw statusCode === 404 || statusCode === 410
          ? refused(422, 'gone_picture', 'There is no picture at this address any more.')
          : unreachable(new Error(`status ${String(statusCode)}`));
      }
      if (/^text\//iu.test(headers['content-type'] ?? '')) {
        response.destroy();
        throw refused(
          415,
          'unsupported_picture',
          'This address leads to a page, not to a picture.',
        );
      }
      return await readImage(response);
    }
    throw unreachable(new Error('too many redirects'));
  } catch (error) {
    throw error instanceof HttpError ? error : unreachable(error);
  }
}
