import { facetNames, type FacetName } from '../../domain/catalogue/facets.ts';
import { sortOrders, type Listing } from '../../domain/catalogue/listing.ts';
import { categories } from '../../domain/catalogue/product.ts';

type Control = HTMLInputElement | HTMLSelectElement;

const controlsOf = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter(
    (element): element is Control =>
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement,
  );

const isControlTouched = (control: Control): boolean =>
  control instanceof HTMLInputElement
    ? control.value !== control.defaultValue
    : control.selectedOptions[0]?.defaultSelected === false && control.value !== defaultOf(control);

const defaultOf = (select: HTMLSelectElement): string =>
  ([...select.options].find((option) => option.defaultSelected) ?? select.options[0])?.value ?? '';

/** Whether somebody changed the form since the page was made. */
export const isTouched = (form: HTMLFormElement): boolean =>
  controlsOf(form).some(isControlTouched);

/**
 * What the form asks for. With 'touched' the fields that nobody changed are those of `before`. The facets are those of the
 * boxes that are ticked.
 */
export function readForm(
  form: HTMLFormElement,
  before: Listing,
  which: 'all' | 'touched' = 'all',
): Listing {
  const listing = { ...before };
  for (const control of controlsOf(form)) {
    if (which === 'touched' && !isControlTouched(control)) continue;
    const { name, value } = control;
    if (name === 'q') listing.search = value;
    if (name === 'category')
      listing.category = categories.find((known) => known === value) ?? 'all';
    if (name === 'sort') listing.sort = sortOrders.find((known) => known === value) ?? 'name';
  }
  return listing;
}

/** The facets with the boxes of the dialog as they are ticked; a value without a box stays chosen. */
export function readFacets(form: HTMLFormElement, before: Listing['facets']): Listing['facets'] {
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')];
  const valuesOf = (name: FacetName): string[] => {
    const own = boxes.filter((box) => box.name === name);
    const kept = before[name].filter((value) => !own.some((box) => box.value === value));
    return [...kept, ...own.filter(({ checked }) => checked).map(({ value }) => value)];
  };
  const [metal, stone, price, stock] = facetNames.map((name) => valuesOf(name));
  return { metal: metal ?? [], stone: stone ?? [], price: price ?? [], stock: stock ?? [] };
}

/** Puts search, category and sort into the form. */
export function fillForm(form: HTMLFormElement, { search, category, sort }: Listing): void {
  const values: Readonly<Record<string, string>> = { q: search, category, sort };
  for (const control of controlsOf(form)) {
    const value = values[control.name];
    if (value !== undefined && control.value !== value) control.value = value;
  }
}

/** Shows the cards side by side or in a column. */
export function chooseView(host: HTMLElement, view: 'grid' | 'list'): void {
  host.dataset['view'] = view;
  for (const button of host.querySelectorAll<HTMLElement>('.view-switch [data-action]')) {
    button.ariaPressed = String(button.dataset['action'] === view);
  }
}
