import { createECDH } from 'node:crypto';
import { encryptNotification, vapidHeaders } from '@block65/webcrypto-web-push';
import { expect, test } from 'vitest';
import { vapidKeyPattern } from '#core/platform/variables.ts';
import { createVapidKey, vapidPublicKey } from '#netlify/features/push/vapid-key.ts';
import { claimsOf, decryptPush } from '#tests/features/push/push-service.ts';

/** A device whose keys are known: the receiver of RFC 8291, section 5 and appendix A. */
const receiver = createECDH('prime256v1');
receiver.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url');
const auth = 'BTBZMqHH6r4Tts7J_aSIgg';
const device = {
  endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
  expirationTime: null,
  keys: { p256dh: receiver.getPublicKey('base64url'), auth },
};
const read = (body: Uint8Array): string =>
  decryptPush(Buffer.from(body), receiver, Buffer.from(auth, 'base64url'));

test('a notification can be read by the device alone, has one size, and is never encrypted with the same key', async () => {
  const message = Buffer.from('{"title":"New order #1001","body":"₹2,047.20, paid."}');
  const [first, second] = [
    await encryptNotification(device, message),
    await encryptNotification(device, message),
  ];
  expect([read(first), read(second)]).toEqual([message.toString(), message.toString()]);
  expect(first.subarray(0, 86)).not.toEqual(second.subarray(0, 86));
  expect((await encryptNotification(device, Buffer.from('{}'))).length).toBe(first.length);
  // A push service takes at least 4096 bytes (RFC 8291, section 4).
  expect(first.length).toBeLessThanOrEqual(4096);
});

test('the header says who sends, signed with the shop’s key', async () => {
  const privateKey = createVapidKey();
  const { headers } = await vapidHeaders(device, {
    subject: 'mailto:care@kasavu.example',
    publicKey: vapidPublicKey(privateKey),
    privateKey,
  });
  expect(claimsOf(headers.authorization)).toMatchObject({
    aud: 'https://push.example.net',
    sub: 'mailto:care@kasavu.example',
  });
});

test('a key for notifications fits its variable and has a public half', () => {
  for (let count = 0; count < 50; count += 1) {
    const key = createVapidKey();
    expect(key).toMatch(vapidKeyPattern);
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(key, 'base64url');
    expect(vapidPublicKey(key)).toBe(pair.getPublicKey('base64url'));
  }
});
