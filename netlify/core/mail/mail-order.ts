import { orderHash } from '#domain/admin/orders/orders-address.ts';
import { formatDay, indiaCalendarDay } from '#domain/calendar-day.ts';
import { stateOfPin } from '#domain/checkout/postal-code.ts';
import { imageAddress, isResizable, sizedImage } from '#domain/image.ts';
import { keptAdvance } from '#domain/sums/payment-way.ts';
import { formatRupees } from '#domain/money.ts';
import { orderFromRow, orderName, type Order } from '#domain/orders/order.ts';
import { orderSums, type ShownRow } from '#domain/orders/order-sums.ts';
import { promisedDelivery } from '#domain/orders/promised-delivery.ts';
import { progressOf, type ProgressStep } from '#domain/orders/own-order-progress.ts';
import { mailTexts } from '#settings/mails.ts';
import { seller } from '#settings/seller.ts';
import { recipientOf } from '#domain/orders/recipient.ts';
import { html } from '#core/platform/http/html.ts';
import { colors } from '#core/platform/http/page.ts';
import { databaseEnv } from '#core/platform/env.ts';
import { orderPath } from './order-links.ts';
import { button, plainLink, siteAddress, type LetterPart } from './mail.ts';

/** An order whose amounts its mail lists. Throws for one of which an amount is not recorded, instead of listing a guess. */
export function orderWithAmounts(row: unknown): Order {
  const order = orderFromRow(row);
  if (order.items.some(({ estimated }) => estimated)) throw new Error('An item has no price');
  return order;
}

/** The first sentence of a mail about an order that is cancelled: it names who ended it. */
export const cancelledBy = (order: Order, by: 'customer' | 'shop'): string =>
  by === 'customer'
    ? `You cancelled ${orderName(order)}. It will not be sent.`
    : `We have cancelled ${orderName(order)}, so it will not be sent. We are sorry.`;

/** When the parcel comes, as a sentence with a space before it; '' when that is not known. */
export function expectedSentence(order: Order): string {
  const promised = promisedDelivery(order);
  if (promised === null) return '';
  const days = `between ${formatDay(promised.first)} and ${formatDay(promised.last)}`;
  return order.cash?.state === 'to_confirm'
    ? ` Once it is confirmed, we expect it ${days}.`
    : ` We expect it ${days}.`;
}

/** The last sentence of a mail about an order. */
export const questions = `${mailTexts.closing} ${seller.contact.emails[0]}.`;

/** The link for the customer to the page that shows the order's steps and parcel without a login. */
export const trackLink = (order: Order): LetterPart =>
  button('Follow your order', siteAddress(orderPath('track', order)));

/** The link for a customer with an account to their orders, with everything in them. */
export const ordersLink = (): LetterPart =>
  plainLink('All your orders', siteAddress('/profile#orders'));

/** The link for the admin to the order, where it is packed and sent; without an order, to Today. */
export const adminLink = (order: Order | null): LetterPart =>
  order === null
    ? button('Open the admin page', siteAddress('/admin'))
    : button(`Open order ${order.id}`, siteAddress(`/admin${orderHash(Number(order.id))}`));

interface AmountRow extends Omit<ShownRow, 'amount'> {
  /** Null in a list without amounts. */
  amount: string | null;
  /** The absolute address of a product's image, 128 px wide; null for a product without one, absent in a sum. */
  image?: string | null;
}

/** The image of a product for a letter; null for one that the shop's own CDN does not serve. */
function mailImage(entry: string | null): string | null {
  if (entry === null) return null;
  const address = imageAddress(entry, databaseEnv().SUPABASE_URL);
  return isResizable(address) ? siteAddress(sizedImage(address, 128, 'jpg')) : null;
}

const sizedLabel = (name: string, quantity: number): string =>
  quantity > 1 ? `${name} × ${String(quantity)}` : name;

/** The lines and totals, one a row. */
export const orderAmounts = (order: Order): LetterPart =>
  tableOf([
    ...order.items.map(({ name, quantity, price, lineTotal, image }) => ({
      label: `${sizedLabel(name, quantity)}${quantity > 1 ? ` (${formatRupees(price)} each)` : ''}`,
      amount: formatRupees(lineTotal),
      image: mailImage(image),
    })),
    ...orderSums(order),
  ]);

