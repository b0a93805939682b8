import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import type { Session } from '@supabase/supabase-js';
import { waitForMail } from './mailbox.ts';
import { supabaseAs } from '#tests/browser/support/running-shop.ts';

export interface Credentials {
  email: string;
  password: string;
}

/** A customer with an account and an open session. */
export interface Customer extends Credentials {
  session: Session;
}

/** A line of the cart as the browser stores it; prices in paise. */
export interface StoredItem {
  id: string;
  name: string;
  category: string;
  images: readonly string[];
  price: number;
  offerPrice: number | null;
  stock: number;
  quantity: number;
}

/** An address nobody has used yet. */
export function newCredentials(): Credentials {
  return { email: `customer-${randomUUID()}@kasavu.example`, password: 'gold-thread-7' };
}

/** The address that the mail's button opens: a page of the shop, which alone redeems the token. Throws when it has none. */
export function mailedPageLink({ links }: { links: readonly string[] }): string {
  const link = links.find((address) => address.includes('token_hash='));
  if (link === undefined) throw new Error(`No link to the shop among ${links.join(', ')}`);
  return link;
}

/** Opens the link of a mail and presses the button that redeems it. */
export async function followMailedLink(
  page: Page,
  mail: { links: readonly string[] },
): Promise<void> {
  await page.goto(mailedPageLink(mail));
  await page.getByRole('button', { name: 'Continue' }).click();
}

/**
 * Signs up in another browser than the test's: the mail with its link is on its way. Hundreds of customers sign up in one run, all
 * from this machine, so what they cost is not counted.
 */
export async function signUpElsewhere(): Promise<Credentials> {
  const { error: notCleared } = await supabaseAs('shop').from('costs').delete().gt('id', 0);
  if (notCleared) throw notCleared;
  const credentials = newCredentials();
  const { error } = await supabaseAs('visitor').auth.signUp(credentials);
  if (error) throw error;
  return credentials;
}

/**
 * Makes an account by the auth service's own calls: the sign-up, the token in the link of its mail, the session. A confirmed
 * address has no password until its owner sets one, which only a test that logs in needs: hashing it takes a tenth of a second.
 */
export async function createCustomer({ withPassword = false } = {}): Promise<Customer> {
  const credentials = await signUpElsewhere();
  const { auth } = supabaseAs('visitor');
  const link = mailedPageLink(await waitForMail(credentials.email, /confirm/iu));
  const opened = await auth.verifyOtp({
    token_hash: new URL(link).searchParams.get('token_hash') ?? '',
    type: 'signup',
  });
  if (opened.error) throw opened.error;
  if (!opened.data.session) throw new Error('The link of the mail opened no session');
  if (withPassword) {
    const chosen = await auth.updateUser({ password: credentials.password });
    if (chosen.error) throw chosen.error;
  }
  return { ...credentials, session: opened.data.session };
}

/** Logs in with the auth service's own call, without the page. */
export async function openSession(credentials: Credentials): Promise<Customer> {
  const { data, error } = await supabaseAs('visitor').auth.signInWithPassword(credentials);
  if (error) throw error;
  return { ...credentials, session: data.session };
}

/**
 * Gives a browser whose first page is not open yet what it would have kept from an earlier visit: the session of a
 * customer who is signed in, a cart, or both.
 */
export async function startWith(
  context: BrowserContext,
  { customer, cart }: { customer?: Customer; cart?: readonly StoredItem[] },
): Promise<void> {
  const kept = {
    ...(customer ? { 'kasavu:auth': JSON.stringify(customer.session) } : {}),
    ...(cart ? { 'kasavu:cart': JSON.stringify(cart) } : {}),
  };
  await context.addInitScript((entries) => {
    // Only the shop's own page has this storage: a blank page has none, and Chromium denies it to another site's frame.
    if (location.protocol !== 'http:' || window !== window.top) return;
    // Before the first page only, so that later changes made by the shop stay.
    if (localStorage.getItem('kept-from-before') !== null) return;
    localStorage.setItem('kept-from-before', 'yes');
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, kept);
}
