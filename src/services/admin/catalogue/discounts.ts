import * as z from 'zod/mini';
import {
  listedDiscountSchema,
  type DiscountInput,
  type ListedDiscount,
} from '../../../domain/admin/discount-input.ts';
import { adminGet, adminSend } from '../api.ts';

const path = '/api/admin/discount';
const answerSchema = z.object({ discounts: z.array(listedDiscountSchema) });

/** The discount codes with their uses, newest first. Throws AdminError. */
export const fetchDiscounts = async (signal?: AbortSignal): Promise<ListedDiscount[]> =>
  (await adminGet(path, answerSchema, signal)).discounts;

/** Makes a code; answers with all. Throws AdminError, 409 'taken' for one that is there already. */
export const createDiscount = async (wanted: DiscountInput): Promise<ListedDiscount[]> =>
  (await adminSend('POST', path, wanted, answerSchema)).discounts;

/** Stops a code, or lets it go on; answers with all. Throws AdminError. */
export const stopDiscount = async (code: string, stopped: boolean): Promise<ListedDiscount[]> =>
  (await adminSend('PUT', path, { code, stopped }, answerSchema)).discounts;
