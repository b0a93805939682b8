import { beforeEach, describe, expect, test } from 'vitest';
import { eachRow } from '#tests/each-row.ts';
import {
  productReviewSchema,
  reviewLimits,
  reviewsSchema,
} from '#features/reviews/domain/review.ts';
import { reviewDecisionSchema } from '#features/reviews/domain/reviews-api.ts';
import { sqlState } from '#tests/database/support/database.ts';
import { limitsOf, maxLength, takes } from '#tests/database/support/limits.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';

/* Reviews on PostgreSQL: who is asked, what a link takes, and what builds, the sweep and an erasure make of it. */
const database = await useDatabase();
const { checksOf } = limitsOf(database);

let customer = '';
let ring = '';
let chain = '';
let order = 0;

const set = (fields: string, id = order): Promise<unknown> =>
  database.query(`update public.orders set ${fields} where id = $1`, id);
const deliver = (daysAgo: number, id = order): Promise<unknown> =>
  set(`fulfilment = 'delivered', delivered_at = now() - interval '${String(daysAgo)} days'`, id);
const ask = (days: number | null = 7): Promise<number> =>
  database.value('select public.queue_review_requests($1, 10)', days);
const asked = (): Promise<number[]> =>
  database.column(`select order_id::int from public.outbox where kind = 'review_request'`);
interface Page {
  name: string;
  town: string;
  products: { id: string; review: Record<string, unknown> | null }[];
}
const page = (version = 0, days = 180): Promise<Page | null> =>
  database.value('select public.read_order_reviews($1, $2, $3)', order, version, days);
const review = (productId: string, changes: object = {}) => ({
  productId,
  stars: 5,
  words: 'Shines',
  keepsImage: true,
  ...changes,
});
const save = async (reviews: object[], { version = 0, id = order } = {}): Promise<unknown> =>
  (
    await database.value<{ outcome: string }>(
      `select public.save_reviews($1, $2, 180, 'Asha', 'Kochi', $3::jsonb)`,
      ...[id, version, JSON.stringify(reviews)],
    )
  ).outcome;
const setImage = (product: string, path: string): Promise<boolean> =>
  database.value('select public.set_review_image($1, 0, 180, $2, $3)', order, product, path);
const reviewIds = (): Promise<number[]> =>
  database.column('select id::int from public.reviews order by id');
const seen = (id: number | undefined): Promise<object | null> =>
  database.value(
    `select (select jsonb_build_object('stars', stars, 'words', words, 'name', name, 'town', town, 'image', image)
    from public.reviews where id = $1)`,
    id ?? 0,
  );
const decide = async (
  state: string,
  answer = '',
  id?: number,
  read?: object | null,
): Promise<string> => {
  const which = id ?? (await reviewIds())[0];
  return database.value(
    'select public.decide_review($1, $2, $3, $4::jsonb)',
    ...[which, state, answer, JSON.stringify(read ?? (await seen(which)) ?? {})],
  );
};
const changes = (): Promise<number> =>
  database.value(
    `select count(*)::int from public.product_changes where product_id = $1 and kind = 'changed' and needs_build`,
    ring,
  );
const publicReviews = (): Promise<Record<string, unknown>[]> =>
  database.as({ role: 'anon' }, 'select product_id, stars, words, answer from public.reviews');

beforeEach(async () => {
  await database.run(`delete from public.reviews where true;
    update public.orders set review_request = 'ended' where true;
    update public.products set hidden = false where true`);
  [ring, chain] = [
    await database.addProduct({ stock: 5, price: 1_000 }),
    await database.addProduct({ stock: 5 }),
  ];
  customer = await database.addCustomer();
  const lines = [ring, chain].map((product_id) => ({ product_id, quantity: 1 }));
  const placed = await database.placeOpen(customer, lines);
  await database.markPaid(placed);
  order = placed.id;
  await database.run('delete from public.outbox where true');
});

