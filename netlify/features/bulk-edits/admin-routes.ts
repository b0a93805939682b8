import * as z from 'zod/mini';
import { bulkEditsApi } from '#features/bulk-edits/domain/bulk-edits-api.ts';
import { respond, type AdminRoute } from '#core/auth/admin-routes.ts';
import { maxBodyBytes } from '#core/catalogue/several-products.ts';
import { announceWithdrawal } from '#core/catalogue/withdrawn.ts';
import { callFunction } from '#core/platform/database.ts';
import { json } from '#core/platform/http/http.ts';
import { readJson } from '#core/platform/http/request-body.ts';

const idListSchema = z.array(z.string());

/** A change of the products with the ids of a request; it answers with those that were found. */
const forIds = (
  endpoint: Pick<AdminRoute, 'method' | 'path'>,
  change: (sent: { p_ids: string[] }) => Promise<string[]>,
): AdminRoute =>
  respond(endpoint, async ({ request, addLogFields }) => {
    const { ids: wanted } = await readJson(request, bulkEditsApi.remove.body, maxBodyBytes);
    const ids = await change({ p_ids: wanted });
    addLogFields({ products: ids.length });
    await announceWithdrawal(request);
    return json({ ids });
  });

export const routes = [
  forIds(bulkEditsApi.remove, (sent) => callFunction('delete_products', sent, idListSchema)),
  forIds(bulkEditsApi.restore, (sent) => callFunction('restore_products', sent, idListSchema)),
];
