/** Digits of a code in a mail: Supabase Auth's `otp_length`. */
export const codeLength = 8;

/**
 * Lifetime of a mailed code and of the link beside it, in ms: Supabase Auth's `otp_expiry`. Auth limits wrong codes for each IP
 * address only. One IPv6 network has billions of addresses, so lifetime and length limit the guesses (docs/decisions/0041).
 */
export const codeLifetimeMs = 10 * 60 * 1000;

/** Time until a mail can be requested again, in ms: Supabase Auth's `max_frequency`. */
export const resendAfterMs = 60 * 1000;

/** The digits of what was typed or pasted, at most `codeLength`: "1234 5678" and "Code: 12345678" both give "12345678". */
export function readCode(text: string): string {
  return text.replaceAll(/\D/gu, '').slice(0, codeLength);
}
