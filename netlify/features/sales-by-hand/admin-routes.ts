import { newOrderApi } from '#features/sales-by-hand/domain/new-order.ts';
import { answer } from '#core/auth/admin-routes.ts';
import { adminOrderOf } from '#core/orders/admin-order.ts';
import { placeAdminOrder } from './new-order.ts';
import { readOrderRecord } from '#core/orders/order-record.ts';
import { getPaymentProvider, providerForOrder } from '#core/payments/payment-provider.ts';
import { sendOutboxAfterResponse } from '#core/mail/outbox.ts';

const noLinkYet =
  'The shop has no live keys of Razorpay yet: a payment link would take no money. Take it in another way, or give an address of TEST_BUYERS for a test order.';

export const routes = [
  // The same key is the same order.
  answer(newOrderApi.create, async (ctx) => {
    const id = await placeAdminOrder(ctx.body, {
      existing: () => getPaymentProvider(ctx),
      forLink: () => providerForOrder(ctx, ctx.body.email, noLinkYet),
    });
    ctx.addLogFields({ order: id, by: ctx.body.payment.by });
    await sendOutboxAfterResponse(ctx);
    return { order: adminOrderOf(await readOrderRecord(id)) };
  }),
];
