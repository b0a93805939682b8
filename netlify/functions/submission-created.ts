import * as z from 'zod/mini';
import {
  orderFormFields,
  orderFormHoneypot,
  orderFormName,
} from '../../src/domain/checkout/order-form.ts';
import { database, readRows } from '../server/platform/database.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { addressBucket, callerAddress, withinLimits } from '../server/platform/rate-limit.ts';
import { readJson } from '../server/platform/request-body.ts';

const longestField = 20_000;
const submissionSchema = z.object({
  payload: z.object({
    form_name: z.literal(orderFormName),
    data: z.record(z.string().check(z.maxLength(60)), z.unknown()),
  }),
});

/**
 * Netlify's event for a collected form: keeps the order form's own fields in `form_entries` for the admin. Whether the
 * platform keeps strangers from this address is not documented, so what they could do here is bounded: one form, its
 * fields, and a number that does not depend on what the body says. A filled honeypot is dropped.
 */
export default endpoint({
  route: 'submission-created',
  method: 'POST',
  async handler({ request, context }) {
    const { form_name: form, data } = (await readJson(request, submissionSchema)).payload;
    const allowed = await withinLimits([
      { bucket: addressBucket('collected-form', callerAddress(context)), hits: 60, seconds: 600 },
      { bucket: 'collected-form:everyone', hits: 300, seconds: 3_600 },
    ]);
    if (!allowed || (data[orderFormHoneypot] ?? '') !== '') return json({ stored: false });
    const fields = Object.fromEntries(
      orderFormFields.flatMap((name) => {
        const value = data[name];
        return typeof value === 'string' && value.length <= longestField ? [[name, value]] : [];
      }),
    );
    await readRows(
      'form entry',
      database().from('form_entries').insert({ form, fields }),
      z.unknown(),
    );
    return json({ stored: true });
  },
});
