import { showToast } from '#stores/toasts.ts';

/** Loads the code that sends the form when a visitor begins to fill it in. */
const sending = () => import('./newsletter-send.ts');

/** Sends the footer's e-mail box without leaving the page. Without scripts it is an ordinary form. */
class NewsletterForm extends HTMLElement {
  connectedCallback(): void {
    // The browser's own bubbles are for visitors without this script.
    const form = this.querySelector('form');
    if (form) form.noValidate = true;
    this.addEventListener(
      'focusin',
      () => {
        sending().then(
          ({ begin }) => {
            begin(this);
          },
          () => undefined,
        );
      },
      { once: true },
    );
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      sending().then(
        ({ sendNewsletter }) => sendNewsletter(event.target as HTMLFormElement),
        // The code did not load: offline.
        () =>
          showToast('Submission Failed', {
            description: 'Please try again later.',
            tone: 'destructive',
          }),
      );
    });
  }
}

customElements.define('newsletter-form', NewsletterForm);
