import * as z from 'zod/mini';
import type { Config } from '@netlify/functions';
import { publicForms } from '#domain/checkout/public-form.ts';
import { signFormTime } from '#core/forms/form-time.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { parseOrRefuse } from '#core/platform/http/request-body.ts';

const querySchema = z.object({ form: z.enum(publicForms) });

/** GET /api/form-time?form=contact: `{form_time}`, the signed time at which a visitor begins to fill in this form. */
export default endpoint({
  route: 'form-time',
  method: 'GET',
  handler({ request }) {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    return Promise.resolve(
      json({ form_time: signFormTime(parseOrRefuse(querySchema, query).form) }),
    );
  },
});

export const config: Config = { path: '/api/form-time' };
