import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Served {
  url: string;
  close: () => Promise<void>;
}

/**
 * A handler's answer: a Response, or null to drop the connection without a word. `connection` aborts when that ends; the
 * request's own signal would not, once nobody holds the request any more.
 */
export type FetchHandler = (
  request: Request,
  connection: AbortSignal,
) => Promise<Response | null> | Response | null;

async function toRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const method = incoming.method ?? 'GET';
  const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks);
  return new Request(new URL(incoming.url ?? '/', origin), { method, headers, body });
}

/** Serves a fetch handler over HTTP on a free port of the loopback address. */
export async function serveFetch(handler: FetchHandler): Promise<Served> {
  let url = '';
  const answering = new Set<Promise<unknown>>();
  const server = createServer((incoming, outgoing) => {
    const connection = new AbortController();
    outgoing.once('close', () => {
      connection.abort();
    });
    const answer = async (): Promise<void> => {
      const response = await handler(await toRequest(incoming, url), connection.signal);
      if (response === null) {
        outgoing.destroy();
        return;
      }
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    };
    const answered = answer()
      .catch(() => outgoing.destroy())
      .finally(() => answering.delete(answered));
    answering.add(answered);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      });
      // A request is handled to its end, even when nobody hears the answer.
      await Promise.all(answering);
    },
  };
}
