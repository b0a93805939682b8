import { spokenSize, stockLevel } from '#domain/catalogue/product.ts';
import { parseSizes, type ProductSize } from '#domain/catalogue/sizes.ts';
import { limitQuantity } from '#elements/site/product-markup.ts';

/** Calls `answer` with the picker around the target of an event. Events are caught as soon as this module is there. */
function onPicker(type: string, answer: (picker: HTMLElement, event: Event) => void): void {
  document.addEventListener(
    type,
    (event) => {
      const { target } = event;
      const picker =
        target instanceof Element ? target.closest<HTMLElement>('[data-size-picker]') : null;
      if (picker) answer(picker, event);
    },
    true,
  );
}
onPicker('change', showChosen);
// Replaces the browser's own message.
onPicker('invalid', (picker, event) => {
  event.preventDefault();
  note(picker, 'Please choose your size first.', 'error');
  picker.querySelector<HTMLInputElement>('input:enabled')?.focus();
});

/**
 * Updates the chips of a product's sizes from `data-sizes`, which the current stock has written. The chosen one says how
 * many are left of it, and Add to Cart without one is answered beside the chips.
 */
export function showSizes(picker: HTMLElement): void {
  const { sizes: text } = picker.dataset;
  if (text !== undefined) {
    const sizes = parseSizes(JSON.parse(text));
    const box = picker.querySelector('[data-chips]');
    const chips = new Set(sizes.map((size) => chipOf(picker, size)));
    for (const chip of box?.querySelectorAll('label') ?? []) if (!chips.has(chip)) chip.remove();
    // Unchanged chips stay in the document, so that the focus and a press in progress survive.
    if ([...chips].some((chip, index) => chip !== box?.children[index]))
      box?.replaceChildren(...chips);
    const none = sizes.length === 0;
    picker.querySelector('fieldset')?.toggleAttribute('hidden', none);
    picker.hidden = none && !picker.dataset['text'];
  }
  showChosen(picker);
}

function chipOf(picker: HTMLElement, { size, stock }: ProductSize): HTMLLabelElement {
  const present = picker.querySelector<HTMLInputElement>(`input[value="${CSS.escape(size)}"]`);
  const input =
    present ??
    Object.assign(document.createElement('input'), {
      type: 'radio',
      name: 'size',
      required: true,
      value: size,
    });
  input.dataset['stock'] = String(stock);
  input.disabled = stock === 0;
  input.ariaLabel = spokenSize({ size, stock });
  if (stock === 0) input.checked = false;
  const label = present?.closest('label') ?? document.createElement('label');
  if (present) return label;
  label.className = 'size';
  label.append(input, Object.assign(document.createElement('span'), { textContent: size }));
  return label;
}

function showChosen(picker: HTMLElement): void {
  const root = picker.closest<HTMLElement>('[data-product-view]');
  const chosen = picker.querySelector<HTMLInputElement>('input:checked');
  if (!root || !chosen) return;
  const stock = Number(chosen.dataset['stock']);
  limitQuantity(root, stock);
  note(picker, stockLevel(stock) === 'low' ? `Only ${String(stock)} left in this size` : '');
}

function note(picker: HTMLElement, text: string, tone = ''): void {
  const line = picker.querySelector<HTMLElement>('[data-note]');
  if (!line) return;
  line.dataset['tone'] = tone;
  line.textContent = text;
}
