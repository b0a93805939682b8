import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { causeOf } from '#core/platform/cause-of.ts';
import { callNewFunction } from '#core/platform/database.ts';
import { databaseEnv, mailEnv } from '#core/platform/env.ts';
import { logLine } from '#core/platform/log.ts';

/** Codes of nodemailer and of sockets: the mail server did not take the connection, the log-in, or did not answer. */
const connectionCodes: ReadonlySet<unknown> = new Set([
  'ECONNECTION',
  'ECONNREFUSED',
  'ECONNRESET',
  'EDNS',
  'ENOTFOUND',
  'EAUTH',
  'ESOCKET',
  'ETIMEDOUT',
  'ETLS',
]);

/** What nodemailer knows of a failure. `command` is the step of SMTP that was refused. */
interface SmtpError {
  code?: unknown;
  responseCode?: unknown;
  command?: unknown;
}

/** Whether no mail at all can be handed over, because there is no connection or no log-in. */
export const isOutage = (error: unknown): boolean => connectionCodes.has((error as SmtpError).code);

/** For which mails a refusal holds, by the words of SQL `mail_server`. Null when no server spoke: the mail itself could not be made. */
function scopeOf(error: unknown, to: string): 'connection' | 'sender' | 'recipient' | null {
  const { responseCode, command } = error as SmtpError;
  if (isOutage(error)) return 'connection';
  if (typeof responseCode !== 'number') return null;
  const isOwn = to.toLowerCase() === mailEnv().OWNER_EMAIL.toLowerCase();
  // The text of a mail to the admin can be a stranger's, so only the refused address counts.
  if (command === 'MAIL FROM' || (command === 'RCPT TO' && isOwn)) return 'sender';
  return 'recipient';
}

/** The codes of a refusal and its step, such as 'EENVELOPE 550 RCPT TO'; no text of the server, which may quote addresses. */
const codesOf = ({ code, responseCode, command }: SmtpError): string =>
  [code, responseCode, command]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(' ')
    .slice(0, 100);

const hashOf = (address: string): string =>
  createHmac('sha256', databaseEnv().SUPABASE_SECRET_KEY)
    .update(`mail ${address.toLowerCase()}`)
    .digest('base64url')
    .slice(0, 22);

/** What cannot be recorded must not fail a mail that was sent, nor hide why one was not. */
async function note(args: Readonly<Record<string, string | null>>): Promise<void> {
  try {
    await callNewFunction('note_mail', args, z.unknown(), 'of release 1.3.2', () =>
      Promise.resolve(),
    );
  } catch (error) {
    logLine({ task: 'note mail', error: causeOf(error) });
  }
}

/** Records that the mail server took a mail. Never throws. */
export const noteAccepted = (): Promise<void> => note({ p_refusal: null });

/** Records that the mail server let the shop in again, after an outage. Never throws. */
export const noteLetIn = (): Promise<void> => note({ p_refusal: null, p_scope: 'connection' });

/** Records why the mail server took no mail to an address, or none at all. Never throws. */
export async function noteRefused(error: unknown, to: string): Promise<void> {
  const scope = scopeOf(error, to);
  if (scope === null) return;
  await note({
    p_refusal: codesOf(error as SmtpError),
    p_scope: scope,
    p_recipient: hashOf(to),
  });
}

const probeSchema = z.nullable(z.object({ scope: z.string() }));

/**
 * Reads whether all mail is refused, and by what: 'connection', 'sender' or 'recipient'; null while mail goes out. After five minutes this
 * queues the mail to the admin that shows whether the server takes mail again.
 */
export async function readOutage(): Promise<string | null> {
  const outage = await callNewFunction(
    'probe_mail_server',
    {},
    probeSchema,
    'of release 1.3.2',
    () => Promise.resolve(null),
  );
  return outage?.scope ?? null;
}
