import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { warn } from '#local/shared/log.ts';
import { StartError } from '#local/shared/start-error.ts';
import type { Handler } from './handler.ts';
import { addressOf, readRequest, RequestError } from './read-request.ts';
import { sendResponse } from './send-response.ts';

export interface HttpServer {
  /** Stops listening and cuts what is still open. */
  close: () => Promise<void>;
  /** Takes over connections that ask for another protocol (the dev server's WebSocket). */
  onUpgrade: (listener: (request: IncomingMessage, socket: Socket, head: Buffer) => void) => void;
}

/**
 * Listens on the loopback addresses of `port`, and answers requests for `origins` alone. Throws StartError when the port
 * is taken.
 */
export async function listen(
  port: number,
  origins: readonly string[],
  handle: Handler,
): Promise<HttpServer> {
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    void respond(incoming, outgoing, origins, handle);
  };
  const servers = [await open('127.0.0.1', port, answer)];
  try {
    // `localhost` is ::1 first on some systems.
    servers.push(await open('::1', port, answer));
  } catch (error) {
    if (error instanceof StartError) {
      servers[0]?.close();
      throw error;
    }
  }
  return {
    async close() {
      await Promise.all(
        servers.map(
          async (server) =>
            new Promise((resolve) => {
              server.close(resolve);
              server.closeAllConnections();
            }),
        ),
      );
    },
    onUpgrade(listener) {
      for (const server of servers) {
        server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
          if (addressOf(request, origins) === null) socket.destroy();
          else listener(request, socket, head);
        });
      }
    },
  };
}

async function open(
  host: string,
  port: number,
  listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Promise<Server> {
  const server = createServer(listener);
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        reject(
          new StartError(
            `Port ${String(port)} is taken: stop what listens there, or set PORT to another one.`,
          ),
        );
      } else if (error.code === 'EACCES') {
        reject(
          new StartError(`Port ${String(port)} needs more rights: set PORT to one above 1023.`),
        );
      } else reject(error);
    });
    server.listen({ host, port }, resolve);
  });
  server.on('error', (error) => {
    warn('The server reports an error', error);
  });
  return server;
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  origins: readonly string[],
  handle: Handler,
): Promise<void> {
  incoming.on('error', () => undefined);
  outgoing.on('error', () => undefined);
  try {
    const request = await readRequest(incoming, origins);
    const response = (await handle(request)) ?? new Response('Not found', { status: 404 });
    await sendResponse(response, incoming, outgoing);
  } catch (error) {
    if (outgoing.destroyed || (incoming.destroyed && !incoming.complete)) return;
    const status = error instanceof RequestError ? error.status : 500;
    if (status === 500) warn(`${incoming.method ?? ''} ${incoming.url ?? ''} failed`, error);
    if (!outgoing.headersSent) {
      outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
      outgoing.end(
        JSON.stringify({
          message: error instanceof RequestError ? error.message : 'Internal error',
        }),
      );
    } else outgoing.destroy();
  }
}
