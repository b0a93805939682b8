import { storedPostalCode } from '#services/storage/stored-postal-code.ts';

/**
 * `<delivery-form>`: shows when a parcel arrives at a PIN code. The code that knows days and states is
 * loaded when a customer uses the form, or at once for the PIN code of the last visit.
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
    // Its answer stands above Add to Cart too, so it does not wait for the form to come into view.
    const pin = storedPostalCode();
    if (pin !== '') void estimate(pin);
  }
}

customElements.define('delivery-form', DeliveryForm);
