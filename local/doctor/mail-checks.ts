import { letter } from '#core/mail/mail.ts';
import { sendMail, signInToMailServer } from '#core/mail/transport.ts';
import { ConfigurationError, mailEnv } from '#core/platform/env.ts';
import { type Check, Skipped, valueOf } from './check.ts';

/** The variables of mail. Throws Skipped where another check reports the missing one. */
function configured(): ReturnType<typeof mailEnv> {
  try {
    return mailEnv();
  } catch (error) {
    if (error instanceof ConfigurationError)
      throw new Skipped('the variables of mail are not complete.');
    throw error;
  }
}

/** The protocol's error code without the server's text, which may quote addresses. */
const failureOf = (error: unknown): string => {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (
    [code, responseCode]
      .filter((part) => typeof part === 'string' || typeof part === 'number')
      .join(' ') || 'no answer'
  );
};

export const mailChecks: readonly Check[] = [
  {
    name: 'The mail server lets the shop in',
    async run() {
      configured();
      try {
        await signInToMailServer();
        return null;
      } catch (error) {
        return `It does not: ${failureOf(error)}.`;
      }
    },
    fix: 'EDNS: the host of SMTP_URL is mistyped, or this machine finds no names. ECONNECTION, ETIMEDOUT: host or port of SMTP_URL. EAUTH 535: user or password; many providers want an app password. ESOCKET: smtps:// is for port 465, smtp:// for 587.',
  },
  {
    name: 'The mail server takes a mail to the owner',
    async run(target) {
      if (!target.sendMail) throw new Skipped('it sends one mail: give --send-mail.');
      const { OWNER_EMAIL: owner } = configured();
      const sentence =
        'The shop can send mail to you. Look whether this one arrived in the inbox, and not in the spam folder.';
      const mail = letter({
        subject: 'The shop can send mail',
        title: 'The shop can send mail',
        parts: [sentence],
      });
      try {
        await sendMail(mail, owner, owner, `doctor:${crypto.randomUUID()}`);
        return null;
      } catch (error) {
        return `It refuses: ${failureOf(error)}.`;
      }
    },
    fix: 'EENVELOPE 550, 553: the provider does not let you send from MAIL_FROM; verify its domain there. If the mail lands in the spam folder, publish the provider’s SPF, DKIM and DMARC records at your domain.',
  },
  {
    name: 'Mail comes from the shop’s own domain',
    run(target) {
      if (target.context !== 'production') return null;
      const domain = /@([^\s>]+)/u.exec(valueOf(target, 'MAIL_FROM'))?.[1]?.toLowerCase() ?? '';
      if (/(?:^|\.)example(?:\.(?:com|net|org))?$/u.test(domain))
        return `MAIL_FROM is at ${domain}, which is nobody’s: it stands in examples.`;
      return /^(?:gmail|yahoo|outlook|hotmail|rediffmail)\./u.test(domain)
        ? `MAIL_FROM is at ${domain}: other mail servers refuse shops that send from there.`
        : null;
    },
    fix: 'Send from an address at your own domain, with the SPF, DKIM and DMARC records that your mail provider names.',
  },
];
