import {
  featuredApi,
  productsApi,
  severalProductsApi,
} from '#domain/admin/products/products-api.ts';
import { answer, respond, type AdminContext } from '#core/auth/admin-routes.ts';
import { listFeatured, saveFeatured } from '#core/catalogue/featured.ts';
import {
  productId,
  readEdit,
  readNewProduct,
  readProductQuery,
} from '#core/catalogue/product-request.ts';
import {
  deleteProduct,
  insertProduct,
  listProducts,
  readProduct,
  restoreProduct,
  saveProduct,
} from '#core/catalogue/products.ts';
import { saveProducts } from '#core/catalogue/several-products.ts';
import { announceWithdrawal } from '#core/catalogue/withdrawn.ts';
import { json } from '#core/platform/http/http.ts';
import { readDeployedVersion } from '#core/publishing/deployed-version.ts';

/** Throws 404 when the URL names no product. */
const idOf = ({ params }: AdminContext): string => productId(params['id']);

/** The catalogue. An edit of a product that has moved on meanwhile is refused with 409. */
export const productRoutes = [
  answer(productsApi.list, ({ request, url }) =>
    listProducts(readProductQuery(url), readDeployedVersion(request)),
  ),
  respond(productsApi.add, async ({ request, addLogFields }) => {
    const { id, product: added } = await readNewProduct(request);
    const { created, product } = await insertProduct(id, added, readDeployedVersion(request));
    addLogFields({ product: id, created });
    return json({ product }, created ? 201 : 200);
  }),
  respond({ method: 'GET', path: productsApi.save.path }, async (ctx) =>
    json({ product: await readProduct(idOf(ctx), readDeployedVersion(ctx.request)) }),
  ),
  respond(productsApi.save, async (ctx) => {
    const [id, { request }] = [idOf(ctx), ctx];
    ctx.addLogFields({ product: id });
    const { product: edited, expectedRevision } = await readEdit(request);
    const saved = await saveProduct(id, edited, expectedRevision, readDeployedVersion(request));
    if (saved.visibilityChanged) await announceWithdrawal(request);
    return json({ product: saved.product });
  }),
  answer(productsApi.remove, async (ctx) => {
    const id = idOf(ctx);
    ctx.addLogFields({ product: id, deleted: await deleteProduct(id) });
    await announceWithdrawal(ctx.request);
    return { deleted: true };
  }),
  answer(productsApi.restore, async (ctx) => {
    const id = idOf(ctx);
    ctx.addLogFields({ product: id });
    const product = await restoreProduct(id, readDeployedVersion(ctx.request));
    await announceWithdrawal(ctx.request);
    return { product };
  }),

  answer(featuredApi.read, async () => ({ featured: await listFeatured() })),
  answer(featuredApi.save, async ({ body, addLogFields }) => {
    const featured = await saveFeatured(body);
    addLogFields({ chosen: featured.length });
    return { featured };
  }),

  respond(severalProductsApi.save, async ({ request, addLogFields }) => {
    const { saved, visibilityChanged } = await saveProducts(request);
    addLogFields({ saved });
    if (visibilityChanged) await announceWithdrawal(request);
    return json({ saved });
  }),
];
