import { connect, createServer, type Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { dev } from 'astro';
import { projectRoot } from '#local/shared/settings.ts';

export interface DevServer {
  /** Fetches a page or file from Astro's dev server. */
  fetch: (request: Request) => Promise<Response>;
  /** Hands over a connection that becomes the hot-reload WebSocket. */
  upgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
  stop: () => Promise<void>;
}

/** Starts Astro's dev server on a private port; the stack's own port stands in front of it. */
export async function startDevServer(): Promise<DevServer> {
  const port = await findFreePort();
  const host = '127.0.0.1';
  const server = await dev({ root: projectRoot, server: { host, port }, logLevel: 'warn' });
  return {
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      // The front compresses the response. The dev server's own address satisfies its host check.
      headers.set('accept-encoding', 'identity');
      headers.delete('host');
      const body = request.body === null ? null : await request.arrayBuffer();
      return fetch(`http://${host}:${String(port)}${pathname}${search}`, {
        method: request.method,
        headers,
        body,
        redirect: 'manual',
      });
    },
    upgrade(request, socket, head) {
      const upstream = connect(port, host, () => {
        const lines = request.rawHeaders.flatMap((value, index, all) =>
          index % 2 === 0 ? [`${value}: ${all[index + 1] ?? ''}`] : [],
        );
        upstream.write(
          [`${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1`, ...lines, '', ''].join(
            '\r\n',
          ),
        );
        upstream.write(head);
        upstream.pipe(socket).pipe(upstream);
      });
      for (const end of [upstream, socket]) {
        end.on('error', () => {
          upstream.destroy();
          socket.destroy();
        });
      }
    },
    stop: async () => server.stop(),
  };
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port');
  return address.port;
}
