import * as z from 'zod/mini';
import {
  stockAlertListSchema,
  stockAlertsApi,
} from '#features/stock-alerts/domain/stock-alerts-api.ts';
import { answer } from '#core/auth/admin-routes.ts';
import { callFunction } from '#core/platform/database.ts';

const list = async () => ({
  alerts: await callFunction('list_stock_alerts', {}, stockAlertListSchema),
});

export const routes = [
  answer(stockAlertsApi.list, list),
  answer(stockAlertsApi.remove, async ({ body: { ids } }) => {
    await callFunction('delete_stock_alerts', { p_ids: ids }, z.int());
    return list();
  }),
];
