import { availabilityOf } from '#domain/catalogue/current-stock.ts';
import { shareOf } from '#domain/sums/platform-fee.ts';
import { chargedPrice } from '#domain/catalogue/product.ts';
import { formatRupees, rupeesFromPaise } from '#domain/money.ts';
import { readProductMarkup } from '#elements/site/product-markup.ts';

/** A product, or one size of it, as `productData` writes it. */
interface Offered {
  size?: string;
  offers?: Record<string, unknown>;
}

/** Brings the fee beside the price, and the structured data, which Google compares with the feed, to the price and stock of the markup. */
export function updateOffer(): void {
  const root = document.querySelector<HTMLElement>('[data-product-view="page"]');
  if (!root) return;
  const charged = chargedPrice(readProductMarkup(root));
  const fee = root.querySelector<HTMLElement>('[data-fee]');
  if (fee) fee.textContent = formatRupees(shareOf(charged, Number(fee.dataset['fee'])));
  const price = rupeesFromPaise(charged).toFixed(2);
  const sizes = [...root.querySelectorAll<HTMLInputElement>('[name=size]')];
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    const data = JSON.parse(script.textContent) as Offered & { hasVariant?: Offered[] };
    for (const { size, offers } of data.hasVariant ?? [data]) {
      if (!offers) continue;
      const chip = size === undefined ? root : sizes.find(({ value }) => value === size);
      const availability = availabilityOf({ stock: Number(chip?.dataset['stock'] ?? 0) });
      Object.assign(offers, { price, availability });
    }
    script.textContent = JSON.stringify(data);
  }
}
