import * as z from 'zod/mini';

/** What the server said to a form: taken, or a sentence for the visitor and its messages by field. */
export type FormAnswer = { ok: true } | { ok: false; message: string; fields: Readonly<Record<string, string>> };

const refusalSchema = z.object({
  message: z.string().check(z.minLength(1)),
  fields: z._default(z.record(z.string(), z.string()), {}),
});

const unreachable: FormAnswer = { ok: false, message: 'Please check your connection and try again.', fields: {} };

/** Posts a form of this site as JSON. Never throws: 15 seconds without a response is an outcome too. */
export async function postForm(path: string, values: Readonly<Record<string, string | number>>): Promise<FormAnswer> {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(values),
      signal: AbortSignal.timeout(15_000),
    });
    if (answer.ok) return { ok: true };
    const refusal = refusalSchema.safeParse(await answer.json());
    return refusal.success ? { ok: false, ...refusal.data } : unreachable;
  } catch {
    return unreachable;
  }
}
