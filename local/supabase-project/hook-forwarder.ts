import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendEmailAddress } from '#local/emulators/supabase/auth/send-email-hook.ts';
import { warn } from '#local/shared/log.ts';

/** The limit of the shop's endpoint. */
const maxBytes = 64 * 1024;

/** The forwarder's port beside the shop of this port. */
export const hookForwarderPort = (port: number): number => port + 1;

/** Where Auth in a container beside the shop of this port (`npx supabase start`) calls the hook. */
export const hookForwarderAddress = (port: number): string =>
  sendEmailAddress(`http://host.docker.internal:${String(hookForwarderPort(port))}`);

/**
 * Forwards the "Send Email" hook of Auth in a container to the shop, which listens on the loopback address only. Forwards posts to
 * that one path; the shop checks their signature. `port` 0 takes a free one. A port that is taken is a warning: only Auth in a container
 * needs the forwarder.
 */
export async function startHookForwarder(
  origin: string,
  port: number,
): Promise<{ port: number; stop: () => void }> {
  const address = sendEmailAddress(origin);
  const { pathname } = new URL(address);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      if (request.method !== 'POST' || request.url !== pathname) {
        response.writeHead(404).end();
        return;
      }
      const headers = new Headers({ 'content-type': 'application/json' });
      for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
        headers.set(name, String(request.headers[name] ?? ''));
      fetch(address, { method: 'POST', headers, body: Buffer.concat(chunks) })
        .then(async (answer) => {
          response.writeHead(answer.status, { 'content-type': 'application/json' });
          response.end(await answer.text());
        })
        .catch((error: unknown) => {
          warn('The hook of Auth was not forwarded', error);
          response.writeHead(502).end();
        });
    });
  });
  server.on('error', (error) => {
    warn(`Auth in a container cannot call the shop: port ${String(port)}`, error);
  });
  await new Promise<void>((resolve) => {
    server.once('error', () => {
      resolve();
    });
    server.listen(port, '0.0.0.0', resolve);
  });
  const stop = () => {
    server.close();
  };
  return { port: (server.address() as AddressInfo | null)?.port ?? port, stop };
}
