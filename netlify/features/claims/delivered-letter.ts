import { seller } from '../../../src/settings/seller.ts';
import type { PartsOfOrder } from '../../core/mail/letter-kinds.ts';
import { claimLink } from './claim-link.ts';

/** Where damage is reported. */
export const deliveredPart: PartsOfOrder = (order) => [
  `Is something damaged? Tell us within ${String(seller.shipping.damageHours)} hours, with photos:`,
  claimLink(order, 'Report damage'),
];
