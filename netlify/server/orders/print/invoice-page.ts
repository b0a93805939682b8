import { amountInWords } from '../../../../src/domain/invoice/amount-in-words.ts';
import { indiaDay } from '../../../../src/domain/india-dates.ts';
import {
  addUp,
  amountsByRate,
  rateText,
  refundedOf,
  type InvoiceDocument,
  type InvoiceLine,
  type InvoiceRefund,
  type IssuedInvoice,
} from '../../../../src/domain/invoice/invoice-document.ts';
import { formatRupees } from '../../../../src/domain/money.ts';
import { html, type Markup } from '../../platform/html.ts';
import { lines, printPage } from './print-page.ts';

type Taxed = Pick<InvoiceLine, 'cgstPaise' | 'sgstPaise' | 'igstPaise'>;

const taxHeads = (interstate: boolean): Markup =>
  interstate ? html`<th class="n">IGST</th>` : html`<th class="n">CGST</th><th class="n">SGST</th>`;

const taxCells = ({ cgstPaise, sgstPaise, igstPaise }: Taxed, interstate: boolean): Markup =>
  interstate
    ? html`<td class="n">${formatRupees(igstPaise)}</td>`
    : html`<td class="n">${formatRupees(cgstPaise)}</td><td class="n">${formatRupees(sgstPaise)}</td>`;

function itemsTable({ lines: items, interstate }: InvoiceDocument): Markup {
  const rows = items.map(
    (line) => html`<tr><td>${line.name}</td><td>${line.hsn}</td><td class="n">${line.quantity}</td>
<td class="n">${formatRupees(line.pricePaise)}</td><td class="n">${formatRupees(line.taxablePaise)}</td>
<td class="n">${rateText(line.rateBps)}</td>${taxCells(line, interstate)}<td class="n">${formatRupees(line.grossPaise)}</td></tr>`,
  );
  const sum = addUp(items);
  return html`<div class="wide" role="region" aria-label="Items" tabindex="0"><table><thead><tr><th>Item</th><th>HSN/SAC</th><th class="n">Qty</th>
<th class="n">Price (incl. GST)</th><th class="n">Taxable value</th><th class="n">GST</th>${taxHeads(interstate)}<th class="n">Amount</th></tr></thead>
<tbody>${rows}</tbody><tfoot><tr><th colspan="4">Total</th><td class="n">${formatRupees(sum.taxablePaise)}</td><td></td>
${taxCells(sum, interstate)}<td class="n">${formatRupees(sum.grossPaise)}</td></tr></tfoot></table></div>`;
}

function ratesTable({ lines: items, interstate }: InvoiceDocument): Markup {
  const rows = amountsByRate(items).map(
    (rate) => html`<tr><td>${interstate ? rateText(rate.rateBps) : `${rateText(rate.rateBps)} (${rateText(rate.rateBps / 2)} + ${rateText(rate.rateBps / 2)})`}</td>
<td class="n">${formatRupees(rate.taxablePaise)}</td>${taxCells(rate, interstate)}</tr>`,
  );
  return html`<div class="wide keep" role="region" aria-label="Tax by rate" tabindex="0"><table><caption>Tax by rate</caption><thead><tr><th>Rate</th><th class="n">Taxable value</th>
${taxHeads(interstate)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function refundsPart(refunds: readonly InvoiceRefund[], totalPaise: number): Markup {
  if (refunds.length === 0) return html``;
  const rows = refunds.map(({ amountPaise, at }) => html`<p>${indiaDay(at)}: ${formatRupees(amountPaise)}</p>`);
  const rest = totalPaise - refundedOf(refunds);
  return html`<div class="keep"><h2>Refunded</h2>${rows}<p><strong>Kept after refunds: ${formatRupees(rest)}</strong></p></div>`;
}

/** The tax invoice as a page for print. */
export function invoicePage({ number, issuedAt, document, refunds }: IssuedInvoice): Response {
  const { seller, buyer, order, placeOfSupply, interstate } = document;
  const supply = placeOfSupply === null ? 'Place of supply not known' : `${placeOfSupply.state} (${placeOfSupply.stateCode})`;
  return printPage(
    `Invoice ${number}`,
    html`<div class="head"><div><h1>Tax invoice</h1><p>${seller.name}</p></div>
<div>${lines(`Invoice: ${number}`, `Date: ${indiaDay(issuedAt)}`, `Order: #${order.id} of ${indiaDay(order.placedAt)}`, `Reference: ${order.number}`)}</div></div>
<div class="parts"><div><h2>Sold by</h2>${lines(seller.legalName, `Proprietor: ${seller.proprietor}`, ...seller.address, `GSTIN: ${seller.gstin}`, `State: ${seller.state} (${seller.stateCode})`, seller.email, seller.phone)}</div>
<div><h2>Billed and sent to</h2>${lines(buyer.name, buyer.address, `${buyer.city} ${buyer.postalCode}`, buyer.phone, buyer.email)}</div>
<div><h2>Place of supply</h2>${lines(supply, interstate ? 'Inter-state supply: IGST' : 'Supply within the state: CGST and SGST', 'Reverse charge: no')}</div></div>
${itemsTable(document)}
${ratesTable(document)}
<div class="parts"><div class="keep"><h2>Total in words</h2><p>${amountInWords(document.totalPaise)}</p></div>
<div class="keep"><h2>Paid</h2>${lines(formatRupees(document.totalPaise), order.paidAt === null ? null : `on ${indiaDay(order.paidAt)}`, order.paymentMethod === null ? null : `by ${order.paymentMethod}`, order.paymentId)}</div>
${refundsPart(refunds, document.totalPaise)}</div>
<p class="small">Prices include GST. This is a computer-made invoice and needs no signature.</p>`,
  );
}
