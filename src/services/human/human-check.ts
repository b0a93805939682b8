import { humanCheck } from '#features/security-check/human-check.ts';

/**
 * Begins the check of a form as somebody starts to fill it in, so that nobody waits for it later. `place` is where the widget
 * appears, if it asks anything at all; `action` names the form.
 */
export function beginHumanCheck(place: HTMLElement | null, action: string): void {
  if (place !== null) humanCheck.begin(place, action);
}

/**
 * Sends something with a token of the check, or with none where the check is off. A token is good for one request: afterwards the
 * widget makes another. Throws HumanCheckError, with a sentence for the visitor, when there is no token.
 */
export function withHumanCheck<T>(
  place: HTMLElement | null,
  action: string,
  send: (token: string | undefined) => Promise<T>,
): Promise<T> {
  return place === null ? send(undefined) : humanCheck.send(place, action, send);
}
