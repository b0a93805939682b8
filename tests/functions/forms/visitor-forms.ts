import contactEndpoint from '../../../netlify/functions/contact.ts';
import newsletterEndpoint from '../../../netlify/functions/newsletter.ts';
import stockAlertsEndpoint from '../../../netlify/functions/stock-alerts.ts';
import { signFormTime } from '../../../netlify/server/forms/form-time.ts';
import type { PublicFormName } from '../../../src/domain/checkout/public-form.ts';
import type { Answer, Endpoint, Stack } from '../support/stack.ts';

let caller = 0;

/** A caller's address that no other test uses. */
export function nextCaller(): { ip: string } {
  caller += 1;
  return { ip: `198.51.${String(Math.floor(caller / 250))}.${String((caller % 250) + 1)}` };
}

const names = new Map<Endpoint, PublicFormName>([
  [contactEndpoint, 'contact'],
  [newsletterEndpoint, 'newsletter'],
  [stockAlertsEndpoint, 'stock-alert'],
]);

/** The signed time of a form that was begun so long ago. */
export const formTime = (agoMs: number, form: PublicFormName = 'contact'): string =>
  signFormTime(form, Date.now() - agoMs);

/** A time of ten seconds ago for the form of an endpoint. */
const usualTime = (endpoint: Endpoint): string => formTime(10_000, names.get(endpoint));

/** Sends a form as the page's script does, after ten seconds of typing by default. */
export function sendForm(
  stack: Stack,
  endpoint: Endpoint,
  values: Readonly<Record<string, unknown>>,
  context: { ip: string } = nextCaller(),
): Promise<Answer> {
  return stack.post(
    endpoint,
    '/api/form',
    { website: '', form_time: usualTime(endpoint), ...values },
    { context },
  );
}

/** Posts a form as a browser without JavaScript does: from the page that showed it once more, unless `form_time` is ''. */
export function postForm(
  stack: Stack,
  endpoint: Endpoint,
  values: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return stack.call(endpoint, '/api/form', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ form_time: usualTime(endpoint), ...values }).toString(),
    context: nextCaller(),
  });
}
