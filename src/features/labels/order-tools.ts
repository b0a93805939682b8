import type { OrderTool } from '#islands/admin/orders/list/order-tools.ts';
import { Labels } from './Labels.tsx';
import { PackingSlips } from './PackingSlips.tsx';

export const tools: readonly OrderTool[] = [
  { Tool: PackingSlips, order: 10, isForParcels: false, folded: null },
  { Tool: Labels, order: 20, isForParcels: true, folded: 'labels' },
];
