import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createOrder,
  readConflict,
  type OrderRequest,
} from '../../../src/services/checkout/checkout.ts';
import { eachRow } from '../../each-row.ts';

const request: OrderRequest = {
  details: {
    name: 'Asha Menon',
    email: 'asha@example.com',
    phone: '9876543210',
    address: '12 Temple Road',
    city: 'Kochi',
    postalCode: '682001',
    notes: '',
    gstin: '',
  },
  lines: [{ id: 'p1', quantity: 2 }],
  total: 204_720,
  code: null,
  idempotencyKey: 'key-1',
  accessToken: 'token-1',
};

const answerWith = (body: string, status = 200) => {
  const fetched = vi.fn((_address: string, _init: RequestInit) =>
    Promise.resolve(new Response(body, { status })),
  );
  vi.stubGlobal('fetch', fetched);
  return fetched;
};

afterEach(() => {
  vi.useRealTimers();
});

describe('create-order', () => {
  test('sends the order in rupees, with the shopper and the key', async () => {
    const fetched = answerWith(
      '{"payment":{"orderId":"order_1","key":"rzp_1","currency":"INR","amount":204720}}',
    );
    const outcome = await createOrder({
      ...request,
      lines: [...request.lines, { id: 'p2', size: '14', quantity: 1 }],
    });
    expect(outcome).toMatchObject({
      kind: 'created',
      order: { orderId: 'order_1', key: 'rzp_1', amount: 204_720 },
    });
    const [address, init] = fetched.mock.calls[0] ?? [];
    expect(address).toBe('/api/payment/create-order');
    expect(init?.headers).toMatchObject({
      authorization: 'Bearer token-1',
      'idempotency-key': 'key-1',
    });
    expect(JSON.parse(init?.body as string)).toEqual({
      customer_name: 'Asha Menon',
      customer_email: 'asha@example.com',
      customer_phone: '9876543210',
      customer_address: '12 Temple Road',
      customer_city: 'Kochi',
      customer_postal_code: '682001',
      notes: '',
      customer_gstin: '',
      products: [
        { product_id: 'p1', quantity: 2 },
        { product_id: 'p2', size: '14', quantity: 1 },
      ],
      total_amount: 2047.2,
    });
  });

  test('tells an answer that is no order in words', () =>
    eachRow(
      [
        ['', 200, 'Empty response from backend'],
        ['<html>', 200, 'Invalid response from backend'],
        ['{"payment":{"orderId":42}}', 200, 'Invalid order ID received from backend'],
        ['<html>gateway</html>', 502, 'Backend error: 502'],
        ['{"message":"Payments are not configured"}', 503, 'Payments are not configured'],
      ],
      async ([body, status, message]) => {
        answerWith(body, status);
        await expect(createOrder(request)).rejects.toThrow(message);
      },
    ));

  test('a slow backend is told as a timeout after 30 seconds', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('late', 'TimeoutError')));
    await expect(createOrder(request)).rejects.toThrow(
      /^Request timeout: Backend server took too long to respond/u,
    );
    expect(timeout).toHaveBeenCalledWith(30_000);
  });

  test('a lost connection is told', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(createOrder(request)).rejects.toThrow('Cannot connect to the payment server');
  });

  test('401 is a matter of signing in', async () => {
    answerWith('{"error":"unauthorized","message":"Please sign in"}', 401);
    expect(await createOrder(request)).toEqual({ kind: 'signed-out' });
  });
});

describe('conflicts', () => {
  test('a changed price brings the new total in paise', () => {
    expect(readConflict({ error: 'price_changed', total_amount: 1234.5 })).toEqual({
      kind: 'price-changed',
      total: 123_450,
    });
  });

  test('a shortage brings what is left; unreadable entries are passed over', () => {
    const items = [
      { product_id: 'p1', name: 'Ring', requested: 3, available: 1 },
      { product_id: 7 },
    ];
    expect(readConflict({ error: 'out_of_stock', items })).toEqual({
      kind: 'out-of-stock',
      items: [{ product_id: 'p1', name: 'Ring', requested: 3, available: 1 }],
    });
  });

  test('a size that is to be chosen brings the words for it', () => {
    expect(
      readConflict({ error: 'choose_size', message: 'Please choose a size of Ring.', items: [] }),
    ).toEqual({
      kind: 'choose-size',
      message: 'Please choose a size of Ring.',
    });
  });

  test('an order paid before brings its ids', () => {
    expect(
      readConflict({ error: 'already_paid', payment: { orderId: 'order_1' }, payment_id: 'pay_1' }),
    ).toEqual({
      kind: 'already-paid',
      orderId: 'order_1',
      paymentId: 'pay_1',
    });
  });

  test('what is none of the known conflicts is left to the message', async () => {
    expect(readConflict({ error: 'something' })).toBeNull();
    expect(readConflict('text')).toBeNull();
    answerWith('{"error":"something"}', 409);
    await expect(createOrder(request)).rejects.toThrow('something');
  });
});
