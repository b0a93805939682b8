import { parseSizes, type ProductSize } from '../../domain/catalogue/sizes.ts';
import { stockLevel } from '../../domain/catalogue/product.ts';
import { limitQuantity } from '../site/product-markup.ts';

/** The chips of a product's sizes: `data-sizes` brings them to this moment's, and the chosen one says how many are left of it. */
class SizePicker extends HTMLElement {
  static readonly observedAttributes = ['data-sizes'];

  connectedCallback(): void {
    this.addEventListener('change', () => { this.#showChosen(); });
    // In place of the browser's own words, beside the chips.
    this.addEventListener('invalid', (event) => {
      event.preventDefault();
      this.#note('Please choose your size first.', 'error');
      this.querySelector<HTMLInputElement>('input:enabled')?.focus();
    }, true);
  }

  attributeChangedCallback(_name: string, _old: string | null, text: string | null): void {
    const sizes = parseSizes(JSON.parse(text ?? '[]'));
    const box = this.querySelector('[data-chips]');
    const chips = sizes.map((size) => this.#chipOf(size));
    // In the same order they are left alone: the focus stays.
    if (chips.length !== box?.children.length || chips.some((chip, index) => chip !== box.children[index])) box?.replaceChildren(...chips);
    this.hidden = sizes.length === 0;
    this.#showChosen();
  }

  #chipOf({ size, stock }: ProductSize): HTMLLabelElement {
    const known = this.querySelector<HTMLInputElement>(`input[value="${CSS.escape(size)}"]`);
    const input = known ?? Object.assign(document.createElement('input'), { type: 'radio', name: 'size', required: true, value: size });
    input.dataset['stock'] = String(stock);
    input.disabled = stock === 0;
    if (stock === 0) input.checked = false;
    const label = known?.closest('label') ?? document.createElement('label');
    if (known) return label;
    label.className = 'size';
    label.append(input, Object.assign(document.createElement('span'), { textContent: size }));
    return label;
  }

  #showChosen(): void {
    const root = this.closest<HTMLElement>('[data-product-view]');
    const chosen = this.querySelector<HTMLInputElement>('input:checked');
    if (!root || !chosen) return;
    const stock = Number(chosen.dataset['stock']);
    limitQuantity(root, stock);
    this.#note(stockLevel(stock) === 'low' ? `Only ${String(stock)} left in this size` : '');
  }

  #note(text: string, tone = ''): void {
    const note = this.querySelector<HTMLElement>('[data-note]');
    if (!note) return;
    note.dataset['note'] = tone;
    note.textContent = text;
  }
}

customElements.define('size-picker', SizePicker);
