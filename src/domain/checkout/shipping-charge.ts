/** The owner's shipping terms, in `src/shop/delivery.ts`. */
interface ShippingTerms {
  /** The cart's charge for standard shipping: 'Free', or a price. */
  label: string;
  freeWithin: string;
}

/** Whether nobody in India pays for standard shipping. */
export const isFreeEverywhere = ({ label }: Pick<ShippingTerms, 'label'>): boolean =>
  label.toLowerCase() === 'free';

/** The cost of standard shipping, to stand after 'Standard shipping is': the same words on every page. */
export const shippingCharge = (terms: ShippingTerms): string =>
  isFreeEverywhere(terms)
    ? `free within ${terms.freeWithin}, and at present everywhere else in India too`
    : `free within ${terms.freeWithin}; elsewhere the Order Summary shows the charge before you pay`;
