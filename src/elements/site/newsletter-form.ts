import { showToast } from '../../stores/toasts.ts';

/** What sends: it comes when somebody begins to fill the form in. */
const sending = () => import('../forms/newsletter-send.ts');

/** Sends the footer's e-mail box without leaving the page. Without scripts it is an ordinary form. */
class NewsletterForm extends HTMLElement {
  connectedCallback(): void {
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
        // Without a connection the code that sends does not come.
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
