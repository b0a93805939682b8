import { createECDH, createPrivateKey, sign } from 'node:crypto';
import { seller } from '../../../src/seller.config.ts';

/** A new private key for VAPID_PRIVATE_KEY. */
export function makeVapidKey(): string {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  // Leading zeros are left out of a shorter key.
  return Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
}

/** The public key that belongs to it, 65 bytes: by it a push service knows the shop. */
function publicBytes(privateKey: string): Buffer {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey, 'base64url');
  return pair.getPublicKey();
}

/** The public key as browsers take it, base64url. Throws for a private key that is none. */
export const vapidPublicKey = (privateKey: string): string =>
  publicBytes(privateKey).toString('base64url');

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * The Authorization header that says who sends (RFC 8292), for the push service at `endpoint`. Valid for twelve hours; a
 * service takes at most 24.
 */
export function vapidHeader(endpoint: string, privateKey: string, now = Date.now()): string {
  const point = publicBytes(privateKey);
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  const key = createPrivateKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', d: privateKey, x, y },
  });
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now / 1000) + 12 * 60 * 60,
    sub: `mailto:${seller.contact.emails[0]}`,
  };
  const content = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(content), {
    key,
    dsaEncoding: 'ieee-p1363',
  }).toString('base64url');
  return `vapid t=${content}.${signature}, k=${point.toString('base64url')}`;
}
