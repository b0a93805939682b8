import * as z from 'zod/mini';

/*
 * The checks of the contact and newsletter forms against robots, which fill every field and send at once: a hidden
 * field (honeypot) and the time that the form was open.
 */

/** Name of the field that people do not see and robots fill. */
export const honeypotField = 'website';

/** The minimum time (ms) for a person to fill a form. The page's script waits until it has passed. */
export const minFillMs = 2_000;

/** Tolerance (ms), because a browser's timer may fire slightly early. */
const timerSlackMs = 50;

/** How many milliseconds a form that has been open for `openMs` waits before it is sent, so that it counts as filled by a person. */
export function fillDelay(openMs: number): number {
  return Math.max(0, minFillMs + timerSlackMs - openMs);
}

/** The hidden fields as sent: the honeypot, the signed time from /api/form-time, and the token of Turnstile when that is on. */
export const publicFormSchema = z.object({
  [honeypotField]: z._default(z.string(), ''),
  form_time: z.optional(z.string()),
  turnstile_token: z._default(z.string(), ''),
});

/** The forms that anyone may send: POST /api/{name}. A form time is signed for one of them. */
export const publicForms = ['contact', 'newsletter', 'stock-alert'] as const;
export type PublicFormName = (typeof publicForms)[number];
