import * as z from 'zod/mini';
import { fillDelay } from '#domain/checkout/public-form.ts';
import { HumanCheckError } from '#services/human/human-check-error.ts';
import { beginHumanCheck, withHumanCheck } from '#services/human/human-check.ts';
import { explainFault, ownFault, readJson, request } from '#services/connection.ts';
import { timeLimit } from '#services/time-limit.ts';

/** The server's answer to a form: taken, or a sentence for the visitor and its messages by field. */
export type FormAnswer =
  { ok: true } | { ok: false; message: string; fields: Readonly<Record<string, string>> };

const formTimeSchema = z.object({ form_time: z.string() });
const refusalSchema = z.object({
  error: z._default(z.string(), ''),
  message: z.string().check(z.minLength(1)),
  fields: z._default(z.record(z.string(), z.string()), {}),
});

const timeout = (): AbortSignal => timeLimit(15_000);

interface FormTime {
  signed: string;
  /** Time of `performance.now`. */
  at: number;
}
const formTimes = new Map<string, Promise<FormTime>>();

async function fetchFormTime(name: string): Promise<FormTime> {
  try {
    const answer = await request(`/api/form-time?form=${name}`, { signal: timeout() });
    return { signed: formTimeSchema.parse(await answer.json()).form_time, at: performance.now() };
  } catch (error) {
    // The next press fetches it again.
    formTimes.delete(name);
    throw error;
  }
}

function readFormTime(name: string): Promise<FormTime> {
  const known = formTimes.get(name) ?? fetchFormTime(name);
  formTimes.set(name, known);
  return known;
}

/** The form's endpoint is /api/{name}. */
const nameOf = (form: HTMLFormElement): string =>
  (form.getAttribute('action') ?? '').slice('/api/'.length);

/** Where the widget of the security check appears: at the form's button. */
function placeIn(form: HTMLFormElement): HTMLElement | null {
  const known = form.querySelector<HTMLElement>('[data-human-check]');
  const button = form.querySelector<HTMLElement>('[type="submit"]');
  if (known || !button) return known;
  const place = document.createElement('div');
  place.dataset['humanCheck'] = '';
  // It stands outside the form's grid, where even an empty cell has a gap.
  place.className = 'absolute';
  if (button.parentElement === form) button.before(place);
  // Beside its field: below their row.
  else button.parentElement?.after(place);
  return place;
}

/**
 * Prepares what `postForm` sends along: the signed time at which the visitor begins to fill in the form, and the security check
 * when the shop has one. Call it when the form is first touched, so that nobody waits for it.
 */
export function beginForm(form: HTMLFormElement): void {
  readFormTime(nameOf(form)).catch(() => undefined);
  beginHumanCheck(placeIn(form), nameOf(form));
}

async function post(
  name: string,
  values: Readonly<Record<string, string>>,
  accessToken: string | null,
  humanToken: string | undefined,
): Promise<FormAnswer & { error?: string }> {
  const { signed, at } = await readFormTime(name);
  // A form sent at once counts as a robot's: a quick person waits a moment instead.
  await new Promise((resolve) => setTimeout(resolve, fillDelay(performance.now() - at)));
  const answer = await request(`/api/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(accessToken === null ? {} : { authorization: `Bearer ${accessToken}` }),
    },
    body: JSON.stringify({ ...values, form_time: signed, turnstile_token: humanToken }),
    signal: timeout(),
  });
  if (answer.ok) return { ok: true };
  const { success, data } = refusalSchema.safeParse(await readJson(answer));
  return success ? { ok: false, ...data } : { ok: false, message: ownFault, fields: {} };
}

/**
 * Posts a form of this site as JSON, with the customer's access token where the form has a use for it. Never throws: 15 seconds
 * without a response is an outcome too.
 */
export async function postForm(
  form: HTMLFormElement,
  values: Readonly<Record<string, string>>,
  accessToken: string | null = null,
): Promise<FormAnswer> {
  const name = nameOf(form);
  try {
    return await withHumanCheck(placeIn(form), name, async (humanToken) => {
      const answer = await post(name, values, accessToken, humanToken);
      if (answer.ok || answer.error !== 'form_time') return answer;
      // Signed hours ago, or before the shop's secret changed: once more with a new time. The token was not looked at yet.
      formTimes.delete(name);
      return post(name, values, accessToken, humanToken);
    });
  } catch (error) {
    const message = error instanceof HumanCheckError ? error.message : explainFault(error);
    return { ok: false, message, fields: {} };
  }
}
