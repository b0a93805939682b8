import * as z from 'zod/mini';
import { seller } from '#settings/seller.ts';
import type { AdminSession } from '#core/auth/admin-session.ts';
import { requireConfirmed } from '#core/auth/confirm.ts';
import { callFunction } from '#core/platform/database.ts';

interface PlannedRefund {
  orderId?: number;
  paymentId?: string;
  /** The amount in paise; when it is missing, all that is left of the payment. */
  amountPaise?: number;
}

/**
 * Every way to a refund by the admin calls this before its SQL function: `request_refund`, `cancel_order`, `refuse_cash_order`,
 * `answer_claim` and `refund_payment`. Throws 403 `confirm_again` when the admin has not confirmed in the last ten minutes, and
 * the refunds of this session since then come to more than `seller.refunds.confirmAbove`. All payments count together, so that
 * a stolen session does not refund many small ones.
 */
export async function requireConfirmedRefund(
  session: AdminSession,
  { orderId, paymentId, amountPaise }: PlannedRefund,
): Promise<void> {
  const { confirmAbove } = seller.refunds;
  if (confirmAbove === null || session.confirmed) return;
  const args = {
    p_session_id: session.id,
    p_order_id: orderId ?? null,
    p_payment_id: paymentId ?? null,
    p_amount_paise: amountPaise ?? null,
    p_limit_paise: confirmAbove * 100,
  };
  if (!(await callFunction('allow_refund', args, z.boolean()))) requireConfirmed(session);
}
