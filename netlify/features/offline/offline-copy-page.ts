import { categories, categoryLabel } from '#domain/catalogue/category.ts';
import { stateOfPin } from '#domain/checkout/postal-code.ts';
import { telLink } from '#domain/admin/orders/contact-links.ts';
import { indiaDay, indiaTime } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import type { Order } from '#domain/orders/order.ts';
import { cashToCollect } from '#domain/orders/order-cash.ts';
import { recipientOf } from '#domain/orders/recipient.ts';
import { html, type Markup } from '#core/platform/http/html.ts';
import { colors, serverPage } from '#core/platform/http/page.ts';
import { lines } from '#core/orders/print/print-page.ts';
import type { StockRow } from './read-stock.ts';

interface OfflineCopy {
  toPack: WaitingPart;
  packed: WaitingPart;
  stock: readonly StockRow[];
}
interface WaitingPart {
  /** How many wait; `orders` are the oldest of them. */
  total: number;
  orders: readonly Order[];
}

const style = `main{max-width:44rem;padding-top:1.5rem}
.now{padding:.875rem 1.125rem;border-left:3px solid ${colors.accent[500]};background:#fff}
h2{margin:2rem 0 .5rem;font-size:1.25rem}h3{margin:0;font-size:1.0625rem}p{margin:.25rem 0;overflow-wrap:anywhere}.order p{white-space:pre-line}
.order{padding:1rem 0;border-top:1px solid ${colors.line}}ul{margin:.25rem 0;padding-left:1.25rem}
a{display:inline-block;margin-right:1rem;padding:.625rem 0}summary{padding:.625rem 0;border-top:1px solid ${colors.line};cursor:pointer}
table{width:100%;border-collapse:collapse}td{padding:.375rem 0;border-top:1px solid ${colors.line};vertical-align:top;overflow-wrap:anywhere}
td:last-child{padding-left:1rem;text-align:right;white-space:pre-line}`;

/** Renders an order as packing needs it, with the recipient's phone and the cash to collect; no price or e-mail. */
function orderPart(order: Order): Markup {
  const { name, phone } = recipientOf(order);
  const tel = telLink(phone);
  const cash = cashToCollect(order);
  const notes = [
    ['Note from the customer', order.notes],
    ['Gift note', order.giftNote],
  ].flatMap(([title = '', text = '']) =>
    text.trim() === '' ? [] : [html`<p>${title}: ${text}</p>`],
  );
  return html`<section class="order" aria-label="Order ${order.id}">
    <h3>${order.id} ${name}</h3>
    ${cash === null ? html`` : html`<p><strong>CASH ON DELIVERY: ${formatRupees(cash)} to collect</strong></p>`}
    ${lines(order.address, `${order.city} ${order.postalCode}`, stateOfPin(order.postalCode)?.name ?? null)}
    ${tel === null ? lines(phone) : html`<a href="${tel}">${phone}</a>`}
    <ul>
      ${order.items.map((item) => html`<li>${item.quantity} × ${item.name}</li>`)}
    </ul>
    ${notes}
  </section>`;
}

const ordersPart = (title: string, { total, orders }: WaitingPart): Markup =>
  html`<h2>${title} (${total})</h2>
    ${total > orders.length ? html`<p>These are the oldest ${orders.length}.</p>` : html``}
    ${orders.map(orderPart)}`;

const countText = ({ stock, sizes }: StockRow): string =>
  sizes.length === 0
    ? String(stock)
    : sizes.map((size) => `${size.size}: ${String(size.stock)}`).join('\n');

/** A folded table for each category; products whose category the shop has no more come last. */
function stockPart(stock: readonly StockRow[]): Markup[] {
  const known = [...new Set([...categories, ...stock.map(({ category }) => category)])];
  return known.flatMap((category) => {
    const rows = stock.filter((row) => row.category === category);
    if (rows.length === 0) return [];
    return html`<details>
      <summary>${categoryLabel(category)} (${rows.length})</summary>
      <table>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <td>${row.name}</td>
                <td>${countText(row)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>`;
  });
}

/**
 * The page that a device stores for the time without a connection. It is whole in itself and runs nothing.
 *
 * @param end - When the session ends: nothing is shown from then on.
 */
export const offlineCopyPage = (copy: OfflineCopy, now: Date, end: Date): Response =>
  serverPage({
    title: 'You are offline',
    style,
    headers: { expires: end.toUTCString(), 'referrer-policy': 'no-referrer' },
    body: html`<h1>You are offline</h1>
      <div class="now">
        <p>
          This is how things stood at ${indiaTime(now.toISOString())} on
          ${indiaDay(now.toISOString())}. You can read here, and pack, send and save when the
          connection is back.
        </p>
        <a href="">Try again</a> <a href="#stock">Stock</a>
      </div>
      ${ordersPart('To pack', copy.toPack)} ${ordersPart('Packed, to send', copy.packed)}
      <h2 id="stock">Stock</h2>
      ${stockPart(copy.stock)}`,
  });
