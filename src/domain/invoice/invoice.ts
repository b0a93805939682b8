import * as z from 'zod/mini';
import { legal, seller, shop, tax } from '../../shop.config.ts';
import { splitTax, taxClass, type TaxFacts } from './gst.ts';
import type { InvoiceDocument, InvoiceLine } from './invoice-document.ts';
import type { Paise } from '../money.ts';
import { orderEntries, textColumn } from '../orders/order-item.ts';
import { orderFromRow } from '../orders/order.ts';
import { isKerala, stateOfPin } from '../checkout/postal-code.ts';

const paiseColumn = z.catch(z.nullable(z.int()), null);

const rowSchema = z.object({
  merchant_transaction_id: textColumn,
  customer_address: textColumn,
  customer_city: textColumn,
  customer_postal_code: textColumn,
  customer_gstin: textColumn,
  payment_method: textColumn,
  paid_at: textColumn,
  items: z.optional(z.unknown()),
  products: z.optional(z.unknown()),
  fee_paise: paiseColumn,
});

const itemFactsSchema = z.catch(z.object({ category: textColumn, hsn: textColumn }), { category: null, hsn: null });

/** What decides the tax of products by their id, as far as the catalogue knows them now. */
export type FactsLookup = Readonly<Record<string, TaxFacts>>;

interface Goods {
  kind: InvoiceLine['kind'];
  productId: string | null;
  name: string;
  quantity: number;
  pricePaise: Paise;
  grossPaise: Paise;
  hsn: string;
  rateBps: number;
}

/** What was sold, at the price that was paid: the order's own copy of the facts first, then the catalogue's. */
function goodsOf(row: z.infer<typeof rowSchema>, items: ReturnType<typeof orderFromRow>['items'], facts: FactsLookup): Goods[] {
  const entries = orderEntries(row).map((entry) => itemFactsSchema.parse(entry));
  return items.map((item, index) => {
    const now = item.productId === null ? undefined : facts[item.productId];
    const kept = entries[index];
    return {
      kind: 'goods',
      productId: item.productId,
      name: item.name,
      quantity: item.quantity,
      pricePaise: item.price,
      grossPaise: item.lineTotal,
      ...taxClass({ category: kept?.category ?? now?.category ?? null, hsn: kept?.hsn ?? now?.hsn ?? null }),
    };
  });
}

const single = (kind: InvoiceLine['kind'], name: string, amount: Paise, { hsn, rateBps }: { hsn: string; rateBps: number }): Goods => ({
  ...{ kind, productId: null, name, quantity: 1, pricePaise: amount, grossPaise: amount, hsn, rateBps },
});

/**
 * The invoice of an order as it would be issued now, from its row and the facts of its products. The lines add up to
 * what was paid: what an imported order's items and amount differ by is a line of its own.
 */
export function invoiceDocument(orderRow: unknown, facts: FactsLookup = {}): InvoiceDocument {
  const row = rowSchema.parse(orderRow);
  const order = orderFromRow(orderRow);
  const pin = row.customer_postal_code ?? '';
  const state = stateOfPin(pin);
  const interstate = !isKerala(pin);
  const goods = goodsOf(row, order.items, facts);
  const fee = row.fee_paise ?? 0;
  const rest = order.amount - fee - goods.reduce((sum, { grossPaise }) => sum + grossPaise, 0);
  const all = [
    ...goods,
    ...(rest === 0 ? [] : [single('adjustment', rest > 0 ? 'Other charges' : 'Discount', rest, goods[0] ?? tax.otherwise)]),
    ...(fee === 0 ? [] : [single('fee', tax.fee.label, fee, tax.fee)]),
  ];
  return {
    version: 1,
    seller: {
      name: shop.name,
      legalName: seller.legalName,
      proprietor: legal.proprietor,
      address: [...legal.address],
      gstin: legal.gstin,
      state: tax.home.name,
      stateCode: tax.home.gstCode,
      email: seller.contact.emails[0],
      phone: seller.contact.phone,
    },
    buyer: {
      name: order.customerName,
      address: row.customer_address ?? '',
      city: row.customer_city ?? '',
      postalCode: pin,
      phone: order.customerPhone,
      email: order.customerEmail,
      gstin: row.customer_gstin,
    },
    order: {
      id: order.id,
      number: row.merchant_transaction_id ?? '',
      placedAt: order.createdAt,
      paidAt: row.paid_at,
      paymentId: order.paymentId,
      paymentMethod: row.payment_method,
    },
    placeOfSupply: state === null ? null : { state: state.name, stateCode: state.gstCode },
    interstate,
    lines: all.map((line) => ({ ...line, ...splitTax(line.grossPaise, line.rateBps, interstate) })),
    totalPaise: order.amount,
  };
}
