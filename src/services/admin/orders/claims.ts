import * as z from 'zod/mini';
import {
  adminClaimsSchema,
  type AdminClaim,
  type ClaimAnswer,
} from '../../../domain/admin/orders/claims.ts';
import { adminOrderSchema, type AdminOrder } from '../../../domain/admin/orders/orders.ts';
import { AdminError } from '../admin-error.ts';
import { adminGet, adminSend } from '../api.ts';

const pathOf = (orderId: number): string => `/api/admin/orders/${String(orderId)}/claims`;

/** The damage claims of an order, newest first. Throws AdminError. */
export async function fetchClaims(orderId: number, signal?: AbortSignal): Promise<AdminClaim[]> {
  return (await adminGet(pathOf(orderId), adminClaimsSchema, signal)).claims;
}

/** Answers a claim; returns its order. Throws AdminError with what the admin can do. */
export async function answerClaim(orderId: number, answer: ClaimAnswer): Promise<AdminOrder> {
  const schema = z.object({ order: adminOrderSchema });
  return (await adminSend('POST', pathOf(orderId), answer, schema)).order;
}

/** The parts of a video as one, to be played. Throws AdminError when a part cannot be fetched. */
export async function fetchVideo(parts: readonly string[]): Promise<Blob> {
  const blobs: Blob[] = [];
  for (const address of parts) {
    const response = await fetch(address, { signal: AbortSignal.timeout(120_000) }).catch(
      () => null,
    );
    if (response?.ok !== true)
      throw new AdminError('The video could not be loaded. Load the page again.', 0, 'no_video');
    blobs.push(await response.blob());
  }
  // The container's own first bytes tell the browser what it is.
  return new Blob(blobs, { type: 'video/mp4' });
}
