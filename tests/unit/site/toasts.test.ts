import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showFlowToast } from '#stores/flow-toasts.ts';
import { $toasts, dismissToast, showToast } from '#stores/toasts.ts';

const titles = () => $toasts.get().map((toast) => toast.title);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

test('a toast disappears after four seconds by default', () => {
  showToast('usual');
  showToast('Added to cart!', { durationMs: 2_000, tone: 'success' });
  expect($toasts.get()).toMatchObject([
    { title: 'usual', tone: 'default', durationMs: 4_000 },
    { title: 'Added to cart!', tone: 'success', durationMs: 2_000 },
  ]);
  vi.advanceTimersByTime(1_999);
  expect(titles()).toEqual(['usual', 'Added to cart!']);
  vi.advanceTimersByTime(1);
  expect(titles()).toEqual(['usual']);
  vi.advanceTimersByTime(2_000);
  expect(titles()).toEqual([]);
});

test('the same message again takes the place of the first, and stays its whole time', () => {
  showToast('Stock Limit', { description: 'Cannot exceed available stock' });
  showToast('Stock Limit', { description: 'another' });
  vi.advanceTimersByTime(3_000);
  showToast('Stock Limit', { description: 'Cannot exceed available stock' });
  expect($toasts.get().map(({ description }) => description)).toEqual([
    'another',
    'Cannot exceed available stock',
  ]);
  vi.advanceTimersByTime(3_000);
  expect($toasts.get()).toHaveLength(1);
});

test('a newer message of a flow replaces the older one of the same flow only', () => {
  showToast('Removed from cart');
  showFlowToast('checkout', 'Payment Error');
  showFlowToast('admin-login', 'Welcome');
  showFlowToast('checkout', 'Payment Failed');
  expect(titles()).toEqual(['Removed from cart', 'Welcome', 'Payment Failed']);
  // The outcome of a payment also takes away that the order was submitted.
  showFlowToast('order-form', 'Order Submitted');
  showFlowToast('checkout', 'Payment Expired');
  expect(titles()).toEqual(['Welcome', 'Payment Expired']);
});

test('three are shown at most, and each is dismissed by its own id', () => {
  for (const title of ['one', 'two', 'three']) showToast(title);
  const last = showToast('four');
  expect(titles()).toEqual(['two', 'three', 'four']);
  dismissToast(last);
  dismissToast(12_345);
  expect(titles()).toEqual(['two', 'three']);
});
