import { formatDay, indiaCalendarDay } from '#domain/calendar-day.ts';
import { indiaDay } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { orderTitle, type Order } from '#domain/orders/order.ts';
import { askLinks, cashNote, progressOf, refundLabels } from '#domain/orders/own-order-progress.ts';
import { expectedDays } from '#domain/orders/promised-delivery.ts';
import { shop } from '#settings/shop.ts';
import { html, type Markup } from '#core/platform/http/html.ts';
import { colors, serverPage } from '#core/platform/http/page.ts';

const { accent, brand, ink, line } = colors;

const style = `main{max-width:40rem}.shop{margin:0 0 2rem;padding-bottom:.75rem;border-bottom:3px double ${accent[500]};color:${brand[700]};letter-spacing:.06em;font-size:1.375rem}
.shop a{color:inherit;text-decoration:none}h1{margin:0 0 .25rem}.placed{margin:0;color:${ink[500]}}.state{margin:1.5rem 0 0;font-size:1.1875rem}
ol{display:grid;grid-template-columns:repeat(4,1fr);margin:1.5rem 0;padding:0;list-style:none}li{padding:.5rem .25rem 0 0;border-top:2px solid ${line};color:${ink[500]};font-size:.9375rem}
li.done{border-color:${accent[500]};color:${ink[900]}}time{display:block;font-size:.8125rem;color:${ink[500]}}
dl{display:grid;grid-template-columns:auto 1fr;gap:.35rem 1.25rem;align-items:center;margin:1.5rem 0}dt{color:${ink[500]}}dd{margin:0;overflow-wrap:anywhere}dd span{display:block}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.75rem;margin-top:2rem;padding-top:1rem;border-top:1px solid ${line}}nav a,dd a{display:inline-flex;align-items:center;min-height:2.75rem}`;

/** One sentence about a state that the steps do not show. */
function stateOf(order: Order): string {
  const { fulfilment, cancelledAt, deliveredAt } = order.delivery;
  const { state } = order.cash ?? {};
  const note = state === 'to_confirm' || state === 'ended' ? cashNote(order) : null;
  if (note !== null) {
    const expected = expectedDays(order);
    return expected === '' ? note : `${note} Expected ${expected}.`;
  }
  if (fulfilment === 'cancelled')
    return `This order is cancelled${cancelledAt === null ? '' : ` since ${indiaDay(cancelledAt)}`}.`;
  if (fulfilment === 'unknown') return 'Please load this page again in a few minutes.';
  if (progressOf(order) === null)
    return order.handedOver
      ? 'You took this order with you.'
      : (refundLabels[order.refund] ?? 'This order is not paid.');
  if (fulfilment === 'delivered')
    return `Delivered${deliveredAt === null ? '' : ` on ${indiaDay(deliveredAt)}`}.`;
  const now = { new: 'We are packing it.', packed: 'It is packed.', shipped: 'It is on its way.' }[
    fulfilment
  ];
  const expected = expectedDays(order);
  return expected === '' ? now : `${now} Expected ${expected}.`;
}

function steps(order: Order): Markup {
  const progress = progressOf(order);
  if (progress === null) return html``;
  const entries = progress.map(({ name, isDone, at }) => {
    const day =
      at === null
        ? html``
        : html`<time datetime="${at}">${formatDay(indiaCalendarDay(new Date(at)))}</time>`;
    return html`<li class="${isDone ? 'done' : ''}">${name}${isDone ? day : ''}</li>`;
  });
  return html`<ol aria-label="Progress">
    ${entries}
  </ol>`;
}

/**
 * Status, parcel, items and city of an order, for whoever has its link. People forward it: no name, no street, no phone, no
 * amounts but the cash that is to be paid at the door, and no way to the invoice.
 */
export function trackPage(order: Order): Response {
  const { carrier, trackingNumber, trackingUrl } = order.delivery;
  const link = (path: string, text: string): Markup => html`<a href="${path}">${text}</a>`;
  const items = order.items.map(
    ({ name, quantity }) =>
      html`<span>${name}${quantity > 1 ? ` × ${String(quantity)}` : ''}</span>`,
  );
  const facts: [string, string | Markup][] = [];
  if (items.length > 0) facts.push(['Items', html`${items}`]);
  if (order.city !== '' && !order.handedOver) facts.push(['To', order.city]);
  if (carrier !== null) facts.push(['Carrier', carrier]);
  if (trackingNumber !== null) facts.push(['Tracking number', trackingNumber]);
  if (trackingUrl !== null) facts.push(['Parcel', link(trackingUrl, 'Follow the parcel')]);
  if (order.cash?.state === 'due') facts.push(['Cash at the door', formatRupees(order.cash.due)]);
  if (order.refund === 'part') facts.push(['Refund', refundLabels.part]);
  const ask = askLinks(order);
  const rows = facts.map(
    ([label, value]) =>
      html`<dt>${label}</dt>
        <dd>${value}</dd>`,
  );
  return serverPage({
    title: `${orderTitle(order)} – ${shop.name}`,
    style,
    // The URL grants access to this page, so other sites must not receive it as the referrer.
    headers: { 'referrer-policy': 'no-referrer' },
    body: html`<p class="shop">${link('/', shop.name)}</p>
      <h1>${orderTitle(order)}</h1>
      <p class="placed">
        ${order.createdAt === '' ? '' : `Placed on ${indiaDay(order.createdAt)}`}
      </p>
      <p class="state">${stateOf(order)}</p>
      ${steps(order)}${rows.length === 0 ? html`` : html`<dl>${rows}</dl>`}
      <nav aria-label="More">
        ${link('/profile#orders', 'See the whole order')}${link(ask.whatsapp, 'Ask on WhatsApp')}${link(ask.mail, 'Ask by e-mail')}
      </nav>`,
  });
}
