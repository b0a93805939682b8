import SMTPTransport from 'nodemailer/lib/smtp-transport';
import { messageId } from '../../netlify/server/mail/transport.ts';
import type { SimulatedDatabase } from './database.ts';
import { callOut, currentProcess, type Process } from './processes.ts';

/** A mail server in memory, in place of nodemailer's connection: everything up to the finished message is real. */
export interface SimulatedMail {
  /** Who sent each mail, by its dedupe key. */
  sent: Map<string, Process[]>;
  /** Mails that were sent once more although their sender had neither died nor failed. */
  repeated: string[];
  reset: () => void;
  close: () => void;
}

export function openMail(database: SimulatedDatabase): SimulatedMail {
  const sent: SimulatedMail['sent'] = new Map();
  const repeated: string[] = [];
  const receive = async (id: string): Promise<void> => {
    const process = currentProcess();
    if (!process) throw new Error('A mail without a sender');
    const rows = await database.sql<{ key: string; sent: boolean }>(
      'select dedupe_key as key, sent_at is not null as sent from public.outbox',
    );
    const row = rows.find(({ key }) => messageId(key) === id);
    if (!row) throw new Error(`A mail that is not in the outbox: ${id}`);
    const earlier = sent.get(row.key) ?? [];
    if (row.sent || earlier.some(({ isDisturbed }) => !isDisturbed)) repeated.push(row.key);
    sent.set(row.key, [...earlier, process]);
  };
  const { send } = SMTPTransport.prototype;
  SMTPTransport.prototype.send = (message, callback) => {
    const id = message.message.messageId();
    const times = { envelopeTime: 0, messageTime: 0, messageSize: 0 };
    const info = {
      messageId: id,
      envelope: { from: '', to: [] },
      accepted: [],
      rejected: [],
      pending: [],
      response: '250',
      ...times,
    };
    callOut('mail', () => receive(id)).then(
      () => callback(null, info),
      (error: unknown) => callback(error as Error, info),
    );
  };
  return {
    sent,
    repeated,
    reset() {
      sent.clear();
      repeated.length = 0;
    },
    close() {
      SMTPTransport.prototype.send = send;
    },
  };
}
