import { isFreeEverywhere } from '#domain/checkout/shipping-charge.ts';
import { deliveryArea } from '#domain/checkout/destination.ts';
import { seller } from '#settings/seller.ts';
import type { Product } from '#domain/catalogue/product.ts';

/**
 * What a buyer asks first, answered by the settings and the catalogue alone: each part is there when it is true of the shop.
 */
export function trustLine(products: readonly Pick<Product, 'attributes'>[]): string[] {
  const given = (key: 'hallmark' | 'plating'): string[] =>
    products.flatMap(({ attributes }) => attributes[key] ?? []);
  const karats = given('plating').flatMap((text) =>
    [...text.matchAll(/\b(\d{1,2}) ?k\b/giu)].map(([, karat]) => Number(karat)),
  );
  const [least, most] = [Math.min(...karats), Math.max(...karats)];
  return [
    ...(isFreeEverywhere(seller.shipping) ? [`Free shipping in ${deliveryArea()}`] : []),
    ...(given('hallmark').length > 0 ? ['BIS hallmarked gold'] : []),
    ...(karats.length > 0
      ? [`${least === most ? '' : `${String(least)} to `}${String(most)}K gold plating`]
      : []),
    `WhatsApp, answered within ${seller.answersWithin}`,
  ];
}
