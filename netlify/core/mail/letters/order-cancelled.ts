import * as z from 'zod/mini';
import { formatRupees } from '#domain/money.ts';
import { orderTitle, type Order } from '#domain/orders/order.ts';
import { shop } from '#settings/shop.ts';
import { letter, type Mail } from '#core/mail/mail.ts';
import { cancelledBy, trackLink, questions } from '#core/mail/mail-order.ts';
import { whenBack } from './refund-mails.ts';

export const cancelledPayloadSchema = z.object({
  payment_id: z.string(),
  amount_paise: z.int(),
  by_hand_paise: z._default(z.int(), 0),
  disputed: z._default(z.boolean(), false),
  kept_paise: z._default(z.int(), 0),
  by: z._default(z.enum(['customer', 'shop']), 'shop'),
});
/** Who cancelled; the refund of the cancellation in paise, 0 when all was refunded before, or a bank gave it back, and the platform fee that the shop does not return. */
export type CancelledPayload = z.infer<typeof cancelledPayloadSchema>;

/** Composes the mail that tells the customer that the order will not be sent and is refunded. */
export function composeOrderCancelled(order: Order, cancelled: CancelledPayload): Mail {
  const money =
    cancelled.amount_paise > 0
      ? `${formatRupees(cancelled.amount_paise)} goes back to you. ${whenBack(cancelled)}`
      : 'All that you paid has already gone back to you.';
  const fee =
    cancelled.kept_paise > 0
      ? ` The platform fee of ${formatRupees(cancelled.kept_paise)} is not returned; your invoice and its credit note show it.`
      : '';
  return letter({
    subject: `${orderTitle(order)} is cancelled – ${shop.name}`,
    title: 'Your order is cancelled',
    parts: [cancelledBy(order, cancelled.by), money + fee, trackLink(order), questions],
  });
}
