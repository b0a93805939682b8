import * as z from 'zod/mini';
import {
  adminOccasionSchema,
  type AdminOccasion,
  type OccasionInput,
} from '../../../domain/admin/occasion-input.ts';
import { adminGet, adminSend } from '../api.ts';

const path = '/api/admin/occasion';
const answerSchema = z.object({ occasion: adminOccasionSchema });

/** The occasion of the home page while it is not over. Throws AdminError. */
export const fetchOccasion = async (signal?: AbortSignal): Promise<{ occasion: AdminOccasion }> =>
  adminGet(path, answerSchema, signal);

/** Saves the occasion, or takes it away with null. The next build shows it. Throws AdminError. */
export const saveOccasion = async (
  occasion: OccasionInput | null,
): Promise<{ occasion: AdminOccasion }> =>
  occasion === null
    ? adminSend('DELETE', path, {}, answerSchema)
    : adminSend('PUT', path, occasion, answerSchema);
