import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import * as z from 'zod';
import type { PushSubscriptionInput } from '#features/push/domain/push.ts';
import { serveFetch } from '#tests/functions/support/serve-fetch.ts';

/** A message that came for a device, as its browser would read it. */
export interface Pushed {
  message: unknown;
  headers: Headers;
  /** The sender's claims, signed with the key that the device subscribed with. */
  claims: { aud: string; exp: number; sub: string };
}

export interface PushService {
  url: string;
  /** A device of its own at this service. */
  subscribe: () => PushSubscriptionInput;
  /** The received messages, the oldest first. */
  pushed: Pushed[];
  /** Answers with this status from now on, and keeps what came no more unless it is 201. */
  setStatus: (status: number) => void;
  close: () => Promise<void>;
}

const hkdf = (key: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes));

/** The device's side of RFC 8291. */
export function decryptPush(
  body: Buffer,
  device: ReturnType<typeof createECDH>,
  auth: Buffer,
): string {
  const [salt, sender, record] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), device.getPublicKey(), sender]);
  const secret = hkdf(device.computeSecret(sender), auth, about, 32);
  const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    key,
    hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
  );
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // Zeros follow the 2 that ends the last record (RFC 8188, section 2).
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('The record has no end');
  return padded.subarray(0, end).toString('utf8');
}

const claimsSchema = z.object({ aud: z.string(), exp: z.number(), sub: z.string() });

/** The claims of an Authorization header. Throws when its signature is not that of its key (RFC 8292). */
export function claimsOf(authorization: string | null): Pushed['claims'] {
  const [, head = '', claims = '', signature = '', key = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/u.exec(authorization ?? '') ?? [];
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!signed) throw new Error('The signature is of another key');
  return claimsSchema.parse(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')));
}

/** A push service over HTTP that takes what it can verify and decrypt, and answers 400 to the rest. */
export async function startPushService(): Promise<PushService> {
  const devices = new Map<string, { keys: ReturnType<typeof createECDH>; auth: Buffer }>();
  const pushed: Pushed[] = [];
  let status = 201;
  const server = await serveFetch(async (request) => {
    if (status !== 201)
      return new Response('the words of a push service', {
        status,
        headers: status === 307 ? { location: request.url } : {},
      });
    const device = devices.get(new URL(request.url).pathname);
    if (!device) return new Response('', { status: 404 });
    try {
      const message: unknown = JSON.parse(
        decryptPush(Buffer.from(await request.arrayBuffer()), device.keys, device.auth),
      );
      pushed.push({
        message,
        headers: request.headers,
        claims: claimsOf(request.headers.get('authorization')),
      });
      return new Response('', { status: 201 });
    } catch (error) {
      return new Response(String(error), { status: 400 });
    }
  });
  return {
    url: server.url,
    pushed,
    close: server.close,
    subscribe() {
      const keys = createECDH('prime256v1');
      keys.generateKeys();
      const auth = randomBytes(16);
      const path = `/canary-${crypto.randomUUID()}`;
      devices.set(path, { keys, auth });
      return {
        endpoint: server.url + path,
        keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
      };
    },
    setStatus(next) {
      status = next;
    },
  };
}
