import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import type { Context } from '@netlify/functions';
import { callFunction } from './database.ts';
import { databaseEnv } from './env.ts';
import { HttpError } from './http/http-error.ts';

/** A number of hits within seconds. */
export interface Limit {
  hits: number;
  seconds: number;
}

/** A limit and its bucket. */
export interface CountedLimit extends Limit {
  bucket: string;
}

/** The refusal above a limit. */
const tooManyRequests = (): HttpError =>
  new HttpError(429, 'too_many_requests', 'Too many attempts. Please wait a minute and try again.');

/**
 * Counts a hit in each bucket, in their order, in one database call (memory is per instance). False at the first limit
 * that is exceeded; later ones are not counted.
 */
export async function withinLimits(limits: readonly CountedLimit[]): Promise<boolean> {
  const args = {
    p_buckets: limits.map(({ bucket }) => bucket),
    p_limits: limits.map(({ hits }) => hits),
    p_windows: limits.map(({ seconds }) => seconds),
  };
  return callFunction('hit_rate_limits', args, z.boolean());
}

/** Throws 429 when one of these limits is exceeded. */
export async function limitRate(...limits: readonly CountedLimit[]): Promise<void> {
  if (!(await withinLimits(limits))) throw tooManyRequests();
}

/**
 * An IPv4 address as it is. Of an IPv6 address, its first `size` groups: 4 for the /64 of a household or server, 3 for the /48
 * that tunnels and hosting companies hand out for free.
 */
function network(address: string, size = 4): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/iu.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  const all = tail === undefined ? groups : [...groups, ...zeros, ...rest];
  return all
    .slice(0, size)
    .map((group) => group.replace(/^0+(?=.)/u, ''))
    .join(':');
}

/** Keyed, because all IPv4 addresses can be tried quickly. The address itself is not stored. */
const hashOf = (address: string, size?: number): string =>
  createHmac('sha256', `network\n${databaseEnv().SUPABASE_SECRET_KEY}`)
    .update(network(address, size))
    .digest('base64url')
    .slice(0, 22);

/** A bucket for the network of a caller's address. */
export function addressBucket(name: string, address: string | undefined): string {
  return `${name}:${hashOf(address ?? 'unknown')}`;
}

/** How many callers' worth of requests a /48 may send: carriers give each phone a /64 of one. */
const callersOfWideNetwork = 10;

/** The limits of one caller: by IPv4 address, or by the /64 and the /48 of an IPv6 address. */
export function callerLimits(
  name: string,
  address: string | undefined,
  { hits, seconds }: Limit,
): CountedLimit[] {
  const own = { bucket: addressBucket(name, address), hits, seconds };
  if (address === undefined || isShared(address)) return [own];
  const bucket = `${name}:48:${hashOf(address, 3)}`;
  return [own, { bucket, hits: hits * callersOfWideNetwork, seconds }];
}

const ownMachine = /^(?:::1$|(?:::ffff:)?127\.)/iu;

/** A keyed hash of the caller's network; null when it is unknown or local. */
export function networkHash(address: string | undefined): string | null {
  return address === undefined || ownMachine.test(address) ? null : hashOf(address);
}

/** Whether hundreds of customers may share the address, as they share the IPv4 addresses of mobile companies. */
export const isShared = (address: string | undefined): boolean =>
  !network(address ?? ':').includes(':');

/** The caller's IP address from the platform. */
export function callerAddress(context: Context): string | undefined {
  return context.ip || undefined;
}
