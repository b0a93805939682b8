import { availabilityOf } from '../../domain/catalogue/current-stock.ts';
import { chargedPrice } from '../../domain/catalogue/product.ts';
import { rupeesFromPaise } from '../../domain/money.ts';
import { readProductMarkup } from '../site/product-markup.ts';

/** Brings the page's structured data, which Google compares with the feed, to the price and stock of its markup. */
export function updateOffer(): void {
  const root = document.querySelector<HTMLElement>('[data-product-view="page"]');
  if (!root) return;
  const price = chargedPrice(readProductMarkup(root));
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    const data = JSON.parse(script.textContent) as { offers?: Record<string, unknown> };
    if (!data.offers) continue;
    data.offers['price'] = rupeesFromPaise(price).toFixed(2);
    data.offers['availability'] = availabilityOf({ stock: Number(root.dataset['stock']) });
    script.textContent = JSON.stringify(data);
  }
}
