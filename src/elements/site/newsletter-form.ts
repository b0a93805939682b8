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
      await this.#post(form);
    } catch {
      // The code that sends is fetched with the first press; without a connection it does not come.
      showToast('Submission Failed', { description: 'Please try again later.', tone: 'destructive' });
    } finally {
      button.ariaBusy = null;
    }
  }

  async #post(form: HTMLFormElement): Promise<void> {
    const [{ postForm }, { fillDelay }] = await Promise.all([
      import('../../services/forms/post-form.ts'),
      import('../../domain/checkout/public-form.ts'),
    ]);
    // A form sent at once counts as a robot's: a quick person waits a moment instead.
    await new Promise((resolve) => setTimeout(resolve, fillDelay(performance.now() - this.#opened)));
    const values: Record<string, string | number> = { elapsed_ms: Math.round(performance.now() - this.#opened) };
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
}

customElements.define('newsletter-form', NewsletterForm);
