import { HttpError } from './http/http-error.ts';

/** Errors whose messages are texts of the shop or of the JavaScript engine. Those of others may quote what people typed. */
const shownMessages = new Set([
  'ConfigurationError',
  'DatabaseError',
  'HttpError',
  'PaymentProviderError',
  'PushRefused',
  'TimeLimitError',
  'RangeError',
  'ReferenceError',
  'TypeError',
]);
const maxLength = 200;

/** ' EAUTH 535': an error's own code, and the one that a mail or push server answered; '' without any. */
function codesOf(value: unknown): string {
  if (!(value instanceof Error)) return '';
  const { code, responseCode } = value as { code?: unknown; responseCode?: unknown };
  return [
    typeof code === 'string' ? ` ${code.slice(0, 40)}` : '',
    typeof responseCode === 'number' ? ` ${String(responseCode)}` : '',
  ].join('');
}

/** An engine's message may have an address in it: what could be one is left out. */
const redact = (message: string): string =>
  message.replaceAll(/\S+:\/\/\S+|\S+@\S+|\d{6,}/gu, '…').slice(0, maxLength);

/** 'netlify/core/mail/outbox.ts:73', the first line of a stack that is of the shop's sources. */
const lineOf = (stack: string): string | undefined =>
  stack
    .split('\n')
    .filter((line) => !line.includes('node_modules'))
    .flatMap((line) => /\/((?:netlify|src)\/[^():]+:\d+)/u.exec(line)?.[1] ?? [])[0];

/**
 * What broke, for the log: the error's class, codes, message and line of the shop's sources, as far as it has them, such as
 * 'DatabaseError PGRST202: note_sweep failed with PGRST202 at netlify/core/platform/database.ts:62'.
 */
export function causeOf(error: unknown): string {
  const cause = error instanceof HttpError && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof Error)) return typeof cause;
  const message = shownMessages.has(cause.name) ? redact(cause.message) : '';
  const line = lineOf(cause.stack ?? '');
  return [
    cause.name,
    codesOf(cause) || codesOf(cause.cause),
    message === '' ? '' : `: ${message}`,
    line === undefined ? '' : ` at ${line}`,
  ].join('');
}
