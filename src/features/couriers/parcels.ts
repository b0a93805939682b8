import { parcelsApi, type ParcelsAnswer, type ParcelsRequest } from './domain/parcels.ts';
import {
  parcelColumnsSchema,
  usualParcelColumns,
  type ParcelColumns,
} from './domain/courier-file.ts';
import { addressOf, callAdmin } from '../../services/admin/api.ts';
import { storedJson } from '../../services/storage/stored-json.ts';
import { waitingQuery, type WaitingOrders } from '../../services/admin/orders/orders.ts';
import { createUncheckedSender } from '../../services/admin/orders/unchecked-sender.ts';

/** Creates a sender of a file's tracking numbers: all or none. */
export const createParcelsSender = (): ((request: ParcelsRequest) => Promise<ParcelsAnswer>) =>
  createUncheckedSender((request) => callAdmin(parcelsApi.ship, { body: request }));

/** The address of waiting orders as a file with these columns. */
export const parcelFile = (waiting: WaitingOrders, columns: ParcelColumns): string =>
  addressOf('/api/admin/parcels.csv', {
    query: { columns: JSON.stringify(columns), ...waitingQuery(waiting) },
  });

const stored = storedJson('local', 'kasavu:parcel-columns', (value) =>
  parcelColumnsSchema.parse(value),
);

/** The columns of the last file that this browser exported; the usual ones before the first. */
export const lastParcelColumns = (): ParcelColumns => stored.read() ?? usualParcelColumns;

export function storeParcelColumns(columns: ParcelColumns): void {
  stored.write(columns);
}
