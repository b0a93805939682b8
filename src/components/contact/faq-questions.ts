import type { Question } from '../../domain/catalogue/structured-data.ts';
import { deliveryArea } from '../../domain/checkout/destination.ts';
import { shippingCharge } from '../../domain/checkout/shipping-charge.ts';
import { inclGst } from '../../domain/tax-standing.ts';
import { seller } from '../../settings/seller.ts';
import { shop } from '../../settings/shop.ts';

const { contact, shipping } = seller;

/** Common questions with short answers; the policies have the same at length. */
export const questions: readonly Question[] = [
  {
    question: 'When will my order arrive, and what does shipping cost?',
    answer:
      `We pack in ${shipping.processing}. Standard shipping then takes ${shipping.standard} and is ` +
      `${shippingCharge(shipping)}. Express takes ${shipping.express} and is charged by order. Every piece's page tells the days for your PIN code.`,
    more: { path: '/shipping-policy', text: 'Shipping Policy' },
  },
  {
    question: `Do you send outside ${deliveryArea()}?`,
    answer: `No. We send to addresses in ${deliveryArea()} only.`,
  },
  {
    question: 'Can I return or exchange a piece?',
    answer:
      'All sales are final. A piece that arrives damaged, faulty or wrong is our mistake, and we put it right: report ' +
      `damage within ${String(shipping.damageHours)} hours of delivery, with photos, and choose a replacement, if we ` +
      'have one, or your money back.',
    more: { path: '/returns', text: 'No Returns & Refunds' },
  },
  {
    question: 'Which ring size do I need?',
    answer:
      'Wind a strip of paper around the finger, mark where it meets, and measure it flat. The page of every ring lists ' +
      'Indian sizes by that length. If you are between two, write to us before you order.',
  },
  {
    question: 'How do I look after my jewellery?',
    answer:
      'Put it on last and take it off first. Keep it away from perfume, sweat and water, wipe it with a soft dry cloth, ' +
      'and store each piece by itself. Plating wears with time; care slows it. Where a piece needs more, its page says so.',
  },
  {
    question: 'Is it real gold?',
    answer:
      "Unless a piece's page names a purity, it is fashion jewellery: base metal with plating. Words such as 'gold' or " +
      "'gold-tone' then name the colour. The page gives the metal, plating and stone of each piece.",
    more: { path: '/terms', text: 'Terms and Conditions' },
  },
  {
    question: 'How can I pay?',
    answer:
      'By UPI, card or net banking, through Razorpay. There is no cash on delivery. Card and bank details go straight to Razorpay; we never see them. ' +
      `A platform fee of ${(shop.platformFeeBps / 100).toFixed(2)}%${inclGst()} is added in the cart, and nothing after that.`,
  },
  {
    question: 'My money left the account, but no order came. What now?',
    answer:
      'Wait an hour: a late payment is matched by itself. One that cannot be matched is refunded in full without you ' +
      `asking. If neither happens, write to ${contact.emails[0]} with the payment's number.`,
  },
];