test('the admin decides about a review as it was read, not about words that came meanwhile', async () => {
  await deliver(8);
  await ask();
  await save([review(ring)]);
  const [id] = await reviewIds();
  const read = await seen(id);
  await save([review(ring, { words: 'Buy at www.example.com instead' })]);
  expect(await decide('published', '', id, read)).toBe('changed');
  expect(await publicReviews()).toEqual([]);
  await setImage(ring, 'products/later.webp');
  expect(await decide('published', '', id, { ...(await seen(id)), image: null })).toBe('changed');
  expect(await decide('published', '', id)).toBe('saved');
  expect(await publicReviews()).toMatchObject([{ words: 'Buy at www.example.com instead' }]);
});

describe('the mail that asks', () => {
  test('comes some days after the delivery, once for ever, and to no one from before the shop asked', async () => {
    expect([await ask(), await asked()]).toEqual([0, []]);
    await deliver(6);
    expect(await ask()).toBe(0);
    await deliver(8);
    expect(await ask(null)).toBe(0);
    expect([await ask(), await ask(), await asked()]).toEqual([1, 0, [order]]);
    // The mail is not queued again when its record is deleted, either.
    await database.run('delete from public.outbox where true');
    expect(await ask()).toBe(0);
    await deliver(38);
    await set('review_request = null');
    expect(await ask()).toBe(0);
  });

  test('does not come a second time after a backup from before it was restored', async () => {
    await deliver(8);
    await database.query('select public.after_restore(now(), 0, null, null)');
    expect(await ask()).toBe(0);
    expect((await page())?.products).toHaveLength(2);
  });

  test('does not come any more when its order was refunded or its person erased before it was sent', () =>
    eachRow(
      [
        `update public.orders set payment_status = 'REFUNDED' where id = $1`,
        'delete from auth.users where id = (select user_id from public.orders where id = $1)',
      ],
      async (change) => {
        await deliver(8);
        await set('review_request = null');
        expect(await ask()).toBe(1);
        await database.query(change, order);
        const kinds = await database.column(`select public.claim_outbox(10, 60) ->> 'kind'`);
        expect(kinds).not.toContain('review_request');
        expect(await asked()).toEqual([]);
        await set(`payment_status = 'COMPLETED'`);
      },
    ));

  test('comes although an imported order has items of another shape', async () => {
    await deliver(8);
    for (const items of ['"[{}]"', '[{"product_id": 7}]']) {
      const [imported] = await database.column<number>(
        `insert into public.orders (customer_email, status, payment_status, fulfilment, delivered_at, total_paise, items, merchant_transaction_id)
         values ('old@example.com', 'COMPLETED', 'COMPLETED', 'delivered', now() - interval '8 days', 100, $1::jsonb, gen_random_uuid()::text)
         returning id::int`,
        items,
      );
      expect(imported).toBeGreaterThan(0);
    }
    expect([await ask(), await asked()]).toEqual([1, [order]]);
  });

  test('does not come about an order that nobody should be asked about', () =>
    eachRow(
      [
        `fulfilment = 'shipped'`,
        `fulfilment = 'cancelled'`,
        `payment_status = 'REFUNDED'`,
        'erase_pending = true',
        `customer_email = ''`,
        `replaces = id`,
        `razorpay_key_id = 'rzp_test_x'`,
      ],
      async (fields) => {
        await deliver(8);
        await set(fields);
        expect(await ask()).toBe(0);
        await set(
          `payment_status = 'COMPLETED', erase_pending = false, customer_email = 'a@example.com', replaces = null, razorpay_key_id = null`,
        );
      },
    ));

  test('waits for the answer of a damage report, and for a product that has a page', async () => {
    await deliver(8);
    await database.query(
      `insert into public.claims (order_id, message, late) values ($1, 'Broken', false)`,
      order,
    );
    expect(await ask()).toBe(0);
    await database.run(
      `update public.claims set answer = 'declined', answered_at = now() where true`,
    );
    await database.run('update public.products set hidden = true where true');
    expect(await ask()).toBe(0);
    await database.query('update public.products set hidden = false where id = $1', ring);
    expect(await ask()).toBe(1);
    // The hidden one cannot be reviewed.
    expect((await page())?.products.map(({ id }) => id)).toEqual([ring]);
  });
});

