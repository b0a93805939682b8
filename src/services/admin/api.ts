import type * as z from 'zod/mini';
import { fillPath, type Endpoint } from '#domain/admin/endpoint.ts';
import { AdminError, noAnswer, refusal, unreadableMessage } from './admin-error.ts';
import { readText, request } from '#services/connection.ts';
import { timeLimit } from '#services/time-limit.ts';

/*
 * Every request of the admin page. Schemas come with the caller, so that the login form, which needs none, does not
 * carry zod.
 */

/** Called when a session has ended: `logins` counts the log-ins of this page, `renew` waits for the next one. */
export interface SessionRenewal {
  logins: () => number;
  /** True when the request may be tried again, false when the admin logged out instead. */
  renew: (loginsWhenAsked: number) => Promise<boolean>;
}
let renewal: SessionRenewal | null = null;

/** Sets what renews an ended session. Without it an ended session is an ordinary failure. */
export function setSessionRenewal(by: SessionRenewal): void {
  renewal = by;
}

let askAgain: ((codeNeeded: boolean) => Promise<boolean>) | null = null;

/** Sets what asks for the password again. It resolves to true after the server accepted it, to false when the admin closed it. */
export function setConfirmation(ask: (codeNeeded: boolean) => Promise<boolean>): void {
  askAgain = ask;
}

const needsCode = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'code_needed' in body && body.code_needed === true;

let afterChange: (() => void) | null = null;

/** Sets what is to happen after each request that changed something; null for nothing. */
export function setAfterChange(by: (() => void) | null): void {
  afterChange = by;
}

/**
 * Runs a request; when the session has ended, waits until the admin has logged in again and runs it once more, so
 * that one press is enough. `attempt` throws an AdminError with status 401 for an ended session. In the same way it asks for
 * the password again when the server refuses with 'confirm_again'.
 */
export async function withSession<T>(attempt: () => Promise<T>): Promise<T> {
  const logins = renewal?.logins() ?? 0;
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof AdminError)) throw error;
    if (error.code === 'confirm_again' && askAgain) {
      if (await askAgain(needsCode(error.body))) return withSession(attempt);
      throw new AdminError('It needs your password.', 403, 'not_confirmed');
    }
    if (!renewal || error.status !== 401) throw error;
    if (!(await renewal.renew(logins))) throw error;
    return withSession(attempt);
  }
}

interface AdminRequest {
  method: string;
  /** Sent as JSON when given. */
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** One request and its JSON, an ended session being an ordinary failure (log-in itself). Throws AdminError. */
export async function requestJson(
  path: string,
  { method, body, signal }: AdminRequest,
): Promise<unknown> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  // A file of two megabytes takes a minute on a slow uplink.
  const limit = 30_000 + Math.ceil((sent?.length ?? 0) / 30);
  const controller = new AbortController();
  const giveUp = (): void => {
    controller.abort(signal?.reason);
  };
  if (signal?.aborted === true) giveUp();
  signal?.addEventListener('abort', giveUp);
  try {
    const answer = await request(path, {
      method,
      credentials: 'same-origin',
      ...(sent === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: sent }),
      signal: timeLimit(limit, controller),
    });
    const json = parseJson(await readText(answer));
    if (!answer.ok) throw refusal(answer.status, json);
    return json;
  } catch (error) {
    throw error instanceof AdminError ? error : noAnswer(error, signal?.aborted);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function parse<T>(schema: z.ZodMiniType<T>, json: unknown): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  console.warn('An answer could not be read', parsed.error);
  throw new AdminError(unreadableMessage, 200, 'unreadable', {}, json);
}

interface CallOptions {
  /** The values of the path's parameters. */
  params?: Readonly<Record<string, string | number>>;
  query?: string | Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** The page asks by itself and not for the admin: nothing that Today counts is changed. */
  isByItself?: boolean;
}

/** The arguments of a call: `body` is needed by an endpoint that has one. */
type CallArguments<Body extends z.ZodMiniType> = [Body] extends [never]
  ? [options?: CallOptions]
  : [options: CallOptions & { body: z.input<Body> }];

/** The address of an endpoint with these values in its path and query. */
export function addressOf(path: string, { params, query = '' }: CallOptions): string {
  const search = new URLSearchParams(query).toString();
  return `${fillPath(path, params)}${search === '' ? '' : `?${search}`}`;
}

/**
 * Calls an endpoint of the admin page and parses its answer, e.g.
 * `callAdmin(ordersApi.refund, { params: { id: 1001 }, body })`. Throws AdminError.
 */
export async function callAdmin<
  Body extends z.ZodMiniType,
  Answer extends z.ZodMiniType,
  Conflict extends z.ZodMiniType,
>(
  { method, path, answer }: Endpoint<Body, Answer, Conflict>,
  ...[options = {}]: CallArguments<Body>
): Promise<z.output<Answer>> {
  const { signal } = options;
  const sent = { method, signal, ...('body' in options ? { body: options.body } : {}) };
  try {
    const json = await withSession(() => requestJson(addressOf(path, options), sent));
    return parse(answer as z.ZodMiniType<z.output<Answer>>, json);
  } finally {
    // It runs after a failure, too: the change may have been made before the connection broke.
    if (method !== 'GET' && options.isByItself !== true) afterChange?.();
  }
}

/** What a refusal with 409 says about the present state, as the endpoint defines it; null for another failure. */
export function readConflict<Conflict extends z.ZodMiniType>(
  { conflict }: Pick<Endpoint<z.ZodMiniType, z.ZodMiniType, Conflict>, 'conflict'>,
  error: unknown,
): z.output<Conflict> | null {
  if (conflict === null || !(error instanceof AdminError) || error.status !== 409) return null;
  const parsed = conflict.safeParse(error.body);
  return parsed.success ? parsed.data : null;
}
