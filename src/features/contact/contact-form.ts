import { shop } from '#settings/shop.ts';
import { dismissToast, showToast } from '#stores/toasts.ts';
import { clearFieldError, showFieldErrors } from '#elements/forms/field-errors.ts';
import { textValues } from '#elements/forms/form-fields.ts';

const minSendingMs = 1_000;
const missing = 'Please fill in all required fields';

/** Loads the code that checks and sends the form when a visitor begins to fill it in. */
async function formCode(form: HTMLFormElement) {
  const [rules, sending] = await Promise.all([
    import('#domain/checkout/forms.ts'),
    import('#services/forms/post-form.ts'),
  ]);
  sending.beginForm(form);
  return { ...rules, ...sending };
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `<contact-form>` around the form of the contact page: checks and sends it and shows the result. */
class ContactForm extends HTMLElement {
  /** The toast of the last attempt; it is removed before the next attempt shows its own. */
  #problem = 0;

  connectedCallback(): void {
    const form = this.querySelector('form');
    if (form === null) return;
    // The browser's own bubbles are for visitors without this script.
    form.noValidate = true;
    form.addEventListener(
      'focusin',
      () => {
        formCode(form).catch(() => undefined);
      },
      { once: true },
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit(form);
    });
    form.addEventListener('input', ({ target }) => {
      clearFieldError(target);
    });
  }

  async #submit(form: HTMLFormElement): Promise<void> {
    const button = form.querySelector('button');
    if (button === null || button.ariaBusy === 'true') return;
    dismissToast(this.#problem);
    const code = await formCode(form).catch(() => null);
    if (code === null) {
      this.#showMessage('Please check your connection and reload the page.');
      return;
    }
    const { contactSchema, missingContact, parseForm } = code;
    const values = textValues(form);
    const parsed = parseForm(contactSchema, values);
    if (!parsed.ok) {
      const sentences: readonly string[] = Object.values(missingContact);
      const blank = Object.values(parsed.errors).some((error) => sentences.includes(error));
      showFieldErrors(form, parsed.errors);
      this.#problem = showToast(blank ? missing : 'Please correct the highlighted fields.', {
        tone: 'destructive',
      });
      return;
    }
    const label = button.textContent;
    button.ariaBusy = 'true';
    button.textContent = 'Sending...';
    try {
      await this.#send(form, values, code);
    } finally {
      button.ariaBusy = null;
      button.textContent = label;
    }
  }

  async #send(
    form: HTMLFormElement,
    values: Record<string, string>,
    { postForm }: Awaited<ReturnType<typeof formCode>>,
  ): Promise<void> {
    const [answer] = await Promise.all([postForm(form, values), wait(minSendingMs)]);
    if (answer.ok) {
      form.reset();
      showToast('Message sent successfully!', {
        description: `Thank you for contacting us. We'll get back to you within ${this.dataset['answersWithin'] ?? ''}.`,
        tone: 'success',
        durationMs: shop.toastMs.contact,
      });
      return;
    }
    showFieldErrors(form, answer.fields);
    this.#showMessage(answer.message);
  }

  /** Shows why the form was not sent. Keeps what was typed. */
  #showMessage(description: string): void {
    this.#problem = showToast('Message not sent', {
      description,
      tone: 'destructive',
      durationMs: 8_000,
    });
  }
}

customElements.define('contact-form', ContactForm);
