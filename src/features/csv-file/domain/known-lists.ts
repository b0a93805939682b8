import type { TableFile } from '#domain/admin/table-file.ts';

/** A file of another program that is read as a list, and what the admin has to know of it. */
interface KnownList {
  name: string;
  headings: readonly string[];
  hint: string;
}

const checkColumns = 'Check below what its columns are.';

/* By headings in public files and programs, seen on 29 November 2026. */
const knownLists: readonly KnownList[] = [
  {
    name: 'PrestaShop',
    headings: ['Product ID', 'Active (0/1)', 'Name *'],
    hint: `PrestaShop writes prices without tax, unless the column says otherwise: put those that customers pay into a column of their own, and choose that one. ${checkColumns}`,
  },
  {
    name: 'PrestaShop',
    headings: ['Product ID', 'Reference', 'Price (tax excl.)'],
    hint: `Choose the price with tax, which customers pay. ${checkColumns}`,
  },
  {
    name: 'BigCommerce',
    headings: ['Item Type', 'Product Name', 'Product Code/SKU'],
    hint: checkColumns,
  },
  {
    name: 'Squarespace',
    headings: ['Product ID [Non Editable]', 'Title', 'Price'],
    hint: `Each variant is a row: choose its column “Product ID [Non Editable]” as “One product”. ${checkColumns}`,
  },
  { name: 'Square', headings: ['Token', 'Item Name', 'Variation Name'], hint: checkColumns },
  { name: 'OpenCart', headings: ['product_id', 'model', 'image_name'], hint: checkColumns },
];

/** The program whose list this is, with what to do; null for none that is known. */
export const knownListOf = ({ has }: TableFile): Pick<KnownList, 'name' | 'hint'> | null =>
  knownLists.find(({ headings }) => headings.every((heading) => has(heading))) ?? null;
