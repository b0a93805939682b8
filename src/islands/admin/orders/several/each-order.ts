import type { LeftOut } from '#domain/admin/orders/several-orders.ts';
import type { AdminOrder } from '#domain/admin/orders/orders.ts';
import { failureMessage, logFailure } from '#islands/admin/shared/fetching/failure.ts';

/**
 * Takes a step with several orders, one after the other: each goes through or fails by itself.
 *
 * @param onNext - Receives the number of the order whose turn it is, from 1.
 * @returns The changed orders, and why the others stay as they are.
 */
export async function eachOrder(
  ids: readonly number[],
  step: (id: number) => Promise<AdminOrder>,
  onNext: (count: number) => void,
): Promise<{ done: AdminOrder[]; failed: LeftOut[] }> {
  const done: AdminOrder[] = [];
  const failed: LeftOut[] = [];
  for (const [index, id] of ids.entries()) {
    onNext(index + 1);
    try {
      // The requests go one after the other: each is checked at Razorpay, and the page polls beside them.
      done.push(await step(id));
    } catch (error) {
      logFailure(error);
      failed.push([id, failureMessage(error)]);
    }
  }
  return { done, failed };
}
