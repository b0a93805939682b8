import { adminRoutes } from '#netlify/places/admin-routes.ts';
import type { AdminRoute } from '#core/auth/admin-routes.ts';
import { orderRoutes } from './order-routes.ts';
import { productRoutes } from './product-routes.ts';
import { shopRoutes } from './shop-routes.ts';

/** What the admin page fetches and changes. Features add routes by an admin-routes.ts in their folder. */
export const routes: readonly AdminRoute[] = [
  ...orderRoutes,
  ...productRoutes,
  ...shopRoutes,
  ...adminRoutes,
];
