import { createHmac, timingSafeEqual } from 'node:crypto';
import { linkEnv } from './env.ts';

// The purpose is part of the key: a signature for one purpose is invalid for another.
const digest = (secret: string, purpose: string, text: string): Buffer =>
  createHmac('sha256', `${purpose}\n${secret}`).update(text).digest();

const currentSecret = (): string => linkEnv().LINK_SECRET ?? linkEnv().SUPABASE_SECRET_KEY;

/** Signs the text of a mailed link: 43 URL-safe characters. */
export const signLink = (purpose: string, text: string): string =>
  digest(currentSecret(), purpose, text).toString('base64url');

/**
 * Whether `signLink` made this signature for this purpose and text, with today's secret or LINK_SECRET_PREVIOUS. Compares in
 * constant time.
 */
export function isLinkSignature(purpose: string, text: string, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url');
  return [currentSecret(), linkEnv().LINK_SECRET_PREVIOUS].some((secret) => {
    if (secret === undefined) return false;
    const expected = digest(secret, purpose, text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
