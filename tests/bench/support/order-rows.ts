import { randomUUID } from 'node:crypto';

/** The row of an unpaid order of one product for ₹100, with the platform fee. */
export const orderRow = (changes: Record<string, unknown>): Record<string, unknown> => ({
  merchant_transaction_id: `KSV-${randomUUID().slice(0, 20)}`,
  customer_name: 'Anjali Menon',
  customer_email: 'anjali@kasavu.example',
  customer_phone: '+91 98470 12345',
  customer_address: '14 Temple Road',
  customer_city: 'Thrissur',
  customer_postal_code: '680001',
  items: [{ product_id: randomUUID(), name: 'Temple ring', quantity: 1, price: 100, image: null }],
  subtotal_paise: 10_000,
  fee_paise: 236,
  total_paise: 10_236,
  fee_bps: 236,
  ...changes,
});

/** The row of such an order once it is paid. */
export const paidOrderRow = (changes: Record<string, unknown>): Record<string, unknown> =>
  orderRow({
    hold_state: 'taken',
    status: 'COMPLETED',
    payment_status: 'COMPLETED',
    payment_id: `pay_${randomUUID().replaceAll('-', '').slice(0, 14)}`,
    paid_at: new Date(),
    ...changes,
  });
