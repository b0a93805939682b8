import { newOrderApi } from '../../../src/features/sales-by-hand/domain/new-order.ts';
import { answer } from '../../server/auth/admin-routes.ts';
import { adminOrderOf } from '../../server/orders/admin-order.ts';
import { placeAdminOrder } from './new-order.ts';
import { readOrderRecord } from '../../server/orders/order-record.ts';
import { getPaymentProvider } from '../../server/payments/payment-provider.ts';
import { sendOutboxAfterResponse } from '../../server/mail/outbox.ts';

export const routes = [
  // The same key is the same order.
  answer(newOrderApi.create, async (ctx) => {
    const id = await placeAdminOrder(ctx.body, () => getPaymentProvider(ctx));
    ctx.addLogFields({ order: id, by: ctx.body.payment.by });
    await sendOutboxAfterResponse(ctx);
    return { order: adminOrderOf(await readOrderRecord(id)) };
  }),
];
