import { shop } from './shop.ts';

/** What SQL needs of the settings: the columns of its table `shop_settings`, and with `p_` the arguments of `set_shop_settings`. */
export const sqlSettings = {
  order_prefix: shop.prefixes.order,
  invoice_prefix: shop.prefixes.invoice,
  credit_note_prefix: shop.prefixes.creditNote,
} as const;
