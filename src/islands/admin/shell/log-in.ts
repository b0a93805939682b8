import { AdminError } from '#services/admin/admin-error.ts';
import { logIn, type Credentials } from '#services/admin/session.ts';
import { adminSignIn } from '#stores/admin-session.ts';
import { showFlowToast } from '#stores/flow-toasts.ts';

/** '12 minutes', from seconds; at least one. */
function minutesText(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes === 1 ? '1 minute' : `${String(minutes)} minutes`;
}

function retryAfter(body: unknown): number {
  const seconds =
    typeof body === 'object' && body !== null && 'retry_after' in body ? body.retry_after : null;
  return typeof seconds === 'number' ? seconds : 15 * 60;
}

/** The admin's message about a refused log-in. */
function explainRefusal(error: unknown): string {
  if (!(error instanceof AdminError)) return 'Something went wrong here. Please try again.';
  if (error.code === 'wrong_code') return error.message;
  if (error.status === 401) return 'Wrong password';
  if (error.status === 429)
    return `Too many attempts. Please wait ${minutesText(retryAfter(error.body))}, then try again.`;
  if (error.status === 503 && error.code === 'unreadable')
    return 'The shop’s server cannot be reached. Please try again in a moment.';
  return error.message;
}

/** Why a log-in did not succeed: the field that is wrong, and the message; none when only the code is missing. */
interface LoginRefusal {
  field: 'password' | 'code';
  reason: string | null;
}

/** Logs in with the password (spec sections 2 and 8), and the code of a second factor. Returns null when that succeeds. */
export async function submitLogin(credentials: Credentials): Promise<LoginRefusal | null> {
  try {
    await logIn(credentials);
    showFlowToast('admin-login', 'Welcome', {
      description: 'Logged in as admin.',
      tone: 'success',
    });
    adminSignIn();
    return null;
  } catch (error) {
    const code = error instanceof AdminError ? error.code : '';
    if (code === 'code_required') return { field: 'code', reason: null };
    const reason = explainRefusal(error);
    showFlowToast('admin-login', 'Auth Failed', {
      description: reason,
      tone: 'destructive',
      durationMs: 6_000,
    });
    // In the second step the password field is not on screen.
    const field = credentials.code === undefined || code === 'wrong_password' ? 'password' : 'code';
    return { field, reason };
  }
}
