import { signFormTime } from '#core/forms/form-time.ts';
import type { PublicFormName } from '#domain/checkout/public-form.ts';
import { functionAt } from '#tests/functions/support/functions.ts';
import type { Answer, Stack } from '#tests/functions/support/stack.ts';

let caller = 0;

/** A caller's address that no other test uses. */
export function nextCaller(): { ip: string } {
  caller += 1;
  return { ip: `198.51.${String(Math.floor(caller / 250))}.${String((caller % 250) + 1)}` };
}

/** The signed time of a form that was begun so long ago. */
export const formTime = (agoMs: number, form: PublicFormName = 'contact'): string =>
  signFormTime(form, Date.now() - agoMs);

/** Sends a form as the page's script does, after ten seconds of typing by default. */
export async function sendForm(
  stack: Stack,
  form: PublicFormName,
  values: Readonly<Record<string, unknown>>,
  context: { ip: string } = nextCaller(),
): Promise<Answer> {
  const path = `/api/${form}`;
  const sent = { website: '', form_time: formTime(10_000, form), ...values };
  return stack.post(await functionAt('POST', path), path, sent, { context });
}

/** Posts a form as a browser without JavaScript does: from the page that showed it once more, unless `form_time` is ''. */
export async function postForm(
  stack: Stack,
  form: PublicFormName,
  values: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const path = `/api/${form}`;
  return stack.call(await functionAt('POST', path), path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ form_time: formTime(10_000, form), ...values }).toString(),
    context: nextCaller(),
  });
}
