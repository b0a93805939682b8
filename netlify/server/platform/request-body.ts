import type * as z from 'zod/mini';
import { HttpError } from './http-error.ts';

/** The body's bytes. Throws 413 above `largest` bytes, 64 KB unless said, read or announced. */
export async function readBytes(request: Request, largest = 64 * 1024): Promise<Uint8Array> {
  const tooLarge = new HttpError(413, 'too_large', 'The request is too large.');
  if (Number(request.headers.get('content-length') ?? 0) > largest) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > largest) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The media type without its parameters, in lower case. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** A JSON body by its schema. Throws 415, 413 or 400 with the first message of each field in `fields`. */
export async function readJson<T>(request: Request, schema: z.ZodMiniType<T>): Promise<T> {
  if (mediaType(request) !== 'application/json') {
    throw new HttpError(415, 'unsupported_media_type', 'Send JSON.');
  }
  const bytes = await readBytes(request);
  let raw: unknown;
  try {
    raw = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HttpError(400, 'invalid_request', 'The request is not readable JSON.');
  }
  return parseOrRefuse(schema, raw);
}

/** Throws 400 `invalid_request` when the value does not fit; its message is the first field's. */
export function parseOrRefuse<T>(schema: z.ZodMiniType<T>, raw: unknown): T {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[String(issue.path[0] ?? 'body')] ??= issue.message;
  throw new HttpError(400, 'invalid_request', Object.values(fields)[0] ?? 'The request is not valid.', {
    fields,
  });
}
