import { createServer } from 'node:http';
import { sendEmailAddress } from '../auth/send-email-hook.ts';
import { warn } from '../shared/log.ts';

/** As much as the shop's endpoint takes. */
const maxBytes = 64 * 1024;

/** Where Auth in a container beside the shop of this port (`npx supabase start`) calls the hook. */
export const hookForwarderAddress = (port: number): string =>
  sendEmailAddress(`http://host.docker.internal:${String(port + 1)}`);

/**
 * Forwards the "Send Email" hook of Auth in a container to the shop, which listens on the loopback address only. Forwards posts to
 * that one path; the shop checks their signature. Returns a function that stops it.
 */
export async function startHookForwarder(origin: string, port: number): Promise<() => void> {
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
