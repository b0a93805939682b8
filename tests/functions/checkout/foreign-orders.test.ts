import { beforeAll, expect, test } from 'vitest';
import invoiceEndpoint from '#netlify/functions/order-invoice.ts';
import statusEndpoint from '#netlify/functions/payment-status.ts';
import verifyEndpoint from '#netlify/functions/payment-verify.ts';
import { logIn, openInvoice, setAdminPassword } from '#tests/functions/admin/admin-client.ts';
import { reportFigures } from '#tests/figures.ts';
import { signPayment } from '#tests/functions/support/razorpay-server.ts';
import {
  useStack,
  type Answer,
  type Customer,
  type Stack,
} from '#tests/functions/support/stack.ts';

/** An order as its customer's browser knows it. */
interface Own {
  customer: Customer;
  number: number;
  claim: ReturnType<Stack['razorpay']['pay']>;
}

const stack = await useStack();
await setAdminPassword();
const endpoints: Record<
  string,
  (asker: Customer, order: Omit<Own, 'customer'>) => Promise<Answer>
> = {
  verify: ({ token }, { claim }) =>
    stack.post(verifyEndpoint, '/api/payment/verify', claim, { token }),
  status: ({ token }, { claim }) =>
    stack.call(statusEndpoint, `/api/payment/status?order_id=${claim.razorpay_order_id}`, {
      token,
    }),
  invoice: ({ token }, { number }) =>
    stack.call(invoiceEndpoint, `/api/orders/${String(number)}/invoice`, { token }),
};

const everybody: Own[] = [];
beforeAll(async () => {
  const admin = await logIn(stack);
  for (let count = 0; count < 3; count += 1) {
    const { customer, number, razorpayOrderId } = await stack.openOrder();
    const own = { customer, number, claim: stack.razorpay.pay(razorpayOrderId) };
    expect(await endpoints['verify']?.(customer, own)).toMatchObject({ status: 200 });
    expect(await openInvoice(admin, number)).toMatchObject({ status: 200 });
    everybody.push(own);
  }
});

test('three customers ask three endpoints for three orders each: their own is shown, any other is the 404 of an order that does not exist', async () => {
  const [nobodys, paymentId] = ['order_00000000000000', 'pay_00000000000000'];
  const nobody = {
    number: 999_999,
    claim: {
      razorpay_order_id: nobodys,
      razorpay_payment_id: paymentId,
      razorpay_signature: signPayment(nobodys, paymentId),
    },
  };
  const refusalOf = ({ status, json: { request_id: id, ...body } }: Answer): string =>
    JSON.stringify({ status, body, id: typeof id });
  const outcomes = { requests: 0, 'own orders refused': 0, 'foreign orders not refused alike': 0 };
  for (const [name, ask] of Object.entries(endpoints)) {
    for (const { customer } of everybody) {
      const refusal = refusalOf(await ask(customer, nobody));
      expect(refusal, name).toMatch(/^\{"status":404,/u);
      for (const order of everybody) {
        const answer = await ask(customer, order);
        outcomes.requests += 1;
        if (order.customer === customer)
          outcomes['own orders refused'] += answer.status === 200 ? 0 : 1;
        else outcomes['foreign orders not refused alike'] += refusalOf(answer) === refusal ? 0 : 1;
      }
    }
  }
  reportFigures(6, outcomes);
  expect(outcomes).toEqual({
    requests: 27,
    'own orders refused': 0,
    'foreign orders not refused alike': 0,
  });
});
