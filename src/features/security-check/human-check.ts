/*
 * Cloudflare Turnstile. A page has it when its head names a site key (PageHead.astro); its code and its script load when
 * somebody first touches a form.
 */

const isOn = (): boolean => document.querySelector('meta[name="turnstile"]') !== null;
const turnstile = () => import('./turnstile.ts');

/** The check that a person sends a form. `place` is where its widget appears, `action` names the form. */
export const humanCheck = {
  begin(place: HTMLElement, action: string): void {
    if (!isOn()) return;
    turnstile()
      .then(({ beginCheck }) => beginCheck(place, action))
      // A failure is shown when the form is sent.
      .catch(() => undefined);
  },
  /** Sends with a token, or with none where the check is off. Throws HumanCheckError when there is no token. */
  async send<T>(
    place: HTMLElement,
    action: string,
    send: (token: string | undefined) => Promise<T>,
  ): Promise<T> {
    if (!isOn()) return send(undefined);
    const { takeToken, renewCheck } = await turnstile();
    const token = await takeToken(place, action);
    try {
      return await send(token);
    } finally {
      renewCheck(place);
    }
  },
};
