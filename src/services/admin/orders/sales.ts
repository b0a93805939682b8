import {
  customerPageSchema,
  type Customer,
  type CustomersQuery,
} from '../../../domain/admin/customers.ts';
import { figuresSchema, type Figures, type Period } from '../../../domain/admin/figures.ts';
import { adminGet } from '../api.ts';
import { pageQuery, type PageRequest } from '../page-request.ts';

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
  const { customers, next, total } = await adminGet(
    `/api/admin/customers?${query}`,
    customerPageSchema,
    page.signal,
  );
  return { items: customers, next, total };
}

/** Sales of the period that a day is in, '2026-11-22'; null is today. Throws AdminError. */
export function fetchFigures(
  period: Period,
  day: string | null,
  signal?: AbortSignal,
): Promise<Figures> {
  const query = new URLSearchParams({ period, ...(day === null ? {} : { day }) });
  return adminGet(`/api/admin/figures?${query.toString()}`, figuresSchema, signal);
}
