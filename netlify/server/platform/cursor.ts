import type * as z from 'zod/mini';
import { HttpError } from './http-error.ts';

const usual = 50;
const maxLimit = 100;

/** How many entries a page shall have: `limit` of the query, 50 unless said, 100 at most. Throws 400 for nonsense. */
export function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? String(usual);
  if (/^[1-9]\d{0,5}$/u.test(text)) return Math.min(Number(text), maxLimit);
  throw new HttpError(400, 'invalid_request', 'A page has 1 to 100 entries.');
}

/** Where a page ends, for the address of the next one. */
export const writeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** The position that `cursor` of the query names, null without one. Throws 400 for one that this shop did not write. */
export function readCursor<T>(query: URLSearchParams, schema: z.ZodMiniType<T>): T | null {
  const cursor = query.get('cursor');
  if (cursor === null || cursor === '') return null;
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new HttpError(
      400,
      'invalid_request',
      'This page of the list is no longer there. Please load it again.',
    );
  }
}
