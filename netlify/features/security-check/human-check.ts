import * as z from 'zod/mini';
import { seller } from '#settings/seller.ts';
import { turnstileEnv } from '#core/platform/env.ts';
import { HttpError } from '#core/platform/http/http-error.ts';

const timeoutMs = 5_000;
/** Cloudflare's documented limit. */
const maxTokenLength = 2_048;

const answerSchema = z.object({
  success: z.boolean(),
  action: z._default(z.string(), ''),
  hostname: z._default(z.string(), ''),
  'error-codes': z._default(z.array(z.string()), []),
});
type Answer = z.infer<typeof answerSchema>;

/** Cloudflare's published secrets for tests: their answers name no action, and a host that is not the shop's. */
const testSecret = /^[123]x0{20,}/u;

/** Cloudflare's verdict on a token. Throws when it cannot be reached. Does not send the visitor's address. */
async function verify(token: string, secret: string, address: string): Promise<Answer> {
  const response = await fetch(new URL('/turnstile/v0/siteverify', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret, response: token }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  return answerSchema.parse(await response.json());
}

/**
 * Checks the Turnstile token of a form; does nothing while TURNSTILE_SECRET_KEY is not set. `action` names the form that the
 * token must be for, and `host` the site that showed it. A token is good once, for five minutes. Throws 400 for a token that is missing, refused or used, 503 when
 * Cloudflare cannot be reached or refuses the shop's own secret.
 */
export async function requireHuman(token: string, action: string, host: string): Promise<void> {
  const { TURNSTILE_SECRET_KEY: secret, TURNSTILE_API_URL: address } = turnstileEnv();
  if (secret === undefined) return;
  const [email] = seller.contact.emails;
  if (token === '' || token.length > maxTokenLength) {
    throw new HttpError(
      400,
      'human_check',
      `The security check is missing. Please turn on JavaScript and reload the page, or write to ${email}.`,
    );
  }
  let answer: Answer | Error;
  try {
    answer = await verify(token, secret, address);
  } catch (error) {
    answer = error instanceof Error ? error : new Error(String(error));
  }
  const wrongSecret =
    !(answer instanceof Error) &&
    answer['error-codes'].some((code) => /^(?:missing|invalid)-input-secret$/u.test(code));
  if (answer instanceof Error || wrongSecret) {
    throw new HttpError(
      503,
      'human_check_unavailable',
      `The security check cannot be reached right now. Please try again in a minute, or write to ${email}.`,
      {},
      wrongSecret ? new Error('Turnstile refuses TURNSTILE_SECRET_KEY') : answer,
    );
  }
  const isForThisForm = answer.action === action && answer.hostname === host;
  if (answer.success && (isForThisForm || testSecret.test(secret))) return;
  throw new HttpError(
    400,
    'human_check',
    'The security check was not passed or has expired. Please press the button once more.',
  );
}
