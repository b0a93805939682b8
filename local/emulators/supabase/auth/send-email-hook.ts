import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';

/** What Auth tells its hook of one mail. */
export interface AuthMail {
  user: { id: string; email: string };
  /** `signup`, `recovery`, `magiclink`, `email_change`, `invite` or `reauthentication`. */
  action: string;
  token: string;
  tokenHash: string;
  redirectTo: string;
}

export interface Refusal {
  status: number;
  /** Auth's `error_code`; it has none of its own for what a hook refuses. */
  code: 'unknown' | 'unexpected_failure' | 'hook_timeout';
  message: string;
}

/** Where the hook is, at a site with this address. */
export const sendEmailAddress = (origin: string): string => `${origin}/api/send-email`;

/** Calls the hook. Returns the refusal with which Auth answers its caller; null when the mail is sent. */
export type SendEmailHook = (mail: AuthMail) => Promise<Refusal | null>;

const answerSchema = z.object({
  error: z.object({ http_code: z.int().default(500), message: z.string() }).optional(),
});

/** How long Supabase Auth waits for a hook, in ms. */
const timeoutMs = 5_000;

/**
 * The "Send Email" hook as Supabase Auth calls it: signed as Standard Webhooks define, with its time limit and its reading of the
 * answer (github.com/supabase/auth, internal/hooks/hookshttp).
 * @param secret `v1,whsec_…`
 */
export function createSendEmailHook(address: string, secret: string): SendEmailHook {
  const webhook = new Webhook(secret.replace(/^v1,/u, ''));
  return async ({ user, action, token, tokenHash, redirectTo }) => {
    const now = new Date();
    const id = randomUUID();
    const body = JSON.stringify({
      metadata: { uuid: randomUUID(), time: now, name: 'send-email', ip_address: '127.0.0.1' },
      user,
      email_data: {
        token,
        token_hash: tokenHash,
        redirect_to: redirectTo,
        email_action_type: action,
      },
    });
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': webhook.sign(id, now, body),
    };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await fetch(address, { method: 'POST', headers, body, signal });
      if (answer.status !== 200)
        return {
          status: 500,
          code: 'unexpected_failure',
          message: `Unexpected status code returned from hook: ${String(answer.status)}`,
        };
      const { error } = answerSchema.parse(await answer.json());
      if (error === undefined) return null;
      const { http_code: status, message } = error;
      return { status, code: status === 500 ? 'unexpected_failure' : 'unknown', message };
    } catch {
      return {
        status: 422,
        code: 'hook_timeout',
        message: 'Failed to reach hook within maximum time of 5.000000 seconds',
      };
    }
  };
}
