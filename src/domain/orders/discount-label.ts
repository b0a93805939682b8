/** What a customer reads beside the amount that came off: the code, or that the admin lowered the price of a sale. */
export const discountLabel = (code: string | null): string =>
  code === null ? 'Price reduction' : `Discount (${code})`;
