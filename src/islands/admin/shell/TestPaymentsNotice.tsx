import { useCallback } from 'react';
import { fetchTestPayments } from '../../../services/admin/payments.ts';
import { useLoaded } from '../shared/use-loaded.ts';

/** On every page of the admin while the live site takes test payments: such an order brings no money. */
export function TestPaymentsNotice() {
  const { data: testPayments } = useLoaded(useCallback((signal: AbortSignal) => fetchTestPayments(signal), []));
  if (testPayments !== true) return null;
  return (
    <p className="panel border-l-4 border-danger-700 text-danger-700" role="alert">
      <strong>Test payments.</strong> The shop uses Razorpay’s test keys: orders are “paid” without money. Do not send them, and
      set the live keys before you sell.
    </p>
  );
}
