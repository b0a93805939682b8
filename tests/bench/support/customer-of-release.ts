import { mailedPageLink, newCredentials } from '#tests/browser/account/customers.ts';
import { waitForMail } from '#tests/browser/account/mailbox.ts';
import { supabaseAs } from '#tests/browser/support/running-shop.ts';

/**
 * An account in the running stack of any release, by the auth service's own calls. Up to 1.1.0 the link of the mail leads to Auth,
 * which redirects with the session; since then it leads to a page of the shop with a token.
 *
 * @returns its access token
 */
export async function createCustomerOfRelease(): Promise<string> {
  const credentials = newCredentials();
  const { auth } = supabaseAs('visitor');
  const { error } = await auth.signUp(credentials);
  if (error) throw error;
  const mail = await waitForMail(credentials.email, /confirm/iu);
  const verifyLink = mail.links.find((address) => address.includes('/auth/v1/verify'));
  if (verifyLink !== undefined) {
    const { headers, url } = await fetch(verifyLink, { redirect: 'manual' });
    const { hash } = new URL(headers.get('location') ?? '', url);
    const token = new URLSearchParams(hash.slice(1)).get('access_token');
    if (token === null) throw new Error(`Auth redirected without a session: ${hash}`);
    return token;
  }
  const opened = await auth.verifyOtp({
    token_hash: new URL(mailedPageLink(mail)).searchParams.get('token_hash') ?? '',
    type: 'signup',
  });
  if (opened.error) throw opened.error;
  if (!opened.data.session) throw new Error('The link of the mail opened no session');
  return opened.data.session.access_token;
}
