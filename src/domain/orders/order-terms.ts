import * as z from 'zod/mini';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { seller } from '#settings/seller.ts';

/** The terms of a shop that an order is placed at, and keeps when the settings change. */
export interface OrderTerms {
  /** How long the shop takes to prepare it, and standard delivery after that: '2-3 business days'. */
  processing: string;
  standard: string;
  /** Hours after delivery in which damage is to be reported. */
  damageHours: number;
  /** Whether a customer who cancels the paid order gets the platform fee back. */
  returnsPlatformFee: boolean;
  /** Whether the shop keeps the advance of a parcel that nobody pays at the door. */
  keepsAdvance: boolean;
}

/** The terms by today's settings: those of a new order, and of one that was placed before orders kept theirs. */
export const currentTerms = (): OrderTerms => ({
  processing: seller.shipping.processing,
  standard: seller.shipping.standard,
  damageHours: seller.shipping.damageHours,
  returnsPlatformFee: seller.refunds.returnsPlatformFee,
  keepsAdvance: cashOnDelivery?.keepsAdvance === true,
});

/** Today's terms as SQL stores them in `orders.terms`. */
export function sqlTerms(): Record<string, unknown> {
  const { processing, standard, damageHours, returnsPlatformFee, keepsAdvance } = currentTerms();
  return {
    processing,
    standard,
    damage_hours: damageHours,
    returns_platform_fee: returnsPlatformFee,
    keeps_advance: keepsAdvance,
  };
}

const termsSchema = z.partial(
  z.object({
    processing: z.string(),
    standard: z.string(),
    damage_hours: z.int(),
    returns_platform_fee: z.boolean(),
    keeps_advance: z.boolean(),
  }),
);

/** Reads the column `terms` of an order. Today's settings stand in for a term that it lacks. */
export function readTerms(value: unknown): OrderTerms {
  const terms = termsSchema.safeParse(value ?? {}).data ?? {};
  const current = currentTerms();
  return {
    processing: terms.processing ?? current.processing,
    standard: terms.standard ?? current.standard,
    damageHours: terms.damage_hours ?? current.damageHours,
    returnsPlatformFee: terms.returns_platform_fee ?? current.returnsPlatformFee,
    keepsAdvance: terms.keeps_advance ?? current.keepsAdvance,
  };
}
