/** The words beside a discount: the code, or that the admin lowered the price of a sale. */
export const discountLabel = (code: string | null): string =>
  code === null ? 'Price reduction' : `Discount (${code})`;
