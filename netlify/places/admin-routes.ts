// Written by src/integrations/list-features.ts from every netlify/features/*/admin-routes.ts.
import { routes as bulkEdits } from '#netlify/features/bulk-edits/admin-routes.ts';
import { routes as cashOnDelivery } from '#netlify/features/cash-on-delivery/admin-routes.ts';
import { routes as claims } from '#netlify/features/claims/admin-routes.ts';
import { routes as couriers } from '#netlify/features/couriers/admin-routes.ts';
import { routes as csvFile } from '#netlify/features/csv-file/admin-routes.ts';
import { routes as dataExport } from '#netlify/features/data-export/admin-routes.ts';
import { routes as discounts } from '#netlify/features/discounts/admin-routes.ts';
import { routes as figures } from '#netlify/features/figures/admin-routes.ts';
import { routes as labels } from '#netlify/features/labels/admin-routes.ts';
import { routes as newsletter } from '#netlify/features/newsletter/admin-routes.ts';
import { routes as notice } from '#netlify/features/notice/admin-routes.ts';
import { routes as occasion } from '#netlify/features/occasion/admin-routes.ts';
import { routes as offline } from '#netlify/features/offline/admin-routes.ts';
import { routes as push } from '#netlify/features/push/admin-routes.ts';
import { routes as reviews } from '#netlify/features/reviews/admin-routes.ts';
import { routes as salesByHand } from '#netlify/features/sales-by-hand/admin-routes.ts';
import { routes as secondFactor } from '#netlify/features/second-factor/admin-routes.ts';
import { routes as stockAlerts } from '#netlify/features/stock-alerts/admin-routes.ts';
import type { AdminRoute } from '#core/auth/admin-routes.ts';

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
