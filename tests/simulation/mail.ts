import SMTPTransport from 'nodemailer/lib/smtp-transport';
import { messageId } from '#core/mail/transport.ts';
import type { SimulatedDatabase } from './database.ts';
import { callOut, currentProcess, type Process } from './processes.ts';

/** Seconds after which nodemailer gives up a silent server, and the platform a scheduled function. */
const mailTimeLimit = 8;
const platformTimeLimit = 30;

/** A mail server in memory, in place of nodemailer's connection: everything up to the finished message is real. */
export interface SimulatedMail {
  /** The sender of each mail, by its dedupe key. */
  sent: Map<string, Process[]>;
  /** Mails that were sent once more although their sender had neither died nor failed. */
  repeated: string[];
  /** Functions that waited for a hanging mail server longer than the platform lets them run. */
  overdue: string[];
  /** While true the server takes connections and never answers: each mail ends with a time limit. */
  setHanging: (isHanging: boolean) => void;
  reset: () => void;
  close: () => void;
}

export function openMail(database: SimulatedDatabase): SimulatedMail {
  const sent: SimulatedMail['sent'] = new Map();
  const repeated: string[] = [];
  const overdue: string[] = [];
  let isHanging = false;
  /** Returns false when the server hangs until the time limit. */
  const receive = async (id: string): Promise<boolean> => {
    const process = currentProcess();
    if (!process) throw new Error('A mail without a sender');
    if (isHanging) {
      process.isDisturbed = true;
      process.waitedSeconds += mailTimeLimit;
      if (process.waitedSeconds > platformTimeLimit) overdue.push(process.name);
      return false;
    }
    const rows = await database.sql<{ key: string; sent: boolean }>(
      'select dedupe_key as key, sent_at is not null as sent from public.outbox',
    );
    const row = rows.find(({ key }) => messageId(key) === id);
    if (!row) throw new Error(`A mail that is not in the outbox: ${id}`);
    const earlier = sent.get(row.key) ?? [];
    if (row.sent || earlier.some(({ isDisturbed }) => !isDisturbed)) repeated.push(row.key);
    sent.set(row.key, [...earlier, process]);
    return true;
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
    const timeout = (): Error => Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT' });
    callOut('mail', () => receive(id)).then(
      (isTaken) => {
        callback(isTaken ? null : timeout(), info);
      },
      // Whatever else is lost, the sender of a hanging server sees its time limit.
      (error: unknown) => callback(isHanging ? timeout() : (error as Error), info),
    );
  };
  return {
    sent,
    repeated,
    overdue,
    setHanging(next) {
      isHanging = next;
    },
    reset() {
      sent.clear();
      repeated.length = 0;
      overdue.length = 0;
      isHanging = false;
    },
    close() {
      SMTPTransport.prototype.send = send;
    },
  };
}
