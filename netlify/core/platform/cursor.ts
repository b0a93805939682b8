import type * as z from 'zod/mini';
import { HttpError } from './http/http-error.ts';

const usual = 50;
const maxLimit = 100;

/** The page size: `limit` of the query, 50 by default, at most 100. Throws 400 for an invalid one. */
export function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? String(usual);
  if (/^[1-9]\d{0,5}$/u.test(text)) return Math.min(Number(text), maxLimit);
  throw new HttpError(400, 'invalid_request', 'A page has 1 to 100 entries.');
}

/** Encodes the end of a page as the next page's cursor. */
export const writeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** Decodes `cursor` of the query; null without one. Throws 400 for an invalid one. */
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
