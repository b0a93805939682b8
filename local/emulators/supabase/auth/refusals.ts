import { resendAfterMs } from '#domain/account/mailed-code.ts';

/** A refusal in the form of Supabase Auth. */
export const refuse = (status: number, code: string, msg: string): Response =>
  Response.json({ code: status, error_code: code, msg }, { status });

/** The refusal while an account may not get another mail, which it last got at `sentAt`; null when it may. */
export function tooEarly(sentAt: unknown): Response | null {
  if (sentAt === null) return null;
  const seconds = Math.ceil(
    (new Date(sentAt as string).getTime() + resendAfterMs - Date.now()) / 1000,
  );
  return seconds <= 0
    ? null
    : refuse(
        429,
        'over_email_send_rate_limit',
        `For security purposes, you can only request this after ${String(seconds)} seconds.`,
      );
}
