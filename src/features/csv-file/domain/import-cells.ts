import { categories, categoryLabel } from '#domain/catalogue/category.ts';
import { nearestWord } from './nearest-word.ts';
import type { FileRow } from './catalogue-csv.ts';
import type { ProductForm } from '#domain/admin/products/product-form.ts';
import { plainText } from './plain-text.ts';
import { readTypedSizes, sizesFromText, sizesText } from './sizes-text.ts';

/** Whether a cell equals the form's value, ignoring differences in line ends. */
const says = (text: string, before: string): boolean =>
  text.trim() === before.replace(/\r\n?/gu, '\n').trim();

/** The entry of an image by what the file says: the name of a file, or an address; or what is wrong with it. */
export type EntryOf = (text: string) => string | { fault: string };

/**
 * A form with the cells of a row in it, and what cannot be read of them, by column. The three images keep their places, empty ones too.
 */
export function withCells(
  before: ProductForm,
  row: FileRow,
  isNew: boolean,
  entryOf: EntryOf,
): { form: ProductForm; faults: Map<string, string> } {
  const form = {
    ...before,
    images: [0, 1, 2].map((place) => before.images[place] ?? ''),
    imageAlts: [0, 1, 2].map((place) => before.imageAlts[place] ?? ''),
  };
  const faults = new Map<string, string>();
  const has = (label: string): boolean =>
    [...row.cells.keys()].some((known) => known.label === label);
  for (const [{ field, label, place }, text] of row.cells) {
    const typed = text.trim();
    if (text.includes('\0'))
      faults.set(label, 'This cell contains a character that cannot be stored');
    else if (field === 'hidden') {
      if (/^(?:yes|y|true|1)$/iu.test(typed)) form.hidden = false;
      else if (/^(?:no|n|false|0)$/iu.test(typed)) form.hidden = true;
      else if (typed !== '') faults.set(label, 'Write “yes” or “no”');
    } else if (field === 'sizes') {
      // An empty cell keeps the sizes; only the form removes them. The shop's own sizes are never ambiguous.
      const known = sizesFromText(typed);
      const keeps =
        typed === '' || (known !== null && sizesText(known) === sizesText(before.sizes));
      const sizes = keeps ? before.sizes : readTypedSizes(text);
      if (sizes) form.sizes = sizes;
      else faults.set(label, 'Write each size with its stock, as “12: 3; 14: 1”');
    } else if (field === 'category') {
      const known = categories.find((category) =>
        [category, categoryLabel(category).toLowerCase()].includes(typed.toLowerCase()),
      );
      form.category = known ?? typed;
      if (typed !== '' && !known) {
        const labels = categories.map(categoryLabel);
        const meant = nearestWord(typed, labels);
        faults.set(
          label,
          meant === null ? `This is one of ${labels.join(', ')}` : `Did you mean “${meant}”?`,
        );
      }
    } else if (field === 'images') {
      if (says(text, before.images[place] ?? '')) continue;
      const entry = typed === '' || /^products\/[\w.-]+$/u.test(typed) ? typed : entryOf(typed);
      if (typeof entry !== 'string') faults.set(label, entry.fault);
      form.images[place] = typeof entry === 'string' ? entry : '';
      if (!has(`${label} description`)) form.imageAlts[place] = '';
    } else if (field === 'imageAlts')
      form.imageAlts[place] = says(text, before.imageAlts[place] ?? '')
        ? (before.imageAlts[place] ?? '')
        : plainText(text);
    // An empty cell means 0 for a new product and the current stock for others.
    else if (field === 'stock' && typed === '' && !isNew) continue;
    else if (field !== 'id' && field !== 'revision' && !says(text, before[field]))
      form[field] = plainText(text);
  }
  return { form, faults };
}

/** The images of a form without its empty places, as a stored product has them. */
export function keptImages({
  images,
  imageAlts,
}: ProductForm): Pick<ProductForm, 'images' | 'imageAlts'> {
  const places = images.flatMap((entry, place) => (entry.trim() === '' ? [] : [place]));
  return {
    images: places.map((place) => images[place] ?? ''),
    imageAlts: places.map((place) => imageAlts[place] ?? ''),
  };
}
