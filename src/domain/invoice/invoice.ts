import { seller } from '#settings/seller.ts';
import { legal } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import type { Registration } from '#shop-schema/tax-schema.ts';
import { tax } from '#settings/tax.ts';
import { placeOfSupply, splitTax, taxClass, type TaxFacts } from './gst.ts';
import { taxStanding } from '#domain/tax-standing.ts';
import type { InvoiceDocument, InvoiceLine } from './invoice-document.ts';
import type { Paise } from '#domain/money.ts';
import { discountCodeOf, type Order, type OrderItem } from '#domain/orders/order.ts';
import { chargeRows, rowsPaise, type SumRow } from '#domain/sums/sum-rows.ts';

interface Goods {
  kind: InvoiceLine['kind'];
  productId: string | null;
  size?: string | undefined;
  name: string;
  quantity: number;
  pricePaise: Paise;
  discountPaise?: Paise;
  grossPaise: Paise;
  hsn: string;
  rateBps: number;
  refund?: InvoiceLine['refund'];
}

/** The sold items, at the price that was paid: the order's own copy of the facts first, then the catalogue's. */
function goodsOf(items: readonly OrderItem[], facts: TaxFacts): Goods[] {
  return items.map((item) => {
    const now = item.productId === null ? undefined : facts[item.productId];
    return {
      kind: 'goods',
      productId: item.productId,
      size: item.size,
      name: item.name,
      quantity: item.quantity,
      pricePaise: item.price,
      ...(item.discount === 0 ? {} : { discountPaise: item.discount }),
      grossPaise: item.lineTotal - item.discount,
      ...taxClass({
        category: item.category ?? now?.category ?? null,
        hsn: item.hsn ?? now?.hsn ?? null,
      }),
    };
  });
}

/** A charge as a line: as a service with the code of the platform fee, or taxed as the goods are. */
function lineOf({ paise, label, tax: taxed, refund }: SumRow, goods: readonly Goods[]): Goods {
  const { hsn, rateBps } = taxed === 'fee' ? tax.fee : (goods[0] ?? tax.otherwise);
  return {
    kind: taxed === 'fee' ? 'fee' : 'adjustment',
    productId: null,
    name: taxed === 'fee' ? tax.fee.label : (label ?? (paise > 0 ? 'Other charges' : 'Discount')),
    quantity: 1,
    pricePaise: paise,
    grossPaise: paise,
    hsn,
    rateBps,
    refund: refund === 'share' ? 'share' : 'last',
  };
}

/**
 * The lines beside the goods: first what the goods of an imported order lack to its amount, then charges that are taxed as the goods are, the
 * others, and rounding as the last.
 */
function chargeLines({ rows, amount }: Order, goods: readonly Goods[]): Goods[] {
  const charges = chargeRows(rows).filter(({ paise }) => paise !== 0);
  const rest =
    amount - rowsPaise(charges) - goods.reduce((sum, { grossPaise }) => sum + grossPaise, 0);
  const placeOf = ({ kind, tax: taxed }: SumRow): number =>
    kind === 'rounding' ? 2 : taxed === 'goods' ? 0 : 1;
  const lacking = {
    kind: 'other',
    paise: rest,
    label: null,
    tax: 'goods',
    refund: 'last',
  } as const;
  return [
    ...(rest === 0 ? [] : [lacking]),
    ...charges.toSorted((one, other) => placeOf(one) - placeOf(other)),
  ].map((row) => lineOf(row, goods));
}

/**
 * The tax invoice or bill of supply of an order as it would be issued now, from the order and the facts of its products. The lines add up to
 * what was paid: what an imported order's items and amount differ by is a line of its own. A free replacement gets an invoice of
 * nothing: it is no supply of its own, as its price and tax are in the first invoice (CBIC circulars 195/07/2023 and 216/10/2024),
 * and its parcel travels with the numbered paper of goods, HSN codes and quantities that rule 55 of the CGST Rules asks for.
 */
export function invoiceDocument(
  order: Order,
  facts: TaxFacts = {},
  registration: Registration = tax.registration,
): InvoiceDocument {
  const { collectsTax, gstin } = taxStanding(registration);
  const { postalCode } = order;
  const state = placeOfSupply(order);
  const interstate = state?.gstCode !== tax.home.gstCode;
  const goods = goodsOf(order.items, facts);
  const discountCode = discountCodeOf(order);
  return {
    version: 1,
    seller: {
      name: shop.name,
      legalName: seller.legalName,
      proprietor: legal.proprietor,
      address: [...legal.address],
      gstin: gstin ?? '',
      state: tax.home.name,
      stateCode: tax.home.gstCode,
      email: seller.contact.emails[0],
      phone: seller.contact.phone,
    },
    buyer: {
      name: order.customerName,
      address: order.address,
      city: order.city,
      postalCode,
      phone: order.customerPhone,
      email: order.customerEmail,
      gstin: collectsTax ? order.gstin || null : null,
    },
    order: {
      id: order.id,
      number: order.reference,
      placedAt: order.createdAt,
      paidAt: order.paidAt,
      paymentId: order.paymentId,
      paymentMethod: order.paymentMethod,
      ...(order.cash?.state === 'due' && { cashDuePaise: order.cash.due }),
      ...(discountCode === null ? {} : { discountCode }),
    },
    placeOfSupply: state === null ? null : { state: state.name, stateCode: state.gstCode },
    interstate,
    lines: [...goods, ...chargeLines(order, goods)].map((line) => {
      const rateBps = collectsTax ? line.rateBps : 0;
      return { ...line, rateBps, ...splitTax(line.grossPaise, rateBps, interstate) };
    }),
    totalPaise: order.amount,
    ...(registration.kind === 'regular' ? {} : { untaxed: registration.kind }),
  };
}
