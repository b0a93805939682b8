import type { HumanCheck } from '../../services/human/human-check.ts';

/*
 * Cloudflare Turnstile. A page has it when its head names a site key (PageHead.astro); its code and its script load when
 * somebody first touches a form.
 */

const isOn = (): boolean => document.querySelector('meta[name="turnstile"]') !== null;
const turnstile = () => import('./turnstile.ts');

export const humanCheck: HumanCheck = {
  begin(place, action) {
    if (!isOn()) return;
    turnstile()
      .then(({ beginCheck }) => beginCheck(place, action))
      // A failure is shown when the form is sent.
      .catch(() => undefined);
  },
  async send(place, action, send) {
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
