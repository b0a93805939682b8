import * as z from 'zod/mini';
import { parcelsApi, type ParcelsAnswer, type ParcelsRequest } from './domain/parcels.ts';
import {
  parcelColumnsSchema,
  usualParcelColumns,
  type ParcelColumns,
} from './domain/courier-file.ts';
import { addressOf, callAdmin } from '#services/admin/api.ts';
import { storedJson } from '#services/storage/stored-json.ts';
import { waitingQuery, type WaitingOrders } from '#services/admin/orders/orders.ts';
import { createUncheckedSender } from '#services/admin/orders/unchecked-sender.ts';

/** Creates a sender of a file's tracking numbers: all or none. */
export const createParcelsSender = (): ((request: ParcelsRequest) => Promise<ParcelsAnswer>) =>
  createUncheckedSender((request) => callAdmin(parcelsApi.ship, { body: request }));

const sheetSchema = z.object({
  courier: z.string(),
  answers: z.record(z.string(), z.string()),
});
/** Which sheet a file is. */
export type ParcelSheet = z.infer<typeof sheetSchema>;

/** The address of waiting orders as a file with these columns. */
export const parcelFile = (waiting: WaitingOrders, columns: ParcelColumns): string =>
  addressOf('/api/admin/parcels.csv', {
    query: { columns: JSON.stringify(columns), ...waitingQuery(waiting) },
  });

const columns = storedJson('local', 'kasavu:parcel-columns', (value) =>
  parcelColumnsSchema.parse(value),
);
const sheet = storedJson('local', 'kasavu:parcel-sheet', (value) => sheetSchema.parse(value));

/** The columns of the last file with columns of one's own; the usual ones before the first. */
export const lastParcelColumns = (): ParcelColumns => columns.read() ?? usualParcelColumns;

/** The courier whose sheet was the last file, '' for columns of one's own, and the answers to its questions. */
export const lastSheet = (): ParcelSheet => sheet.read() ?? { courier: '', answers: {} };

/** What the next file begins with. */
export function storeSheet(last: ParcelSheet, chosen: ParcelColumns): void {
  sheet.write(last);
  if (last.courier === '') columns.write(chosen);
}
