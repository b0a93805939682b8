import { createHash } from 'node:crypto';
import { createTransport, type Transporter } from 'nodemailer';
import { mailEnv, siteEnv } from '#core/platform/env.ts';
import { isThisMachine } from '#core/platform/this-machine.ts';
import type { Mail } from './mail.ts';
import { noteAccepted, noteLetIn, noteRefused, readOutage } from './mail-server.ts';

let open: { address: string; transport: Transporter } | undefined;

function transport(): Transporter {
  const { SMTP_URL: address } = mailEnv();
  if (open?.address === address) return open.transport;
  const url = new URL(address);
  const secure = url.protocol === 'smtps:';
  const made = createTransport({
    host: url.hostname,
    port: Number(url.port || (secure ? 465 : 587)),
    secure,
    // Without it, whoever stands between could make the server offer no TLS, and read the password.
    requireTLS: !secure && !isThisMachine(url.hostname),
    ...(url.username === ''
      ? {}
      : {
          auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
        }),
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 8_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  open = { address, transport: made };
  return made;
}

/** A stable id, so that most mail programs show a mail sent twice only once. */
export function messageId(dedupeKey: string): string {
  const digest = createHash('sha256').update(dedupeKey).digest('hex').slice(0, 32);
  return `<${digest}@${new URL(siteEnv().URL).hostname}>`;
}

/** Sends one e-mail, and records what the mail server answered. Throws when it does not take the mail. */
export async function sendMail(
  { headers, ...mail }: Omit<Mail, 'replyTo'>,
  to: string,
  replyTo: string,
  dedupeKey: string,
): Promise<void> {
  try {
    await transport().sendMail({
      from: mailEnv().MAIL_FROM,
      to: { name: '', address: to },
      replyTo: { name: '', address: replyTo },
      messageId: messageId(dedupeKey),
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
      ...mail,
    });
  } catch (error) {
    await noteRefused(error, to);
    throw error;
  }
  await noteAccepted();
}

/** Connects to the mail server and logs in without sending. Throws on failure. */
export async function signInToMailServer(): Promise<void> {
  await transport().verify();
}

/** While no mail could be handed over, asks the mail server whether it lets the shop in again. */
export async function watchMailServer(): Promise<void> {
  if ((await readOutage()) !== 'connection') return;
  try {
    await signInToMailServer();
  } catch (error) {
    await noteRefused(error, mailEnv().OWNER_EMAIL);
    return;
  }
  await noteLetIn();
}
