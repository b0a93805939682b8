import { expect, test } from 'vitest';
import { cartOf, type CartItem } from '#domain/cart/cart.ts';
import { summarizeCart } from '#domain/cart/cart-summary.ts';
import { shop } from '#settings/shop.ts';
import { seededRandom, type Random } from '#tests/simulation/random.ts';
import { reportFigures } from '#tests/figures.ts';
import { times } from '#tests/soak.ts';
import { useDatabase } from '#tests/database/support/postgres.ts';
import { customerDetails, type ShopDatabase } from '#tests/database/support/shop-database.ts';

/*
 * Compares the cart's total with the one that `place_order` charges. Asked with an expected total of 0, it computes the
 * total from its own prices and answers with it ("price_changed", or "amount_out_of_range" where the total may not be
 * charged); nothing is placed, so that a statement can ask for thousands of carts.
 */
const postgres = await useDatabase();

/** Prices in paise, as often small, where rounding shows, as large; half of the products are on offer. */
function anyProducts(random: Random, worker: number): CartItem[] {
  return Array.from({ length: 40 }, (_, index) => {
    const price = 2 + random.int(10 ** (1 + random.int(7)));
    const id = `00000000-0000-4000-9${String(worker).padStart(3, '0')}-${String(index).padStart(12, '0')}`;
    return {
      id,
      name: 'Ring',
      category: 'rings',
      images: [],
      price,
      offerPrice: random.percent(50) ? 1 + random.int(price - 1) : null,
      stock: 100_000,
      quantity: 1,
    };
  });
}

/** Neighbours among the products, so that none is in a cart twice. */
function anyCart(random: Random, products: readonly CartItem[]): CartItem[] {
  const first = random.int(products.length);
  const chosen = [...products, ...products].slice(first, first + 1 + random.int(6));
  return chosen.map((product) => ({
    ...product,
    quantity: 1 + random.int(random.percent(10) ? 500 : 5),
  }));
}

/** Puts the products into the catalogue, or gives those in it these prices. */
const sell = (database: ShopDatabase, products: readonly CartItem[]): Promise<unknown> =>
  database.query(
    `insert into public.products (id, name, category, price, "offerPrice", stock)
     select id, 'Ring', 'rings', price::numeric / 100, offer::numeric / 100, 100000 from unnest($1::uuid[], $2::bigint[], $3::bigint[]) t (id, price, offer)
     on conflict (id) do update set price = excluded.price, "offerPrice" = excluded."offerPrice"`,
    ...[
      products.map(({ id }) => id),
      products.map(({ price }) => price),
      products.map(({ offerPrice }) => offerPrice),
    ],
  );

/** The answer of `place_order` to each of the carts. */
const ask = (
  database: ShopDatabase,
  customer: string,
  carts: readonly CartItem[][],
): Promise<{ outcome: string; total: string }[]> =>
  database.query(
    `select answer ->> 'outcome' as outcome, answer ->> 'total_paise' as total
     from (select n, public.place_order($2, gen_random_uuid(), lines::jsonb, $3::jsonb, 0, $4, 900) as answer
           from unnest($1::text[]) with ordinality t (lines, n)) asked order by n`,
    carts.map((items) =>
      JSON.stringify(items.map(({ id, quantity }) => ({ product_id: id, quantity }))),
    ),
    ...[customer, JSON.stringify(customerDetails), shop.platformFeeBps],
  );

test('the total that the cart shows is the total that place_order charges, to the paisa, over random carts', async () => {
  const [each, batch] = [times(1_000, 500_000), times(250, 10_000)];
  const [wrong, outcomes]: [unknown[], Set<string>] = [[], new Set()];
  // Two connections, with customers and products of their own: neither waits for the other's locks.
  const work = async (database: ShopDatabase, worker: number): Promise<void> => {
    const [random, customer] = [seededRandom(20_260_214 + worker), await database.addCustomer()];
    for (let done = 0; done < each; done += batch) {
      const products = anyProducts(random, worker);
      await sell(database, products);
      const carts = Array.from({ length: batch }, () => anyCart(random, products));
      const answers = await ask(database, customer, carts);
      for (const [index, items] of carts.entries()) {
        const shown = summarizeCart(cartOf(items)).total;
        const { outcome, total } = answers[index] ?? { outcome: 'none', total: 'none' };
        outcomes.add(outcome);
        if (total !== String(shown)) wrong.push({ items, shown, charged: total });
      }
    }
  };
  const connections = await postgres.connect(2);
  await Promise.all(connections.map(work));
  reportFigures(24, { carts: each * connections.length, 'carts with another price': wrong.length });
  expect(wrong.slice(0, 3)).toEqual([]);
  expect([...outcomes].toSorted()).toEqual(['amount_out_of_range', 'price_changed']);
});
