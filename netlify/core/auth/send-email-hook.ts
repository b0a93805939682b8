import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { hookEnv } from '#core/platform/env.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { parseOrRefuse } from '#core/platform/http/request-body.ts';

/** What Auth sends, as far as the shop reads it (supabase/auth, internal/hooks/v0hooks: SendEmailInput). */
const messageSchema = z.object({
  metadata: z._default(z.object({ ip_address: z.optional(z.string()) }), {}),
  user: z.object({ id: z.guid(), email: z.string() }),
  email_data: z.object({
    email_action_type: z.string(),
    token: z.string(),
    token_hash: z.string(),
  }),
});
export type HookMessage = z.infer<typeof messageSchema>;

/**
 * A message of Auth, once one of the secrets has signed it within the last five minutes. Throws 401 without a valid signature, 400 for
 * content that cannot be read.
 */
export function readHookMessage(body: Uint8Array, headers: Headers): HookMessage {
  const text = Buffer.from(body).toString('utf8');
  const isSigned = hookEnv()
    .SEND_EMAIL_HOOK_SECRET.split('|')
    .some((secret) => isSignedWith(secret.replace(/^v1,/u, ''), text, headers));
  if (!isSigned) throw new HttpError(401, 'bad_signature', 'Signature does not match');
  return parseOrRefuse(messageSchema, JSON.parse(text));
}

function isSignedWith(secret: string, text: string, headers: Headers): boolean {
  try {
    new Webhook(secret).verify(text, Object.fromEntries(headers), { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

/** Auth's kinds of mail that the shop sends, with the shop's: `recovery` is also the login with a code. */
const kinds: Readonly<Record<string, 'sign_up_code' | 'login_code'>> = {
  signup: 'sign_up_code',
  recovery: 'login_code',
};

/** The shop's kind of mail for a message; null for one that the shop does not send. */
export function accountMailOf({
  email_data: { email_action_type: action },
}: HookMessage): 'sign_up_code' | 'login_code' | null {
  return (Object.hasOwn(kinds, action) ? kinds[action] : undefined) ?? null;
}