describe('a link', () => {
  beforeEach(async () => {
    await deliver(8);
    await ask();
  });

  test('shows the products of its order, with first name and town', async () => {
    expect(await page()).toMatchObject({
      name: 'Anjali',
      town: 'Kochi',
      products: expect.arrayContaining([
        expect.objectContaining({ id: ring, review: null }),
        expect.objectContaining({ id: chain, review: null }),
      ]) as unknown,
    });
  });

  test('takes nothing when it was withdrawn, is too old, or its order was not asked about, refunded or erased', async () => {
    await eachRow(
      [
        'link_version = 1',
        `delivered_at = now() - interval '181 days'`,
        'review_request = null',
        `review_request = 'ended'`,
        `payment_status = 'REFUNDED'`,
        `fulfilment = 'shipped'`,
      ],
      async (fields) => {
        await set(fields);
        expect([await page(), await save([review(ring)])]).toEqual([null, 'not_found']);
        expect(await setImage(ring, 'products/a.webp')).toBe(false);
        await deliver(8);
        await set(`link_version = 0, review_request = 'asked', payment_status = 'COMPLETED'`);
      },
    );
    expect(await save([review(ring)])).toBe('saved');
  });

  test('takes one review of each of its own products, which can be changed until the admin decides', async () => {
    const other = await database.addProduct({ stock: 1 });
    expect(await save([review(ring), review(other)])).toBe('not_of_order');
    expect(await reviewIds()).toEqual([]);
    await save([review(ring), review(chain)]);
    await save([review(ring, { stars: 2, words: 'Too small' })]);
    expect(await reviewIds()).toHaveLength(2);
    expect(
      await database.column(
        `select count(*)::int from public.outbox where payload ->> 'topic' = 'review'`,
      ),
    ).toEqual([1]);
    await decide('published');
    await save([review(ring, { words: 'Changed later' })]);
    const found = await page();
    expect(found).toMatchObject({ name: 'Asha', town: 'Kochi' });
    expect(found?.products.find(({ id }) => id === ring)?.review).toEqual({
      stars: 2,
      words: 'Too small',
      hasImage: false,
      state: 'published',
    });
    expect(await setImage(ring, 'products/late.webp')).toBe(false);
  });
});

