import { getAccessToken } from '#services/auth/account.ts';
import { request } from '#services/connection.ts';
import { timeLimit } from '#services/time-limit.ts';
import { cashOfferSchema, type CashOffer, type CashOfferRequest } from './domain/cash-offer.ts';

/** Asks whether this cart can be paid at the door. Null when nobody answers: the customer can pay now, or change a field to ask again. */
export async function fetchCashOffer(offer: CashOfferRequest): Promise<CashOffer | null> {
  try {
    const token = await getAccessToken();
    const answer = await request('/api/cash-on-delivery', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token ?? ''}` },
      body: JSON.stringify(offer),
      signal: timeLimit(10_000),
    });
    return answer.ok ? cashOfferSchema.parse(await answer.json()) : null;
  } catch (error) {
    console.warn('Cash on delivery could not be checked', error);
    return null;
  }
}
