import * as z from 'zod/mini';
import { orderFromRow } from '../../../src/domain/orders/order.ts';
import { seller } from '../../../src/seller.config.ts';
import { callFunction } from '../platform/database.ts';
import { mailEnv } from '../platform/env.ts';
import { logLine } from '../platform/log.ts';
import { sendPush } from '../push/send-push.ts';
import { composeMail } from './compose.ts';
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

const claimedAtOnce = 4;

/** No text of the mail server's or the push service's: it may repeat addresses. */
function failureOf(error: unknown): string {
  const { name, code, responseCode, cause } = error as {
    name?: unknown;
    code?: unknown;
    responseCode?: unknown;
    cause?: { code?: unknown };
  };
  return [name, code ?? cause?.code, responseCode]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(' ');
}

async function mailEntry(entry: Entry, adminAddress: string): Promise<void> {
  const buyer = entry.order === null ? '' : orderFromRow(entry.order).customerEmail;
  const { replyTo, ...mail } = composeMail(entry.kind, entry);
  const usual = entry.recipient === null ? buyer || adminAddress : seller.contact.emails[0];
  await sendMail(mail, entry.recipient ?? adminAddress, replyTo ?? usual, entry.dedupe_key);
}

async function sendEntry(entry: Entry, adminAddress: string): Promise<string | null> {
  try {
    await (entry.kind === 'push' ? sendPush(entry) : mailEntry(entry, adminAddress));
    return null;
  } catch (error) {
    const failure = failureOf(error) || 'Error';
    logLine({ task: 'outbox', entry: entry.id, kind: entry.kind, error: failure });
    return failure;
  }
}

/**
 * Sends what waits in the outbox, up to `limit` entries and until `deadline` (ms since the epoch). Each entry is
 * leased to one sender; one that fails is tried again later. Returns how many went out and how many did not.
 */
export async function sendOutbox(
  limit = 10,
  deadline = Date.now() + 20_000,
): Promise<{ sent: number; failed: number }> {
  const { OWNER_EMAIL: owner } = mailEnv();
  let sent = 0;
  let failed = 0;
  const send = async (entry: Entry): Promise<void> => {
    const failure = await sendEntry(entry, owner);
    await callFunction('finish_outbox', { p_id: entry.id, p_error: failure }, z.unknown());
    if (failure === null) sent += 1;
    else failed += 1;
  };
  // Few at a time: a mail that is claimed counts as tried.
  while (sent + failed < limit && Date.now() < deadline) {
    const entries = await callFunction(
      'claim_outbox',
      { p_limit: claimedAtOnce, p_lease_seconds: 60 },
      z.array(entrySchema),
    );
    for (const entry of entries) await send(entry);
    if (entries.length < claimedAtOnce) break;
  }
  return { sent, failed };
}
