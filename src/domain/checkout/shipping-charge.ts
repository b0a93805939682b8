import { deliveryArea } from './destination.ts';

/** The owner's shipping terms, in `src/shop/delivery.ts`. */
interface ShippingTerms {
  /** What the cart says of standard shipping: 'Free', or other words. */
  label: string;
  freeWithin: string;
}

/** Whether nobody in India pays for standard shipping. */
export const isFreeEverywhere = ({ label }: Pick<ShippingTerms, 'label'>): boolean =>
  label.toLowerCase() === 'free';

/** The cost of standard shipping, to stand after 'Standard shipping is': the same words on every page. */
export function shippingCharge(terms: ShippingTerms, area = deliveryArea()): string {
  if (area === terms.freeWithin) return `free within ${area}`;
  return isFreeEverywhere(terms)
    ? `free all over ${area}`
    : `free within ${terms.freeWithin}; elsewhere as the Order Summary says before you pay`;
}
