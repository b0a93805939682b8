import { stateOfPin } from '#domain/checkout/postal-code.ts';
import { indiaDay } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { cashToCollect } from '#domain/orders/order-cash.ts';
import { orderName, orderTitle, totalQuantity, type Order } from '#domain/orders/order.ts';
import { recipientOf } from '#domain/orders/recipient.ts';
import { seller } from '#settings/seller.ts';
import { legal } from '#settings/seller.ts';
import { shop } from '#settings/shop.ts';
import { html, type Markup } from '#core/platform/http/html.ts';
import { missingText } from '#core/orders/waiting-orders.ts';
import { lines, printPage } from '#core/orders/print/print-page.ts';

/** One slip; the first of a document has its heading. */
function slip(order: Order, level: 'first' | 'other'): Markup {
  const to = recipientOf(order);
  const rows = order.items.map(
    ({ name, quantity }) =>
      html`<tr>
        <td class="box"><span></span></td>
        <td>${name}</td>
        <td class="n">${quantity}</td>
      </tr>`,
  );
  const isGift = order.giftNote !== '' || to.name !== order.customerName;
  const texts = [
    ['A note for you', order.giftNote],
    // The customer's notes are for the shop, not for who receives the gift.
    ['Notes from the customer', isGift ? '' : order.notes],
  ] as const;
  const notes = texts.map(([heading, text]) =>
    text.trim() === ''
      ? html``
      : html`<div class="keep">
          <h2>${heading}</h2>
          <p>${text}</p>
        </div>`,
  );
  const stop =
    order.delivery.fulfilment === 'cancelled'
      ? html`<p><strong>CANCELLED: do not send</strong></p>`
      : order.delivery.fulfilment === 'unknown'
        ? html`<p><strong>UNKNOWN STATE: do not send</strong></p>`
        : html``;
  const cash = cashToCollect(order);
  const collect =
    cash === null
      ? html``
      : html`<p><strong>CASH ON DELIVERY: ${formatRupees(cash)} to collect</strong></p>`;
  const title =
    level === 'first' ? html`<h1>Packing slip</h1>` : html`<h2 class="title">Packing slip</h2>`;
  return html`<div class="head">
      <div>
        ${title}
        <p>${shop.name}</p>
        ${stop} ${collect}
      </div>
      <div>
        ${lines(`${orderTitle(order)} of ${indiaDay(order.createdAt)}`, `Reference: ${order.reference}`)}
      </div>
    </div>
    <div class="parts">
      <div>
        <h2>Send to</h2>
        ${lines(to.name, order.address, `${order.city} ${order.postalCode}`, stateOfPin(order.postalCode)?.name ?? null, to.phone)}
      </div>
      <div>
        <h2>From</h2>
        ${lines(seller.legalName, ...legal.address, seller.contact.phone)}
      </div>
    </div>
    <div class="wide" role="region" aria-label="Items of order ${order.id}" tabindex="0">
      <table>
        <thead>
          <tr>
            <th>Packed</th>
            <th>Item</th>
            <th class="n">Qty</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
        <tfoot>
          <tr>
            <th colspan="2">Pieces</th>
            <td class="n">${totalQuantity(order)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
    ${notes}
    <p class="small">
      Please check the parcel when it arrives. Damage must be reported within
      ${order.terms.damageHours} hours of delivery: ${seller.contact.emails[0]},
      ${seller.contact.phone}.
    </p>`;
}

/** The parcel's items and address, without prices because it may be a gift; but for the cash that is to be collected. */
export const packingSlipPage = (order: Order): Response =>
  printPage(`Packing slip for ${orderName(order)}`, slip(order, 'first'));

/**
 * The slips of several orders, each on a sheet of its own. `total`: how many there are, of which these are the oldest. `missing`: chosen orders
 * that are not among them.
 */
export function packingSlipsPage(
  [first, ...others]: readonly [Order, ...Order[]],
  total: number,
  missing: readonly number[],
): Response {
  const count = others.length + 1;
  const rest =
    total > count
      ? html` These are the oldest ${count} of ${total}: the others follow once these are marked.`
      : html``;
  return printPage(
    count === 1 ? `Packing slip for ${orderName(first)}` : `${String(count)} packing slips`,
    html`<p class="bar-note">
        ${count === 1 ? '1 slip.' : html`${count} slips, oldest order first, each on a sheet of its own.`}${rest}${missingText(missing)}
      </p>
      ${slip(first, 'first')}
      ${others.map((order) => html`<section class="sheet" aria-label="Order ${order.id}">${slip(order, 'other')}</section>`)}`,
  );
}
