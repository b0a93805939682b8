import { once } from 'node:events';
import {
  createServer,
  request as requestOverHttp,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as requestOverHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';

/** A site passed on as it is, and next to it the same site with every script taken out of its HTML. */
export interface StrippingProxy {
  whole: string;
  stripped: string;
  close: () => void;
}

const withoutScripts = (html: string): string =>
  html
    .replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/giu, '')
    .replaceAll(/<link\b[^>]*\brel="?modulepreload[^>]*>/giu, '');

/**
 * Both go the same way, so that they differ by the scripts alone: HTML is compressed here (brotli), once for each
 * address, everything else is handed through as the site sends it.
 */
async function passOn(
  origin: string,
  change: (html: string) => string,
): Promise<{ address: string; close: () => void }> {
  const pages = new Map<string, Buffer>();
  const send = origin.startsWith('https:') ? requestOverHttps : requestOverHttp;

  async function answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    given: IncomingMessage,
  ): Promise<void> {
    if (!(given.headers['content-type'] ?? '').startsWith('text/html')) {
      outgoing.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(outgoing);
      return;
    }
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = given.headers;
    const html = (await buffer(given)).toString();
    const body = pages.get(incoming.url ?? '') ?? brotliCompressSync(change(html));
    pages.set(incoming.url ?? '', body);
    outgoing.writeHead(given.statusCode ?? 502, {
      ...headers,
      'content-encoding': 'br',
      'content-length': body.length,
    });
    outgoing.end(body);
  }

  const server = createServer((incoming, outgoing) => {
    const isPage = incoming.headers['sec-fetch-dest'] === 'document';
    const headers = {
      ...incoming.headers,
      host: new URL(origin).host,
      ...(isPage ? { 'accept-encoding': 'identity' } : {}),
    };
    const passed = send(
      origin + (incoming.url ?? '/'),
      { method: incoming.method, headers },
      (given) => void answer(incoming, outgoing, given),
    );
    passed.on('error', (error) => {
      outgoing.destroy(error);
    });
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://localhost:${String(port)}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts both on free ports. */
export async function startStrippingProxy(origin: string): Promise<StrippingProxy> {
  const whole = await passOn(origin, (html) => html);
  const stripped = await passOn(origin, withoutScripts);
  return {
    whole: whole.address,
    stripped: stripped.address,
    close: () => {
      whole.close();
      stripped.close();
    },
  };
}
