import { newsletterSchema, parseForm } from '#domain/checkout/forms.ts';
import { clearFieldError, showFieldErrors } from '#elements/forms/field-errors.ts';
import { beginForm, postForm } from '#services/forms/post-form.ts';
import { showToast } from '#stores/toasts.ts';
import { textValues } from '#elements/forms/form-fields.ts';

/** Prepares the form in this element, when it is first touched. */
export function begin(box: HTMLElement): void {
  const form = box.querySelector('form');
  if (!form) return;
  beginForm(form);
  form.addEventListener('input', ({ target }) => {
    clearFieldError(target);
  });
}

/** Sends the newsletter form and shows the result. Ignores presses while it is being sent. */
export async function sendNewsletter(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('button');
  if (!button || button.ariaBusy === 'true') return;
  const parsed = parseForm(newsletterSchema, textValues(form));
  showFieldErrors(form, parsed.ok ? {} : parsed.errors);
  if (!parsed.ok) return;
  button.ariaBusy = 'true';
  const answer = await postForm(form, textValues(form));
  button.ariaBusy = null;
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
