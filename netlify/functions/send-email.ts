import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '@netlify/functions';
import { accountMailOf, readHookMessage } from '#core/auth/send-email-hook.ts';
import { composeMail } from '#core/mail/compose.ts';
import { sendMail } from '#core/mail/transport.ts';
import { seller } from '#settings/seller.ts';
import { afterResponse } from '#core/platform/background.ts';
import { causeOf } from '#core/platform/cause-of.ts';
import { countCodeMail, countCost, networkOf } from '#core/platform/costs.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { readBytes } from '#core/platform/http/request-body.ts';

/**
 * Time after which Auth is told that the mail is sent, in ms. Auth waits 5 seconds, a cold start included, and then forgets the
 * code (supabase/auth, internal/hooks/hookshttp); a mail server that is slow but takes the mail would deliver a dead one.
 */
const replyAfterMs = 2_500;

/** The answer with which Auth gives up: it undoes what it was about to do, and passes status and message on to the page. */
const refuse = (status: number, message: string): Response =>
  json({ error: { http_code: status, message } });

/**
 * POST /api/send-email: the "Send Email" hook of Supabase Auth, signed as Standard Webhooks define. Sends the code of a sign-up or
 * login at once. Refuses every other kind of mail, which no page of the shop asks for, and codes beyond the limits of docs/security.md.
 */
export default endpoint({
  route: 'send-email',
  method: 'POST',
  anyOrigin: true,
  async handler({ request, context, addLogFields }) {
    const message = readHookMessage(await readBytes(request), request.headers);
    const kind = accountMailOf(message);
    addLogFields({ kind: kind ?? message.email_data.email_action_type.slice(0, 40) });
    if (kind === null) return refuse(422, 'This shop does not send this mail.');

    const { id, email } = message.user;
    const network = networkOf(message.metadata.ip_address);
    if (!(await countCodeMail(id, network))) {
      addLogFields({ outcome: 'limited' });
      // /api/health warns when customers of several networks get no code.
      await countCost('sign_up_refused', { network });
      return refuse(429, 'Too many codes were requested. Please wait and try again.');
    }
    const sending = sendMail(
      composeMail(kind, { order: null, payload: { ...message.email_data, email } }),
      email,
      seller.contact.emails[0],
      `${kind}:${message.email_data.token_hash}`,
    );
    try {
      const isSlow = await Promise.race([
        sending.then(() => false),
        delay(replyAfterMs, true, { ref: false }),
      ]);
      addLogFields({ outcome: isSlow ? 'slow' : 'sent' });
      if (isSlow) await afterResponse(context, 'account mail', () => sending);
    } catch (error) {
      addLogFields({ outcome: 'not_sent', cause: causeOf(error) });
      return refuse(500, 'The mail could not be sent. Please try again.');
    }
    return json({});
  },
});

export const config: Config = { path: '/api/send-email' };
