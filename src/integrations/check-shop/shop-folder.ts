import type { ShopFolder } from '#shop-schema/shop-schema.ts';
import { categories } from '#shop/categories.ts';
import { delivery } from '#shop/delivery.ts';
import { search } from '#shop/search.ts';
import { legal, seller } from '#shop/seller.ts';
import { shop } from '#shop/shop.ts';
import { tax } from '#shop/tax.ts';
import { mails } from '#shop/texts/mails.ts';
import { theme } from '#shop/theme.ts';

/** Every setting of the shop, as it was written: before the engine's defaults. */
export const shopFolder: ShopFolder = {
  shop,
  seller,
  legal,
  delivery,
  tax,
  categories,
  search,
  theme,
  mails,
};
