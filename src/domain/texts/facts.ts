import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { legal, seller } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import { inclGst, taxStanding } from '#domain/tax-standing.ts';
import { checkoutSettings } from '#domain/checkout/checkout-settings.ts';
import { deliveryArea } from '#domain/checkout/destination.ts';
import { shippingCharge } from '#domain/checkout/shipping-charge.ts';
import { cashRefundSentence, cashSentence, feeSentence, totalParts } from './cash-sentence.ts';

const { contact, founder, refunds, shipping } = seller;
const { collectsTax } = taxStanding();
const payment = { feeBps: shop.platformFeeBps, cash: cashOnDelivery };

/** The facts of the settings by the names that `src/shop/texts` writes between `{{` and `}}`: docs/texts.md lists them. */
export const facts: Readonly<Record<string, string>> = {
  'shop.name': shop.name,
  'seller.legalName': seller.legalName,
  'founder.name': founder.name,
  'contact.email': contact.emails[0],
  'contact.phone': contact.phone,
  'contact.address': contact.address,
  'officer.email': legal.grievanceOfficer.email,
  answersWithin: seller.answersWithin,
  courts: legal.courts,
  'shipping.label': shipping.label,
  'shipping.freeWithin': shipping.freeWithin,
  'shipping.processing': shipping.processing,
  'shipping.standard': shipping.standard,
  'shipping.express': shipping.express,
  'shipping.expressCharge': shipping.expressCharge,
  'shipping.damageHours': String(shipping.damageHours),
  'shipping.lostAfterDays': String(shipping.lostAfterDays),
  shippingCharge: shippingCharge(shipping),
  'refunds.begunWithin': refunds.begunWithin,
  'refunds.arriveWithin': refunds.arriveWithin,
  // What a customer who cancels a paid order gets back.
  refundOnCancel: refunds.returnsPlatformFee
    ? 'everything'
    : 'everything but the platform fee, which the payment service does not return to us',
  cashOnDelivery: cashSentence(payment),
  cashRefunds: cashRefundSentence(cashOnDelivery),
  // The fees on top of the prices, and who pays them.
  fees: feeSentence(payment),
  totalParts: totalParts(payment),
  // Percent of the subtotal, as the cart writes it.
  fee: (shop.platformFeeBps / 100).toFixed(2),
  // Where the shop sends: India, or the state of a seller who may send to no other.
  deliveryArea: deliveryArea(),
  // ' (incl. GST)', and words of the terms: nothing for a seller who collects no GST.
  inclGst: inclGst(),
  pricesWithGst: collectsTax ? ' and include GST' : '',
  feeWithGst: collectsTax ? ', GST on that fee included' : '',
  // What a customer gets with an order.
  document: collectsTax
    ? 'an invoice'
    : 'a bill of supply without GST, as our registration does not let us collect it',
  holdMinutes: String(Math.floor(checkoutSettings.holdSeconds / 60)),
};

// Markdown writes braces in the address of a link as %7B and %7D.
const placeholder = /(?:\{\{|%7B%7B)(?<name>.*?)(?:\}\}|%7D%7D)/gisu;

/**
 * A text with its facts filled in.
 * @param file The text's file, which an error names.
 * @param write How a value is written, when the text is not plain.
 * @throws with a sentence for the owner when the text names something that is not a fact.
 */
export function fillFacts(
  text: string,
  file: string,
  write: (value: string) => string = (value) => value,
): string {
  const filled = text.replaceAll(placeholder, (typed, name: string) => {
    const fact = name.trim();
    if (!Object.hasOwn(facts, fact))
      throw new Error(
        `${file}: {{${fact}}} is not a fact. Known facts: ${Object.keys(facts).join(', ')}.`,
      );
    const value = facts[fact] ?? '';
    return typed.startsWith('%') ? encodeURI(value) : write(value);
  });
  const open = /.{0,30}(?:\{\{|\}\})/u.exec(filled)?.[0];
  if (open !== undefined)
    throw new Error(`${file}: "${open}" has no pair. A fact is written as {{shop.name}}.`);
  return filled;
}

/** Fills each text of a file of data as `fillFacts` does. */
export function fillAll<T>(data: T, file: string): T;
export function fillAll(data: unknown, file: string): unknown {
  if (typeof data === 'string') return fillFacts(data, file);
  if (Array.isArray(data)) return data.map((entry: unknown) => fillAll(entry, file));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]: [string, unknown]) => [name, fillAll(value, file)]),
  );
}
