// Written by src/integrations/list-features.ts from every netlify/features/*/admin-routes.ts.
import { routes as bulkEdits } from '../features/bulk-edits/admin-routes.ts';
import { routes as cashOnDelivery } from '../features/cash-on-delivery/admin-routes.ts';
import { routes as claims } from '../features/claims/admin-routes.ts';
import { routes as couriers } from '../features/couriers/admin-routes.ts';
import { routes as csvFile } from '../features/csv-file/admin-routes.ts';
import { routes as dataExport } from '../features/data-export/admin-routes.ts';
import { routes as discounts } from '../features/discounts/admin-routes.ts';
import { routes as figures } from '../features/figures/admin-routes.ts';
import { routes as labels } from '../features/labels/admin-routes.ts';
import { routes as newsletter } from '../features/newsletter/admin-routes.ts';
import { routes as notice } from '../features/notice/admin-routes.ts';
import { routes as occasion } from '../features/occasion/admin-routes.ts';
import { routes as offline } from '../features/offline/admin-routes.ts';
import { routes as push } from '../features/push/admin-routes.ts';
import { routes as reviews } from '../features/reviews/admin-routes.ts';
import { routes as salesByHand } from '../features/sales-by-hand/admin-routes.ts';
import { routes as secondFactor } from '../features/second-factor/admin-routes.ts';
import { routes as stockAlerts } from '../features/stock-alerts/admin-routes.ts';
import type { AdminRoute } from '../core/auth/admin-routes.ts';

export const adminRoutes: readonly AdminRoute[] = [
  ...bulkEdits,
  ...cashOnDelivery,
  ...claims,
  ...couriers,
  ...csvFile,
  ...dataExport,
  ...discounts,
  ...figures,
  ...labels,
  ...newsletter,
  ...notice,
  ...occasion,
  ...offline,
  ...push,
  ...reviews,
  ...salesByHand,
  ...secondFactor,
  ...stockAlerts,
];
