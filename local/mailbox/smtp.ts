import { SMTPServer } from 'smtp-server';
import { warn } from '../stack/log.ts';
import type { MailStore } from './mail-store.ts';
import { parseMail } from './parse-mail.ts';

export interface SmtpListener {
  port: number;
  close: () => Promise<void>;
}

const largestMail = 10 * 1024 * 1024;

/** Takes mail over SMTP on a free loopback port and keeps it. Nothing is ever sent on. */
export async function listenForMail(store: MailStore): Promise<SmtpListener> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: largestMail,
    logger: false,
    closeTimeout: 500,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', () => undefined);
      stream.on('end', () => {
        const mail = parseMail(Buffer.concat(chunks));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        store.add({ ...mail, to }).then(() => { done(); }, done);
      });
    },
  });
  server.on('error', (error) => { warn('The mailbox reports an error', error); });
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('The mailbox has no port');
  return {
    port: address.port,
    close: async () => new Promise((resolve) => { server.close(() => { resolve(); }); }),
  };
}
