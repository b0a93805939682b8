import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import type { Context } from '@netlify/functions';
import { callFunction } from './database.ts';
import { databaseEnv } from './env.ts';
import { HttpError, unavailable } from './http/http-error.ts';

/** What a stranger can cost the shop, as far as functions count it: rows of SQL `cost_limits`. docs/security.md has them all. */
export type Effect =
  | 'form_try'
  | 'form'
  | 'account_request'
  | 'provider_call'
  | 'lookup'
  | 'code_try'
  | 'image_work'
  | 'claim_report'
  | 'review'
  | 'deploy_report'
  | 'sign_up_refused'
  | 'page_fault';

/**
 * Who causes it. `account` is an account's id, or `order:1001` for what is done with the link of an order. `network` is a text of
 * `networkOf`; without it the network of the `context`'s caller counts, and without both none.
 */
export interface Causer {
  account?: string;
  context?: Context;
  network?: string | null;
}

/** Counts one use of an effect. False when a limit refuses it; then nothing is counted. Throws 503 when it cannot be counted. */
export async function countCost(
  effect: Effect,
  {
    account,
    context,
    network = context === undefined ? null : networkOf(callerAddress(context)),
  }: Causer = {},
): Promise<boolean> {
  const args = { p_effect: effect, p_account: account ?? null, p_network: network };
  return count(() => callFunction('count_cost', args, z.boolean()));
}

/**
 * Counts a code that Auth asks the shop to mail to an account. False when a limit refuses it; then nothing is counted. Throws 503 when
 * it cannot be counted.
 */
export const countCodeMail = (account: string, network: string): Promise<boolean> =>
  count(() =>
    callFunction('count_code_mail', { p_user_id: account, p_network: network }, z.boolean()),
  );

/** What cannot be counted is not allowed: a deploy that came before its migration has no limits otherwise. */
async function count(use: () => Promise<boolean>): Promise<boolean> {
  try {
    return await use();
  } catch (error) {
    throw error instanceof HttpError ? error : unavailable(error);
  }
}

/** Counts a cost as `countCost` does. @throws 429 when a limit refuses it. */
export async function limitCost(effect: Effect, causer?: Causer): Promise<void> {
  if (await countCost(effect, causer)) return;
  throw new HttpError(
    429,
    'too_many_requests',
    'Too many attempts. Please wait a minute and try again.',
  );
}

/** The eight groups of an IPv6 address; null for an IPv4 address, also one that is written as IPv6. */
function groupsOf(address: string): string[] | null {
  if (!address.includes(':')) return null;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  const all = tail === undefined ? groups : [...groups, ...zeros, ...rest];
  return all.map((group) => group.replace(/^0+(?=.)/u, ''));
}

/** Keyed, because all IPv4 addresses can be tried quickly. The address itself is not stored. */
const hashOf = (network: string, key = databaseEnv().SUPABASE_SECRET_KEY): string =>
  createHmac('sha256', `network\n${key}`).update(network).digest('base64url').slice(0, 22);

/**
 * The network of an address, as SQL `private.cost_keys` reads it: 'ip:HASH' of an IPv4 address, which thousands of customers
 * of a mobile company may share; of an IPv6 address '64:HASH 48:HASH', the /64 of a household or server and the /48 that
 * tunnels and hosting companies hand out for free. All callers without an address, or with one of this machine, share one network,
 * so that nobody is without a limit.
 */
export function networkOf(address: string | undefined): string {
  const known = !address || ownMachine.test(address) ? 'unknown' : address;
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/iu.exec(known)?.[1];
  const groups = groupsOf(mapped ?? known);
  if (groups === null) return `ip:${hashOf(mapped ?? known)}`;
  const [house, site] = [groups.slice(0, 4), groups.slice(0, 3)];
  return `64:${hashOf(house.join(':'))} 48:${hashOf(site.join(':'))}`;
}

/** The key in `costs` of callers whose network nobody named, in a shop with this SUPABASE_SECRET_KEY. */
export const unknownNetwork = (secretKey: string): string => hashOf('unknown', secretKey);

const ownMachine = /^(?:::1$|(?:::ffff:)?127\.)/iu;

/** The caller's IP address from the platform. */
export function callerAddress(context: Context): string | undefined {
  return context.ip || undefined;
}
