import { seller } from '#settings/seller.ts';
import { legal } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import type { Registration } from '#shop-schema/tax-schema.ts';
import { tax } from '#settings/tax.ts';
import { placeOfSupply, splitTax, taxClass, type TaxFacts } from './gst.ts';
import { taxStanding } from '#domain/tax-standing.ts';
import type { InvoiceDocument, InvoiceLine } from './invoice-document.ts';
import type { Paise } from '#domain/money.ts';
import { roundingLabel } from '#domain/orders/order-sums.ts';
import type { Order, OrderItem } from '#domain/orders/order.ts';

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

const single = (
  kind: InvoiceLine['kind'],
  name: string,
  amount: Paise,
  { hsn, rateBps }: { hsn: string; rateBps: number },
): Goods => ({
  kind,
  productId: null,
  name,
  quantity: 1,
  pricePaise: amount,
  grossPaise: amount,
  hsn,
  rateBps,
});

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
  const { postalCode, fee } = order;
  const { charge, rounding } = order.cash ?? { charge: 0, rounding: 0 };
  const state = placeOfSupply(order);
  const interstate = state?.gstCode !== tax.home.gstCode;
  const goods = goodsOf(order.items, facts);
  const rest =
    order.amount -
    fee -
    charge -
    rounding -
    goods.reduce((sum, { grossPaise }) => sum + grossPaise, 0);
  const all = [
    ...goods,
    ...(rest === 0
      ? []
      : [
          single(
            'adjustment',
            rest > 0 ? 'Other charges' : 'Discount',
            rest,
            goods[0] ?? tax.otherwise,
          ),
        ]),
    // Part of the delivery, and taxed as the goods are (CGST Act, section 8: a composite supply).
    ...(charge === 0
      ? []
      : [single('adjustment', 'Charge for cash on delivery', charge, goods[0] ?? tax.otherwise)]),
    ...(fee === 0 ? [] : [single('fee', tax.fee.label, fee, tax.fee)]),
    // The price that is payable is the value of the supply (CGST Act, section 15), so its rounding is taxed as the goods are.
    ...(rounding === 0
      ? []
      : [single('adjustment', roundingLabel, rounding, goods[0] ?? tax.otherwise)]),
  ];
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
      ...(order.discountCode === null ? {} : { discountCode: order.discountCode }),
    },
    placeOfSupply: state === null ? null : { state: state.name, stateCode: state.gstCode },
    interstate,
    lines: all.map((line) => {
      const rateBps = collectsTax ? line.rateBps : 0;
      return { ...line, rateBps, ...splitTax(line.grossPaise, rateBps, interstate) };
    }),
    totalPaise: order.amount,
    ...(registration.kind === 'regular' ? {} : { untaxed: registration.kind }),
  };
}
