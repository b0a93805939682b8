import * as z from 'zod/mini';
import { todaySchema, type Today } from '../../domain/admin/today.ts';
import { adminGet, adminSend } from './api.ts';

/** What needs the admin's attention now. Throws AdminError. */
export function fetchToday(signal?: AbortSignal): Promise<Today> {
  return adminGet('/api/admin/today', todaySchema, signal);
}

/** Sends back a payment that matches no order. The same key is one refund. Throws AdminError. */
export async function sendPaymentRefund(paymentId: string, key: string): Promise<void> {
  const path = `/api/admin/payments/${encodeURIComponent(paymentId)}/refund`;
  await adminSend('POST', path, { key }, z.object({ ok: z.literal(true) }));
}
