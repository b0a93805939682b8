import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Razorpay from 'razorpay';
import * as z from 'zod';
import { listen } from '#local/emulators/http/server.ts';
import { createSandbox } from '#local/emulators/razorpay/sandbox.ts';

export const keyId = 'rzp_sandbox_0123456789';
export const keySecret = 'sandbox-key-secret-0123456789';
export const webhookSecret = 'sandbox-webhook-secret-0123456789';

/** A webhook as it reached the shop: the exact text, and the two headers that matter. */
export interface Hook {
  event: string;
  body: string;
  signature: string;
  eventId: string;
}

export interface SandboxServer {
  origin: string;
  /** Webhooks that arrived, in order. */
  hooks: Hook[];
  /** Statuses to answer the next webhooks with; 200 when there is none. */
  answers: number[];
  sdk: Razorpay;
  post: (path: string, body?: unknown) => Promise<Response>;
  close: () => Promise<void>;
}

/** The sandbox behind the stack's own HTTP server, with a shop that only takes webhooks. */
export async function startSandbox(): Promise<SandboxServer> {
  const dir = await mkdtemp(join(tmpdir(), 'sandbox-test-'));
  const port = await findFreePort();
  const origin = `http://localhost:${String(port)}`;
  const hooks: Hook[] = [];
  const answers: number[] = [];
  const file = join(dir, 'razorpay.json');
  const sandbox = await createSandbox({ file, origin, keyId, keySecret, webhookSecret });
  const server = await listen(port, [origin], async (request) => {
    if (new URL(request.url).pathname !== '/api/payment/webhook') return sandbox.handle(request);
    const body = await request.text();
    const { event } = z.object({ event: z.string() }).parse(JSON.parse(body));
    const header = (name: string): string => request.headers.get(name) ?? '';
    hooks.push({
      event,
      body,
      signature: header('x-razorpay-signature'),
      eventId: header('x-razorpay-event-id'),
    });
    return new Response(null, { status: answers.shift() ?? 200 });
  });
  return {
    origin,
    hooks,
    answers,
    sdk: createSdk(`${origin}/local/razorpay`),
    post: async (path, body = {}) =>
      fetch(`${origin}/local/razorpay/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async close() {
      await sandbox.close();
      await server.close();
      await rm(dir, { recursive: true });
    },
  };
}

/** The real SDK, turned to another address the only way it has. */
function createSdk(baseURL: string): Razorpay {
  const sdk = new Razorpay({ key_id: keyId, key_secret: keySecret });
  const { rq } = sdk.api as unknown as { rq: { defaults: { baseURL: string } } };
  rq.defaults.baseURL = baseURL;
  return sdk;
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
