import sweepEndpoint from '../../../netlify/functions/payment-sweep.ts';
import type { Answer, Customer, Stack } from '../support/stack.ts';

export interface DueOrders {
  /** Runs the scheduled function once. */
  sweep: () => Promise<Answer>;
  /** An order that waits for its payment; it holds all of a product of its own. */
  openOrder: (
    stock?: number,
  ) => Promise<{ number: unknown; razorpayOrderId: string; ring: string }>;
  /** Lets the hold's time pass. */
  expire: (number: unknown) => Promise<unknown>;
}

/** The actions of the sweep's tests, with the stack and the customer of the moment. */
export function dueOrders(current: () => { stack: Stack; customer: Customer }): DueOrders {
  return {
    sweep: () =>
      current().stack.call(sweepEndpoint, '/.netlify/functions/payment-sweep', {
        method: 'POST',
        body: '{"next_run":"2026-11-20T10:05:00Z"}',
      }),
    async openOrder(stock = 3) {
      const { stack, customer } = current();
      const ring = await stack.addProduct({ stock });
      const answer = await stack.createOrder(customer, [{ product_id: ring, quantity: stock }]);
      const { number } = answer.json['order'] as { number: unknown };
      return { number, razorpayOrderId: String(answer.json['order_id']), ring };
    },
    expire: (number) =>
      current().stack.sql(
        `update public.orders set created_at = created_at - interval '20 minutes', hold_expires_at = now() - interval '1 second',
         next_check_at = now() - interval '1 second' where id = $1`,
        number,
      ),
  };
}
