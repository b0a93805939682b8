import { HttpError } from '#core/platform/http/http-error.ts';

/** Arguments with which SQL accepts a code, such as `p_step` of `open_admin_session`. Empty when none is needed. */
export type CodeProof = Readonly<Record<string, string | number | null>>;

/** The refusal of a code. */
export const wrongCode = (status: 401 | 403): HttpError =>
  new HttpError(status, 'wrong_code', 'Wrong code. Each code works once.');

/** Throws `wrong_code` with `status` for a code that SQL did not accept: it was used before. */
export function requireAccepted<T>(accepted: T | null | false, status: 401 | 403): T {
  if (accepted === null || accepted === false) throw wrongCode(status);
  return accepted;
}
