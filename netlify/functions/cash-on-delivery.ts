import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { cashRefusals } from '#domain/sums/payment-way.ts';
import { shownWord } from '#domain/sql-word.ts';
import {
  cashOfferRequestSchema,
  type CashOffer,
} from '#features/cash-on-delivery/domain/cash-offer.ts';
import { cashOnDelivery } from '#settings/cash-on-delivery.ts';
import { requireCustomer } from '#core/auth/customer.ts';
import { cashRefusalTexts } from '#core/checkout/place-order-answer.ts';
import { sqlCashTerms } from '#core/checkout/place-order.ts';
import { callerAddress, limitCost, networkOf } from '#core/platform/costs.ts';
import { callFunction } from '#core/platform/database.ts';
import { HttpError } from '#core/platform/http/http-error.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { readJson } from '#core/platform/http/request-body.ts';

/** POST /api/cash-on-delivery: whether the customer can pay this cart at the door. It reserves nothing; create-order decides. */
export default endpoint({
  route: 'cash-on-delivery',
  method: 'POST',
  async handler({ request, context }) {
    if (cashOnDelivery === null) throw new HttpError(404, 'not_found', 'Not found');
    const customer = await requireCustomer(request, 'continue to payment');
    const body = await readJson(request, cashOfferRequestSchema);
    await limitCost('lookup', { context });
    const reason = await callFunction(
      'cash_offer',
      {
        p_user_id: customer.id,
        p_product_ids: body.products,
        p_customer: { phone: body.phone, postal_code: body.postalCode },
        p_total_paise: body.total,
        p_network: networkOf(callerAddress(context)),
        p_cash: sqlCashTerms(cashOnDelivery, null),
      },
      z.nullable(shownWord(cashRefusals)),
    );
    const offer: CashOffer = {
      refusal: reason === null ? null : { reason, message: cashRefusalTexts[reason] },
    };
    return json(offer);
  },
});

export const config: Config = { path: '/api/cash-on-delivery' };
