import { showToast } from '#stores/toasts.ts';

/** Copies a text; a toast shows that, or that the browser refused. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(done, { tone: 'success' });
  } catch {
    showToast('Not copied', {
      description: 'This browser does not allow it. Select the text and copy it.',
      tone: 'destructive',
    });
  }
}
