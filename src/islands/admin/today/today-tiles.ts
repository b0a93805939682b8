import { orderHash, ordersHash } from '#domain/admin/orders/orders-address.ts';
import type { Today } from '#domain/admin/today.ts';
import { indiaDay, indiaMoment, indiaTime } from '#domain/india-dates.ts';
import { formatRupees } from '#domain/money.ts';
import { allProducts } from '#services/admin/catalogue/products.ts';
import { productsHash } from '#islands/admin/products/list/products-address.ts';

/** A tile: how many, of what, the first of them, and the link to them. */
export interface Tile {
  label: string;
  count: number;
  entries: readonly { key: string; text: string; aside: string }[];
  href: string;
}

const shownEntries = 3;
const stockHash = (stock: 'low' | 'out'): string =>
  productsHash({ ...allProducts, stock, sort: 'stock' });
const countLabel = (count: number): string =>
  `${String(count)} ${count === 1 ? 'piece' : 'pieces'}`;

const orderEntry = ({
  id,
  customerName,
  pieces,
}: {
  id: number;
  customerName: string;
  pieces: number;
}) => ({
  key: String(id),
  text: customerName || `Order ${String(id)}`,
  aside: countLabel(pieces),
});

/** The tiles that have something in them. */
export function todayTiles({
  toConfirm,
  cashDue,
  toPack,
  toShip,
  toAnswer,
  claims,
  holds,
  low,
  soldOut,
}: Today): Tile[] {
  const tiles: Tile[] = [
    {
      label: 'to confirm',
      count: toConfirm.count,
      entries: toConfirm.orders.map(({ id, customerName, until }) => ({
        key: String(id),
        text: customerName || `Order ${String(id)}`,
        aside: `by ${indiaMoment(until)}`,
      })),
      href: ordersHash({ filter: 'to_confirm', q: '' }),
    },
    {
      label: 'to pack',
      count: toPack.count,
      entries: toPack.orders.map(orderEntry),
      href: ordersHash({ filter: 'to_pack', q: '' }),
    },
    {
      label: 'to send',
      count: toShip.count,
      entries: toShip.orders.map(orderEntry),
      href: ordersHash({ filter: 'packed', q: '' }),
    },
    {
      label: 'to answer',
      count: toAnswer.count,
      entries: toAnswer.messages.map(({ id, name, subject }) => ({
        key: String(id),
        text: name,
        aside: subject,
      })),
      href: '#inbox',
    },
    {
      label: claims.count === 1 ? 'report of damage' : 'reports of damage',
      count: claims.count,
      entries: claims.claims.map(({ orderId, customerName }) => ({
        key: String(orderId),
        text: customerName || `Order ${String(orderId)}`,
        aside: `#${String(orderId)}`,
      })),
      href: orderHash(claims.claims[0]?.orderId ?? 0),
    },
    {
      label: 'with cash to come',
      count: cashDue.reduce((sum, { count }) => sum + count, 0),
      entries: cashDue.map(({ carrier, paise, oldestAt }) => ({
        key: carrier,
        text: carrier || 'Without a courier',
        aside: `${formatRupees(paise)} since ${indiaDay(oldestAt)}`,
      })),
      href: ordersHash({ filter: 'shipped', q: '' }),
    },
    {
      label: 'being paid now',
      count: holds.count,
      entries: holds.orders.map(({ id, customerName, heldUntil }) => ({
        key: String(id),
        text: customerName || `Order ${String(id)}`,
        aside: `until ${indiaTime(heldUntil)}`,
      })),
      href: ordersHash({ filter: 'unpaid', q: '' }),
    },
    {
      label: 'low in stock',
      count: low.count,
      entries: low.products.map(({ id, name, stock }) => ({
        key: id,
        text: name,
        aside: `${String(stock)} left`,
      })),
      href: stockHash('low'),
    },
    {
      label: 'sold out',
      count: soldOut.count,
      entries: soldOut.products.map(({ id, name }) => ({ key: id, text: name, aside: '' })),
      href: stockHash('out'),
    },
  ];
  return tiles
    .filter(({ count }) => count > 0)
    .map((tile) => ({ ...tile, entries: tile.entries.slice(0, shownEntries) }));
}
