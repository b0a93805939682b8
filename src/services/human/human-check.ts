/*
 * The check that a person sends a form: Cloudflare Turnstile. A page has it when its head names a site key (layouts/Base.astro);
 * its code and its script load when somebody first touches a form.
 */

const isOn = (): boolean => document.querySelector('meta[name="turnstile"]') !== null;
const turnstile = () => import('./turnstile.ts');

/**
 * Begins the check of a form as somebody starts to fill it in, so that nobody waits for it later. `place` is where the widget
 * appears, if it asks anything at all; `action` names the form.
 */
export function beginHumanCheck(place: HTMLElement | null, action: string): void {
  if (place === null || !isOn()) return;
  turnstile()
    .then(({ beginCheck }) => beginCheck(place, action))
    // A failure is shown when the form is sent.
    .catch(() => undefined);
}

/**
 * Sends something with a token of the check, or with none where the check is off. A token is good for one request: afterwards the
 * widget makes another. Throws HumanCheckError, with a sentence for the visitor, when there is no token.
 */
export async function withHumanCheck<T>(
  place: HTMLElement | null,
  action: string,
  send: (token: string | undefined) => Promise<T>,
): Promise<T> {
  if (place === null || !isOn()) return send(undefined);
  const { takeToken, renewCheck } = await turnstile();
  const token = await takeToken(place, action);
  try {
    return await send(token);
  } finally {
    renewCheck(place);
  }
}
