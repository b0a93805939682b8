/** What the owner says of shipping, in `seller.config.ts`. */
interface ShippingTerms {
  /** What the cart charges for standard shipping: 'Free', or a price. */
  label: string;
  freeWithin: string;
}

/** Whether nobody in India pays for standard shipping. */
export const isFreeEverywhere = ({ label }: Pick<ShippingTerms, 'label'>): boolean =>
  label.toLowerCase() === 'free';

/** What standard shipping costs, to stand after 'Standard shipping is': the same words on every page. */
export const shippingCharge = (terms: ShippingTerms): string =>
  isFreeEverywhere(terms)
    ? `free within ${terms.freeWithin}, and at present everywhere else in India too`
    : `free within ${terms.freeWithin}; elsewhere the Order Summary shows the charge before you pay`;
