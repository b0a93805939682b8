import * as z from 'zod/mini';
import { codeSchema, credentialsSchema } from '#domain/admin/credentials.ts';
import { changes, reads } from '#domain/admin/endpoint.ts';
import { emptySchema } from '#domain/admin/plain-schemas.ts';

/** A code of the authenticator app, or a recovery code. */
export type TypedCode = { kind: 'app'; digits: string } | { kind: 'recovery'; letters: string };

/** Parses a typed code. Spaces, dashes and letter case do not matter. Returns null when it is neither kind of code. */
export function parseCode(typed: string): TypedCode | null {
  const text = typed.replaceAll(/[\s–-]/gu, '').toUpperCase();
  if (/^\d{6}$/u.test(text)) return { kind: 'app', digits: text };
  return /^[A-Z2-7]{24}$/u.test(text) ? { kind: 'recovery', letters: text } : null;
}

/** Formats 24 letters in groups of four: `ABCD-EFGH-…`. */
export const formatRecoveryCode = (letters: string): string =>
  letters.replaceAll(/.{4}(?=.)/gu, '$&-');

/** The second factor as the admin page shows it. */
export const secondFactorSchema = z.object({
  /** When it was turned on, ISO 8601; null while it is off. */
  since: z.nullable(z.string()),
  recoveryLeft: z.int(),
});
export type SecondFactor = z.infer<typeof secondFactorSchema>;

/** A new secret: base32 text to type, and the same as an `otpauth://` link. */
export const offerSchema = z.object({ secret: z.string(), uri: z.string() });
export type SecondFactorOffer = z.infer<typeof offerSchema>;

/** The first code of the offered secret, which turns it on. */
const turnOnSchema = z.object({ code: codeSchema });

/** Recovery codes, which are shown once. */
const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });

export const secondFactorApi = {
  read: reads('/api/admin/second-factor', secondFactorSchema),
  /** A new secret for the authenticator app. 409 when a second factor is turned on. */
  offer: changes('POST', '/api/admin/second-factor/offer', emptySchema, offerSchema),
  /** Turns the offered secret on and ends the other sessions. 403 'wrong_code', 429. */
  turnOn: changes('POST', '/api/admin/second-factor/on', turnOnSchema, recoveryCodesSchema),
  /** New recovery codes; the old ones stop working. */
  replaceCodes: changes(
    'POST',
    '/api/admin/second-factor/codes',
    credentialsSchema,
    recoveryCodesSchema,
  ),
  turnOff: changes('POST', '/api/admin/second-factor/off', credentialsSchema, secondFactorSchema),
};
