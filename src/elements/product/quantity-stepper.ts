/** Minus and plus around a number field, kept between its `min` and `max` (1 and the stock). */
class QuantityStepper extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener('click', (event) => {
      const button =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-step]') : null;
      const input = this.querySelector('input');
      if (!button || !input) return;
      input.value = String((Number(input.value) || 1) + Number(button.dataset['step']));
      this.#clamp(input);
    });
    this.addEventListener('change', (event) => {
      if (event.target instanceof HTMLInputElement) this.#clamp(event.target);
    });
    const input = this.querySelector('input');
    if (input) this.#clamp(input);
  }

  #clamp(input: HTMLInputElement): void {
    const max = Number(input.max);
    const value = Math.min(Math.max(Math.floor(Number(input.value)) || 1, 1), max);
    input.value = String(value);
    const [less, more] = this.querySelectorAll('button');
    if (less) less.disabled = value <= 1;
    if (more) more.disabled = value >= max;
  }
}

customElements.define('quantity-stepper', QuantityStepper);
