import type { Config } from '@netlify/functions';
import { turnOnSchema } from '../../src/domain/admin/second-factor.ts';
import { adminEndpoint } from '../server/auth/admin-endpoint.ts';
import { checkCredentials, requireConfirmed } from '../server/auth/confirm.ts';
import { forgetAttempt, recordAttempt } from '../server/auth/login-throttle.ts';
import {
  offerSecondFactor,
  readSecondFactor,
  replaceRecoveryCodes,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from '../server/auth/second-factor.ts';
import { sendOutboxAfterResponse } from '../server/mail/outbox.ts';
import { json } from '../server/platform/http/http.ts';
import { readJson } from '../server/platform/http/request-body.ts';
import { routeByAction } from '../server/platform/http/route-by-action.ts';

/** GET /api/admin/second-factor: `{since, recoveryLeft}`. */
const show = adminEndpoint({
  route: 'admin/second-factor',
  handlers: { GET: async () => json(await readSecondFactor()) },
});

/** POST /api/admin/second-factor/offer: a new secret for the authenticator app. 409 when a second factor is turned on. */
const offer = adminEndpoint({
  route: 'admin/second-factor/offer',
  handlers: {
    async POST({ session }) {
      requireConfirmed(session);
      return json(await offerSecondFactor());
    },
  },
});

/** POST /api/admin/second-factor/on with `{code}`: turns the offered secret on and ends the other sessions. Returns the recovery codes, once. */
const on = adminEndpoint({
  route: 'admin/second-factor/on',
  handlers: {
    async POST(ctx) {
      requireConfirmed(ctx.session);
      const { code } = await readJson(ctx.request, turnOnSchema);
      const source = await recordAttempt(ctx.request, ctx.context);
      const recoveryCodes = await turnOnSecondFactor(code, ctx.session.id);
      await forgetAttempt(source);
      await sendOutboxAfterResponse(ctx);
      return json({ recoveryCodes });
    },
  },
});

/** POST /api/admin/second-factor/codes with `{password, code}`: new recovery codes. The old ones stop working. */
const codes = adminEndpoint({
  route: 'admin/second-factor/codes',
  handlers: {
    async POST(ctx) {
      const { source, proof } = await checkCredentials(ctx, 403);
      const recoveryCodes = await replaceRecoveryCodes(proof);
      await forgetAttempt(source);
      await sendOutboxAfterResponse(ctx);
      return json({ recoveryCodes });
    },
  },
});

/** POST /api/admin/second-factor/off with `{password, code}`. */
const off = adminEndpoint({
  route: 'admin/second-factor/off',
  handlers: {
    async POST(ctx) {
      const { source, proof } = await checkCredentials(ctx, 403);
      await turnOffSecondFactor(proof);
      await forgetAttempt(source);
      await sendOutboxAfterResponse(ctx);
      return json(await readSecondFactor());
    },
  },
});

export default routeByAction({ offer, on, codes, off }, show);

export const config: Config = {
  path: ['/api/admin/second-factor', '/api/admin/second-factor/:action(offer|on|codes|off)'],
};
