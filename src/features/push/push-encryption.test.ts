import { createECDH } from 'node:crypto';
import { encryptNotification, vapidHeaders } from '@block65/webcrypto-web-push';
import { expect, test } from 'vitest';
import { vapidKeyPattern } from '../../../netlify/core/platform/variables.ts';
import { createVapidKey, vapidPublicKey } from '../../../netlify/features/push/vapid-key.ts';
import { claimsOf, decryptPush } from '../../../tests/features/push/push-service.ts';

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

test('the device of the tests reads the example of RFC 8291', () => {
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
  expect(read(Buffer.from(body, 'base64url'))).toBe('When I grow up, I want to be a watermelon');
});

test('the push service of the tests takes the example of RFC 8292, and no other signature', () => {
  const token =
    'eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA';
  const key =
    'BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs';
  expect(claimsOf(`vapid t=${token}, k=${key}`)).toEqual({
    aud: 'https://push.example.net',
    exp: 1_453_523_768,
    sub: 'mailto:push@example.com',
  });
  expect(() => claimsOf(`vapid t=${token.replace('i3CYb7', 'i3CYb8')}, k=${key}`)).toThrow();
});

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
