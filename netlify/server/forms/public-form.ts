import type * as z from 'zod/mini';
import type { Context } from '@netlify/functions';
import { minFillMs, honeypotField, publicFormSchema } from '../../../src/domain/checkout/public-form.ts';
import { seller } from '../../../src/seller.config.ts';
import { HttpError } from '../platform/http-error.ts';
import { addressBucket, callerAddress, withinLimits, type Limit } from '../platform/rate-limit.ts';
import { mediaType, parseOrRefuse, readBytes } from '../platform/request-body.ts';

/** A form as it arrived: from the page's script as JSON, or posted by the browser itself. */
export interface PublicForm {
  raw: Readonly<Record<string, unknown>>;
  /** True when the browser posted it and will show the response as a page. */
  posted: boolean;
}

const unreadable = new HttpError(400, 'invalid_request', 'The form could not be read.');

/** True when the browser itself will show the response. */
function isPostedForm(request: Request): boolean {
  return mediaType(request) === 'application/x-www-form-urlencoded';
}

/** Reads a form, JSON or url-encoded. Throws 415, 413, 408 or 400. */
export async function readPublicForm(request: Request): Promise<PublicForm> {
  const posted = isPostedForm(request);
  if (!posted && mediaType(request) !== 'application/json') {
    throw new HttpError(415, 'unsupported_media_type', 'Send JSON or a form.');
  }
  const text = new TextDecoder().decode(await readBytes(request));
  if (posted) return { raw: Object.fromEntries(new URLSearchParams(text)), posted };
  try {
    const raw: unknown = JSON.parse(text);
    if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return { raw: { ...raw }, posted };
  } catch {
    throw unreadable;
  }
  throw unreadable;
}

/**
 * The form's values, after the checks that tell people from robots. A refusal always says so: a person whose
 * browser filled the hidden field must not believe that their message arrived. The time is known only of forms
 * that a script sent; the others are held by the limits alone.
 *
 * `elapsed_ms` is the sender's own word, on purpose. A time that the server signs needs an endpoint, a secret and a request
 * for each form that is begun, on pages that are static otherwise, and a robot asks for it as easily as the page does: it
 * buys two seconds. What holds a robot that lies are the limits by network, and the newsletter's confirmation.
 */
export function acceptPublicForm<T>({ raw, posted }: PublicForm, schema: z.ZodMiniType<T>): T {
  const { elapsed_ms: elapsed, [honeypotField]: honeypot } = parseOrRefuse(publicFormSchema, raw);
  if (honeypot !== '') {
    throw new HttpError(400, 'refused', `This could not be sent. Please write to ${seller.contact.emails[0]}.`);
  }
  if (!posted && (elapsed === undefined || elapsed < minFillMs)) {
    throw new HttpError(400, 'too_fast', 'That was very quick. Please press the button once more.');
  }
  return parseOrRefuse(schema, raw);
}

/** Throws 429 when this caller, or all callers together, sent too many of this form. */
export async function limitPublicForm(form: string, context: Context, caller: Limit, everyone: Limit): Promise<void> {
  const allowed = await withinLimits([
    { bucket: addressBucket(form, callerAddress(context)), ...caller },
    { bucket: `${form}:everyone`, ...everyone },
  ]);
  if (allowed) return;
  throw new HttpError(
    429,
    'too_many_requests',
    `Too many messages in a short time. Please try again later, or write to ${seller.contact.emails[0]}.`,
  );
}
