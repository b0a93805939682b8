import { reportFault } from './report-fault.ts';

/** A request got no whole response: there is no connection, or none came within the time limit. */
export class ConnectionError extends Error {
  /** The time limit passed. */
  readonly isLate: boolean;

  constructor(cause: unknown) {
    super('No response', { cause });
    this.name = 'ConnectionError';
    this.isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
  }
}

const fail = (cause: unknown): never => {
  throw new ConnectionError(cause);
};

/** `fetch`, whose own failure is a ConnectionError: a TypeError of the program is told apart from one of the network. */
export const request = (address: string | URL, init: RequestInit): Promise<Response> =>
  // The arguments are made before, so that a fault in them is none of the connection.
  fetch(address, init).catch(fail);

/** The whole body. Throws ConnectionError when the connection breaks on the way. */
export const readText = (response: Response): Promise<string> => response.text().catch(fail);

const offline = 'Please check your connection and try again.';
const ownFault = 'Something is broken on our side. Please try again in a moment, or write to us.';

/** Why something failed, in a sentence to show; `atOffline` for a fault of the connection. Every other fault is reported. */
export function explainFault(error: unknown, atOffline = offline): string {
  if (error instanceof ConnectionError || !navigator.onLine) return atOffline;
  reportFault(error);
  return ownFault;
}
