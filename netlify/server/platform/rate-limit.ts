import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import type { Context } from '@netlify/functions';
import { callFunction } from './database.ts';
import { databaseEnv } from './env.ts';
import { HttpError } from './http-error.ts';

/** So many hits in so many seconds. */
export interface Limit {
  hits: number;
  seconds: number;
}

/** A limit and what is counted in it. */
export interface CountedLimit extends Limit {
  bucket: string;
}

/** What is answered when a limit is passed. */
const tooManyRequests = (): HttpError =>
  new HttpError(429, 'too_many_requests', 'Too many attempts. Please wait a minute and try again.');

/**
 * Counts a hit in each bucket, in their order, in one database call (memory is per instance). False at the first limit
 * that is passed; the ones after it are not counted.
 */
export async function withinLimits(limits: readonly CountedLimit[]): Promise<boolean> {
  const args = {
    p_buckets: limits.map(({ bucket }) => bucket),
    p_limits: limits.map(({ hits }) => hits),
    p_windows: limits.map(({ seconds }) => seconds),
  };
  return callFunction('hit_rate_limits', args, z.boolean());
}

/** Throws 429 when one of these limits is passed. */
export async function limitRate(...limits: readonly CountedLimit[]): Promise<void> {
  if (!(await withinLimits(limits))) throw tooManyRequests();
}

/** An IPv4 address as it is; of an IPv6 address its network (/64): a household or server has all addresses of one. */
function network(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/iu.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  const all = tail === undefined ? groups : [...groups, ...zeros, ...rest];
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/u, ''))
    .join(':');
}

/** Keyed, because all four thousand million IPv4 addresses are quickly tried. The address itself is stored nowhere. */
const hashOf = (address: string): string =>
  createHmac('sha256', `network\n${databaseEnv().SUPABASE_SECRET_KEY}`)
    .update(network(address))
    .digest('base64url')
    .slice(0, 22);

/** A bucket for the network of a caller's address. */
export function addressBucket(name: string, address: string | undefined): string {
  return `${name}:${hashOf(address ?? 'unknown')}`;
}

const ownMachine = /^(?:::1$|(?:::ffff:)?127\.)/iu;

/** A caller's network in a form that says nothing of it; null when it is not known, or is this very machine. */
export function networkHash(address: string | undefined): string | null {
  return address === undefined || ownMachine.test(address) ? null : hashOf(address);
}

/** Whether hundreds of customers may share the address, as they share the IPv4 addresses of mobile companies. */
export const isShared = (address: string | undefined): boolean =>
  !network(address ?? ':').includes(':');

/** The caller's address as the platform says it. */
export function callerAddress(context: Context): string | undefined {
  return context.ip || undefined;
}
