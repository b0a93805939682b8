import { userFromAuth, type User } from '../../domain/account/session.ts';
import { createPassingClient, getSupabase } from '../supabase.ts';

/** The tokens that a link in one of our mails brought back in the page's address. */
export type MailedLink =
  | { kind: 'session'; type: string; accessToken: string; refreshToken: string }
  | { kind: 'token-hash'; type: string; tokenHash: string }
  | { kind: 'code'; code: string }
  | { kind: 'refused'; code: string; description: string };

/** Reads the part of an address that Supabase's links add (query or fragment); null when there is none. */
export function readMailedLink(address: URL): MailedLink | null {
  const fragment = new URLSearchParams(address.hash.slice(1));
  const get = (name: string): string => fragment.get(name) ?? address.searchParams.get(name) ?? '';
  if (get('error') !== '' || get('error_code') !== '') {
    return {
      kind: 'refused',
      code: get('error_code') || get('error'),
      description: get('error_description'),
    };
  }
  // Sessions are taken from the fragment alone: servers and logs never see one.
  const accessToken = fragment.get('access_token');
  const refreshToken = fragment.get('refresh_token');
  if (accessToken && refreshToken) {
    return { kind: 'session', type: fragment.get('type') ?? '', accessToken, refreshToken };
  }
  if (get('token_hash') !== '')
    return { kind: 'token-hash', type: get('type'), tokenHash: get('token_hash') };
  if (get('code') !== '') return { kind: 'code', code: get('code') };
  return null;
}

/** The address without what a mailed link added, to be put in its place: tokens do not belong into the history. */
export function withoutMailedLink(address: URL): string {
  const clean = new URL(address);
  clean.hash = '';
  for (const name of [
    'code',
    'token_hash',
    'type',
    'error',
    'error_code',
    'error_description',
    'sb',
  ]) {
    clean.searchParams.delete(name);
  }
  return `${clean.pathname}${clean.search}`;
}

const otpTypes = ['signup', 'recovery', 'email', 'email_change', 'magiclink', 'invite'] as const;

/** The account that a mailed link opens. Nobody is signed in by it before `signIn`. */
export interface OpenedLink {
  user: User;
  /** Makes it the session of this browser; null when it has ended meanwhile. */
  signIn: () => Promise<User | null>;
}

/** Redeems a mailed link apart from the page's own session. Null when it is used up, expired or not one of ours. */
export async function redeemMailedLink(link: MailedLink): Promise<OpenedLink | null> {
  if (link.kind === 'refused') return null;
  // A code opens only in the browser that requested its mail, with what that browser stored.
  const { auth } = await (link.kind === 'code' ? getSupabase() : createPassingClient());
  const open = () => {
    switch (link.kind) {
      case 'session':
        return auth.setSession({
          access_token: link.accessToken,
          refresh_token: link.refreshToken,
        });
      case 'code':
        return auth.exchangeCodeForSession(link.code);
      case 'token-hash': {
        const type = otpTypes.find((known) => known === link.type) ?? 'email';
        return auth.verifyOtp({ token_hash: link.tokenHash, type });
      }
    }
  };
  const { data, error } = await open();
  if (error)
    console.warn('A link from a mail was refused', { code: error.code, message: error.message });
  const { session } = data;
  const user = session ? userFromAuth(session.user) : null;
  if (!session || !user) return null;
  return {
    user,
    async signIn() {
      const page = await getSupabase();
      const { data: kept, error: ended } = await page.auth.setSession(session);
      if (ended)
        console.warn('The session of a link has ended', {
          code: ended.code,
          message: ended.message,
        });
      return userFromAuth(kept.user);
    },
  };
}
