import { stockAlertNextStep } from './domain/next-step.ts';
import { parseForm, stockAlertSchema } from '#domain/checkout/forms.ts';
import { clearFieldError, showFieldErrors } from '#elements/forms/field-errors.ts';
import { readStoredToken } from '#services/storage/stored-session.ts';
import { beginForm, postForm } from '#services/forms/post-form.ts';
import { showToast } from '#stores/toasts.ts';
import { textValues } from '#elements/forms/form-fields.ts';

const known = new WeakSet<HTMLElement>();

/** Brings the form to what is sold out now: the product, or `missing` sizes of it. */
export function showStockAlert(box: HTMLElement, missing: readonly string[]): void {
  if (!known.has(box)) {
    known.add(box);
    const form = box.querySelector('form');
    // Opening the box is the first touch.
    if (form) {
      beginForm(form);
      // The browser's own bubbles are for visitors without this script.
      form.noValidate = true;
      form.addEventListener('input', ({ target }) => {
        clearFieldError(target);
      });
    }
    box.addEventListener('submit', (event) => {
      event.preventDefault();
      if (event.target instanceof HTMLFormElement) void send(event.target, box);
    });
  }
  const select = box.querySelector('select');
  const part = box.querySelector<HTMLElement>('[data-alert-size]');
  if (!select || !part) return;
  part.hidden = missing.length === 0;
  select.disabled = part.hidden;
  if (missing.join('|') !== [...select.options].map(({ value }) => value).join('|'))
    select.replaceChildren(...missing.map((size) => new Option(size, size)));
}

async function send(form: HTMLFormElement, box: HTMLElement): Promise<void> {
  const button = form.querySelector('button');
  if (!button || button.ariaBusy === 'true') return;
  const parsed = parseForm(stockAlertSchema, textValues(form));
  showFieldErrors(form, parsed.ok ? {} : parsed.errors);
  if (!parsed.ok) return;
  button.ariaBusy = 'true';
  const answer = await postForm(form, textValues(form), readStoredToken());
  button.ariaBusy = null;
  if (!answer.ok) {
    showToast('Submission Failed', { description: answer.message, tone: 'destructive' });
    return;
  }
  const email = form.querySelector<HTMLInputElement>('[name=email]')?.value ?? '';
  const line = box.querySelector<HTMLElement>('[data-alert-answer]');
  if (line === null) return;
  form.hidden = true;
  line.textContent = `We will write to ${email}. ${stockAlertNextStep}`;
  // The button that had the focus is gone.
  line.tabIndex = -1;
  line.focus();
}
