import type { Config } from '@netlify/functions';
import { adminFunction } from '#core/auth/admin-routes.ts';
import { routes } from '#core/admin/routes.ts';

export default adminFunction(routes);

export const config: Config = {
  path: '/api/admin/*',
  // Functions of their own: the login answers without a session, and uploads need sharp.
  excludedPath: ['/api/admin/:action(session|login|logout|confirm)', '/api/admin/images'],
};
