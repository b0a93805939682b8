import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test, vi } from 'vitest';
import ownInvoiceEndpoint from '#netlify/functions/order-invoice.ts';
import { openInvoice } from '#tests/functions/admin/admin-client.ts';
import { parcel, useAdminShop } from '#tests/functions/support/admin-shop.ts';
import type { Answer } from '#tests/functions/support/stack.ts';
import { eachRow } from '#tests/each-row.ts';
import { shop as settings } from '#settings/shop.ts';
import { escapeHtml } from '#core/platform/http/html.ts';
import { useSampleTax } from '#tests/sample-tax.ts';
import { seller } from '#settings/seller.ts';

useSampleTax();

const shop = await useAdminShop();
const customer = await shop.signUp();

const hostile = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;
const details = {
  customer_name: hostile,
  customer_address: `House 1 ${hostile}`,
  customer_city: hostile,
  notes: hostile,
};

async function bought(body: Record<string, unknown> = {}, name = 'Temple ring') {
  const ring = await shop.addProduct({ price: 1_030, stock: 5, name });
  return { ring, ...(await shop.buy(customer, [{ product_id: ring, quantity: 2 }], body)) };
}
const print = (id: number | string): Promise<Answer> => openInvoice(shop.admin, id);
const words = ({ text }: Answer): string =>
  text
    .replaceAll(/<style>.*?<\/style>|<script>.*?<\/script>|<[^>]+>/gsu, ' ')
    .replaceAll(/\s+/gu, ' ');
const numberOf = (answer: Answer): string =>
  new RegExp(`${settings.prefixes.invoice}/\\d{4}-\\d{2}/\\d{4}`, 'u').exec(answer.text)?.[0] ??
  'none';

describe('an invoice', () => {
  test('says who sold what to whom, with GST by line and rate, in figures and in words', async () => {
    const { id, paymentId } = await bought();
    const answer = await print(id);
    expect(answer.status).toBe(200);
    const text = words(answer);
    for (const fact of [
      'Tax invoice',
      escapeHtml(seller.legalName),
      'GSTIN: 32AABCU9603R1ZW',
      'Anjali Menon',
      'Kochi 682001',
      'Kerala (32)',
      'Temple ring',
      '7117',
      '₹30.00',
      'Platform fee',
      '₹48.62',
      '₹2,108.62',
      paymentId,
      'Rupees two thousand one hundred eight and sixty-two paise only',
    ]) {
      expect(text).toContain(fact);
    }
    expect(text).not.toContain('IGST');
    expect(text).not.toContain('Credit note');
  });

  test('stays as it was issued when the product is renamed, taxed otherwise or deleted, and what went back has a credit note', async () => {
    const { id, ring } = await bought();
    await shop.sql(
      `update public.products set category = 'watches', name = 'Other' where id = $1`,
      ring,
    );
    const before = words(await print(id));
    expect(before).toContain('Temple ring 7117');
    await shop.sql('delete from public.products where id = $1', ring);
    await shop.refund(id, { amountPaise: 50_000 });
    const after = words(await print(id));
    for (const fact of [
      'Temple ring 7117',
      'Kept after refunds: ₹1,608.62',
      `Credit note: ${settings.prefixes.creditNote}/`,
      `For invoice: ${numberOf(await print(id))}`,
      'Rupees five hundred only',
    ]) {
      expect(after).toContain(fact);
    }
  });

  test('is for a paid order only', async () => {
    const ring = await shop.addProduct({});
    const unpaid = await shop.place(await shop.signUp(), [{ product_id: ring, quantity: 1 }]);
    expect(words(await print(unpaid.id))).toContain('Only paid orders get an invoice');
    expect((await print(unpaid.id)).status).toBe(409);
    const cancelled = await bought();
    await shop.cancel(cancelled.id);
    expect((await print(cancelled.id)).status).toBe(409);
    expect((await print(999_999)).status).toBe(404);
    const paid = await bought();
    expect((await print(paid.id)).status).toBe(200);
    const invoices = await shop.sql(
      'select order_id from public.invoices where order_id = any ($1)',
      [unpaid.id, cancelled.id, paid.id],
    );
    expect(invoices).toEqual([{ order_id: paid.id }]);
  });
});

test('what a customer wrote is text on the invoice, on a page that loads the fonts alone', async () => {
  const { id } = await bought(details, hostile);
  const answer = await print(id);
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain('<img');
  expect(answer.text.match(/<script>/gu)).toHaveLength(1);
  expect(answer.text).toContain('&lt;script&gt;alert(2)');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(
    /^default-src 'none'; font-src 'self'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/u,
  );
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.text).not.toMatch(
    /<(?:link|img|iframe)|<[^>]*\s(?:src|style|on\w+)=|url\((?!\/fonts\/)/u,
  );
});

