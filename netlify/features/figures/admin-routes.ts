import { customersApi } from '#features/figures/domain/customers.ts';
import { figuresApi } from '#features/figures/domain/figures.ts';
import { answer } from '#core/auth/admin-routes.ts';
import { listCustomers, readFigures } from './sales.ts';

export const routes = [
  answer(customersApi.list, ({ url }) => listCustomers(url.searchParams)),
  answer(figuresApi.read, ({ url }) => readFigures(url)),
];
