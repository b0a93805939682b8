import { showToast } from '../../stores/toasts.ts';

/** Sends the footer's e-mail box without leaving the page. Without scripts it is an ordinary form. */
class NewsletterForm extends HTMLElement {
  readonly #opened = performance.now();

  connectedCallback(): void {
    this.addEventListener('submit', (event) => {
      if (!(event.target instanceof HTMLFormElement)) return;
      event.preventDefault();
      void this.#send(event.target);
    });
  }

  async #send(form: HTMLFormElement): Promise<void> {
    const button = form.querySelector('button');
    if (!button || button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    try {
      const { sendNewsletter } = await import('../forms/newsletter-send.ts');
      await sendNewsletter(form, this.#opened);
    } catch {
      // The code that sends is fetched with the first press; without a connection it does not come.
      showToast('Submission Failed', { description: 'Please try again later.', tone: 'destructive' });
    } finally {
      button.ariaBusy = null;
    }
  }
}

customElements.define('newsletter-form', NewsletterForm);
