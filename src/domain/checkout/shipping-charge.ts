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

/**
 * The cost of standard shipping, to stand after 'Standard shipping is': the same words on every page. The state in which it is always free
 * is named first (spec, Static pages); what the cart says of the others stands beside it.
 */
export function shippingCharge(terms: ShippingTerms, area = deliveryArea()): string {
  if (area === terms.freeWithin) return `free within ${area}`;
  return isFreeEverywhere(terms)
    ? `free within ${terms.freeWithin}, and all over ${area}`
    : `free within ${terms.freeWithin}; elsewhere as the Order Summary says before you pay`;
}