describe('a review', () => {
  beforeEach(async () => {
    await deliver(8);
    await ask();
    await save([review(ring)]);
  });

  test('is read by builds once it is published, and each change of what they show waits for a build', async () => {
    expect([await publicReviews(), await changes()]).toEqual([[], 0]);
    await decide('published', 'Thank you');
    expect(await publicReviews()).toEqual([
      { product_id: ring, stars: 5, words: 'Shines', answer: 'Thank you' },
    ]);
    expect(await changes()).toBe(1);
    await decide('published', 'Thank you');
    expect(await changes()).toBe(1);
    await decide('published', 'Thank you so much');
    expect(await changes()).toBe(2);
    await decide('hidden');
    expect([await publicReviews(), await changes()]).toEqual([[], 3]);
    await decide('hidden', 'Not shown');
    expect(await changes()).toBe(3);
    expect(await decide('published', '', 999_999)).toBe('gone');
  });

  test('is withdrawn from the live page once it is hidden, and not before', async () => {
    const live = (): Promise<number> =>
      database.value('select version::int from public.catalogue_version');
    const withdrawn = (version: number): Promise<string[]> =>
      database.column('select public.withdrawn_reviews($1, 10)', version);
    const before = await live();
    await decide('published');
    await decide('published', 'Thank you');
    expect(await withdrawn(before)).toEqual([]);
    const published = await live();
    await decide('hidden');
    expect(await withdrawn(published)).toEqual([ring]);
    // The next build has it no more.
    expect(await withdrawn(await live())).toEqual([]);
  });

  test('keeps its order to itself', async () => {
    await decide('published');
    const secret = 'select order_id from public.reviews';
    expect(await sqlState(database.as({ role: 'anon' }, secret))).toBe('42501');
  });

  test('has one image, and one that it has no more is deleted by the sweep', async () => {
    const unused = async (): Promise<string[]> => {
      await database.run(`update public.pictures set dropped_at = now() - interval '1 hour' where dropped_at is not null;
        update public.pictures set uploaded_at = now() - interval '2 days' where dropped_at is null`);
      return database.column('select * from public.unused_pictures(10)');
    };
    const upload = (path: string): Promise<unknown> =>
      database.query('insert into public.pictures (path) values ($1)', path);
    await database.run('delete from public.pictures where true');
    for (const path of ['products/a.webp', 'products/b.webp']) {
      await upload(path);
      expect(await setImage(ring, path)).toBe(true);
    }
    expect(await unused()).toEqual(['products/a.webp']);
    await save([review(ring, { keepsImage: false })]);
    expect((await unused()).toSorted()).toEqual(['products/a.webp', 'products/b.webp']);
    await database.run('delete from public.pictures where true');
    await setImage(ring, 'products/c.webp');
    // A product that once had the same image does not take it away.
    await upload('products/c.webp');
    expect(await unused()).toEqual([]);
    await decide('hidden');
    expect(await unused()).toEqual(['products/c.webp']);
  });

  test('goes with its product', async () => {
    await decide('published');
    await setImage(ring, 'products/d.webp');
    await database.query('delete from public.products where id = $1', ring);
    expect(await reviewIds()).toEqual([]);
  });

  test('goes with the erased person, and the link with it; the page without it waits for a build', async () => {
    await decide('published');
    await database.query('delete from auth.users where id = $1', customer);
    expect([await reviewIds(), await page(), await changes()]).toEqual([[], null, 2]);
    await set('review_request = null');
    await set(`review_request = 'ended'`);
    expect(await ask()).toBe(0);
  });

  test('stays without its order when the order ends, if it is published', async () => {
    await save([review(chain)]);
    await decide('published');
    await database.query('select private.anonymise_orders(array[$1::bigint])', order);
    expect(await database.query('select product_id, order_id from public.reviews')).toEqual([
      { product_id: ring, order_id: null },
    ]);
    expect(await changes()).toBe(1);
  });

  test('of a product in the trash is no change of a page', async () => {
    await database.query('update public.products set hidden = true where id = $1', ring);
    const before = await changes();
    await decide('published');
    expect(await changes()).toBe(before);
  });
});

test('the forms take texts as long as their columns do, and no longer', async () => {
  const checks = await checksOf('reviews');
  const valid = review(crypto.randomUUID());
  await eachRow(
    [
      ['words', reviewLimits.words, productReviewSchema, valid],
      ['name', reviewLimits.name, reviewsSchema, { town: '', reviews: [valid] }],
      ['town', reviewLimits.town, reviewsSchema, { name: 'A', reviews: [valid] }],
      [
        'answer',
        reviewLimits.answer,
        reviewDecisionSchema,
        {
          state: 'published',
          seen: { stars: 5, words: 'Shines', name: 'Asha', town: '', image: null },
        },
      ],
    ] as const,
    ([field, limit, schema, rest]) => {
      const max = maxLength(checks, field);
      const take = takes(schema, rest, field);
      expect([max, take('1'.repeat(max)), take('1'.repeat(max + 1))]).toEqual([limit, true, false]);
    },
  );
});
