import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Context } from '@netlify/functions';
import { callFunction } from './database.ts';
import { HttpError } from './http-error.ts';

/** So many hits in so many seconds. */
export interface Limit {
  hits: number;
  seconds: number;
}

/** Counts a hit in the database (memory is per instance) and says whether it is within the limit. */
export async function withinLimit(bucket: string, { hits, seconds }: Limit): Promise<boolean> {
  return callFunction(
    'hit_rate_limit',
    { p_bucket: bucket, p_limit: hits, p_window_seconds: seconds },
    z.boolean(),
  );
}

/** Throws 429 when the limit of this bucket is passed. */
export async function limitRate(bucket: string, limit: Limit): Promise<void> {
  if (await withinLimit(bucket, limit)) return;
  throw new HttpError(429, 'too_many_requests', 'Too many attempts. Please wait a minute and try again.');
}

/** A bucket for a caller's address. The address itself is not stored. */
export function addressBucket(name: string, address: string | undefined): string {
  return `${name}:${createHash('sha256')
    .update(address ?? 'unknown')
    .digest('base64url')
    .slice(0, 22)}`;
}

/** The caller's address as the platform says it. */
export function callerAddress(context: Context): string | undefined {
  return context.ip || undefined;
}
