import { shop as own } from '#shop/shop.ts';

/** The day on which the shop begins to sell, as YYYY-MM-DD; undefined when it is not known. Read while there are no live keys. */
export const { opensOn } = own;
