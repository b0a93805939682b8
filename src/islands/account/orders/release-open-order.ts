import type { OwnOrder } from '#domain/orders/own-order.ts';
import { recordRelease } from '#services/storage/checkout-attempt.ts';
import { cancelOwnOrder } from '#services/orders/cancel-order.ts';
import { showToast } from '#stores/toasts.ts';

/** Cancels an unpaid order: releases its stock and keeps the cart. @throws with the shop's sentence when it is refused. */
export async function releaseOpenOrder({ id }: OwnOrder): Promise<void> {
  await cancelOwnOrder(id, { key: crypto.randomUUID(), paid: false });
  recordRelease();
  showToast('Order released', { description: `We no longer hold order #${id}.` });
}
