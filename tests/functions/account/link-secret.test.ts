import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readLinkToken, orderPath } from '#core/mail/order-links.ts';

const order = { id: '1001', linkVersion: 0 };
const tokenNow = (): string => orderPath('track', order).replace('/track/', '');
const opens = (token: string): boolean => readLinkToken('track', token) !== null;

beforeEach(() => {
  vi.stubEnv('SUPABASE_SECRET_KEY', 'sb_secret_before');
  vi.stubEnv('LINK_SECRET', undefined);
  vi.stubEnv('LINK_SECRET_PREVIOUS', undefined);
});
afterEach(() => vi.unstubAllEnvs());

test('a replaced database key breaks no mailed link of a shop with a link secret', () => {
  vi.stubEnv('LINK_SECRET', 'a-link-secret-of-24-letters');
  const token = tokenNow();
  vi.stubEnv('SUPABASE_SECRET_KEY', 'sb_secret_after');
  expect(opens(token)).toBe(true);
});

test('links of before work as long as their secret is the previous one, and new ones are signed anew', () => {
  const before = tokenNow();
  vi.stubEnv('LINK_SECRET', 'a-link-secret-of-24-letters');
  expect(opens(before)).toBe(false);
  vi.stubEnv('LINK_SECRET_PREVIOUS', 'sb_secret_before');
  expect(opens(before)).toBe(true);
  expect(tokenNow()).not.toBe(before);
  expect(opens(tokenNow())).toBe(true);
});

test('a link for one purpose, or of another version, is no other', () => {
  const token = tokenNow();
  expect(readLinkToken('track', token)).toEqual({ id: 1001, linkVersion: 0 });
  expect(readLinkToken('invoice', token)).toBeNull();
  expect(readLinkToken('claim', token)).toBeNull();
  expect(readLinkToken('track', token.replace('1001-', '1001.1-'))).toBeNull();
});
