import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** One e-mail as it came over SMTP. Header names in lower case. */
export interface ReceivedMail {
  to: string[];
  headers: Readonly<Record<string, string>>;
  raw: string;
}

/** The step of SMTP at which a server refuses. 'DATA' is the end of the message. */
export type SmtpStep = 'AUTH' | 'MAIL FROM' | 'RCPT TO' | 'DATA';

export interface MailServer {
  url: string;
  mails: ReceivedMail[];
  /** While true the server refuses every message with a passing error; with a step and an address everything, or that address alone, for good. */
  setRefusing: (refusing: boolean | SmtpStep, address?: string) => void;
  /** Takes messages without answering until `release` is called. `received` resolves with the first one. */
  hold: () => { received: Promise<void>; release: () => void };
  /** Forgets all mails, refuses none. */
  reset: () => void;
  close: () => Promise<void>;
}

function headersOf(raw: string): Record<string, string> {
  const head = (raw.split(/\r\n\r\n/u, 1)[0] ?? '').replaceAll(/\r\n[\t ]+/gu, ' ');
  return Object.fromEntries(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** A real SMTP server on a free port that keeps what it is sent. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refused: boolean | SmtpStep = false;
  let refusedAddress: string | undefined;
  const refuses = (step: SmtpStep, address?: string): Error | null =>
    refused === step && (refusedAddress === undefined || refusedAddress === address)
      ? Object.assign(new Error('Refused'), { responseCode: step === 'AUTH' ? 535 : 550 })
      : null;
  /** Called with what answers a message. */
  let answer = (now: () => void): void => {
    now();
  };
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username }, _session, done) {
      const refusal = refuses('AUTH');
      if (refusal) done(refusal);
      else done(null, { user: username });
    },
    onMailFrom: (_address, _session, done) => {
      done(refuses('MAIL FROM'));
    },
    onRcptTo: ({ address }, _session, done) => {
      done(refuses('RCPT TO', address));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refusal =
          refused === true
            ? Object.assign(new Error('Try again later'), { responseCode: 451 })
            : refuses('DATA', session.envelope.rcptTo[0]?.address);
        if (refusal) {
          done(refusal);
          return;
        }
        const raw = Buffer.concat(chunks).toString('utf8');
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          headers: headersOf(raw),
          raw,
        });
        answer(done);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${String(port)}`,
    mails,
    setRefusing(refusing, address) {
      refused = refusing;
      refusedAddress = address;
    },
    hold() {
      const received = Promise.withResolvers<undefined>();
      const released = Promise.withResolvers<undefined>();
      answer = (now) => {
        received.resolve(undefined);
        void released.promise.then(now);
      };
      return {
        received: received.promise,
        release() {
          answer = (now) => {
            now();
          };
          released.resolve(undefined);
        },
      };
    },
    reset() {
      refused = false;
      refusedAddress = undefined;
      mails.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** Subjects with a dash arrive as an encoded word. */
export function decodeSubject(subject: string): string {
  return subject
    .replaceAll(/\?=\s+=\?/gu, '?==?')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/giu, (_, text: string) =>
      decodeURIComponent(
        text
          .replaceAll('_', ' ')
          .replaceAll('%', '%25')
          .replaceAll(/=([0-9A-F]{2})/gu, '%$1'),
      ),
    );
}
