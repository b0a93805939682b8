import * as z from 'zod/mini';
import { formatRupees, paiseFromRupees, type Paise } from '../../../src/domain/money.ts';
import { html, type Markup } from '../platform/html.ts';

/** A Postgres `numeric` in rupees: a number on hosted Supabase, text on the embedded one. Output: paise. */
const rupeesColumn = z.pipe(
  z.union([z.number(), z.string()]),
  z.transform((value, context): Paise => {
    const paise = paiseFromRupees(value);
    if (paise !== null) return paise;
    context.issues.push({ code: 'custom', message: 'Not an amount in rupees', input: value });
    return z.NEVER;
  }),
);

/** Text, '' when there is none. */
export const mailText = z.pipe(
  z.optional(z.nullable(z.string())),
  z.transform((value) => value ?? ''),
);

export const mailOrderSchema = z.object({
  id: z.int(),
  merchant_transaction_id: z.string(),
  items: z.array(z.object({ name: z.string(), quantity: z.int(), price: rupeesColumn })),
  subtotal_paise: z.int(),
  fee_paise: z.int(),
  total_paise: z.int(),
  customer_name: mailText,
  customer_email: mailText,
  customer_phone: mailText,
  customer_address: mailText,
  customer_city: mailText,
  customer_postal_code: mailText,
  notes: mailText,
  payment_id: mailText,
});
/** An order as its e-mails show it. Item prices and totals in paise, prices for one unit. */
export type MailOrder = z.infer<typeof mailOrderSchema>;

/** Any order, imported ones too, whose items and amounts may be in any shape. */
export const numberedOrderSchema = z.object({ id: z.int() });
export type NumberedOrder = z.infer<typeof numberedOrderSchema>;

/** 'Order #1001', as the profile page writes it. */
export const orderTitle = (order: NumberedOrder): string => `Order #${String(order.id)}`;

/** Label and amount of every line and total, in reading order. */
function amounts(order: MailOrder): { label: string; amount: Paise; strong: boolean }[] {
  const lines = order.items.map(({ name, quantity, price }) => ({
    label: quantity > 1 ? `${name} × ${String(quantity)} (${formatRupees(price)} each)` : name,
    amount: price * quantity,
    strong: false,
  }));
  return [
    ...lines,
    { label: 'Subtotal', amount: order.subtotal_paise, strong: false },
    { label: 'Shipping', amount: 0, strong: false },
    { label: 'Platform Fee (incl. GST)', amount: order.fee_paise, strong: false },
    { label: 'Total', amount: order.total_paise, strong: true },
  ];
}

const shown = (label: string, amount: Paise): string =>
  label === 'Shipping' && amount === 0 ? 'Free' : formatRupees(amount);

/** The lines and totals as text, one a line. */
export const amountsText = (order: MailOrder): string =>
  amounts(order)
    .map(({ label, amount }) => `${label}: ${shown(label, amount)}`)
    .join('\n');

/** The lines and totals as a table. */
export function amountsTable(order: MailOrder): Markup {
  const rows = amounts(order).map(({ label, amount, strong }) => {
    const weight = strong ? 'bold' : 'normal';
    return html`<tr>
      <td style="padding:8px 12px 8px 0;border-bottom:1px solid #eadfca;font-weight:${weight}">${label}</td>
      <td
        align="right"
        style="padding:8px 0;border-bottom:1px solid #eadfca;font-weight:${weight};white-space:nowrap"
      >
        ${shown(label, amount)}
      </td>
    </tr>`;
  });
  return html`<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">
    ${rows}
  </table>`;
}

type Addressee = Pick<
  MailOrder,
  'customer_name' | 'customer_address' | 'customer_city' | 'customer_postal_code' | 'customer_phone'
>;

/** Where the order goes, one part a line. */
export const addressText = (order: Addressee): string =>
  [
    order.customer_name,
    order.customer_address,
    `${order.customer_city} ${order.customer_postal_code}`.trim(),
    order.customer_phone,
  ]
    .filter((line) => line !== '')
    .join('\n');
