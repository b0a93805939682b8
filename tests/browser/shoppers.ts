import { randomUUID } from 'node:crypto';
import type { BrowserContext } from '@playwright/test';
import type { Session } from '@supabase/supabase-js';
import { waitForMail } from './mailbox.ts';
import { runningShop, supabaseAs } from './running-shop.ts';

export interface Credentials {
  email: string;
  password: string;
}

/** A shopper with an account and an open session. */
export interface Shopper extends Credentials {
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
  return { email: `shopper-${randomUUID()}@kasavu.example`, password: 'gold-thread-7' };
}

/** The address of a mail's link into the auth service. Throws when it has none. */
export function verifyLink({ links }: { links: readonly string[] }): string {
  const link = links.find((address) => address.includes('verify'));
  if (link === undefined) throw new Error(`No link to confirm among ${links.join(', ')}`);
  return link;
}

/** Makes an account by the auth service's own calls: the sign-up, the link of its mail, the session behind it. */
export async function createShopper(): Promise<Shopper> {
  const credentials = newCredentials();
  const { auth } = supabaseAs('visitor');
  const signedUp = await auth.signUp(credentials);
  if (signedUp.error) throw signedUp.error;
  const answer = await fetch(verifyLink(await waitForMail(credentials.email, /confirm/iu)), { redirect: 'manual' });
  const fragment = new URLSearchParams(new URL(answer.headers.get('location') ?? '', answer.url).hash.slice(1));
  const opened = await auth.setSession({
    access_token: fragment.get('access_token') ?? '',
    refresh_token: fragment.get('refresh_token') ?? '',
  });
  if (opened.error) throw opened.error;
  if (!opened.data.session) throw new Error('The link of the mail opened no session');
  return { ...credentials, session: opened.data.session };
}

/** Logs in with the auth service's own call, without the page. */
export async function openSession(credentials: Credentials): Promise<Shopper> {
  const { data, error } = await supabaseAs('visitor').auth.signInWithPassword(credentials);
  if (error) throw error;
  return { ...credentials, session: data.session };
}

/** What the shop keeps in the browser of a shopper who is signed in, of one with a cart, or of one with both. */
export function browserStorage({ shopper, cart = [] }: { shopper?: Shopper; cart?: readonly StoredItem[] }) {
  const localStorage = [
    ...(shopper ? [{ name: 'kasavu:auth', value: JSON.stringify(shopper.session) }] : []),
    ...(cart.length > 0 ? [{ name: 'kasavu:cart', value: JSON.stringify(cart) }] : []),
  ];
  return { cookies: [], origins: [{ origin: runningShop().url, localStorage }] };
}

/** Gives a browser whose first page is not open yet what it would have kept from an earlier visit. */
export async function startWith(context: BrowserContext, kept: Parameters<typeof browserStorage>[0]): Promise<void> {
  await context.setStorageState(browserStorage(kept));
}
