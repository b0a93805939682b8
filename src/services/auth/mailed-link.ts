import { userFromAuth, type User } from '#domain/account/session.ts';
import { failureOf, type AuthFailure } from './account.ts';
import { createPassingClient, getSupabase } from '#services/supabase.ts';

/** What the button of a mail with a code carries in its address. */
export interface MailedLink {
  /** `signup` confirms a new account, `recovery` opens any account to choose a new password. */
  type: 'signup' | 'recovery';
  tokenHash: string;
  /** The address of the mail, as the link claims; '' when a mail program dropped the part after #. */
  email: string;
}

/** Reads the link of a mail from the page's address; null when there is none. */
export function readMailedLink({ searchParams, hash }: URL): MailedLink | null {
  const tokenHash = searchParams.get('token_hash') ?? '';
  if (tokenHash === '') return null;
  const email = new URLSearchParams(hash.slice(1)).get('email') ?? '';
  return {
    type: searchParams.get('type') === 'signup' ? 'signup' : 'recovery',
    tokenHash,
    email: /^[^\s@]+@[^\s@]+$/u.test(email) && email.length <= 255 ? email.toLowerCase() : '',
  };
}

/** The address without what a mailed link added: tokens do not belong into the history. */
export function withoutMailedLink(address: URL): string {
  const clean = new URL(address);
  for (const name of ['token_hash', 'type']) clean.searchParams.delete(name);
  return `${clean.pathname}${clean.search}`;
}

/** The account that a mailed link opens. Nobody is signed in by it before `signIn`. */
export interface OpenedLink {
  user: User;
  /** Makes it the session of this browser; null when it has ended meanwhile. */
  signIn: () => Promise<User | null>;
}

/**
 * Redeems a mailed link apart from the page's own session: link and code of the mail work once together, so this follows a press of
 * the customer. Throws when the service cannot be reached.
 */
export async function redeemMailedLink({
  tokenHash,
  type,
}: MailedLink): Promise<{ ok: true; opened: OpenedLink } | { ok: false; reason: AuthFailure }> {
  const { auth } = await createPassingClient();
  const { data, error } = await auth.verifyOtp({ token_hash: tokenHash, type });
  if (error) return failureOf(error, 'The link of a mail');
  const { session } = data;
  const user = session ? userFromAuth(session.user) : null;
  if (!session || !user) return { ok: false, reason: 'wrong-code' };
  const signIn = async () => {
    const page = await getSupabase();
    const { data: kept, error: ended } = await page.auth.setSession(session);
    if (ended)
      console.warn('The session of a link has ended', { code: ended.code, message: ended.message });
    return userFromAuth(kept.user);
  };
  return { ok: true, opened: { user, signIn } };
}
