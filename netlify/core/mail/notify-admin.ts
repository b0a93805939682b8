import * as z from 'zod/mini';
import { callFunction } from '#core/platform/database.ts';

/** The alerts to the admin, mailed once per `dedupeKey`. */
export type AlertTopic =
  | 'unknown_orders'
  | 'refund_made_at_razorpay'
  | 'dispute'
  | 'dispute_due'
  | 'cancelled_by_customer'
  | 'cancel_requested'
  | 'cash_order_changed'
  | 'damage_claim'
  | 'claim_files_full'
  | 'review'
  | 'difference'
  | 'card_testing'
  | 'many_messages'
  | 'mails_used_up'
  | 'mail_refused'
  | 'stock_held'
  | 'sweep_silent'
  | 'webhook_silent'
  | 'build_silent'
  | 'deploys_used'
  | 'second_factor';

/** Puts an alert to the admin into the outbox; a second one with the same key is not sent. */
export async function notifyAdmin(
  topic: AlertTopic,
  payload: Readonly<Record<string, unknown>>,
  dedupeKey: string,
): Promise<void> {
  await callFunction(
    'notify_admin',
    { p_topic: topic, p_payload: payload, p_dedupe_key: dedupeKey },
    z.unknown(),
  );
}
