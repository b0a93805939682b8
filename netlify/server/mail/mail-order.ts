import { orderHash } from '../../../src/domain/admin/orders/orders-address.ts';
import { stateOfPin } from '../../../src/domain/checkout/postal-code.ts';
import { formatRupees, type Paise } from '../../../src/domain/money.ts';
import { orderFromRow, type Order } from '../../../src/domain/orders/order.ts';
import { html, type Markup } from '../platform/html.ts';
import { colors } from '../platform/page.ts';
import { siteLink, type MailLink } from './mail.ts';

/** An order whose amounts its mail lists. Throws for one of which an amount is not recorded, instead of listing a guess. */
export function orderWithAmounts(row: unknown): Order {
  const order = orderFromRow(row);
  if (order.items.some(({ estimated }) => estimated)) throw new Error('An item has no price');
  return order;
}

/** 'Order #1001', as the profile page writes it. */
export const orderTitle = ({ id }: Order): string => `Order #${id}`;

/** For the buyer: their orders, each with its state, its parcel and its invoice. */
export const ordersLink = (label = 'See your order'): MailLink =>
  siteLink(label, '/profile#orders');

/** For the admin: the order where it is packed and sent; without one, what waits today. */
export const adminLink = (order: Order | null): MailLink =>
  order === null
    ? siteLink('Open the admin page', '/admin')
    : siteLink(`Open order ${order.id}`, `/admin${orderHash(Number(order.id))}`);

/** Label and amount of every line and total, in reading order. */
function amounts(order: Order): { label: string; amount: Paise; strong: boolean }[] {
  const lines = order.items.map(({ name, quantity, price, lineTotal }) => ({
    label: quantity > 1 ? `${name} × ${String(quantity)} (${formatRupees(price)} each)` : name,
    amount: lineTotal,
    strong: false,
  }));
  return [
    ...lines,
    { label: 'Subtotal', amount: order.subtotal, strong: false },
    ...(order.discount === 0
      ? []
      : [
          {
            label: `Discount (${order.discountCode ?? ''})`,
            amount: -order.discount,
            strong: false,
          },
        ]),
    { label: 'Shipping', amount: 0, strong: false },
    { label: 'Platform Fee (incl. GST)', amount: order.fee, strong: false },
    { label: 'Total', amount: order.amount, strong: true },
  ];
}

const shown = (label: string, amount: Paise): string =>
  label === 'Shipping' && amount === 0 ? 'Free' : formatRupees(amount);

/** The lines and totals as text, one a line. */
export const amountsText = (order: Order): string =>
  amounts(order)
    .map(({ label, amount }) => `${label}: ${shown(label, amount)}`)
    .join('\n');

/** The lines and totals as a table. */
export function amountsTable(order: Order): Markup {
  const rows = amounts(order).map(({ label, amount, strong }) => {
    const weight = strong ? 'bold' : 'normal';
    return html`<tr>
      <td
        style="padding:8px 12px 8px 0;border-bottom:1px solid ${colors.line};font-weight:${weight}"
      >
        ${label}
      </td>
      <td
        align="right"
        style="padding:8px 0;border-bottom:1px solid ${colors.line};font-weight:${weight};white-space:nowrap"
      >
        ${shown(label, amount)}
      </td>
    </tr>`;
  });
  return html`<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">
    ${rows}
  </table>`;
}

/** Where the order goes, one part a line. */
export const addressText = (order: Order): string =>
  [
    order.customerName,
    order.address,
    `${order.city} ${order.postalCode}`.trim(),
    stateOfPin(order.postalCode)?.name ?? '',
    order.customerPhone,
  ]
    .filter((line) => line !== '')
    .join('\n');
