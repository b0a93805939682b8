import { priceRanges, type FacetName } from '../../domain/catalogue/facets.ts';
import { groupDigits } from '../../domain/money.ts';

interface Summary {
  shown: number;
  total: number;
  /** The search that was made instead of the one asked for. */
  corrected: string | null;
  /** Whether descriptions are still to be searched. */
  searching: boolean;
  chosen: readonly (readonly [name: FacetName, value: string])[];
}

/** Writes a text, if it is another: what is live is then read out once. */
function write(element: HTMLElement | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Says how many products there are, what was searched for, and which filters are chosen. */
export function drawSummary(
  host: HTMLElement,
  { shown, total, corrected, searching, chosen }: Summary,
): void {
  const find = (name: string): HTMLElement | null => host.querySelector(`[data-${name}]`);
  write(find('count'), `Showing ${groupDigits(shown)} of ${groupDigits(total)} products`);
  const note = find('note');
  write(
    note,
    corrected === null
      ? searching && shown === 0
        ? 'Searching the descriptions …'
        : ''
      : `Showing results for “${corrected}”.`,
  );
  if (note) note.hidden = note.textContent === '';
  const empty = find('empty');
  if (empty) empty.hidden = shown > 0 || searching;
  write(find('show-results'), `Show ${groupDigits(shown)} ${shown === 1 ? 'product' : 'products'}`);
  const filter = host.querySelector<HTMLElement>('[data-action="filter"]');
  if (filter) {
    const label = chosen.length === 0 ? 'Filter' : `Filter (${String(chosen.length)})`;
    write(filter.querySelector('span'), label);
    filter.ariaLabel = label;
  }
  const list = find('chosen');
  if (!list) return;
  list.hidden = chosen.length === 0;
  const key = JSON.stringify(chosen);
  if (list.dataset['key'] === key) return;
  list.dataset['key'] = key;
  list.replaceChildren(...chosen.map(([name, value]) => drawChosen(name, value)));
}

function drawChosen(name: FacetName, value: string): HTMLLIElement {
  const label =
    name === 'price' ? (priceRanges.find((range) => range.value === value)?.label ?? value) : value;
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    textContent: label,
    ariaLabel: `Remove filter ${label}`,
  });
  button.className = 'min-h-11 cursor-pointer bg-mist px-3 text-sm/relaxed whitespace-nowrap';
  Object.assign(button.dataset, { action: 'remove', facet: name, value });
  const item = document.createElement('li');
  item.append(button);
  return item;
}
