import { createHmac, timingSafeEqual } from 'node:crypto';
import { databaseEnv } from './env.ts';

// The functions' own secret, combined with a purpose: a signature for one purpose is invalid for another.
const digest = (purpose: string, text: string): Buffer =>
  createHmac('sha256', `${purpose}\n${databaseEnv().SUPABASE_SECRET_KEY}`).update(text).digest();

/** Signs the text of a mailed link: 43 URL-safe characters. */
export const signLink = (purpose: string, text: string): string =>
  digest(purpose, text).toString('base64url');

/** Whether `signLink` made this signature for this purpose and text. Compares in constant time. */
export function isLinkSignature(purpose: string, text: string, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url');
  const expected = digest(purpose, text);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
