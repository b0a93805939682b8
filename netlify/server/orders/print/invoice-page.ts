import { amountInWords } from '../../../../src/domain/invoice/amount-in-words.ts';
import type {
  IssuedCreditNote,
  IssuedInvoice,
} from '../../../../src/domain/invoice/issued-documents.ts';
import { indiaDay } from '../../../../src/domain/india-dates.ts';
import {
  addUp,
  amountsByRate,
  rateText,
  type InvoiceDocument,
  type InvoiceLine,
} from '../../../../src/domain/invoice/invoice-document.ts';
import { formatRupees } from '../../../../src/domain/money.ts';
import { paymentMethodLabel } from '../../../../src/domain/orders/order-payment.ts';
import { html, type Markup } from '../../platform/http/html.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { lines, printPage } from './print-page.ts';

type Taxed = Pick<InvoiceLine, 'cgstPaise' | 'sgstPaise' | 'igstPaise'>;

const taxHeads = (interstate: boolean): Markup =>
  interstate
    ? html`<th class="n">IGST</th>`
    : html`<th class="n">CGST</th>
        <th class="n">SGST</th>`;

const taxCells = ({ cgstPaise, sgstPaise, igstPaise }: Taxed, interstate: boolean): Markup =>
  interstate
    ? html`<td class="n">${formatRupees(igstPaise)}</td>`
    : html`<td class="n">${formatRupees(cgstPaise)}</td>
        <td class="n">${formatRupees(sgstPaise)}</td>`;

function itemsTable({ lines: items, interstate }: InvoiceDocument, number: string): Markup {
  const rows = items.map(
    (line) =>
      html`<tr>
        <td>
          ${line.name}${(line.discountPaise ?? 0) > 0 ? html`<br /><span class="small">Discount: −${formatRupees(line.discountPaise ?? 0)}</span>` : ''}
        </td>
        <td>${line.hsn}</td>
        <td class="n">${line.quantity === 0 ? '' : line.quantity}</td>
        <td class="n">${formatRupees(line.pricePaise)}</td>
        <td class="n">${formatRupees(line.taxablePaise)}</td>
        <td class="n">${rateText(line.rateBps)}</td>
        ${taxCells(line, interstate)}
        <td class="n">${formatRupees(line.grossPaise)}</td>
      </tr>`,
  );
  const sum = addUp(items);
  return html`<div class="wide" role="region" aria-label="Items of ${number}" tabindex="0">
    <table>
      <thead>
        <tr>
          <th>Item</th>
          <th>HSN/SAC</th>
          <th class="n">Qty</th>
          <th class="n">Price (incl. GST)</th>
          <th class="n">Taxable value</th>
          <th class="n">GST</th>
          ${taxHeads(interstate)}
          <th class="n">Amount</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
      <tfoot>
        <tr>
          <th colspan="4">Total</th>
          <td class="n">${formatRupees(sum.taxablePaise)}</td>
          <td></td>
          ${taxCells(sum, interstate)}
          <td class="n">${formatRupees(sum.grossPaise)}</td>
        </tr>
      </tfoot>
    </table>
  </div>`;
}

