import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { chooseEncoding, compress, compressStored, minCompressedBytes } from './compress.ts';
import { isDropped } from './handler.ts';
import { toPlainCookie } from './plain-cookies.ts';

/** Sends a response, compressed when the browser accepts it. Also resolves when the browser disconnects. */
export async function sendResponse(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (isDropped(response)) {
    outgoing.destroy();
    return;
  }
  const encoding = chooseEncoding(
    [incoming.headers['accept-encoding'] ?? ''].join(','),
    response.headers,
  );
  try {
    if (incoming.method === 'HEAD' || !response.body) {
      writeHead(response, outgoing, encoding);
      await response.body?.cancel();
      outgoing.end();
    } else if (encoding === null) {
      writeHead(response, outgoing, null);
      await pipeline(Readable.fromWeb(response.body as NodeStream), outgoing);
    } else {
      const content = await response.arrayBuffer();
      const etag = response.headers.get('etag');
      const small = content.byteLength < minCompressedBytes;
      writeHead(response, outgoing, small ? null : encoding);
      if (small) outgoing.end(Buffer.from(content));
      else
        outgoing.end(
          await (encoding === 'br' && etag !== null
            ? compressStored(content, etag)
            : compress(content, encoding)),
        );
    }
  } catch {
    // The client is gone or the stream failed. Closing the connection is the only signal left.
    outgoing.destroy();
  }
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'set-cookie']);

function writeHead(response: Response, outgoing: ServerResponse, encoding: string | null): void {
  outgoing.statusCode = response.status;
  if (response.statusText) outgoing.statusMessage = response.statusText;
  for (const [name, value] of response.headers) {
    if (!hopByHop.has(name)) outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie().map(toPlainCookie);
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
  if (encoding) {
    outgoing.setHeader('content-encoding', encoding);
    outgoing.removeHeader('content-length');
    outgoing.appendHeader('vary', 'accept-encoding');
  }
}
