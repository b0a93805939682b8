import { afterAll, beforeAll, expect, test } from 'vitest';
import { cartOf, summarizeCart, type CartItem } from '../../../src/domain/cart/cart.ts';
import { shop } from '../../../src/shop.config.ts';
import { seededRandom } from '../../simulation/random.ts';
import { reportFigures } from '../../figures.ts';
import { times } from '../../soak.ts';
import { one } from '../support/database.ts';
import { createDatabase, type Postgres } from '../support/postgres.ts';
import { addShopper, customer } from '../support/shop-rows.ts';

/*
 * What the cart shows against what `place_order` itself says it charges. Asked with an expected total of 0, it computes the
 * total from its own prices and answers with it ("price_changed", or "amount_out_of_range" where the total may not be
 * charged); nothing is placed, so that a statement can ask for thousands of carts.
 */
let postgres: Postgres;
beforeAll(async () => {
  postgres = await createDatabase();
});
afterAll(() => postgres.close());

const random = seededRandom(20_260_214);
/** Prices in paise, as often small, where rounding shows, as large. */
const anyPrice = (): number => 1 + random.int(10 ** (1 + random.int(7)));

/** Pieces with random prices, half of them on offer, in the catalogue. */
async function addPieces(count: number): Promise<CartItem[]> {
  const pieces = Array.from({ length: count }, (_, index): CartItem => {
    const price = anyPrice() + 1;
    const id = `00000000-0000-4000-9000-${String(index).padStart(12, '0')}`;
    return { id, name: 'Ring', category: 'rings', images: [], price, offerPrice: random.percent(50) ? 1 + random.int(price - 1) : null, stock: 100_000, quantity: 1 };
  });
  await postgres.query(
    `insert into public.products (id, name, category, price, "offerPrice", stock)
     select id, 'Ring', 'rings', price::numeric / 100, offer::numeric / 100, 100000 from unnest($1::uuid[], $2::bigint[], $3::bigint[]) t (id, price, offer)`,
    ...[pieces.map(({ id }) => id), pieces.map(({ price }) => price), pieces.map(({ offerPrice }) => offerPrice)],
  );
  return pieces;
}

test('the total that the cart shows is the total that place_order charges, to the paisa, over random carts', async () => {
  const [carts, batch] = [times(2_000, 1_000_000), times(2_000, 10_000)];
  const shopper = await addShopper(postgres);
  const pieces = await addPieces(400);
  const [wrong, outcomes]: [unknown[], Map<string, number>] = [[], new Map()];
  for (let done = 0; done < carts; done += batch) {
    const filled = Array.from({ length: batch }, () => {
      const first = random.int(pieces.length);
      // Neighbours, so that no piece is in a cart twice.
      return Array.from({ length: 1 + random.int(6) }, (_, next) => ({ ...pieces[(first + next) % pieces.length], quantity: 1 + random.int(random.percent(10) ? 500 : 5) }) as CartItem);
    });
    const lines = filled.map((items) => JSON.stringify(items.map(({ id, quantity }) => ({ product_id: id, quantity }))));
    const answers = await one<{ totals: string[]; outcomes: string[] }>(
      postgres,
      `select array_agg(answer ->> 'total_paise' order by n) as totals, array_agg(answer ->> 'outcome' order by n) as outcomes
       from (select n, public.place_order($2, gen_random_uuid(), lines::jsonb, $3::jsonb, 0, $4, 900) as answer
             from unnest($1::text[]) with ordinality t (lines, n)) asked`,
      ...[lines, shopper, JSON.stringify(customer), shop.platformFeeBps],
    );
    filled.forEach((items, index) => {
      const shown = summarizeCart(cartOf(items)).total;
      outcomes.set(answers.outcomes[index] ?? 'none', (outcomes.get(answers.outcomes[index] ?? 'none') ?? 0) + 1);
      if (answers.totals[index] !== String(shown)) wrong.push({ items, shown, charged: answers.totals[index] });
    });
  }
  reportFigures(24, { carts, 'carts with another price': wrong.length });
  expect(wrong.slice(0, 3)).toEqual([]);
  expect([...outcomes.keys()].toSorted()).toEqual(['amount_out_of_range', 'price_changed']);
});
