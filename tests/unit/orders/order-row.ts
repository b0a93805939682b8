/** A row of `orders` as this shop writes it, changed as the test needs. */
export const row = (changes: Record<string, unknown> = {}) => ({
  id: 1001,
  created_at: '2026-02-01T10:00:00+00:00',
  customer_name: 'Asha Menon',
  customer_email: 'asha@example.com',
  customer_phone: '9876543210',
  items: [{ product_id: 'p1', name: 'Palakka Ring', quantity: 2, price: 500 }],
  amount: 1023.6,
  status: 'PENDING',
  payment_status: 'COMPLETED',
  razorpay_order_id: 'order_1',
  payment_id: 'pay_1',
  fulfilment: 'new',
  ...changes,
});
