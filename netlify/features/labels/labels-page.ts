import * as z from 'zod/mini';
import { printedPin, stateOfPin } from '#domain/checkout/postal-code.ts';
import { formatRupees } from '#domain/money.ts';
import { cashToCollect } from '#domain/orders/order-cash.ts';
import type { Order } from '#domain/orders/order.ts';
import { recipientOf } from '#domain/orders/recipient.ts';
import { seller } from '#settings/seller.ts';
import { legal } from '#settings/seller.ts';
import { html, type Markup } from '#core/platform/http/html.ts';
import { colors } from '#core/platform/http/page.ts';
import { missingText } from '#core/orders/waiting-orders.ts';
import { lines, printPage } from '#core/orders/print/print-page.ts';

/** 'thermal': one label to a page of 100 × 150 mm. 'a4': four to a sheet, each a quarter of it (105 × 148.5 mm). */
export const labelSheetSchema = z.enum(['a4', 'thermal']);
type LabelSheet = z.infer<typeof labelSheetSchema>;

const sizes = {
  thermal: { page: '100mm 150mm', width: '100mm', height: '150mm', sheet: '100mm' },
  a4: { page: 'A4', width: '105mm', height: '148.5mm', sheet: '210mm' },
} as const;

/** A label never grows beyond its size, or it would push the next one off the sheet: long texts are set smaller. */
function styleOf(sheet: LabelSheet): string {
  const { page, width, height, sheet: across } = sizes[sheet];
  const { ink, line } = colors;
  return `body{font:11pt/1.35 "Helvetica Neue",Arial,sans-serif;color:${ink[900]};background:#fff}
main{max-width:none;padding:16px}h1{font-size:18px;margin:0 0 8px}
.bar{margin-bottom:16px}.labels{width:${across};max-width:100%;display:flex;flex-wrap:wrap}
.label{width:${width};height:${height};padding:6mm;overflow:hidden;border:1px dashed ${line};display:flex;flex-direction:column;break-inside:avoid}
.label p{margin:0;white-space:pre-line;overflow-wrap:anywhere}.label h2{margin:0 0 1mm;font-size:8pt;letter-spacing:.06em;text-transform:uppercase}
.to{flex:1;min-height:0;overflow:hidden;font-size:13pt}.long{font-size:9pt}.pin{font-size:22pt;font-weight:bold;letter-spacing:.08em}
.cash{margin-top:2mm;padding:1.5mm 2mm;border:.7mm solid ${ink[900]};text-align:center;font-size:12pt;font-weight:bold;letter-spacing:.06em}
.label .cash .sum{font-size:24pt;line-height:1.15;letter-spacing:0}
.row{display:flex;justify-content:space-between;gap:4mm;border-top:1px solid ${ink[900]};padding-top:2mm;margin-top:2mm;font-size:9pt}
@page{size:${page};margin:0}
@media print{main{padding:0}h1,.bar{display:none}.labels{max-width:none}.label{border-color:${sheet === 'a4' ? line : 'transparent'}}}`;
}

function label(order: Order): Markup {
  const { carrier, trackingNumber } = order.delivery;
  const to = recipientOf(order);
  const long = order.address.length + to.name.length > 160 ? ' long' : '';
  const parcel =
    trackingNumber === null
      ? html``
      : html`<div class="row">
          <p>${carrier ?? ''}</p>
          <p>${trackingNumber}</p>
        </div>`;
  const cash = cashToCollect(order);
  const money = cash === null ? 'Prepaid: collect no money' : 'Collect the cash first';
  const collect =
    cash === null
      ? html``
      : html`<div class="cash">
          <p>CASH ON DELIVERY</p>
          <p class="sum">${formatRupees(cash)}</p>
        </div>`;
  return html`<section class="label" aria-label="Order ${order.id}">
    <div class="to${long}">
      <h2>To</h2>
      ${lines(to.name, order.address, order.city, stateOfPin(order.postalCode)?.name ?? null, `Phone ${to.phone}`)}
    </div>
    <p class="pin">${printedPin(order.postalCode)}</p>
    ${collect} ${parcel}
    <div class="row">
      <p>${money}</p>
      <p>Order ${order.id}</p>
    </div>
    <div class="row">
      <div>
        <h2>From, and return to</h2>
        ${lines(seller.legalName, ...legal.address, seller.contact.phone)}
      </div>
    </div>
  </section>`;
}

/** The address labels of orders, oldest first, and on the screen the chosen ones that are `missing`. They name nothing of what is in the parcel, and no price but the cash to collect. */
export const labelsPage = (
  orders: readonly Order[],
  sheet: LabelSheet,
  missing: readonly number[],
): Response =>
  printPage(
    orders.length === 1 ? '1 label' : `${String(orders.length)} labels`,
    html`<h1>Labels</h1>
      <p class="bar">${missingText(missing)}</p>
      <div class="labels">${orders.map(label)}</div>`,
    styleOf(sheet),
  );
