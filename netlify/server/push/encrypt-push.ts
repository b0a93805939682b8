import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** A device's keys, as its browser hands them out: base64url of 65 and of 16 bytes. */
export interface DeviceKeys {
  p256dh: string;
  auth: string;
}

/** Random inputs of a message. Only tests pass them. */
interface TestInputs {
  salt: Uint8Array;
  /** The sender's private key of this one message, 32 bytes. */
  privateKey: Uint8Array;
}

const recordSize = 4096;

const hkdf = (
  key: Uint8Array,
  salt: Uint8Array,
  info: string | Uint8Array,
  bytes: number,
): Uint8Array => new Uint8Array(hkdfSync('sha256', key, salt, info, bytes));

// Node's own cryptography is all that this takes, so there is no package for it: `web-push` brings five, and no types.

/**
 * A message that only the device can read (RFC 8291, content coding aes128gcm): the body of the request to its push
 * service. One record, so at most 4079 bytes, of which services promise to take 3993. Throws for keys that are none.
 */
export function encryptPush(
  message: Uint8Array,
  device: DeviceKeys,
  fresh?: TestInputs,
): Uint8Array {
  const devicePublic = Buffer.from(device.p256dh, 'base64url');
  const sender = createECDH('prime256v1');
  if (fresh) sender.setPrivateKey(fresh.privateKey);
  else sender.generateKeys();
  const senderPublic = sender.getPublicKey();
  const salt = fresh?.salt ?? randomBytes(16);

  const about = Buffer.concat([Buffer.from('WebPush: info\0'), devicePublic, senderPublic]);
  const secret = hkdf(
    sender.computeSecret(devicePublic),
    Buffer.from(device.auth, 'base64url'),
    about,
    32,
  );
  const key = hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = hkdf(secret, salt, 'Content-Encoding: nonce\0', 12);

  // The 2 marks the end of the last record; then come the cipher's 16 bytes of tag.
  const record = Buffer.concat([message, Uint8Array.of(2)]);
  if (record.length + 16 > recordSize)
    throw new RangeError('The message is too long for a notification');
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const header = Buffer.alloc(21);
  header.set(salt);
  header.writeUInt32BE(recordSize, 16);
  header.writeUInt8(senderPublic.length, 20);
  return Buffer.concat([
    header,
    senderPublic,
    cipher.update(record),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}
