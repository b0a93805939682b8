// Written by src/integrations/list-features.ts from every netlify/functions/*/admin-routes.ts.
import { routes as bulkEdits } from '../functions/bulk-edits/admin-routes.ts';
import { routes as claims } from '../functions/claims/admin-routes.ts';
import { routes as couriers } from '../functions/couriers/admin-routes.ts';
import { routes as csvFile } from '../functions/csv-file/admin-routes.ts';
import { routes as dataExport } from '../functions/data-export/admin-routes.ts';
import { routes as discounts } from '../functions/discounts/admin-routes.ts';
import { routes as figures } from '../functions/figures/admin-routes.ts';
import { routes as labels } from '../functions/labels/admin-routes.ts';
import { routes as newsletter } from '../functions/newsletter/admin-routes.ts';
import { routes as notice } from '../functions/notice/admin-routes.ts';
import { routes as occasion } from '../functions/occasion/admin-routes.ts';
import { routes as push } from '../functions/push/admin-routes.ts';
import { routes as salesByHand } from '../functions/sales-by-hand/admin-routes.ts';
import { routes as secondFactor } from '../functions/second-factor/admin-routes.ts';
import { routes as stockAlerts } from '../functions/stock-alerts/admin-routes.ts';
import type { AdminRoute } from '../server/auth/admin-routes.ts';

export const adminRoutes: readonly AdminRoute[] = [
  ...bulkEdits,
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
  ...push,
  ...salesByHand,
  ...secondFactor,
  ...stockAlerts,
];
