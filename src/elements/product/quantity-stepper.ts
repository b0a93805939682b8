/** Minus and plus around a number field, clamped to its `min` and `max` (1 and the stock). */
class QuantityStepper extends HTMLElement {
  connectedCallback(): void {
    const input = this.querySelector('input');
    const [less, more] = this.querySelectorAll('button');
    if (!input || !less || !more) return;
    const add = (step: number) => {
      const max = Number(input.max);
      const value = Math.min(Math.max(Math.floor(Number(input.value) + step) || 1, 1), max);
      input.value = String(value);
      less.disabled = value <= 1;
      more.disabled = value >= max;
    };
    less.onclick = () => {
      add(-1);
    };
    more.onclick = () => {
      add(1);
    };
    input.onchange = () => {
      add(0);
    };
    add(0);
  }
}

customElements.define('quantity-stepper', QuantityStepper);
