import * as z from 'zod/mini';
import { changes, reads } from '#domain/admin/endpoint.ts';
import { orderAnswerSchema } from '#domain/admin/orders/orders-api.ts';
import { shownWord } from '#domain/sql-word.ts';
import { typedLine } from '#domain/typed-text.ts';

/** Parcels that the account or the phone of an order did not pay at the door, newest first, its own included. */
const refusalsSchema = z.object({
  refusals: z.array(z.object({ orderId: z.int(), at: z.string(), reason: z.string() })),
});
export type CashRefusals = z.infer<typeof refusalsSchema>;

/** A parcel that was not paid at the door. */
export const refuseSchema = z.object({
  reason: z.string().check(typedLine(), z.maxLength(200, 'Please use at most 200 characters.')),
  /** Puts the products back into stock. */
  restock: z.boolean(),
});

/** Longest reference of a payment, and longest tracking number, in characters. */
export const maxReference = 100;

/** The cash of one order. `reference` is the admin's own note, such as the number of a transfer. */
export const receiveSchema = z.object({
  amountPaise: z.int('Amount must be in rupees').check(z.minimum(1, 'Amount must be in rupees')),
  reference: z
    .string()
    .check(typedLine(), z.maxLength(maxReference, 'Please use at most 100 characters.')),
});

/** Rows of one list of a courier. */
export const maxRemittanceRows = 2_000;

const remittanceRowSchema = z.object({
  /** The row as the spreadsheet counts it. */
  row: z.int().check(z.minimum(1)),
  trackingNumber: z.string().check(typedLine(), z.maxLength(maxReference)),
  /** Null in a list without order numbers. */
  orderId: z.nullable(z.int().check(z.minimum(1))),
  /** The reference that `orderId` was read from; '' for a plain number. */
  orderReference: z._default(z.string().check(typedLine(), z.maxLength(maxReference)), ''),
  amountPaise: z.int().check(z.minimum(1)),
  /** The courier's number of the transfer; '' in a list without one. */
  reference: z.string().check(typedLine(), z.maxLength(maxReference)),
});
/** A parcel in a courier's list of transferred cash. */
export type RemittanceRow = z.infer<typeof remittanceRowSchema>;

/** Body of POST /api/admin/cash/remittance. Without `save` nothing is stored. */
const remittanceRequestSchema = z.object({
  rows: z
    .array(remittanceRowSchema)
    .check(
      z.minLength(1),
      z.maxLength(maxRemittanceRows, `At most ${String(maxRemittanceRows)} rows at once`),
    ),
  save: z.boolean(),
});

/** What becomes of the cash of one order, as SQL `receive_cash`. */
export const cashOutcomes = [
  'received',
  'already',
  'paid_twice',
  'too_little',
  'too_much',
  'refused',
  'not_sold',
  'not_found',
] as const;
/** What becomes of a row, as SQL `record_remittance`. */
export const remittanceOutcomes = [...cashOutcomes, 'several_orders'] as const;

const remittanceAnswerSchema = z.object({
  /** The rows in the order of the request. `duePaise` is due at the door; null when there is no such order. */
  rows: z.array(
    z.object({
      row: z.int(),
      orderId: z.nullable(z.int()),
      outcome: shownWord(remittanceOutcomes),
      duePaise: z.nullable(z.int()),
      amountPaise: z.int(),
    }),
  ),
  /** Parcels of the same couriers whose cash is still to come, sent no later than the last one of the list. */
  missing: z.array(
    z.object({ orderId: z.int(), carrier: z.string(), duePaise: z.int(), at: z.string() }),
  ),
});
export type RemittanceAnswer = z.infer<typeof remittanceAnswerSchema>;

const path = '/api/admin/orders/:id/cash';

/** What the admin does with an order that is paid at the door. */
export const cashApi = {
  read: reads(path, refusalsSchema),
  /** 409 `outdated` when the order has changed since the revision that the admin has read. */
  confirm: changes(
    'POST',
    `${path}/confirm`,
    z.object({ revision: z.string('Load the page again, then confirm the order.') }),
    orderAnswerSchema,
  ),
  receive: changes('POST', `${path}/receive`, receiveSchema, orderAnswerSchema),
  refuse: changes('POST', `${path}/refuse`, refuseSchema, orderAnswerSchema),
  /** Lets the customer of a refused order have cash on delivery again. */
  forgive: changes('POST', `${path}/forgive`, z.object({}), orderAnswerSchema),
  /** A courier's list of transferred cash: records all of it that can be recorded. */
  remittance: changes(
    'POST',
    '/api/admin/cash/remittance',
    remittanceRequestSchema,
    remittanceAnswerSchema,
  ),
};
