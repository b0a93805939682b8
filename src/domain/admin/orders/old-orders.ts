import * as z from 'zod/mini';
import { csvText } from '../../csv.ts';
import { readCsvTable, type CsvFault } from '../csv-table.ts';
import { paiseFromText } from '../typed-rupees.ts';

/*
 * Orders of the shop's time before this software: records to look up, apart from `orders`. They move no stock and no
 * money, have no invoice of this shop, and nobody is mailed about them.
 */

const text = (label: string, maxLength: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(maxLength, `${label} must be at most ${String(maxLength)} characters`),
    );
const needed = (label: string, maxLength: number) =>
  text(label, maxLength).check(z.minLength(1, `${label} is required`));

export const oldOrderSchema = z.object({
  /** As the shop numbered it then; each once. */
  number: needed('Number', 60),
  /** The day of India's calendar, '2024-08-31'. */
  placedOn: z.iso.date('Date must be a day such as 31-08-2024'),
  name: needed('Name', 200),
  phone: text('Phone', 40),
  email: text('Email', 255),
  /** What was bought, in the words of then. */
  items: needed('Items', 2_000),
  totalPaise: z
    .int('Total must be in rupees, with two decimals at most')
    .check(
      z.minimum(0, 'Total cannot be below ₹0'),
      z.maximum(10_000_000_000, 'Total must be at most ₹10,00,00,000'),
    ),
  /** Null when it is not known. */
  paid: z.nullable(z.boolean('Paid is “yes” or “no”')),
});
export type OldOrder = z.infer<typeof oldOrderSchema>;
export const oldOrdersSchema = z.object({ total: z.int(), orders: z.array(oldOrderSchema) });

/** What an import adds, changes and finds as it is. */
export const oldOrdersOutcomeSchema = z.object({ added: z.int(), changed: z.int(), same: z.int() });
export type OldOrdersOutcome = z.infer<typeof oldOrdersOutcomeSchema>;

type Field = keyof OldOrder;
const labels: Readonly<Record<Field, string>> = {
  ...{
    number: 'Number',
    placedOn: 'Date',
    name: 'Name',
    phone: 'Phone',
    email: 'Email',
    items: 'Items',
    totalPaise: 'Total',
    paid: 'Paid',
  },
};
const columns = (Object.keys(labels) as Field[]).map((field) => ({ field, label: labels[field] }));

/** An empty file to fill in: the header and one row that shows what is meant. */
export const oldOrdersTemplate = (): string =>
  csvText([
    columns.map(({ label }) => label),
    [
      '2024-117',
      '31-08-2024',
      'Anjali Menon',
      '98470 12345',
      'anjali@example.com',
      '2 × Palakka ring, 1 × Kasu mala',
      '₹5,497',
      'yes',
    ],
  ]);

/** '31-08-2024', '31/8/2024' (the day first, as in India) or '2024-08-31', with a time or without, as '2024-08-31'; null for no day. */
export function dayFromText(given: string): string | null {
  const bare = given.trim().replace(/(?:[T ]\d{1,2}:\d\d.*|,.*)$/u, '');
  const [, day, month, year] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/u.exec(bare) ?? [];
  const iso =
    day === undefined
      ? bare
      : `${String(year)}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return z.iso.date().safeParse(iso).success ? iso : null;
}

function paidFromText(given: string): unknown {
  if (given === '') return null;
  if (/^(?:yes|y|true|1|paid)$/iu.test(given)) return true;
  return /^(?:no|n|false|0|unpaid|not paid)$/iu.test(given) ? false : given;
}

export type OldOrdersReading =
  | { ok: true; orders: OldOrder[]; unknown: string[] }
  | { ok: false; faults: CsvFault[]; unknown: string[] };

/** Reads a file of old orders. `today` is the day in India, '2026-11-22': none was placed after it. */
export function readOldOrders(given: string, today: string): OldOrdersReading {
  const table = readCsvTable(given, columns, ['Number']);
  if (!table.ok) return { ok: false, faults: [table.fault], unknown: [] };
  const orders: OldOrder[] = [];
  const faults: CsvFault[] = [];
  const rowOf = new Map<string, number>();
  for (const { row, cells } of table.rows) {
    const typed = Object.fromEntries(
      [...cells].map(([{ field }, cell]) => [field, cell.trim()]),
    ) as Partial<Record<Field, string>>;
    const cell = (field: Field): string => typed[field] ?? '';
    const parsed = oldOrderSchema.safeParse({
      ...{
        number: cell('number'),
        name: cell('name'),
        phone: cell('phone'),
        email: cell('email'),
        items: cell('items'),
      },
      ...{
        placedOn: dayFromText(cell('placedOn')) ?? '',
        totalPaise: paiseFromText(cell('totalPaise')) ?? Number.NaN,
        paid: paidFromText(cell('paid')),
      },
    });
    const found = new Map<Field, string>();
    for (const issue of parsed.error?.issues ?? [])
      if (!found.has(issue.path[0] as Field)) found.set(issue.path[0] as Field, issue.message);
    if (parsed.data && parsed.data.placedOn > today)
      found.set('placedOn', 'This day has not come yet');
    const first = rowOf.get(cell('number'));
    if (first !== undefined) found.set('number', `Row ${String(first)} has this number already`);
    rowOf.set(cell('number'), first ?? row);
    for (const { field } of columns)
      if (cell(field).includes('\0'))
        found.set(field, 'There is a character in this cell that cannot be stored');
    for (const [field, message] of found) faults.push({ row, column: labels[field], message });
    if (parsed.data && found.size === 0) orders.push(parsed.data);
  }
  return faults.length > 0
    ? { ok: false, faults, unknown: table.unknown }
    : { ok: true, orders, unknown: table.unknown };
}
