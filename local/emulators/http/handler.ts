/** Returns the response to a request; `undefined` leaves it to the next handler. */
export type Handler = (request: Request) => Promise<Response | undefined> | Response | undefined;

/** Responses that are never sent: the connection is cut instead, as when a provider's reply is lost. */
const dropped = new WeakSet<Response>();

/** Marks a response as lost: the work is done, but the connection is cut. */
export function dropAnswer(response: Response): Response {
  dropped.add(response);
  return response;
}

export const isDropped = (response: Response): boolean => dropped.has(response);

/** A JSON response that is not cached. */
export function json(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: { 'cache-control': 'no-store' } });
}
