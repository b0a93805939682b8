import type { OrderTool } from '#islands/admin/orders/list/order-tools.ts';
import { offersCash } from '#services/environment.ts';
import { RemittanceTool } from './RemittanceTool.tsx';

/** A shop without cash on delivery has none, and carries no code of it. */
export const tools: readonly OrderTool[] = offersCash
  ? [{ Tool: RemittanceTool, order: 15, isForParcels: true, isForSent: true, folded: null }]
  : [];
