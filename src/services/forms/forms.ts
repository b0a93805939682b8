import * as environment from '#services/environment.ts';
import { timeLimit } from '#services/time-limit.ts';

/**
 * Posts a form to the form-collection service (Netlify Forms by default): multipart, `no-cors`, so an answer of
 * another origin cannot be read and counts as received. False when it surely did not arrive; that is logged.
 */
export async function submitForm(
  form: string,
  fields: Readonly<Record<string, string>>,
): Promise<boolean> {
  const body = new FormData();
  body.set('form-name', form);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  try {
    const answer = await fetch(environment.formEndpoint, {
      method: 'POST',
      mode: 'no-cors',
      body,
      // The page may be left before the answer.
      keepalive: true,
      signal: timeLimit(15_000),
    });
    if (answer.ok || answer.type === 'opaque') return true;
    console.warn(`The form '${form}' was answered ${String(answer.status)}`);
  } catch (error) {
    console.warn(`The form '${form}' could not be sent`, error);
  }
  return false;
}
