import {
  addUp,
  amountsByRate,
  rateText,
  type InvoiceDocument,
  type InvoiceLine,
} from '#domain/invoice/invoice-document.ts';
import { formatRupees } from '#domain/money.ts';
import { html, type Markup } from '#core/platform/http/html.ts';

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

const discountOf = ({ discountPaise = 0 }: InvoiceLine): Markup =>
  discountPaise > 0
    ? html`<br /><span class="small">Discount: ${formatRupees(-discountPaise)}</span>`
    : html``;

/** The items of a bill of supply, which has no tax. */
function untaxedTable({ lines: items }: InvoiceDocument, number: string): Markup {
  const rows = items.map(
    (line) =>
      html`<tr>
        <td>${line.name}${discountOf(line)}</td>
        <td>${line.hsn}</td>
        <td class="n">${line.quantity === 0 ? '' : line.quantity}</td>
        <td class="n">${formatRupees(line.pricePaise)}</td>
        <td class="n">${formatRupees(line.grossPaise)}</td>
      </tr>`,
  );
  return html`<div class="wide" role="region" aria-label="Items of ${number}" tabindex="0">
    <table>
      <thead>
        <tr>
          <th>Item</th>
          <th>HSN/SAC</th>
          <th class="n">Qty</th>
          <th class="n">Price</th>
          <th class="n">Amount</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
      <tfoot>
        <tr>
          <th colspan="4">Total</th>
          <td class="n">${formatRupees(addUp(items).grossPaise)}</td>
        </tr>
      </tfoot>
    </table>
  </div>`;
}

function itemsTable({ lines: items, interstate }: InvoiceDocument, number: string): Markup {
  const rows = items.map(
    (line) =>
      html`<tr>
        <td>${line.name}${discountOf(line)}</td>
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

/** What was sold, with its tax where there is some. */
export const amountsTables = (document: InvoiceDocument, number: string): Markup =>
  document.untaxed === undefined
    ? html`${itemsTable(document, number)} ${ratesTable(document, number)}`
    : untaxedTable(document, number);
