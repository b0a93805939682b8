import { tax } from '#settings/tax.ts';
import { indiaCalendarDay } from '#domain/calendar-day.ts';
import { entryOfHsn } from '#domain/invoice/gst.ts';
import { isService, type GroupSum, type ListedDocument } from './gstr1.ts';

/** The buyer's name, or '' for one that has other than Latin letters: the offline tool refuses it, and takes a row without. */
export const buyerName = ({ document: { buyer } }: Pick<ListedDocument, 'document'>): string =>
  /^[\w &'.,()/-]{1,99}$/u.test(buyer.name) ? buyer.name : '';

/** The seller's name for goods of this code: 30 Latin letters, as the return has it. */
export const hsnName = (sum: GroupSum): string =>
  (entryOfHsn<string>(tax.hsnNames, sum.line.hsn) ?? (isService(sum) ? 'Services' : 'Goods'))
    .replaceAll(/[^\w &.,()/-]/gu, '')
    .slice(0, 30);

/** '28-Nov-2026', the day in India; `toUTCString` is 'Sat, 28 Nov 2026 …' in every language. */
export const csvDay = ({ issuedAt }: Pick<ListedDocument, 'issuedAt'>): string =>
  new Date(indiaCalendarDay(new Date(issuedAt))).toUTCString().slice(5, 16).replaceAll(' ', '-');

/** What table 13 calls the documents, and the number that it has for them. */
export const documentKinds = {
  invoice: { name: 'Invoices for outward supply', number: 1 },
  creditNote: { name: 'Credit Note', number: 5 },
} as const;
