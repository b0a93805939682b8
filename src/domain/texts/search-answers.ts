import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { seller } from '#settings/seller.ts';
import type { SearchAnswer } from '#domain/catalogue/listing/catalogue-index.ts';
import { formatRupees } from '#domain/money.ts';
import { noCash } from './cash-sentence.ts';

/** What the shop answers to words of a search that name no product. The first that fits is shown above the products. */
export function searchAnswers(): SearchAnswer[] {
  const { processing, standard } = seller.shipping;
  return [
    {
      words: 'cod, c.o.d, cash on delivery, pay on delivery, cash at the door',
      sentence:
        cashOnDelivery === null
          ? noCash
          : `Cash on delivery is possible for orders of ${formatRupees(cashOnDelivery.minTotal)} to ${formatRupees(cashOnDelivery.maxTotal)}.`,
      link: 'Terms and Conditions',
      href: '/terms',
    },
    {
      words:
        'delivery, delivery time, free delivery, shipping, free shipping, shipping charge, courier',
      sentence: `We pack within ${processing}; standard shipping takes ${standard}.`,
      link: 'Shipping Policy',
      href: '/shipping-policy',
    },
    {
      words: 'return policy, exchange, exchange policy, refund, refund policy, replacement',
      sentence: 'Returns, refunds and parcels that arrive damaged:',
      link: 'how we handle them',
      href: '/returns',
    },
  ];
}
