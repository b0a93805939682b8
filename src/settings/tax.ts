import { tax as own } from '#shop/tax.ts';
import type { TaxSettings } from '#shop-schema/tax-schema.ts';

/** GST on what is sold. Apart from `shop.ts`, because only the server and the policies need it. */
export const tax: TaxSettings = own;
