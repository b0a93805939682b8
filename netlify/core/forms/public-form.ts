import type * as z from 'zod/mini';
import {
  honeypotField,
  minFillMs,
  publicFormSchema,
  type PublicFormName,
} from '#domain/checkout/public-form.ts';
import { seller } from '#settings/seller.ts';
import { requireHuman } from '#netlify/features/security-check/human-check.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint, failureFields, json, type RequestContext } from '#core/platform/http/http.ts';
import { countCost, type Causer, type Effect } from '#core/platform/costs.ts';
import { mediaType, parseOrRefuse, readBytes } from '#core/platform/http/request-body.ts';
import { formPage, type FormField } from './form-page.ts';
import { formOpenMs } from './form-time.ts';

/** A form as it arrived: from the page's script as JSON, or posted by the browser itself, which shows the response as a page. */
interface SentForm {
  raw: Readonly<Record<string, unknown>>;
  posted: boolean;
}

const unreadable = new HttpError(400, 'invalid_request', 'The form could not be read.');

/** Reads a form, JSON or url-encoded. Throws 415, 413, 408 or 400. */
async function readForm(request: Request): Promise<SentForm> {
  const posted = mediaType(request) === 'application/x-www-form-urlencoded';
  if (!posted && mediaType(request) !== 'application/json') {
    throw new HttpError(415, 'unsupported_media_type', 'Send JSON or a form.');
  }
  const text = new TextDecoder().decode(await readBytes(request));
  if (posted) return { raw: Object.fromEntries(new URLSearchParams(text)), posted };
  try {
    const raw: unknown = JSON.parse(text);
    if (typeof raw === 'object' && raw !== null && !Array.isArray(raw))
      return { raw: { ...raw }, posted };
  } catch {
    throw unreadable;
  }
  throw unreadable;
}

/**
 * The form's values, after the checks that tell people from robots: an empty hidden field, and a time signed by the shop that
 * is two seconds old. A refusal is always shown: a person whose browser filled the hidden field must not believe that their
 * message arrived. A form that the browser posted itself has no time yet: it is shown once more, with one.
 */
function acceptForm<T>(
  form: PublicFormName,
  raw: SentForm['raw'],
  schema: z.ZodMiniType<T>,
): { values: T; token: string } {
  const {
    form_time: formTime,
    [honeypotField]: honeypot,
    turnstile_token: token,
  } = parseOrRefuse(publicFormSchema, raw);
  if (honeypot !== '') {
    throw new HttpError(
      400,
      'refused',
      `This could not be sent. Please write to ${seller.contact.emails[0]}.`,
    );
  }
  const values = parseOrRefuse(schema, raw);
  const openMs = formOpenMs(form, formTime);
  if (openMs === null)
    throw new HttpError(400, 'form_time', 'Please check it and press the button again.');
  if (openMs < minFillMs)
    throw new HttpError(400, 'too_fast', 'That was very quick. Please press the button again.');
  return { values, token };
}

/** Counts a form. Throws 429 when a limit refuses it. */
async function limitForm(effect: Effect, causer?: Causer): Promise<void> {
  if (await countCost(effect, causer)) return;
  throw new HttpError(
    429,
    'too_many_requests',
    `Too many messages in a short time. Please try again later, or write to ${seller.contact.emails[0]}.`,
  );
}

/** The refusal of a form that would mail an address, when strangers have caused their share of the day's mails. */
export const noMoreMailsToday = (): HttpError =>
  new HttpError(
    429,
    'no_more_mails',
    `We cannot send more of these e-mails today. Please try again tomorrow, or write to ${seller.contact.emails[0]}.`,
  );

interface PublicForm<T> {
  /** The path after /api/. */
  route: PublicFormName;
  schema: z.ZodMiniType<T>;
  /** The fields of the page that shows a posted form again. */
  fields: readonly FormField[];
  button: string;
  /** Processes a valid form. */
  take: (values: T, ctx: RequestContext) => Promise<void>;
  /** The redirect after an accepted form post. */
  done: () => Response;
}

/**
 * The function of a form that anybody may send, POST /api/{route}. JSON of the page's script: 200 {received: true}, or an error
 * with `fields`. A form that the browser posted (no script ran): `done`, or a page with the reason and the typed values.
 */
export function publicFormEndpoint<T>({
  route,
  schema,
  fields,
  button,
  take,
  done,
}: PublicForm<T>): ReturnType<typeof endpoint> {
  return endpoint({
    route,
    method: 'POST',
    async handler(ctx) {
      const { raw, posted } = await readForm(ctx.request);
      try {
        const { values, token } = acceptForm(route, raw, schema);
        await limitForm('form_try', { context: ctx.context });
        await requireHuman(token, route, new URL(ctx.request.url).hostname);
        // Counted last, so that robots do not use up the limit of all visitors.
        await limitForm('form');
        await take(values, ctx);
      } catch (error) {
        if (!posted) throw error;
        ctx.addLogFields(failureFields(error));
        return formPage({ form: route, error, button, fields, typed: raw });
      }
      return posted ? done() : json({ received: true });
    },
  });
}
