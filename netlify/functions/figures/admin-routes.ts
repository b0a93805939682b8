import { customersApi } from '../../../src/domain/admin/customers.ts';
import { figuresApi } from '../../../src/domain/admin/figures.ts';
import { answer } from '../../server/auth/admin-routes.ts';
import { listCustomers, readFigures } from '../../server/orders/sales.ts';

export const routes = [
  answer(customersApi.list, ({ url }) => listCustomers(url.searchParams)),
  answer(figuresApi.read, ({ url }) => readFigures(url)),
];
