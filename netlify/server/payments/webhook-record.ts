import * as z from 'zod/mini';
import { database, readRows } from '../platform/database.ts';

/** Keeps an event that changes no order, for the admin's questions. Twice the same is kept once. */
export async function recordEvent(eventId: string, event: string, paymentId: string): Promise<void> {
  const row = { event_id: eventId, event, payment_id: paymentId };
  const query = database()
    .from('webhook_events')
    .upsert(row, { onConflict: 'event_id', ignoreDuplicates: true });
  await readRows('record event', query, z.unknown());
}
