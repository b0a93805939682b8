import * as z from 'zod/mini';
import { fillDelay } from '../../domain/checkout/public-form.ts';

/** What the server said to a form: taken, or a sentence for the visitor and its messages by field. */
export type FormAnswer =
  { ok: true } | { ok: false; message: string; fields: Readonly<Record<string, string>> };

const formTimeSchema = z.object({ form_time: z.string() });
const refusalSchema = z.object({
  error: z._default(z.string(), ''),
  message: z.string().check(z.minLength(1)),
  fields: z._default(z.record(z.string(), z.string()), {}),
});

const patience = (): AbortSignal => AbortSignal.timeout(15_000);

interface FormTime {
  signed: string;
  /** Of `performance.now`. */
  at: number;
}
let formTime: Promise<FormTime> | undefined;

async function askFormTime(): Promise<FormTime> {
  try {
    const answer = await fetch('/api/form-time', { signal: patience() });
    return { signed: formTimeSchema.parse(await answer.json()).form_time, at: performance.now() };
  } catch (error) {
    // The next press asks again.
    formTime = undefined;
    throw error;
  }
}

const readFormTime = (): Promise<FormTime> => (formTime ??= askFormTime());

/**
 * Asks for the signed time at which the visitor begins to fill in a form, which `postForm` sends along: call it when a form is
 * first touched, so that nobody waits for it. One time is good for all forms of a page.
 */
export function beginForm(): void {
  readFormTime().catch(() => undefined);
}

async function post(
  path: string,
  values: Readonly<Record<string, string>>,
  token: string | null,
): Promise<FormAnswer & { error?: string }> {
  const { signed, at } = await readFormTime();
  // A form sent at once counts as a robot's: a quick person waits a moment instead.
  await new Promise((resolve) => setTimeout(resolve, fillDelay(performance.now() - at)));
  const answer = await fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ ...values, form_time: signed }),
    signal: patience(),
  });
  return answer.ok ? { ok: true } : { ok: false, ...refusalSchema.parse(await answer.json()) };
}

/**
 * Posts a form of this site as JSON, with the shopper's access token where the form has a use for it. Never throws: 15 seconds
 * without a response is an outcome too.
 */
export async function postForm(
  path: string,
  values: Readonly<Record<string, string>>,
  token: string | null = null,
): Promise<FormAnswer> {
  try {
    const answer = await post(path, values, token);
    if (answer.ok || answer.error !== 'form_time') return answer;
    // Signed a day ago, or before the shop's secret changed: once more, with a new one.
    formTime = undefined;
    return await post(path, values, token);
  } catch {
    return { ok: false, message: 'Please check your connection and try again.', fields: {} };
  }
}
