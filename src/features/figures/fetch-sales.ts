import { customersApi, type Customer, type CustomersQuery } from './domain/customers.ts';
import { figuresApi, type Figures, type Period } from './domain/figures.ts';
import { callAdmin } from '#services/admin/api.ts';
import { pageQuery, type PageRequest } from '#services/admin/page-request.ts';

/** A part of the list of customers; `total` counts all that match. */
export interface CustomersPart {
  items: readonly Customer[];
  next: string | null;
  total: number;
}

/** Customers that match. Throws AdminError. */
export async function fetchCustomers(
  { sort, q }: CustomersQuery,
  page: PageRequest,
): Promise<CustomersPart> {
  const query = pageQuery({ sort, ...(q === '' ? {} : { q }) }, page);
  const { signal } = page;
  const { customers, next, total } = await callAdmin(customersApi.list, { query, signal });
  return { items: customers, next, total };
}

/** Sales of the period that a day is in, '2026-11-22'; null is today. Throws AdminError. */
export function fetchFigures(
  period: Period,
  day: string | null,
  signal?: AbortSignal,
): Promise<Figures> {
  const query = { period, ...(day === null ? {} : { day }) };
  return callAdmin(figuresApi.read, { query, signal });
}
