import { delivery } from '#shop/delivery.ts';
import { seller as own } from '#shop/seller.ts';
import { shippingLabel } from './shop.ts';

/** The seller, shipping and refunds, and what the law asks a seller to print. Apart from `shop.ts`, which every page carries. */
export const seller = {
  ...own,
  shipping: { ...delivery.shipping, label: shippingLabel },
  refunds: delivery.refunds,
};

/** Size and weight of every parcel. @public */
export const { parcel } = delivery;
export { legal } from '#shop/seller.ts';
