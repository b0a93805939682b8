import * as z from 'zod/mini';
import { orderFromRow } from '#domain/orders/order.ts';
import { seller } from '#settings/seller.ts';
import { sendPush } from '#netlify/features/push/send-push.ts';
import { afterResponse } from '#core/platform/background.ts';
import { causeOf } from '#core/platform/cause-of.ts';
import { callFunction } from '#core/platform/database.ts';
import { mailEnv } from '#core/platform/env.ts';
import type { RequestContext } from '#core/platform/http/http.ts';
import { logLine } from '#core/platform/log.ts';
import { composeMail } from './compose.ts';
import { isOutage } from './mail-server.ts';
import { sendMail } from './transport.ts';

const entrySchema = z.object({
  id: z.int(),
  kind: z.string(),
  recipient: z.nullable(z.string()),
  payload: z.unknown(),
  dedupe_key: z.string(),
  order: z._default(z.nullable(z.unknown()), null),
  subscription: z._default(z.nullable(z.unknown()), null),
});
type Entry = z.infer<typeof entrySchema>;

/** Twice Netlify's time limit of a function, so that a mail is not sent twice while a slow mail server accepts it. */
const leaseSeconds = 120;
async function mailEntry(entry: Entry, adminAddress: string): Promise<void> {
  const customer = entry.order === null ? '' : orderFromRow(entry.order).customerEmail;
  const { replyTo, ...mail } = composeMail(entry.kind, entry);
  const usual = entry.recipient === null ? customer || adminAddress : seller.contact.emails[0];
  await sendMail(mail, entry.recipient ?? adminAddress, replyTo ?? usual, entry.dedupe_key);
}

interface Sending {
  /** Null when it was sent. */
  failure: string | null;
  /** Whether the mail server is down. */
  isDown: boolean;
}

async function sendEntry(entry: Entry, adminAddress: string): Promise<Sending> {
  try {
    await (entry.kind === 'push' ? sendPush(entry) : mailEntry(entry, adminAddress));
    return { failure: null, isDown: false };
  } catch (error) {
    const isDown = entry.kind !== 'push' && isOutage(error);
    // `finish_outbox` treats an error that starts with this word as an outage.
    const failure = `${isDown ? 'unreachable ' : ''}${causeOf(error)}`;
    logLine({ task: 'outbox', entry: entry.id, kind: entry.kind, error: failure });
    return { failure, isDown };
  }
}

/**
 * Sends what waits in the outbox, up to `limit` entries and until `deadline` (ms since the epoch). Each entry is
 * leased to one sender and retried after a failure. The first mail that finds the mail server down ends the run: the
 * others would wait as long, and a leased mail counts as an attempt. Returns how many were sent and how many
 * failed.
 */
export async function sendOutbox(
  limit = 10,
  deadline = Date.now() + 20_000,
): Promise<{ sent: number; failed: number }> {
  const { OWNER_EMAIL: owner } = mailEnv();
  const counts = { sent: 0, failed: 0 };
  while (counts.sent + counts.failed < limit && Date.now() < deadline) {
    // One at a time, because a slow server could outlast the leases of several.
    const [entry] = await callFunction(
      'claim_outbox',
      { p_limit: 1, p_lease_seconds: leaseSeconds },
      z.array(entrySchema),
    );
    if (!entry) break;
    const { failure, isDown } = await sendEntry(entry, owner);
    await callFunction('finish_outbox', { p_id: entry.id, p_error: failure }, z.unknown());
    counts[failure === null ? 'sent' : 'failed'] += 1;
    if (isDown) break;
  }
  return counts;
}

/** Sends waiting mail after the response. */
export const sendOutboxAfterResponse = ({
  context,
}: Pick<RequestContext, 'context'>): Promise<void> =>
  afterResponse(context, 'outbox', () => sendOutbox());
