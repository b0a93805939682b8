import { siteEnv } from '#core/platform/env.ts';
import { isLinkSignature, signLink } from '#core/platform/link-signature.ts';

/** How long a link works after it was requested. */
export const deletionLinkHours = 24;

/** What SQL `ask_account_deletion` answers: the link is mailed, it was a moment ago, or it cannot be. */
export const deletionOutcomes = ['mailed', 'mailed_before', 'no_address', 'later'] as const;

const purpose = 'account deletion';

/** The mailed address whose page deletes this account. `askedAt` in ms since the epoch. */
export function deletionLink(userId: string, askedAt: number): string {
  const signed = `${userId}.${String(askedAt + deletionLinkHours * 3_600_000)}`;
  const token = `${signed}.${signLink(purpose, signed)}`;
  return new URL(`/account/delete?token=${token}`, siteEnv().URL).href;
}

/** The account of a link's token; null when it is cut, changed or too old. */
export function accountOfDeletionToken(token: string | null, now = Date.now()): string | null {
  const [, userId = '', until = '', signature = ''] =
    /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(\d{1,15})\.([\w-]{43})$/u.exec(token ?? '') ??
    [];
  if (userId === '' || Number(until) < now) return null;
  return isLinkSignature(purpose, `${userId}.${until}`, signature) ? userId : null;
}
