import { secondFactorApi } from '#features/second-factor/domain/second-factor.ts';
import { answer, respond } from '#core/auth/admin-routes.ts';
import { checkCredentials, requireConfirmed } from '#core/auth/confirm.ts';
import { forgetAttempt, recordAttempt } from '#core/auth/login-throttle.ts';
import {
  offerSecondFactor,
  readSecondFactor,
  replaceRecoveryCodes,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from './factor.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';
import { json } from '#core/platform/http/http.ts';

export const routes = [
  answer(secondFactorApi.read, readSecondFactor),
  answer(secondFactorApi.offer, ({ session }) => {
    requireConfirmed(session);
    return offerSecondFactor();
  }),
  answer(secondFactorApi.turnOn, async (ctx) => {
    requireConfirmed(ctx.session);
    const source = await recordAttempt(ctx.request, ctx.context);
    const recoveryCodes = await turnOnSecondFactor(ctx.body.code, ctx.session.id);
    await forgetAttempt(source);
    await sendOutboxAfterResponse(ctx);
    return { recoveryCodes };
  }),
  // These two read the body themselves, because the attempt is counted before the password is checked.
  respond(secondFactorApi.replaceCodes, async (ctx) => {
    const { source, proof } = await checkCredentials(ctx, 403);
    const recoveryCodes = await replaceRecoveryCodes(proof);
    await forgetAttempt(source);
    await sendOutboxAfterResponse(ctx);
    return json({ recoveryCodes });
  }),
  respond(secondFactorApi.turnOff, async (ctx) => {
    const { source, proof } = await checkCredentials(ctx, 403);
    await turnOffSecondFactor(proof);
    await forgetAttempt(source);
    await sendOutboxAfterResponse(ctx);
    return json(await readSecondFactor());
  }),
];
