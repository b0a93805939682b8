import type { Attributes } from './product.ts';

/** What the admin entered about a product, as [term, text] in the order of a label. What is not given is left out. */
export function factsOf(attributes: Attributes): [term: string, text: string][] {
  const rows: [string, string | undefined][] = [
    ['Metal', attributes.metal],
    ['Plating', attributes.plating],
    ['Stone', attributes.stone === 'None' ? undefined : attributes.stone],
    ['Weight', attributes.weight_g === undefined ? undefined : `${String(attributes.weight_g)} g`],
    ['Size', attributes.size],
    ['Origin', attributes.origin],
    ['Care', attributes.care],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '');
}