/** The lines without amounts, one a row: prices of now may be others. */
export const orderProducts = ({ items }: Order): LetterPart =>
  tableOf(
    items.map(({ name, quantity, image }) => ({
      label: sizedLabel(name, quantity),
      amount: null,
      image: mailImage(image),
    })),
  );

function tableOf(amountRows: readonly AmountRow[]): LetterPart {
  const rows = amountRows.map(({ label, amount, image, isTotal = false }) => {
    const style = `padding:8px 0;border-bottom:1px solid ${colors.line};font-weight:${isTotal ? 'bold' : 'normal'}`;
    const cell =
      image === undefined || image === null
        ? html``
        : html`<img src="${image}" width="56" height="56" alt="" style="display:block" />`;
    const cells =
      image === undefined
        ? html`<td colspan="2" style="${style}">${label}</td>`
        : html`<td width="${image === null ? 0 : 68}" style="${style}">${cell}</td>
            <td style="${style};padding-right:12px">${label}</td>`;
    return html`<tr>
      ${cells}${
        amount === null
          ? ''
          : html`<td align="right" style="${style};white-space:nowrap">${amount}</td>`
      }
    </tr>`;
  });
  return {
    text: amountRows
      .map(({ label, amount }) => (amount === null ? label : `${label}: ${amount}`))
      .join('\n'),
    markup: html`<table
      width="100%"
      cellpadding="0"
      cellspacing="0"
      style="border-collapse:collapse"
    >
      ${rows}
    </table>`,
  };
}

const stepDay = ({ isDone, at }: ProgressStep): string =>
  isDone && at !== null ? formatDay(indiaCalendarDay(new Date(at))) : '';

/** The steps without colours: 'Paid (Fri 20 Nov), Packed', then 'Next: Shipped, Delivered'. */
function stepsText(steps: readonly ProgressStep[]): string {
  const done = steps
    .filter(({ isDone }) => isDone)
    .map((step) => (stepDay(step) === '' ? step.name : `${step.name} (${stepDay(step)})`));
  const next = steps.filter(({ isDone }) => !isDone).map(({ name }) => name);
  return `${done.join(', ')}${next.length === 0 ? '' : `\nNext: ${next.join(', ')}`}`;
}

/** Paid, packed, shipped and delivered, with the days of those that are done; null for an order that is not sent. */
export function orderSteps(order: Order): LetterPart | null {
  const steps = progressOf(order);
  if (steps === null) return null;
  const { accent, ink, line } = colors;
  const cells = steps.map((step) => {
    const { name, isDone } = step;
    const edge = isDone ? accent[500] : line;
    const color = isDone ? ink[900] : ink[500];
    return html`<td
      width="25%"
      valign="top"
      style="padding:8px 4px 0 0;border-top:3px solid ${edge};font:14px/1.4 Helvetica,Arial,sans-serif;color:${color}"
    >
      ${name}<br /><span style="font-size:12px;color:${ink[500]}">${stepDay(step)}</span>
    </td>`;
  });
  return {
    text: stepsText(steps),
    markup: html`<table
      role="presentation"
      width="100%"
      cellpadding="0"
      cellspacing="0"
      style="margin:20px 0"
    >
      <tr>
        ${cells}
      </tr>
    </table>`,
  };
}

/** Where the order goes, one part a line. */
export const addressText = (order: Order): string =>
  [
    recipientOf(order).name,
    order.address,
    `${order.city} ${order.postalCode}`.trim(),
    stateOfPin(order.postalCode)?.name ?? '',
    recipientOf(order).phone,
  ]
    .filter((line) => line !== '')
    .join('\n');

/** What a customer has ready at the door, and what becomes of the advance without it. */
export function cashReady({ amount, cash, terms }: Order): string {
  const due = cash?.due ?? 0;
  const kept = keptAdvance(amount - due, terms);
  return `Please have ${formatRupees(due)} in cash ready when the parcel arrives.${kept === null ? '' : ` ${kept}`}`;
}
