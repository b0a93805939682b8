import * as z from 'zod/mini';
import { reads } from '../../../domain/admin/endpoint.ts';
import { callAdmin } from '../api.ts';

const session = reads('/api/admin/session', z.object({ testPayments: z.boolean() }));

/** Whether the live site takes payments that are no money. Throws AdminError. */
export const fetchTestPayments = async (signal?: AbortSignal): Promise<boolean> =>
  (await callAdmin(session, { signal })).testPayments;
