import { facetLabels, facetNames, type FacetName } from '../../domain/catalogue/facets.ts';
import type { FacetValue, ListingResult } from '../../domain/catalogue/listing-query.ts';
import type { Listing } from '../../domain/catalogue/listing.ts';

interface Box {
  name: FacetName;
  input: HTMLInputElement;
  row: HTMLElement;
  count: HTMLElement;
}

const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
};

/** The dialog of facets. Its boxes are part of the listing's form and made once; each drawing says how many products each would show. */
export class FacetDialog {
  readonly #dialog: HTMLDialogElement | null;
  readonly #boxes: Box[] = [];
  readonly #groups = new Map<FacetName, HTMLElement>();
  /** How often it was opened. */
  openings = 0;

  /** `facets` are those of the whole catalogue: every value that there can be. */
  constructor(host: HTMLElement, facets: ReturnType<ListingResult['countFacets']>) {
    this.#dialog = host.querySelector('dialog');
    for (const name of facetNames) {
      const values =
        name === 'price'
          ? facets[name]
          : facets[name].toSorted((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1));
      // Floating, it stands inside its group and not on the border.
      const legend = make('legend', 'field-label float-left w-full', facetLabels[name]);
      const group = make(
        'fieldset',
        'border-line py-4 not-first:border-t',
        legend,
        ...values.map((value) => this.#makeBox(name, value)),
      );
      this.#groups.set(name, group);
    }
    host.querySelector('[data-facet-groups]')?.replaceChildren(...this.#groups.values());
    // A press beside the dialog is one on its backdrop.
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

  #makeBox(name: FacetName, { value, label }: FacetValue): HTMLElement {
    const input = Object.assign(document.createElement('input'), {
      type: 'checkbox',
      name,
      value,
      autocomplete: 'off',
      className: 'size-5 flex-none accent-palakka-700',
    });
    const count = make(
      'span',
      "facet-count ml-auto text-sm/relaxed text-ink-500 [font-feature-settings:'tnum']",
    );
    const row = make(
      'label',
      'clear-both flex min-h-11 cursor-pointer items-center gap-3',
      input,
      make('span', '', label),
      count,
    );
    this.#boxes.push({ name, input, row, count });
    return row;
  }

  /** Ticks what is chosen and, where the dialog is open, says how many each would show and leaves out what would show nothing. */
  draw({ facets }: Listing, result: ListingResult): void {
    for (const { name, input } of this.#boxes) input.checked = facets[name].includes(input.value);
    if (!this.isOpen) return;
    const counted = result.countFacets();
    for (const { name, input, row, count } of this.#boxes) {
      const found = counted[name].find(({ value }) => value === input.value)?.count ?? 0;
      count.textContent = String(found);
      row.hidden = found === 0 && !input.checked;
    }
    for (const [name, group] of this.#groups)
      group.hidden = this.#boxes.every((box) => box.name !== name || box.row.hidden);
  }
}
