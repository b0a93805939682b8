import { amountInWords } from '#domain/invoice/amount-in-words.ts';
import type { IssuedCreditNote, IssuedInvoice } from '#domain/invoice/issued-documents.ts';
import { indiaDay } from '#domain/india-dates.ts';
import type { InvoiceDocument } from '#domain/invoice/invoice-document.ts';
import { documentWords } from '#domain/tax-standing.ts';
import { formatRupees } from '#domain/money.ts';
import { paymentMethodLabel } from '#domain/orders/order-payment.ts';
import { html, type Markup } from '#core/platform/http/html.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { amountsTables } from './invoice-tables.ts';
import { lines, printPage } from './print-page.ts';

function parties({ seller, buyer, placeOfSupply, interstate, untaxed }: InvoiceDocument): Markup {
  const supply =
    placeOfSupply === null
      ? 'Place of supply not known'
      : `${placeOfSupply.state} (${placeOfSupply.stateCode})`;
  return html`<div class="parts">
    <div>
      <h2>Sold by</h2>
      ${lines(seller.legalName, `Proprietor: ${seller.proprietor}`, ...seller.address, seller.gstin === '' ? null : `GSTIN: ${seller.gstin}`, `State: ${seller.state} (${seller.stateCode})`, seller.email, seller.phone)}
    </div>
    <div>
      <h2>Billed and sent to</h2>
      ${lines(buyer.name, buyer.address, `${buyer.city} ${buyer.postalCode}`, buyer.gstin === null ? null : `GSTIN: ${buyer.gstin}`, buyer.phone, buyer.email)}
    </div>
    <div>
      <h2>Place of supply</h2>
      ${untaxed === undefined ? lines(supply, interstate ? 'Inter-state supply: IGST' : 'Supply within the state: CGST and SGST', 'Reverse charge: no') : lines(supply)}
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
  const { seller, order, invoice, untaxed } = document;
  return html`<section class="sheet">
    <div class="head">
      <div>
        <h2 class="title">Credit note</h2>
        <p>${seller.name}</p>
      </div>
      <div>
        ${lines(`Credit note: ${number}`, `Date: ${indiaDay(issuedAt)}`, `For ${documentWords(untaxed).name}: ${invoice.number} of ${indiaDay(invoice.issuedAt)}`, `Order: #${order.id} of ${indiaDay(order.placedAt)}`)}
      </div>
    </div>
    ${parties(document)} ${amountsTables(document, number)}
    <div class="parts">
      ${inWords(document)}
      <div class="keep">
        <h2>${document.cause === 'refused' ? 'Credited' : 'Returned to the buyer'}</h2>
        ${lines(formatRupees(document.totalPaise), document.cause === 'refused' ? `${document.reason ?? ''}${document.isLost ? '' : ': no cash was paid'}` : order.paymentId === null ? null : `to the payment ${order.paymentId}`)}
      </div>
    </div>
    <p class="small">
      This credit note reduces the ${documentWords(untaxed).name} named
      above${untaxed === undefined ? ' (CGST Act, section 34)' : ''}. It is computer-made and needs
      no signature.
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

/** The tax invoice or bill of supply as a page for print, its credit notes behind it. */
export function invoicePage(invoice: IssuedInvoice): Response {
  const { number, issuedAt, document, creditNotes } = invoice;
  const { seller, order, untaxed } = document;
  const { title, name, declaration } = documentWords(untaxed);
  return printPage(
    `${untaxed === undefined ? 'Invoice' : title} ${number}`,
    html`<div class="head">
        <div>
          <h1>${title}</h1>
          ${declaration === null ? '' : html`<p><strong>${declaration}</strong></p>`}
          <p>${seller.name}</p>
        </div>
        <div>
          ${lines(`${untaxed === undefined ? 'Invoice' : title}: ${number}`, `Date: ${indiaDay(issuedAt)}`, `Order: #${order.id} of ${indiaDay(order.placedAt)}`, `Reference: ${order.number}`, order.discountCode === undefined ? null : `Discount code: ${order.discountCode}`)}
        </div>
      </div>
      ${parties(document)} ${amountsTables(document, number)}
      <div class="parts">
        ${inWords(document)}
        <div class="keep">
          <h2>${order.cashDuePaise === undefined ? 'Paid' : 'To pay at the door'}</h2>
          ${lines(formatRupees(order.cashDuePaise ?? document.totalPaise), order.cashDuePaise === undefined || order.cashDuePaise === document.totalPaise ? null : `of ${formatRupees(document.totalPaise)}, after the advance`, order.paidAt === null ? null : `on ${indiaDay(order.paidAt)}`, order.paymentMethod === null ? null : `by ${paymentMethodLabel(order.paymentMethod)}`, order.paymentId)}
        </div>
        ${creditNotesPart(invoice)}
      </div>
      <p class="small">
        ${untaxed === undefined ? 'Prices include GST.' : 'No GST is collected on these prices.'}
        This is a computer-made ${name} and needs no signature.
      </p>
      ${creditNotes.map(creditNoteSheet)}`,
  );
}
