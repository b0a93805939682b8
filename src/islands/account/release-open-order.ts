import type { OwnOrder } from '../../domain/orders/own-order.ts';
import { recordRelease } from '../../services/checkout/checkout-attempt.ts';
import { cancelOwnOrder } from '../../services/orders/cancel-order.ts';
import { showToast } from '../../stores/toasts.ts';

/** Gives an unpaid order up: its stock is free again, the cart stays. @throws with the shop's sentence when it is refused. */
export async function releaseOpenOrder({ id }: OwnOrder): Promise<void> {
  await cancelOwnOrder(id, { key: crypto.randomUUID(), paid: false });
  recordRelease();
  showToast('Order released', { description: `We no longer hold order #${id}.` });
}
