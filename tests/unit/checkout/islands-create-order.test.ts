import { afterEach, describe, expect, test, vi } from 'vitest';
import { createOrderRequestSchema } from '#core/checkout/create-order-request.ts';
import { orderRefusal } from '#core/checkout/place-order-answer.ts';
import { orderRefusalSchema, type OrderRefusal } from '#domain/checkout/order-outcome.ts';
import { createOrder, readOrderRefusal, type OrderRequest } from '#services/checkout/checkout.ts';
import { typedDetails } from './addresses.ts';
import { eachRow } from '#tests/each-row.ts';

const request: OrderRequest = {
  details: {
    ...typedDetails,
    notes: '',
    giftNote: '',
    recipientName: '',
    recipientPhone: '',
    gstin: '',
    askedAbout: [],
  },
  lines: [{ id: 'p1', quantity: 2 }],
  total: 204_720,
  code: null,
  choices: { way: 'now' },
  idempotencyKey: 'key-1',
  accessToken: 'token-1',
};

/** The customer of `request` as create-order takes them. */
const customer = {
  customer_name: typedDetails.name,
  customer_email: typedDetails.email,
  customer_phone: typedDetails.phone,
  customer_address: typedDetails.address,
  customer_city: typedDetails.city,
  customer_postal_code: typedDetails.postalCode,
};
const orderBody = {
  ...customer,
  customer_phone: '+44 7911 123456',
  products: [{ product_id: crypto.randomUUID(), quantity: 1 }],
  total_amount: 2047.2,
};

test('the request keeps what the customer was asked about, when there was something to ask; older pages ask nothing', () =>
  eachRow(
    [
      [undefined, []],
      [[], []],
      [['phone'], ['phone']],
      [['phone', 'postal_code'], ['phone']],
    ],
    ([asked, kept]) => {
      const { customer } = createOrderRequestSchema.parse({ ...orderBody, asked_about: asked });
      expect(customer.asked_about).toEqual(kept);
    },
  ));

test('the request refuses a phone number and a PIN code that can be none, also after a question, and a question that nobody asks', () =>
  eachRow(
    [
      { customer_phone: '0484-abcdefgh' },
      { customer_postal_code: '000000' },
      { asked_about: ['city'] },
    ],
    (wrong: Readonly<Record<string, unknown>>) => {
      const asked = { asked_about: ['phone', 'postal_code'] };
      const parsed = createOrderRequestSchema.safeParse({ ...orderBody, ...asked, ...wrong });
      expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual(Object.keys(wrong));
    },
  ));

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
  test('sends the order in rupees, with the customer and the key', async () => {
    const fetched = answerWith(
      '{"payment":{"orderId":"order_1","key":"rzp_1","currency":"INR","amount":204720}}',
    );
    const outcome = await createOrder({
      ...request,
      lines: [...request.lines, { id: 'p2', size: '14', quantity: 1 }],
    });
    expect(outcome).toMatchObject({
      outcome: 'placed',
      order: { orderId: 'order_1', key: 'rzp_1', amount: 204_720 },
    });
    const [address, init] = fetched.mock.calls[0] ?? [];
    expect(address).toBe('/api/payment/create-order');
    expect(init?.headers).toMatchObject({
      authorization: 'Bearer token-1',
      'idempotency-key': 'key-1',
    });
    expect(JSON.parse(init?.body as string)).toEqual({
      ...customer,
      notes: '',
      gift_note: '',
      recipient_name: '',
      recipient_phone: '',
      customer_gstin: '',
      asked_about: [],
      products: [
        { product_id: 'p1', quantity: 2 },
        { product_id: 'p2', size: '14', quantity: 1 },
      ],
      total_amount: 2047.2,
    });
  });

  test('describes an answer that is no order in words', () =>
    eachRow(
      [
        ['<html>', 200, 'Invalid response from backend'],
        ['<html>gateway</html>', 502, 'Backend error: 502'],
        ['{"message":"Payments are not configured"}', 503, 'Payments are not configured'],
        ['{"error":"something"}', 409, 'something'],
      ],
      async ([body, status, message]) => {
        answerWith(body, status);
        await expect(createOrder(request)).rejects.toThrow(message);
      },
    ));

  test('a slow backend is reported as a timeout after 30 seconds', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.useFakeTimers();
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        }),
    );
    const late = expect(createOrder(request)).rejects.toThrow(
      /^Request timeout: Backend server took too long to respond/u,
    );
    await vi.advanceTimersByTimeAsync(29_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await late;
    vi.useRealTimers();
  });

  test('a lost connection is reported', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(createOrder(request)).rejects.toThrow('Cannot connect to the payment server');
  });

  test('401 is a matter of signing in', async () => {
    answerWith('{"error":"unauthorized","message":"Please sign in"}', 401);
    expect(await createOrder(request)).toEqual({ outcome: 'signed_out' });
  });
});

describe('refusals', () => {
  const refusals: Record<OrderRefusal['outcome'], object> = {
    paid: { order: { razorpay_order_id: 'order_1', payment_id: 'pay_1' } },
    expired: {},
    closed: { until: '2026-12-01' },
    wait: { reason: 'cards', until: '2026-11-23T10:00:00Z' },
    too_many_units: {
      items: [{ product_id: 'p1', name: 'Ring', requested: 30, available: 20 }],
      limit: 20,
    },
    unknown_product: { product_ids: ['p1'] },
    choose_size: { items: [{ product_id: 'p1', name: 'Ring', size: null }] },
    out_of_stock: { items: [{ product_id: 'p1', name: 'Ring', requested: 3, available: 1 }] },
    discount: { reason: 'over' },
    no_cash: { reason: 'pin' },
    amount_out_of_range: { total_paise: 99 },
    price_changed: {
      subtotal_paise: 120_000,
      discount_paise: 0,
      fee_paise: 3_450,
      total_paise: 123_450,
      items: [{ product_id: 'p1', name: 'Ring', quantity: 1, price: 1_200 }],
    },
  };

  test('every outcome of the database reaches the checkout, with the sentence for the customer', () =>
    eachRow(Object.entries(refusals), ([outcome, fields]) => {
      const refusal = orderRefusal(orderRefusalSchema.parse({ outcome, ...fields }), 'ONAM10');
      const body = { ...refusal.fields, message: refusal.message, error: refusal.code };
      expect(refusal.code).toBe(outcome);
      expect(refusal.message).not.toBe('');
      expect(readOrderRefusal(body)).toEqual({ outcome, ...fields, message: refusal.message });
    }));

  test('a reason that only a newer database knows has a sentence that is true for any', () =>
    eachRow(
      [
        [{ outcome: 'no_cash', reason: 'meteorite' }, 'You can pay now instead.'],
        [{ outcome: 'discount', reason: 'meteorite' }, 'The code ONAM10 cannot be used'],
        [{ outcome: 'wait', reason: 'meteorite' }, 'cannot be held for you right now'],
      ],
      ([answer, sentence]) => {
        const refusal = orderRefusal(orderRefusalSchema.parse(answer), 'ONAM10');
        expect(refusal.message).toContain(sentence);
        const body = { ...refusal.fields, message: refusal.message, error: refusal.code };
        expect(readOrderRefusal(body)?.message).toBe(refusal.message);
      },
    ));

  test('a response with another outcome is none of them', () => {
    expect(readOrderRefusal({ outcome: 'something' })).toBeNull();
    expect(readOrderRefusal('text')).toBeNull();
  });
});
