import { codeLifetimeMs } from '#domain/account/mailed-code.ts';
import * as v from '#domain/validate.ts';
import { storedJson } from './stored-json.ts';

/** A code that this tab waits for. */
export interface AwaitedCode {
  /** The form that requested the mail: sign-up, a new password, or a login by code. */
  mode: 'signup' | 'forgot' | 'code';
  email: string;
  /** Ms since 1970. */
  sentAt: number;
  /** Supabase's type of the code: `signup` in the first mail of a new account, `recovery` in every later one. */
  type: 'signup' | 'recovery';
}

const modes: Readonly<Record<string, AwaitedCode['mode']>> = {
  signup: 'signup',
  forgot: 'forgot',
  code: 'code',
};

const stored = storedJson(
  'session',
  'kasavu:awaited-code',
  v.object({
    mode: v.nonEmptyString,
    email: v.nonEmptyString,
    sentAt: v.number,
    type: v.nonEmptyString,
  }),
);

/** Stores the awaited code for this tab: phones reload a tab whose customer has been in the mail program. */
export function storeAwaitedCode(awaited: AwaitedCode): void {
  stored.write(awaited);
}

/** The code that this tab waits for; null when there is none or it has expired. */
export function readAwaitedCode(): AwaitedCode | null {
  const found = stored.read();
  const mode = modes[found?.mode ?? ''];
  if (!found || !mode || found.sentAt + codeLifetimeMs < Date.now()) return null;
  return { ...found, mode, type: found.type === 'signup' ? 'signup' : 'recovery' };
}

export function forgetAwaitedCode(): void {
  stored.forget();
}
