import { isShown } from '#domain/shown-error.ts';
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

/**
 * Throws for what supabase-js answers instead of data: ConnectionError for status 0, by which it tells that `fetch` failed, else an Error
 * with the server's message (spec section 8).
 */
export function throwAnswer(
  { message }: { message: string },
  status: number,
  otherwise: string,
): never {
  throw status === 0 ? new ConnectionError(message) : new Error(message || otherwise);
}

/** The whole body. Throws ConnectionError when the connection breaks on the way. */
export const readText = (response: Response): Promise<string> => response.text().catch(fail);

/** Errors of imports whose file did not arrive. `renewed-shop.ts` looks whether a deploy took it away; else it is the connection. */
const missingFiles = new WeakSet<Error>();
if (typeof window !== 'undefined')
  window.addEventListener('vite:preloadError', (event: Event) => {
    if ('payload' in event && event.payload instanceof Error) missingFiles.add(event.payload);
  });

const isOfConnection = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof Error && missingFiles.has(error)) ||
  !navigator.onLine;

/** The body as JSON; null for what is none, such as the page of a proxy. Throws ConnectionError when the connection breaks on the way. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await readText(response);
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const offline = 'Please check your connection and try again.';
/** The sentence for an answer that nobody foresaw. */
export const ownFault =
  'Something is broken on our side. Please try again in a moment, or write to us.';

/** Why something failed, in a sentence to show; `atOffline` for a fault of the connection. Every other fault is reported. */
export function explainFault(error: unknown, atOffline = offline): string {
  if (isOfConnection(error)) return atOffline;
  reportFault(error);
  return ownFault;
}

/** Returns the message of an error that the shop wrote for customers, and explains any other as `explainFault` does. */
export const reasonOf = (error: unknown): string =>
  isShown(error)
    ? error.message
    : explainFault(error, 'Please check your connection and reload the page.');
