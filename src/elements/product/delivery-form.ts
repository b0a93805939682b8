import { storedPostalCode } from '../../services/storage/stored-postal-code.ts';

/**
 * `<delivery-form>`: shows when a parcel arrives at a PIN code. The code that knows days and states is
 * loaded when a customer uses the form, or for the PIN code of the last visit when the form comes into view.
 */
class DeliveryForm extends HTMLElement {
  connectedCallback(): void {
    const load = () => import('./delivery-estimate.ts');
    const estimate = (kept?: string) =>
      load().then((code) => {
        code.showEstimate(this, kept);
      });
    this.addEventListener('focusin', () => void load().catch(() => undefined), { once: true });
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      void estimate();
    });
    const pin = storedPostalCode();
    if (pin === '') return;
    new IntersectionObserver(([entry], observer) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      void estimate(pin);
    }).observe(this);
  }
}

customElements.define('delivery-form', DeliveryForm);
