import { createServer } from 'node:http';
import { sendEmailAddress } from '../auth/send-email-hook.ts';
import { warn } from '../shared/log.ts';

/** Where Auth finds the door when it runs in a container beside the shop of this port: `npx supabase start`. */
export const hookDoorAddress = (port: number): string =>
  sendEmailAddress(`http://host.docker.internal:${String(port + 1)}`);

/**
 * Lets Auth in a container call the "Send Email" hook: the stack itself listens on the loopback address only, which containers do not
 * reach. Passes signed posts to that one path on, and nothing else. Returns what closes it.
 */
export async function openHookDoor(origin: string, port: number): Promise<() => void> {
  const address = sendEmailAddress(origin);
  const { pathname } = new URL(address);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
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
          warn('The hook of Auth was not passed on', error);
          response.writeHead(502).end();
        });
    });
  });
  server.on('error', (error) => {
    warn(`Auth in a container cannot call the shop: port ${String(port + 1)}`, error);
  });
  await new Promise<void>((resolve) => {
    server.once('error', () => {
      resolve();
    });
    server.listen(port + 1, '0.0.0.0', resolve);
  });
  return () => {
    server.close();
  };
}
