import * as z from 'zod/mini';
import { stockAlertListSchema, type StockAlert } from '../../../domain/admin/stock-alerts.ts';
import { adminGet, adminSend } from '../api.ts';

const path = '/api/admin/stock-alert';
const answerSchema = z.object({ alerts: stockAlertListSchema });

/** The people who wait for sold-out products, the newest first. Throws AdminError. */
export const fetchStockAlerts = async (signal?: AbortSignal): Promise<StockAlert[]> =>
  (await adminGet(path, answerSchema, signal)).alerts;

/** Takes addresses off the list; answers with the rest. Throws AdminError. */
export const deleteStockAlerts = async (ids: readonly number[]): Promise<StockAlert[]> =>
  (await adminSend('DELETE', path, { ids }, answerSchema)).alerts;
