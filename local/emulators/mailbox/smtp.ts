import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { warn } from '#local/shared/log.ts';
import type { MailStore, NewMail } from './mail-store.ts';

export interface SmtpListener {
  port: number;
  close: () => Promise<void>;
}

const maxMailBytes = 10 * 1024 * 1024;

/** Receives mail over SMTP on a free loopback port and stores it. Never forwards it. */
export async function listenForMail(store: MailStore): Promise<SmtpListener> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: maxMailBytes,
    logger: false,
    closeTimeout: 500,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', () => undefined);
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        readMail(Buffer.concat(chunks), to)
          .then((mail) => store.add(mail))
          .then(() => {
            done();
          }, done);
      });
    },
  });
  server.on('error', (error) => {
    warn('The mailbox reports an error', error);
  });
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('The mailbox has no port');
  return {
    port: address.port,
    close: async () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** Parses a mail received over SMTP into what the mailbox shows. */
async function readMail(raw: Buffer, to: string[]): Promise<NewMail> {
  const { from, subject = '', text = '', html = null } = await PostalMime.parse(raw);
  const sender =
    from?.address === undefined
      ? ''
      : from.name === ''
        ? from.address
        : `${from.name} <${from.address}>`;
  return { to, from: sender, subject, text, html };
}
