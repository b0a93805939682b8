import * as z from 'zod/mini';
import {
  customerSchema,
  customerSorts,
  type CustomerPage,
} from '#features/figures/domain/customers.ts';
import { figuresSchema, periods, type Figures } from '#features/figures/domain/figures.ts';
import { orderPatterns } from '#domain/admin/orders/order-search.ts';
import { callFunction } from '#core/platform/database.ts';
import { limitOf, readCursor, writeCursor } from '#core/platform/cursor.ts';
import { parseOrRefuse } from '#core/platform/http/request-body.ts';

const customersSchema = z.object({ total: z.int(), customers: z.array(customerSchema) });
const offsetSchema = z.tuple([z.int().check(z.minimum(0), z.maximum(10_000_000))]);

/** A page of customers for the query of the admin page. Throws 400 for a cursor or limit that is none. */
export async function listCustomers(query: URLSearchParams): Promise<CustomerPage> {
  const limit = limitOf(query);
  const [offset] = readCursor(query, offsetSchema) ?? [0];
  const { all, any } = orderPatterns(query.get('q') ?? '');
  const sort = customerSorts.find((known) => known === query.get('sort')) ?? 'recent';
  const args = { p_all: all, p_any: any, p_sort: sort, p_offset: offset, p_limit: limit };
  const { total, customers } = await callFunction('list_customers', args, customersSchema);
  return {
    total,
    customers,
    next: offset + customers.length < total ? writeCursor([offset + limit]) : null,
  };
}

const figuresQuerySchema = z.object({
  period: z._default(z.enum(periods, 'Choose week, month or year'), 'month'),
  day: z.optional(
    z.iso
      .date('Choose a day, such as 2026-11-22')
      .check(z.regex(/^20/u, 'Choose a day of this century')),
  ),
});

/** The figures of the period that a day is in, today by default. Throws 400 for what is no period or no day. */
export async function readFigures({ searchParams }: URL): Promise<Figures> {
  const { period, day } = parseOrRefuse(figuresQuerySchema, Object.fromEntries(searchParams));
  return callFunction('sales_figures', { p_period: period, p_day: day ?? null }, figuresSchema);
}
