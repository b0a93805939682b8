import { platformFee } from '#domain/sums/platform-fee.ts';
import { orderFromRow, type Order } from '#domain/orders/order.ts';

interface SoldItem {
  readonly product_id?: string;
  readonly quantity: number;
  /** The price in rupees. */
  readonly price: number;
  readonly category?: string | null;
  readonly hsn?: string | null;
}

/** A paid order of these items with the platform fee, to Kochi; changed as the test needs. */
export function paidOrder(
  items: readonly SoldItem[],
  changes: Readonly<Record<string, unknown>> = {},
): Order {
  const subtotal = items.reduce(
    (sum, { price, quantity }) => sum + Math.round(price * 100) * quantity,
    0,
  );
  const fee = platformFee(subtotal, 236);
  return orderFromRow({
    id: 1,
    merchant_transaction_id: 'ABC-1',
    created_at: '2026-11-20T08:00:00Z',
    customer_name: 'Anjali Menon',
    customer_email: 'anjali@example.com',
    customer_postal_code: '682001',
    items: items.map((item) => ({ name: 'Piece', ...item })),
    fee_paise: fee,
    amount: (subtotal + fee) / 100,
    status: 'COMPLETED',
    payment_status: 'COMPLETED',
    ...changes,
  });
}
