import { strFromU8, unzipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import verifyEndpoint from '#netlify/functions/payment-verify.ts';
import { platformFee } from '#domain/sums/platform-fee.ts';
import { roundedTo } from '#domain/sums/sum-rows.ts';
import { advanceOf } from '#domain/sums/payment-way.ts';
import { isoDateInIndia } from '#domain/india-month.ts';
import { parseCsv } from '#domain/csv.ts';
import { shop as settings } from '#settings/shop.ts';
import { parcel, useAdminShop } from '#tests/functions/support/admin-shop.ts';
import { sampleCash } from '#tests/sample-cash.ts';
import { useSampleTax } from '#tests/sample-tax.ts';
import { seededRandom } from '#tests/simulation/random.ts';
import { times } from '#tests/soak.ts';

useSampleTax();

const shop = await useAdminShop();
const customer = await shop.signUp();
const month = isoDateInIndia(new Date().toISOString()).slice(0, 7);
const own = { ...sampleCash };
afterAll(() => {
  delete sampleCash.advance;
  Object.assign(sampleCash, own);
});
const pins = ['682001', '682555', '690101'] as const;

const ends = ['paid', 'paid', 'refused', 'refunded', 'cancelled'] as const;
const cash = (id: number, what: string, body: object = {}) =>
  shop.admin.ask('POST', `/api/admin/orders/${String(id)}/cash/${what}`, body);

/** Everything that the shop has of an order in the end, in paise. */
async function sell(random: ReturnType<typeof seededRandom>): Promise<number> {
  const price = 20_000 + random.int(300_000);
  const quantity = 1 + random.int(2);
  const lines = [{ product_id: await shop.addProduct({ price: price / 100, stock: 5 }), quantity }];
  const isCash = random.percent(75);
  if (random.percent(60)) sampleCash.advance = { percent: 1 + random.int(60) };
  else delete sampleCash.advance;
  sampleCash.keepsAdvance = random.percent(50);
  sampleCash.charge = random.pick([0, 4_999]);
  const subtotal = price * quantity;
  const total = isCash
    ? roundedTo(subtotal + sampleCash.charge, 100)
    : subtotal + platformFee(subtotal, settings.platformFeeBps);
  const advance = isCash ? advanceOf(total, sampleCash) : total;
  await shop.sql('delete from public.costs');
  await shop.sql('delete from public.cash_refusals');
  const answer = await shop.createOrder(customer, lines, {
    body: {
      total_amount: total / 100,
      customer_phone: `98470 ${String(10_000 + random.int(80_000))}`,
      customer_postal_code: random.pick(pins),
      ...(isCash && { payment_way: 'door' }),
    },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  const id = (answer.json['order'] as { number: number }).number;
  if (advance > 0) {
    const claim = await shop.pay({ id, razorpayOrderId: String(answer.json['order_id']), total });
    await shop.post(verifyEndpoint, '/api/payment/verify', claim, { token: customer.token });
  }
  const end = random.pick(ends);
  if (isCash) await shop.confirmCash(id);
  if (end === 'cancelled') {
    await shop.cancel(id);
    return 0;
  }
  await shop.step(id, parcel);
  if (isCash && end === 'refused') {
    await cash(id, 'refuse', { reason: '', restock: true });
    return sampleCash.keepsAdvance ? advance : 0;
  }
  if (isCash) await cash(id, 'receive', { amountPaise: total - advance, reference: '' });
  if (end !== 'refunded') return total;
  const back = random.percent(30) ? total : 100 + random.int(total - 200);
  const refunded = await shop.refund(id, { amountPaise: back });
  if (refunded.status !== 200) throw new Error(refunded.text);
  return total - back;
}

const figuresSchema = z.object({ paise: z.coerce.number() });
const tax = z.number().default(0);
const gstrSchema = z.object({
  b2cs: z.array(z.object({ txval: tax, iamt: tax, camt: tax, samt: tax })),
});

test('figures, the accountant’s file and the return of a month agree to the paisa, with cash, advances, refusals and refunds', async () => {
  const random = seededRandom(20_261_128);
  let kept = 0;
  for (let sold = 0; sold < times(12, 200); sold += 1) kept += await sell(random);
  // Refunds that Razorpay takes a while for, and the credit notes that wait for them.
  for (let round = 0; round < 3; round += 1) await shop.sweep();
  expect(kept).toBeGreaterThan(0);

  const figures = figuresSchema.parse(await shop.value(`select public.sales_figures('month')`));
  expect(figures.paise).toBe(kept);

  const csv = await shop.admin.ask('GET', `/api/admin/orders.csv?month=${month}`);
  const table = parseCsv(csv.text);
  if (!table.ok) throw new Error('The file cannot be read');
  const [heads = [], ...rows] = table.rows;
  const at = heads.indexOf('Amount (incl. GST)');
  const paise = rows.map((row) => Math.round(Number(row[at]) * 100));
  expect(paise.reduce((sum, amount) => sum + amount, 0)).toBe(kept);
  expect(paise.some((amount) => amount < 0)).toBe(true);

  const zip = await shop.admin.ask('GET', `/api/admin/gstr1.zip?month=${month}`);
  const gstr1 = gstrSchema.parse(
    JSON.parse(strFromU8(unzipSync(zip.bytes)['gstr1.json'] ?? new Uint8Array())),
  );
  const returned = gstr1.b2cs.reduce(
    (sum, { txval, iamt, camt, samt }) => sum + txval + iamt + camt + samt,
    0,
  );
  expect(Math.round(returned * 100)).toBe(kept);
});
