import {
  parcelsAnswerSchema,
  type ParcelsAnswer,
  type ParcelsRequest,
} from '../../../domain/admin/orders/parcels.ts';
import { adminSend } from '../api.ts';
import type { WaitingStage } from './orders.ts';
import { createUncheckedSender } from './unchecked-sender.ts';

/** Creates a sender of a file's tracking numbers: all or none. */
export const createParcelsSender = (): ((request: ParcelsRequest) => Promise<ParcelsAnswer>) =>
  createUncheckedSender((request) =>
    adminSend('POST', '/api/admin/parcels', request, parcelsAnswerSchema),
  );

/** The address of the orders of a stage as a file for a courier. */
export const courierFile = (stage: WaitingStage, courier: 'shiprocket' | 'india-post'): string =>
  `/api/admin/parcels.csv?${new URLSearchParams({ courier, stage }).toString()}`;
