import * as z from 'zod/mini';
import { adminGet, adminSend } from '../api.ts';

/** Whether the live site takes payments that are no money. Throws AdminError. */
export async function fetchTestPayments(signal?: AbortSignal): Promise<boolean> {
  return (await adminGet('/api/admin/session', z.object({ testPayments: z.boolean() }), signal))
    .testPayments;
}

/** Sends back a payment that matches no order. The same key is one refund. Throws AdminError. */
export async function sendPaymentRefund(paymentId: string, key: string): Promise<void> {
  const path = `/api/admin/payments/${encodeURIComponent(paymentId)}/refund`;
  await adminSend('POST', path, { key }, z.object({ ok: z.literal(true) }));
}
