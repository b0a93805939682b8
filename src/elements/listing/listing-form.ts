import { facetNames } from '#domain/catalogue/listing/facets.ts';
import { sortOrders, type ListingFilters } from '#domain/catalogue/listing/listing.ts';
import { categories } from '#domain/catalogue/category.ts';

type Control = HTMLInputElement | HTMLSelectElement;

const controlsOf = (form: HTMLFormElement): Control[] => [
  ...form.querySelectorAll<Control>('[name="q"], [name="category"], [name="sort"]'),
];

/** Reads search, category and sort order from the fields that are given; the others stay as they are. */
export function withFields(
  listing: ListingFilters,
  fields: Readonly<Record<string, string>>,
): ListingFilters {
  const { q, category, sort } = fields;
  return {
    ...listing,
    ...(q === undefined ? {} : { search: q }),
    ...(category === undefined
      ? {}
      : { category: categories.find((known) => known === category) ?? 'all' }),
    ...(sort === undefined ? {} : { sort: sortOrders.find((known) => known === sort) ?? 'name' }),
  };
}

/** Reads the whole form. A chosen facet value without a checkbox stays chosen. */
export function readForm(form: HTMLFormElement, before: ListingFilters): ListingFilters {
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')];
  const facets = { ...before.facets };
  for (const name of facetNames) {
    const own = boxes.filter((box) => box.name === name);
    facets[name] = [
      ...before.facets[name].filter((value) => !own.some((box) => box.value === value)),
      ...own.filter(({ checked }) => checked).map(({ value }) => value),
    ];
  }
  const fields = controlsOf(form).map(({ name, value }): [string, string] => [name, value]);
  return { ...withFields(before, Object.fromEntries(fields)), facets };
}

/** Puts search, category and sort order into the form. */
export function fillForm(form: HTMLFormElement, { search, category, sort }: ListingFilters): void {
  const values: Readonly<Record<string, string>> = { q: search, category, sort };
  for (const control of controlsOf(form)) {
    const value = values[control.name] ?? '';
    if (control.value !== value) control.value = value;
  }
}

/** Shows the cards side by side or in a column. */
export function chooseView(host: HTMLElement, view: 'grid' | 'list'): void {
  host.dataset['view'] = view;
  for (const button of host.querySelectorAll<HTMLElement>('.view-switch [data-action]'))
    button.ariaPressed = String(button.dataset['action'] === view);
}
