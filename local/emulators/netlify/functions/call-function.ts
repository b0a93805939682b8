import { setTimeout as wait } from 'node:timers/promises';
import { messageOf, warn } from '#local/shared/log.ts';
import type { FunctionContext } from './function-context.ts';
import { inFunctionLog } from './function-log.ts';
import type { FunctionHandler } from './load-functions.ts';

/** Netlify's limits (docs.netlify.com/build/functions/configuration, "Default values"). */
export const platformLimits = {
  /** Bytes of a buffered request or response. */
  payload: 6 * 1024 * 1024,
  /** Binary requests are Base64-encoded on their way, which takes a third more. */
  binaryPayload: 4.5 * 1024 * 1024,
  synchronousMs: 60_000,
  scheduledMs: 30_000,
} as const;

/** Types that travel as text; everything else is Base64-encoded. */
const textType =
  /^(?:text\/|application\/(?:json|javascript|xml|x-www-form-urlencoded|x-ndjson|graphql)|[\w.-]+\/[\w.-]+\+(?:json|xml))/u;

/** 413 for a body that the platform would not hand to a function; null for any other request. */
export async function refuseLargePayload(request: Request): Promise<Response | null> {
  const isText = textType.test(request.headers.get('content-type') ?? '');
  const limit = isText ? platformLimits.payload : platformLimits.binaryPayload;
  const size = request.body === null ? 0 : (await request.clone().arrayBuffer()).byteLength;
  return size > limit ? new Response('Request Entity Too Large', { status: 413 }) : null;
}

/** The answer to a failed invocation: status 502 and the error, as AWS Lambda reports it. */
function failed(errorType: string, errorMessage: string): Response {
  return Response.json({ errorType, errorMessage, trace: [] }, { status: 502 });
}

export interface Invocation {
  name: string;
  handler: FunctionHandler;
  request: Request;
  made: FunctionContext;
  /** Milliseconds until the platform gives up. */
  limitMs: number;
}

/**
 * Calls a function as the platform does: within its time, its errors answered and never thrown. A function that returns
 * nothing is answered with 204.
 */
export async function callFunction({
  name,
  handler,
  request,
  made,
  limitMs,
}: Invocation): Promise<Response> {
  const timer = new AbortController();
  const tooLate = wait(limitMs, undefined, { signal: timer.signal, ref: false }).then(() =>
    failed(
      'TimeoutError',
      `${new Date().toISOString()} ${made.context.requestId} Task timed out after ${(limitMs / 1000).toFixed(2)} seconds`,
    ),
  );
  tooLate.catch(() => undefined);
  try {
    const work = inFunctionLog(name, made.context, async () =>
      toResponse(await handler(request, made.context)),
    );
    return made.withCookies(await Promise.race([work, tooLate]));
  } catch (error) {
    warn(`The function ${name} threw`, error);
    return failed(error instanceof Error ? error.name : 'Error', messageOf(error));
  } finally {
    timer.abort();
  }
}

/** The response with its body at hand: what exceeds the platform's limit is an error there. */
async function toResponse(value: unknown): Promise<Response> {
  if (value === undefined || value === null) return new Response(null, { status: 204 });
  if (!(value instanceof Response))
    throw new TypeError(
      'Function returned an unsupported value. Accepted types are Response and undefined.',
    );
  if (value.body === null) return value;
  const content = await value.arrayBuffer();
  if (content.byteLength > platformLimits.payload)
    throw new RangeError(
      'Response payload size exceeded maximum allowed payload size (6291556 bytes).',
    );
  return new Response(content, {
    status: value.status,
    statusText: value.statusText,
    headers: value.headers,
  });
}