test('a credit note has a page of its own once a refund is done, and before that the page says why there is none', async () => {
  const { id } = await bought();
  const path = `/api/admin/orders/${String(id)}/credit-note`;
  await print(id);
  const none = await shop.admin.ask('GET', path);
  expect([none.status, none.text]).toEqual([
    404,
    expect.stringContaining('This order has no credit note yet.'),
  ]);
  await shop.refund(id, { amountPaise: 50_000 });
  const opened = await shop.admin.ask('POST', path, undefined, {
    type: 'application/x-www-form-urlencoded',
    body: '',
  });
  expect([opened.status, opened.headers.get('location')]).toEqual([303, path]);
  const page = words(await shop.admin.ask('GET', path));
  expect(page).toContain(`Credit note: ${settings.prefixes.creditNote}/`);
  expect(page).toContain('₹500.00');
  expect(page).not.toContain('Tax invoice');
});

describe('a customer', () => {
  const own = (id: number | string, token?: string): Promise<Answer> =>
    shop.call(
      ownInvoiceEndpoint,
      `/api/orders/${String(id)}/invoice`,
      token === undefined ? {} : { token },
    );

  test('sees the invoice of their own order once there is one, and nobody else does', async () => {
    const { id } = await bought();
    expect(await own(id, customer.token)).toMatchObject({
      status: 404,
      json: { error: 'not_found' },
    });
    const number = numberOf(await print(id));
    const answer = await own(id, customer.token);
    expect(answer.status).toBe(200);
    expect(numberOf(answer)).toBe(number);
    expect((await own(id)).status).toBe(401);
    const other = await shop.signUp();
    expect(await own(id, other.token)).toMatchObject({
      status: 404,
      json: { message: 'There is no invoice for this order.' },
    });
    expect((await own('abc', customer.token)).status).toBe(404);
  });

  test('sees that of an imported order by a confirmed address alone', async () => {
    const { id } = await bought();
    await print(id);
    const [known, unknown] = [await shop.signUp(), await shop.signUp()];
    await shop.sql(
      'update public.orders set user_id = null, customer_email = upper($1) where id = $2',
      known.email,
      id,
    );
    await shop.sql('update auth.users set email_confirmed_at = now() where id = $1', known.id);
    expect([
      (await own(id, known.token)).status,
      (await own(id, unknown.token)).status,
      (await own(id, customer.token)).status,
    ]).toEqual([200, 404, 404]);
    await shop.sql('update auth.users set email_confirmed_at = null where id = $1', known.id);
    expect((await own(id, known.token)).status).not.toBe(200);
  });

  test('opens it in a tab of its own by a form that carries the token, and gets a page whatever happens', async () => {
    const { id } = await bought();
    await print(id);
    const open = (
      token: string,
      type = 'application/x-www-form-urlencoded',
      order = id,
    ): Promise<Answer> =>
      shop.call(ownInvoiceEndpoint, `/api/orders/${String(order)}/invoice`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: new URLSearchParams({ token }).toString(),
      });
    expect(words(await open(customer.token))).toContain('Tax invoice');
    const refused = [
      await open(''),
      await open('not.a.token'),
      await open(`${customer.token}x`),
      await open(customer.token, 'text/plain'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 415]);
    const missing = await open(customer.token, undefined, 999_999);
    expect(missing.status).toBe(404);
    for (const answer of [...refused, missing])
      expect(answer.headers.get('content-type')).toContain('text/html');
  });
});

