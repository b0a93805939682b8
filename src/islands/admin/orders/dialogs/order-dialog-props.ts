import type { AdminOrder } from '../../../../domain/admin/orders/orders.ts';

/** What every dialog of an order is given. */
export interface OrderDialogProps {
  order: AdminOrder;
  open: boolean;
  onClose: () => void;
  onDone: (order: AdminOrder) => void;
  /** Called when nobody knows whether a change was made. */
  onUnknownOutcome: () => void;
}
