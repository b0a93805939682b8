import * as z from 'zod/mini';
import type { PriceLookup } from '#domain/orders/order.ts';
import { idColumn } from '#domain/orders/order-row.ts';
import {
  mergeOrders,
  ownOrderColumns,
  ownOrderFromRow,
  type OwnOrder,
} from '#domain/orders/own-order.ts';
import type { User } from '#domain/account/session.ts';
import { fetchCurrentProducts } from '#services/catalogue/current-catalogue.ts';
import { throwAnswer } from '#services/connection.ts';
import { getSupabase } from '#services/supabase.ts';

const rowsSchema = z.array(z.unknown());

type Key = 'user_id' | 'customer_email' | ReturnType<typeof idColumn>;

async function fetchRows(column: Key, value: string): Promise<unknown[]> {
  if (value === '') return [];
  const supabase = await getSupabase();
  const { data, error, status } = await supabase
    .from('orders')
    .select(ownOrderColumns)
    .eq(column, value)
    .order('created_at', { ascending: false });
  if (error) throwAnswer(error, status, 'The orders could not be loaded');
  return rowsSchema.parse(data);
}

/** Skips and logs unreadable rows, so that one broken row does not hide the others. */
function readOrders(rows: readonly unknown[], prices?: PriceLookup): OwnOrder[] {
  return rows.flatMap((row) => {
    try {
      return [ownOrderFromRow(row, prices)];
    } catch (error) {
      console.warn('An order could not be read', error);
      return [];
    }
  });
}

/** Current prices of products whose order recorded none; empty when the catalogue cannot be fetched. */
async function findPrices(orders: readonly OwnOrder[]): Promise<PriceLookup> {
  const unpriced = orders.flatMap((order) => order.items).filter((item) => item.estimated);
  const ids = [
    ...new Set(unpriced.flatMap((item) => (item.productId === null ? [] : [item.productId]))),
  ];
  try {
    return new Map((await fetchCurrentProducts(ids)).map((product) => [product.id, product]));
  } catch {
    return new Map();
  }
}

/**
 * The customer's orders, newest first: those of the account and those made with its address before it existed; the
 * database decides which of these may be seen. Throws with the server's message.
 */
export async function fetchOwnOrders(user: User): Promise<OwnOrder[]> {
  const [own, sameAddress] = await Promise.all([
    fetchRows('user_id', user.id),
    fetchRows('customer_email', user.email),
  ]);
  const rows = [...own, ...sameAddress];
  const orders = readOrders(rows);
  const prices = await findPrices(orders);
  return mergeOrders(prices.size === 0 ? orders : readOrders(rows, prices));
}

/** The customer's own order by its id at Razorpay or its reference; null when there is none that they may see. @throws with the server's message. */
export async function fetchOwnOrder(id: string): Promise<OwnOrder | null> {
  return readOrders(await fetchRows(idColumn(id), id))[0] ?? null;
}
