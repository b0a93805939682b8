import { createECDH } from 'node:crypto';

/** A new private key for VAPID_PRIVATE_KEY, base64url of 32 bytes. */
export function createVapidKey(): string {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  // Leading zeros are left out of a shorter key.
  return Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
}

/**
 * The public key that belongs to a private one, as browsers take it: base64url of 65 bytes. By it a push service knows the shop.
 * Throws when the private key cannot be read.
 */
export function vapidPublicKey(privateKey: string): string {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey, 'base64url');
  return pair.getPublicKey('base64url');
}
