import { bulkEditsApi } from '../../../src/domain/admin/products/products-api.ts';
import { respond, type AdminRoute } from '../../server/auth/admin-routes.ts';
import { deleteProducts, restoreProducts } from '../../server/catalogue/several-products.ts';
import { announceWithdrawal } from '../../server/catalogue/withdrawn.ts';
import { json } from '../../server/platform/http/http.ts';

const forIds = (
  endpoint: Pick<AdminRoute, 'method' | 'path'>,
  change: (request: Request) => Promise<string[]>,
): AdminRoute =>
  respond(endpoint, async ({ request, addLogFields }) => {
    const ids = await change(request);
    addLogFields({ products: ids.length });
    await announceWithdrawal(request);
    return json({ ids });
  });

export const routes = [
  forIds(bulkEditsApi.remove, deleteProducts),
  forIds(bulkEditsApi.restore, restoreProducts),
];
