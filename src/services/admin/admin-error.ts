import { ConnectionError, explainFault } from '#services/connection.ts';
import * as v from '#domain/validate.ts';

const offlineMessage = 'You are offline. Nothing is lost; try again when the connection is back.';
const timeoutMessage = 'The shop did not answer in time. Nothing is lost; try again.';
export const unreadableMessage =
  'The shop’s answer could not be read. Nothing is lost; try again in a moment.';

/** Why a request of the admin page failed. `message` may be shown as it is. */
export class AdminError extends Error {
  /** The HTTP status; 0 when there was no response. */
  readonly status: number;
  /** The server's code, or 'offline', 'timeout', 'unreadable', 'stopped', 'broken'. */
  readonly code: string;
  /** Messages by field. */
  readonly fields: Readonly<Record<string, string>>;
  /** The whole response, for what only one caller knows (a conflict's `current`, `retry_after`). */
  readonly body: unknown;

  constructor(
    message: string,
    status: number,
    code: string,
    fields: Readonly<Record<string, string>> = {},
    body: unknown = null,
  ) {
    super(message);
    this.name = 'AdminError';
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.body = body;
  }
}

const stringRecord: v.Validator<Record<string, string>> = (value) =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
const parseRefusal = v.object({ message: v.string, error: v.string, fields: stringRecord });

/** The failure that a response describes. */
export function refusal(status: number, body: unknown): AdminError {
  try {
    const { message, error, fields } = parseRefusal(body);
    return new AdminError(message, status, error, fields, body);
  } catch {
    return new AdminError(unreadableMessage, status, 'unreadable', {}, body);
  }
}

/** The failure of a request that got no response, or that the page could not make. */
export function noAnswer(error: unknown, stopped = false): AdminError {
  if (stopped) return new AdminError('Stopped.', 0, 'stopped');
  if (error instanceof ConnectionError && error.isLate)
    return new AdminError(timeoutMessage, 0, 'timeout');
  const message = explainFault(error, offlineMessage);
  return new AdminError(message, 0, message === offlineMessage ? 'offline' : 'broken');
}