describe('the accounts of a month', () => {
  const month = new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Asia/Kolkata',
    year: 'numeric',
    month: '2-digit',
  }).format(new Date());
  const csv = (query: string): Promise<Answer> =>
    shop.admin.ask('GET', `/api/admin/orders.csv?month=${query}`);
  const rowsOf = ({ text }: Answer): Record<string, string>[] => {
    const [head = [], ...rows] = text
      .trim()
      .split('\r\n')
      .map((line) =>
        [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/gu)].map(([, cell = '']) => cell),
      );
    return rows.map((row) =>
      Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])),
    );
  };

  test('have every document of the month once, line by line, what went back as a credit note', async () => {
    const { id, ring, paymentId } = await bought({
      customer_name: '=HYPERLINK("http://x")',
      customer_gstin: '32aabcu9603r1zw',
    });
    const number = numberOf(await print(id));
    await shop.refund(id, { amountPaise: 103_000, items: [{ productId: ring, quantity: 1 }] });
    const waiting = await bought();
    const answer = await csv(month);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="accounts-${month}-documents.csv"`,
    );
    const rows = rowsOf(answer).filter((line) => line['Order'] === String(id));
    const shared = {
      'Payment ID': paymentId,
      'Place of supply': 'Kerala',
      'State code': '32',
      'Buyer GSTIN': '32AABCU9603R1ZW',
      Buyer: `"'=HYPERLINK(""http://x"")"`,
    };
    expect(rows).toMatchObject([
      {
        ...shared,
        Document: 'Invoice',
        Number: number,
        'For invoice': '',
        Item: 'Temple ring',
        'HSN/SAC': '7117',
        Quantity: '2',
        'GST rate': '3%',
        'Taxable value': '2000.00',
        CGST: '30.00',
        SGST: '30.00',
        IGST: '0.00',
        'Amount (incl. GST)': '2060.00',
      },
      { ...shared, Item: 'Platform fee', 'Amount (incl. GST)': '48.62' },
      {
        ...shared,
        Document: 'Credit note',
        'For invoice': number,
        Item: 'Temple ring',
        Quantity: '-1',
        CGST: '-15.00',
        'Amount (incl. GST)': '-1030.00',
      },
    ]);
    expect(rows[2]?.['Number']).toContain(`${settings.prefixes.creditNote}/`);
    expect(rowsOf(answer).some((line) => line['Order'] === String(waiting.id))).toBe(false);
  });

  test('are GSTR-1 in a ZIP file, where the invoice of an earlier month decides the table of its credit note', async () => {
    const delhi = { customer_postal_code: '110001' };
    const business = await bought({ ...delhi, customer_gstin: '32AABCU9603R1ZW' });
    const number = numberOf(await print(business.id));
    const ring = await shop.addProduct({ price: 120_000, name: 'Temple ring' });
    const large = await shop.buy(customer, [{ product_id: ring, quantity: 1 }], delhi);
    await print(large.id);
    await shop.sql(
      `update public.invoices set issued_at = issued_at - interval '32 days' where order_id = $1`,
      large.id,
    );
    await shop.refund(large.id, { amountPaise: 103_000 });
    const answer = await shop.admin.ask('GET', `/api/admin/gstr1.zip?month=${month}`);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="gstr1-${month}.zip"`,
    );
    const files = unzipSync(answer.bytes);
    const file = (name: string): string => strFromU8(files[name] ?? new Uint8Array());
    expect(file('b2b.csv')).toMatch(
      new RegExp(
        `^32AABCU9603R1ZW,Anjali Menon,${number},\\d\\d-\\w{3}-\\d{4},2108\\.62,07-Delhi,N,,`,
        'mu',
      ),
    );
    expect(file('cdnur.csv')).toMatch(/^B2CL,[^,]+,[^,]+,C,07-Delhi,1030\.00,,3,/mu);
    expect(file('hsn(b2b).csv')).toContain('7117,Imitation jewellery,NOS-NUMBERS,');
    expect(JSON.parse(file('gstr1.json'))).toMatchObject({
      gstin: '32AABCU9603R1ZW',
      fp: month.split('-').toReversed().join(''),
      cdnur: [{ typ: 'B2CL', val: 1_030, pos: '07' }],
    });
  });

  test('begin and end at midnight in India', async () => {
    const { id } = await bought();
    const issue = async (at: string): Promise<string[]> => {
      await print(id);
      await shop.sql('update public.invoices set issued_at = $1 where order_id = $2', at, id);
      const months = ['2027-01', '2027-02'];
      const found = await Promise.all(
        months.map(async (name) =>
          rowsOf(await csv(name)).some((row) => row['Order'] === String(id)),
        ),
      );
      return months.filter((_, index) => found[index]);
    };
    expect(await issue('2027-01-31T18:29:59Z')).toEqual(['2027-01']);
    expect(await issue('2027-01-31T18:30:00Z')).toEqual(['2027-02']);
  });

  test('the accounts of a month that does not exist are refused', () =>
    eachRow(['', '2026-13', '2026', '2026-1', 'x'], async (query) => {
      expect(await csv(query)).toMatchObject({ status: 400 });
      const path = `/api/admin/gstr1.zip?month=${query}`;
      expect(await shop.admin.ask('GET', path)).toMatchObject({ status: 400 });
    }));
});

describe('an order that is corrected while its invoice is made', () => {
  /** The customer moves to Chennai between the reading of the order and this call, once. */
  function correctBefore(call: string, id: number): void {
    const send = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      if (!address.endsWith(`/rpc/${call}`)) return send(input, init);
      vi.mocked(globalThis.fetch).mockRestore();
      await shop.sql(
        `update public.orders set customer_city = 'Chennai', customer_postal_code = '600001' where id = $1`,
        id,
      );
      return send(input, init);
    });
  }

  test.each([
    ['the admin opens it', 'assign_invoice'],
    ['it ships', 'set_fulfilment'],
  ])('has an invoice of what it is when %s', async (_when, call) => {
    const { id } = await bought({ customer_city: 'Kochi', customer_postal_code: '682001' });
    correctBefore(call, id);
    if (call === 'set_fulfilment') expect((await shop.step(id, parcel)).status).toBe(200);
    const invoice = words(await print(id));
    expect(invoice).toContain('Tamil Nadu');
    expect(invoice).toContain('IGST');
  });
});

test('a link gives no invoice a number', async () => {
  const { id } = await bought();
  const path = `/api/admin/orders/${String(id)}/invoice`;
  expect((await shop.admin.ask('GET', path)).status).toBe(404);
  expect((await shop.read(id)).invoiceNumber).toBeNull();
});
