import { sameOriginPath } from '#domain/same-origin-path.ts';
import type { AuthMode } from './auth-texts.ts';

/** Where to redirect after signing in: the requested path if it is one of this site other than /auth, else '/'. */
export function readNext(wanted: string | null): string {
  const next = sameOriginPath(wanted);
  return /^\/auth(?:[/?#]|$)/u.test(next) ? '/' : next;
}

const modes: readonly AuthMode[] = ['login', 'signup', 'code', 'forgot', 'reset', 'confirm'];

/** The mode in the URL; login when there is none or an unknown one. */
export function readMode(search: string): AuthMode {
  const wanted = new URLSearchParams(search).get('mode');
  return modes.find((mode) => mode === wanted) ?? 'login';
}

/** The address that every mailed link leads to. The auth service accepts this one alone: no query can be added. */
export function returnAddress(): string {
  return new URL('/auth', window.location.origin).href;
}
