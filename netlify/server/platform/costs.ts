import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import type { Context } from '@netlify/functions';
import { callNewFunction } from './database.ts';
import { databaseEnv } from './env.ts';
import { HttpError } from './http/http-error.ts';

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
  | 'deploy_report'
  | 'sign_up_refused'
  | 'sign_up_mail'
  | 'login_mail';

/**
 * Who causes it. `account` is an account's id, or `order:1001` for what is done with the link of an order. `network` is a text of
 * `networkOf`; without it the network of the `context`'s caller counts, and without both none.
 */
export interface Causer {
  account?: string;
  context?: Context;
  network?: string | null;
}

/** Counts one use of an effect. False when a limit refuses it; then nothing is counted. */
export async function countCost(
  effect: Effect,
  {
    account,
    context,
    network = context === undefined ? null : networkOf(callerAddress(context) ?? 'unknown'),
  }: Causer = {},
): Promise<boolean> {
  const args = { p_effect: effect, p_account: account ?? null, p_network: network };
  return callNewFunction('count_cost', args, z.boolean(), () => Promise.resolve(true));
}

/** As `countCost`. Throws 429 when a limit refuses it. */
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
const hashOf = (network: string): string =>
  createHmac('sha256', `network\n${databaseEnv().SUPABASE_SECRET_KEY}`)
    .update(network)
    .digest('base64url')
    .slice(0, 22);

/**
 * The network of an address, as SQL `private.cost_keys` reads it: 'ip:HASH' of an IPv4 address, which thousands of customers
 * of a mobile company may share; of an IPv6 address '64:HASH 48:HASH', the /64 of a household or server and the /48 that
 * tunnels and hosting companies hand out for free.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/iu.exec(address)?.[1];
  const groups = groupsOf(mapped ?? address);
  if (groups === null) return `ip:${hashOf(mapped ?? address)}`;
  const [house, site] = [groups.slice(0, 4), groups.slice(0, 3)];
  return `64:${hashOf(house.join(':'))} 48:${hashOf(site.join(':'))}`;
}

const ownMachine = /^(?:::1$|(?:::ffff:)?127\.)/iu;

/** The network of a caller whose orders or cancellations are counted; null when it is unknown or this machine. */
export const customerNetwork = (context: Context): string | null =>
  networkOfCustomer(callerAddress(context));

/** The network of a customer's address; null when it is unknown or this machine. */
export function networkOfCustomer(address: string | undefined): string | null {
  return address === undefined || ownMachine.test(address) ? null : networkOf(address);
}

/** The caller's IP address from the platform. */
export function callerAddress(context: Context): string | undefined {
  return context.ip || undefined;
}