function ratesTable({ lines: items, interstate }: InvoiceDocument, number: string): Markup {
  const rows = amountsByRate(items).map(
    (rate) =>
      html`<tr>
        <td>
          ${interstate ? rateText(rate.rateBps) : `${rateText(rate.rateBps)} (${rateText(rate.rateBps / 2)} + ${rateText(rate.rateBps / 2)})`}
        </td>
        <td class="n">${formatRupees(rate.taxablePaise)}</td>
        ${taxCells(rate, interstate)}
      </tr>`,
  );
  return html`<div
    class="wide keep"
    role="region"
    aria-label="Tax by rate of ${number}"
    tabindex="0"
  >
    <table>
      <caption>
        Tax by rate
      </caption>
      <thead>
        <tr>
          <th>Rate</th>
          <th class="n">Taxable value</th>
          ${taxHeads(interstate)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function parties({ seller, buyer, placeOfSupply, interstate }: InvoiceDocument): Markup {
  const supply =
    placeOfSupply === null
      ? 'Place of supply not known'
      : `${placeOfSupply.state} (${placeOfSupply.stateCode})`;
  return html`<div class="parts">
    <div>
      <h2>Sold by</h2>
      ${lines(seller.legalName, `Proprietor: ${seller.proprietor}`, ...seller.address, `GSTIN: ${seller.gstin}`, `State: ${seller.state} (${seller.stateCode})`, seller.email, seller.phone)}
    </div>
    <div>
      <h2>Billed and sent to</h2>
      ${lines(buyer.name, buyer.address, `${buyer.city} ${buyer.postalCode}`, buyer.gstin === null ? null : `GSTIN: ${buyer.gstin}`, buyer.phone, buyer.email)}
    </div>
    <div>
      <h2>Place of supply</h2>
      ${lines(supply, interstate ? 'Inter-state supply: IGST' : 'Supply within the state: CGST and SGST', 'Reverse charge: no')}
    </div>
  </div>`;
}

const inWords = ({ totalPaise }: InvoiceDocument): Markup =>
  html`<div class="keep">
    <h2>Total in words</h2>
    <p>${amountInWords(totalPaise)}</p>
  </div>`;

function creditNotesPart({ document, creditNotes: notes }: IssuedInvoice): Markup {
  if (notes.length === 0) return html``;
  const rows = notes.map(
    (note) =>
      html`<p>
        ${note.number} of ${indiaDay(note.issuedAt)}: ${formatRupees(note.document.totalPaise)}
      </p>`,
  );
  const kept = notes.reduce((rest, note) => rest - note.document.totalPaise, document.totalPaise);
  return html`<div class="keep">
    <h2>Credit notes</h2>
    ${rows}
    <p><strong>Kept after refunds: ${formatRupees(kept)}</strong></p>
  </div>`;
}

/** A credit note, on a sheet of its own behind its invoice. */
function creditNoteSheet({ number, issuedAt, document }: IssuedCreditNote): Markup {
  const { seller, order, invoice } = document;
  return html`<section class="sheet">
    <div class="head">
      <div>
        <h2 class="title">Credit note</h2>
        <p>${seller.name}</p>
      </div>
      <div>
        ${lines(`Credit note: ${number}`, `Date: ${indiaDay(issuedAt)}`, `For invoice: ${invoice.number} of ${indiaDay(invoice.issuedAt)}`, `Order: #${order.id} of ${indiaDay(order.placedAt)}`)}
      </div>
    </div>
    ${parties(document)} ${itemsTable(document, number)} ${ratesTable(document, number)}
    <div class="parts">
      ${inWords(document)}
      <div class="keep">
        <h2>Returned to the buyer</h2>
        ${lines(formatRupees(document.totalPaise), order.paymentId === null ? null : `to the payment ${order.paymentId}`)}
      </div>
    </div>
    <p class="small">
      This credit note reduces the invoice named above (CGST Act, section 34). It is computer-made
      and needs no signature.
    </p>
  </section>`;
}

/** The credit notes of an invoice alone, each on a sheet. */
export function creditNotesPage({ creditNotes: [first, ...others] }: IssuedInvoice): Response {
  if (!first)
    throw new HttpError(
      404,
      'no_credit_note',
      'This order has no credit note yet. It gets one when a refund has reached the buyer.',
    );
  return printPage(
    `Credit note ${first.number}`,
    html`<h1 class="title">Credit notes</h1>
      ${[first, ...others].map(creditNoteSheet)}`,
  );
}

/** The tax invoice as a page for print, its credit notes behind it. */
export function invoicePage(invoice: IssuedInvoice): Response {
  const { number, issuedAt, document, creditNotes } = invoice;
  const { seller, order } = document;
  return printPage(
    `Invoice ${number}`,
    html`<div class="head">
        <div>
          <h1>Tax invoice</h1>
          <p>${seller.name}</p>
        </div>
        <div>
          ${lines(`Invoice: ${number}`, `Date: ${indiaDay(issuedAt)}`, `Order: #${order.id} of ${indiaDay(order.placedAt)}`, `Reference: ${order.number}`, order.discountCode === undefined ? null : `Discount code: ${order.discountCode}`)}
        </div>
      </div>
      ${parties(document)} ${itemsTable(document, number)} ${ratesTable(document, number)}
      <div class="parts">
        ${inWords(document)}
        <div class="keep">
          <h2>Paid</h2>
          ${lines(formatRupees(document.totalPaise), order.paidAt === null ? null : `on ${indiaDay(order.paidAt)}`, order.paymentMethod === null ? null : `by ${paymentMethodLabel(order.paymentMethod)}`, order.paymentId)}
        </div>
        ${creditNotesPart(invoice)}
      </div>
      <p class="small">
        Prices include GST. This is a computer-made invoice and needs no signature.
      </p>
      ${creditNotes.map(creditNoteSheet)}`,
  );
}
