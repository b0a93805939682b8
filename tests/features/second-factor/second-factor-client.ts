import { TOTP } from 'otpauth';
import type { Answer, Stack } from '#tests/functions/support/stack.ts';
import { adminPassword, askAs, type AdminClient } from '#tests/functions/admin/admin-client.ts';

/** The authenticator app: the code of a secret, so many steps of 30 s from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: Date.now() + steps * 30_000,
  });

/** A code that no step near now has. */
export function wrongCodeOf(secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)));
  let code = 0;
  while (near.has(String(code).padStart(6, '0'))) code += 1;
  return String(code).padStart(6, '0');
}

/** Lets a code of this moment work again, as 30 seconds later. */
export const nextStep = (stack: Stack): Promise<unknown> =>
  stack.sql('update public.admin_second_factor set last_step = 0 where id');

export const askFactor = (
  admin: AdminClient,
  method: 'GET' | 'POST',
  action = '',
  body?: unknown,
): Promise<Answer> =>
  admin.ask(method, `/api/admin/second-factor${action === '' ? '' : `/${action}`}`, body);

/** Sets a second factor up as the page does. Its code of this moment still works. */
export async function turnOnFactor(
  stack: Stack,
  admin: AdminClient,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const offered = await askFactor(admin, 'POST', 'offer');
  const secret = String(offered.json['secret']);
  const on = await askFactor(admin, 'POST', 'on', { code: codeOf(secret) });
  if (on.status !== 200) throw new Error(`Not turned on: ${on.text}`);
  await nextStep(stack);
  return { secret, recoveryCodes: on.json['recoveryCodes'] as string[] };
}

/** A login with what is typed; with the right password by default. */
export const tryLogin = (stack: Stack, body: Record<string, unknown>): Promise<Answer> =>
  askAs(stack, null)('POST', '/api/admin/login', { password: adminPassword, ...body });
