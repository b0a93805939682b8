import { fillDelay } from '../../domain/checkout/public-form.ts';
import { postForm } from '../../services/forms/post-form.ts';
import { showToast } from '../../stores/toasts.ts';

/** Sends the newsletter's form, which was opened at `openedAt` (of `performance.now`), and says how it went. */
export async function sendNewsletter(form: HTMLFormElement, openedAt: number): Promise<void> {
  // A form sent at once counts as a robot's: a quick person waits a moment instead.
  await new Promise((resolve) => setTimeout(resolve, fillDelay(performance.now() - openedAt)));
  const values: Record<string, string | number> = { elapsed_ms: Math.round(performance.now() - openedAt) };
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value;
  const answer = await postForm('/api/newsletter', values);
  if (!answer.ok) {
    showToast('Submission Failed', { description: answer.message, tone: 'destructive' });
    return;
  }
  form.reset();
  showToast('Please check your e-mail', {
    description: 'The newsletter begins when you confirm it with the link we sent you.',
    tone: 'success',
  });
}
