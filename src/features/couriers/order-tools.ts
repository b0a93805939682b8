import type { OrderTool } from '#islands/admin/orders/list/order-tools.ts';
import { CourierTools } from './CourierTools.tsx';

export const tools: readonly OrderTool[] = [
  { Tool: CourierTools, order: 30, isForParcels: true, folded: 'couriers' },
];
