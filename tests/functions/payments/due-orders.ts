import type { Answer, Customer, OpenOrder, Stack } from '#tests/functions/support/stack.ts';

export interface DueOrders {
  /** Runs the scheduled function once. */
  sweep: () => Promise<Answer>;
  /** An order that waits for its payment; it holds all of a product of its own. */
  openOrder: (stock?: number) => Promise<OpenOrder>;
  /** Lets the hold's time pass. */
  expire: (number: unknown) => Promise<unknown>;
}

/** The actions of the sweep's tests, with the stack and the customer of the moment. */
export function dueOrders(current: () => { stack: Stack; customer: Customer }): DueOrders {
  return {
    sweep: () => current().stack.sweep(),
    openOrder: (stock = 3) =>
      current().stack.openOrder({ customer: current().customer, stock, quantity: stock }),
    expire: (number) =>
      current().stack.sql(
        `update public.orders set created_at = created_at - interval '20 minutes', hold_expires_at = now() - interval '1 second',
         next_check_at = now() - interval '1 second' where id = $1`,
        number,
      ),
  };
}
