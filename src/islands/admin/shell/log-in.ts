import { AdminError } from '../../../services/admin/admin-error.ts';
import { logIn } from '../../../services/admin/session.ts';
import { adminSignIn } from '../../../stores/admin-session.ts';
import { showFlowToast } from '../../../stores/flow-toasts.ts';

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

/** What a refused log-in says to the admin. */
function explainRefusal(error: unknown): string {
  if (!(error instanceof AdminError)) return 'Something went wrong here. Please try again.';
  if (error.status === 401) return 'Wrong password';
  if (error.status === 429)
    return `Too many attempts. Please wait ${minutesText(retryAfter(error.body))}, then try again.`;
  if (error.status === 503 && error.code === 'unreadable')
    return 'The shop’s server cannot be reached. Please try again in a moment.';
  return error.message;
}

/** Logs in with the password (spec sections 2 and 8). Returns null when that succeeds, else why not. */
export async function submitPassword(password: string): Promise<string | null> {
  try {
    await logIn(password);
    showFlowToast('admin-login', 'Welcome', {
      description: 'Logged in as admin.',
      tone: 'success',
    });
    adminSignIn();
    return null;
  } catch (error) {
    const reason = explainRefusal(error);
    showFlowToast('admin-login', 'Auth Failed', {
      description: reason,
      tone: 'destructive',
      durationMs: 6_000,
    });
    return reason;
  }
}
