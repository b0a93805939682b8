import type { Config } from '@netlify/functions';
import { signFormTime } from '../server/forms/form-time.ts';
import { endpoint, json } from '../server/platform/http.ts';

/** GET /api/form-time: `{form_time}`, the signed time at which a visitor begins to fill in a form of a static page. */
export default endpoint({
  route: 'form-time',
  method: 'GET',
  handler: () => Promise.resolve(json({ form_time: signFormTime() })),
});

export const config: Config = { path: '/api/form-time' };
