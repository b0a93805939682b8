import {
  facetLabels,
  facetNames,
  facetValueLabel,
  priceValues,
  type FacetName,
} from '#domain/catalogue/listing/facets.ts';
import { categories, categoryLabel } from '#domain/catalogue/category.ts';
import type { IndexedProduct } from '#domain/catalogue/listing/catalogue-index.ts';
import type { FacetCounts, ListingResult } from '#domain/catalogue/listing/listing-query.ts';
import type { ListingFilters } from '#domain/catalogue/listing/listing.ts';

interface Box {
  input: HTMLInputElement;
  row: HTMLElement;
  count: HTMLElement;
}

const createElement = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
};

/** The values of a facet as the dialog lists them: prices in order, others by their number of products. */
function sortedValues(name: FacetName, counts: ReadonlyMap<string, number>): string[] {
  if (name === 'price')
    return priceValues.map(({ value }) => value).filter((value) => counts.has(value));
  if (name === 'size')
    return [...counts.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .map(([value]) => value);
}

function createBox(name: FacetName, value: string): Box {
  const input = Object.assign(document.createElement('input'), {
    type: 'checkbox',
    name,
    value,
    autocomplete: 'off',
    className: 'size-5 flex-none accent-brand-700',
  });
  const count = createElement(
    'span',
    "facet-count ml-auto text-sm/relaxed text-ink-500 [font-feature-settings:'tnum']",
  );
  const row = createElement(
    'label',
    'clear-both flex min-h-11 cursor-pointer items-center gap-3',
    input,
    createElement('span', '', facetValueLabel(name, value)),
    count,
  );
  return { input, row, count };
}

/** The rows of sizes under the names of their categories, where there are several: a ring's 12 is no bangle's 2.4. */
function groupByKind(boxes: readonly Box[], products: readonly IndexedProduct[]): HTMLElement[] {
  const kindsOf = (size: string): string =>
    categories
      .filter((kind) =>
        products.some(({ category, sizes }) => category === kind && sizes.includes(size)),
      )
      .map(categoryLabel)
      .join(', ');
  const kinds = new Map<string, HTMLElement[]>();
  for (const { input, row } of boxes) {
    const kind = kindsOf(input.value);
    kinds.set(kind, [...(kinds.get(kind) ?? []), row]);
  }
  if (kinds.size < 2) return boxes.map(({ row }) => row);
  return [...kinds].map(([label, rows]) => {
    const heading = createElement('p', 'clear-both pt-2 text-sm/relaxed text-ink-500', label);
    const part = createElement('div', 'clear-both', heading, ...rows);
    part.setAttribute('role', 'group');
    part.ariaLabel = label;
    return part;
  });
}

/** The dialog of facets. Its checkboxes are part of the listing's form. */
export class FacetDialog {
  readonly #dialog: HTMLDialogElement | null;
  readonly #groups: { name: FacetName; group: HTMLElement; boxes: Box[] }[];
  /** The number of times it was closed. */
  openings = 0;

  /** `counts` are those of the whole catalogue: every value that there can be. `products` tell whose sizes are whose. */
  constructor(host: HTMLElement, counts: FacetCounts, products: readonly IndexedProduct[]) {
    this.#dialog = host.querySelector('dialog');
    this.#groups = facetNames.map((name) => {
      const boxes = sortedValues(name, counts[name]).map((value) => createBox(name, value));
      // Floating, the legend stands inside its group and not on the border.
      const legend = createElement('legend', 'field-label float-left w-full', facetLabels[name]);
      const group = createElement(
        'fieldset',
        'border-line py-4 not-first:border-t',
        legend,
        ...(name === 'size' ? groupByKind(boxes, products) : boxes.map(({ row }) => row)),
      );
      return { name, group, boxes };
    });
    host
      .querySelector('[data-facet-groups]')
      ?.replaceChildren(...this.#groups.map(({ group }) => group));
    // A click on the dialog itself is a click on its backdrop.
    this.#dialog?.addEventListener('click', ({ target }) => {
      if (target === this.#dialog) this.#dialog?.close();
    });
    this.#dialog?.addEventListener('close', () => {
      this.openings += 1;
    });
  }

  get isOpen(): boolean {
    return this.#dialog?.open === true;
  }

  /** Ticks what is chosen. An open dialog also shows the counts and hides the values that would show nothing. */
  draw({ facets }: ListingFilters, { countFacets }: ListingResult): void {
    const counts = this.isOpen ? countFacets() : null;
    for (const { name, group, boxes } of this.#groups) {
      for (const { input, row, count } of boxes) {
        input.checked = facets[name].includes(input.value);
        if (!counts) continue;
        const found = counts[name].get(input.value) ?? 0;
        count.textContent = String(found);
        row.hidden = found === 0 && !input.checked;
      }
      if (!counts) continue;
      group.hidden = boxes.every(({ row }) => row.hidden);
      for (const part of group.querySelectorAll<HTMLElement>('[role="group"]'))
        part.hidden = part.querySelector('label:not([hidden])') === null;
    }
  }
}
