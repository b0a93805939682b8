import { indiaDay } from '../../../../src/domain/india-dates.ts';
import type { AdminOrder } from '../../../../src/domain/admin/orders.ts';
import { seller } from '../../../../src/seller.config.ts';
import { legal, shop } from '../../../../src/shop.config.ts';
import { html } from '../../platform/html.ts';
import { lines, printPage } from './print-page.ts';

/** What goes into the parcel and where it goes, without prices: it may be a present. */
export function packingSlipPage(order: AdminOrder): Response {
  const rows = order.items.map(
    ({ name, quantity }) => html`<tr><td class="box"><span></span></td><td>${name}</td><td class="n">${quantity}</td></tr>`,
  );
  const notes = order.notes.trim() === '' ? html`` : html`<div class="keep"><h2>Notes from the buyer</h2><p>${order.notes}</p></div>`;
  const stop = order.fulfilment === 'cancelled' ? html`<p><strong>CANCELLED: do not send</strong></p>` : html``;
  return printPage(
    `Packing slip for order #${String(order.id)}`,
    html`<div class="head"><div><h1>Packing slip</h1><p>${shop.name}</p>${stop}</div>
<div>${lines(`Order: #${String(order.id)} of ${indiaDay(order.createdAt)}`, `Reference: ${order.number}`)}</div></div>
<div class="parts"><div><h2>Send to</h2>${lines(order.customerName, order.address, `${order.city} ${order.postalCode}`, order.state, order.customerPhone)}</div>
<div><h2>From</h2>${lines(seller.legalName, ...legal.address, seller.contact.phone)}</div></div>
<div class="wide" role="region" aria-label="Items" tabindex="0"><table><thead><tr><th>Packed</th><th>Item</th><th class="n">Qty</th></tr></thead><tbody>${rows}</tbody>
<tfoot><tr><th colspan="2">Pieces</th><td class="n">${order.pieces}</td></tr></tfoot></table></div>
${notes}
<p class="small">Please check the parcel when it arrives. Damage must be reported within ${seller.shipping.damageHours} hours of delivery: ${seller.contact.emails[0]}, ${seller.contact.phone}.</p>`,
  );
}
