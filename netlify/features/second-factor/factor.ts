import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import * as z from 'zod/mini';
import {
  formatRecoveryCode,
  parseCode,
  type SecondFactor,
  type SecondFactorOffer,
} from '#features/second-factor/domain/second-factor.ts';
import { shop } from '#settings/shop.ts';
import { requireAccepted, wrongCode, type CodeProof } from '#core/auth/login-check.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

/** 15 bytes are 24 letters of base32 without padding. Enough bits that a fast hash protects them. */
const recoveryCodes = { count: 10, bytes: 15 } as const;

const totpOf = (secret: string): TOTP =>
  new TOTP({
    issuer: shop.name,
    label: 'Admin',
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
  });

const hashOf = (letters: string): string =>
  createHash('sha256').update(`kasavu recovery code\n${letters}`).digest('hex');

const rowSchema = z.nullable(
  z.object({
    secret: z.string(),
    enabled_at: z.nullable(z.string()),
    recovery_left: z.int(),
  }),
);

const readRow = () => callFunction('read_second_factor', {}, rowSchema);

/** The time step of a code that is valid now, or one step before or after; null for a wrong code. */
function stepOf(secret: string, digits: string): number | null {
  const timestamp = Date.now();
  const totp = totpOf(secret);
  const delta = totp.validate({ token: digits, timestamp, window: 1 });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/**
 * Checks a code of the app or a recovery code. No code is needed while no second factor is turned on. Throws `code_required`
 * without a code and `wrong_code`, both with `status`.
 */
export async function proveCode(code: string | undefined, status: 401 | 403): Promise<CodeProof> {
  const row = await readRow();
  if (!row?.enabled_at) return { p_step: null, p_recovery_hash: null };
  if (code === undefined || code.trim() === '')
    throw new HttpError(status, 'code_required', 'Enter the 6-digit code from your app.');
  const typed = parseCode(code);
  if (typed?.kind === 'recovery') return { p_step: null, p_recovery_hash: hashOf(typed.letters) };
  const step = typed === null ? null : stepOf(row.secret, typed.digits);
  if (step === null) throw wrongCode(status);
  return { p_step: step, p_recovery_hash: null };
}

/** The second factor as the admin page shows it. */
export async function readSecondFactor(): Promise<SecondFactor> {
  const row = await readRow();
  if (!row?.enabled_at) return { since: null, recoveryLeft: 0 };
  return { since: new Date(row.enabled_at).toISOString(), recoveryLeft: row.recovery_left };
}

/** Offers a new secret. Throws 409 when a second factor is turned on. */
export async function offerSecondFactor(): Promise<SecondFactorOffer> {
  const secret = new Secret({ size: 20 }).base32;
  const offered = await callFunction('offer_second_factor', { p_secret: secret }, z.boolean());
  if (!offered) throw new HttpError(409, 'already_on', 'Two-step login is already on.');
  return { secret, uri: totpOf(secret).toString() };
}

function createRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const letters = Array.from(
    { length: recoveryCodes.count },
    () => new Secret({ size: recoveryCodes.bytes }).base32,
  );
  return { codes: letters.map(formatRecoveryCode), hashes: letters.map(hashOf) };
}

/**
 * Turns the offered secret on after its first code, and ends all sessions but `sessionId`. Returns the recovery codes. Throws 403
 * `wrong_code`, or 409.
 */
export async function turnOnSecondFactor(code: string, sessionId: number): Promise<string[]> {
  const row = await readRow();
  if (row?.enabled_at !== null)
    throw new HttpError(409, 'not_offered', 'Reload the page and begin again.');
  const typed = parseCode(code);
  const step = typed?.kind === 'app' ? stepOf(row.secret, typed.digits) : null;
  const { codes, hashes } = createRecoveryCodes();
  const args = {
    p_secret: row.secret,
    p_step: step,
    p_recovery_hashes: hashes,
    p_session_id: sessionId,
  };
  const isOn = step !== null && (await callFunction('turn_on_second_factor', args, z.boolean()));
  requireAccepted(isOn, 403);
  return codes;
}

/** Replaces the recovery codes. Throws 403 `wrong_code`. */
export async function replaceRecoveryCodes(proof: CodeProof): Promise<string[]> {
  const { codes, hashes } = createRecoveryCodes();
  const args = { ...proof, p_recovery_hashes: hashes };
  requireAccepted(await callFunction('replace_recovery_codes', args, z.boolean()), 403);
  return codes;
}

/** Turns the second factor off. Throws 403 `wrong_code`. */
export async function turnOffSecondFactor(proof: CodeProof): Promise<void> {
  requireAccepted(await callFunction('turn_off_second_factor', { ...proof }, z.boolean()), 403);
}
