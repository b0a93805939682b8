import type * as z from 'zod/mini';
import { HttpError } from './http-error.ts';

/** Time limit for receiving the body, in ms. Slow clients would otherwise hold a function open. */
const timeLimitMs = 10_000;

/** The body's bytes. Throws 413 above `maxBytes` bytes, 64 KB by default, received or announced; 408 when they do not arrive in time. */
export async function readBytes(request: Request, maxBytes = 64 * 1024): Promise<Uint8Array> {
  const tooLarge = new HttpError(413, 'too_large', 'The request is too large.');
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge;
  const reader = request.body?.getReader();
  const bodyTimeout = new AbortController();
  const timer = setTimeout(() => {
    bodyTimeout.abort();
    // Ends the loop below, which also reports a body that has already failed.
    reader?.cancel().catch(() => undefined);
  }, timeLimitMs);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      size += part.value.byteLength;
      if (size > maxBytes) throw tooLarge;
      chunks.push(part.value);
    }
  } finally {
    clearTimeout(timer);
  }
  if (bodyTimeout.signal.aborted)
    throw new HttpError(408, 'too_slow', 'The request took too long to arrive. Please try again.');
  return Buffer.concat(chunks);
}

/** The media type without its parameters, in lower case. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** A JSON body of at most `maxBytes` bytes, 64 KB by default, parsed by its schema. Throws 415, 413, 408 or 400 with the first message of each field in `fields`. */
export async function readJson<T>(
  request: Request,
  schema: z.ZodMiniType<T>,
  maxBytes?: number,
): Promise<T> {
  if (mediaType(request) !== 'application/json') {
    throw new HttpError(415, 'unsupported_media_type', 'Send JSON.');
  }
  const bytes = await readBytes(request, maxBytes);
  let raw: unknown;
  try {
    raw = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HttpError(400, 'invalid_request', 'The request is not readable JSON.');
  }
  return parseOrRefuse(schema, raw);
}

/** The name of a field with text that PostgreSQL cannot store: a NUL character or a lone surrogate. Null without one. */
function unstorableField(value: unknown): string | null {
  // A loop instead of recursion, because a body may be nested deeper than the call stack.
  const parts: [field: string, part: unknown][] = [['body', value]];
  for (const [field, part] of parts) {
    if (typeof part === 'string' && (part.includes('\0') || !part.isWellFormed())) return field;
    if (typeof part !== 'object' || part === null) continue;
    for (const [key, inner] of Object.entries(part))
      parts.push([field, key], [Array.isArray(part) ? field : key, inner]);
  }
  return null;
}

/**
 * Throws 400 `invalid_request` when the value does not fit, or has text that cannot be stored; its message is the first
 * field's. Parses all user input.
 */
export function parseOrRefuse<T>(schema: z.ZodMiniType<T>, raw: unknown): T {
  const unstorable = unstorableField(raw);
  if (unstorable !== null) {
    throw refusal({
      [unstorable]: 'The text contains a character that cannot be stored. Please type it again.',
    });
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues)
    fields[String(issue.path[0] ?? 'body')] ??= issue.message;
  throw refusal(fields);
}

const refusal = (fields: Readonly<Record<string, string>>): HttpError =>
  new HttpError(400, 'invalid_request', Object.values(fields)[0] ?? 'The request is not valid.', {
    fields,
  });
