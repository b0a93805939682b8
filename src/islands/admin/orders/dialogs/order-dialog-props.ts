import type { AdminOrder } from '#domain/admin/orders/orders.ts';

/** The props of every dialog of an order. */
export interface OrderDialogProps {
  order: AdminOrder;
  open: boolean;
  onClose: () => void;
  onDone: (order: AdminOrder) => void;
  /** Called when nobody knows whether a change was made. */
  onUnknownOutcome: () => void;
}
