import * as z from 'zod/mini';
import type { CheckoutState } from '#domain/checkout/checkout-state.ts';
import { reads } from '#domain/admin/endpoint.ts';
import { callAdmin } from '#services/admin/api.ts';

const session = reads(
  '/api/admin/session',
  z.object({ checkout: z.enum(['open', 'test', 'closed']) }),
);

/** Whether the site sells. Throws AdminError. */
export const fetchCheckoutState = async (signal?: AbortSignal): Promise<CheckoutState> =>
  (await callAdmin(session, { signal })).checkout;
