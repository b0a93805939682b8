import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { encryptPush } from '../../../netlify/server/push/encrypt-push.ts';
import { vapidKeyPattern } from '../../../netlify/server/platform/variables.ts';
import { makeVapidKey, vapidPublicKey } from '../../../netlify/server/push/vapid.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');

/** RFC 8291, section 5 and appendix A. */
const example = {
  message: 'When I grow up, I want to be a watermelon',
  device: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  fresh: {
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  },
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

test('a notification is encrypted as the example of RFC 8291', () => {
  const { message, device, fresh, body } = example;
  expect(Buffer.from(encryptPush(Buffer.from(message), device, fresh)).toString('base64url')).toBe(
    body,
  );
});

test('no two notifications are encrypted with the same key, and one that is too long is refused', () => {
  const { message, device } = example;
  const [first, second] = [
    encryptPush(Buffer.from(message), device),
    encryptPush(Buffer.from(message), device),
  ];
  expect(first.subarray(0, 86)).not.toEqual(second.subarray(0, 86));
  expect(encryptPush(Buffer.alloc(4079), device)).toHaveLength(86 + 4096);
  expect(() => encryptPush(Buffer.alloc(4080), device)).toThrow(RangeError);
});

test('a key for notifications fits its variable and has a public half', () => {
  for (let count = 0; count < 50; count += 1) {
    const key = makeVapidKey();
    expect(key).toMatch(vapidKeyPattern);
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(key, 'base64url');
    expect(vapidPublicKey(key)).toBe(pair.getPublicKey('base64url'));
  }
});
