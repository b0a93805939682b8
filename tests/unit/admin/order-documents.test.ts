import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import type { AdminOrder } from '../../../src/domain/admin/orders/orders.ts';
import { OrderDocuments } from '../../../src/islands/admin/orders/detail/OrderDocuments.tsx';
import { adminOrder } from './admin-order.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const refund = (state: AdminOrder['refunds'][number]['state']): AdminOrder['refunds'][number] => ({
  id: 1,
  paymentId: 'pay_1',
  amountPaise: 50_000,
  state,
  reason: null,
  lastError: null,
  razorpayRefundId: null,
  at: '2026-11-21T10:00:00Z',
  triedAt: '2026-11-21T10:00:00Z',
  nextTryAt: '2026-11-21T10:00:00Z',
});

test('the credit note has its button once a refund of an invoiced order is done', () => {
  vi.stubGlobal('window', { location: { href: 'https://shop.example/admin' } });
  const button = 'action="/api/admin/orders/1001/credit-note"';
  const page = (changes: Partial<AdminOrder>) =>
    renderToStaticMarkup(
      createElement(OrderDocuments, { order: adminOrder(changes), onOrder: vi.fn() }),
    );
  const invoiceNumber = 'ABC/2026-27/0001';
  expect(page({ invoiceNumber, refunds: [refund('processed')] })).toContain(button);
  expect(page({ invoiceNumber, refunds: [refund('requested')] })).not.toContain(button);
  expect(page({ invoiceNumber: null, refunds: [refund('processed')] })).not.toContain(button);
});
