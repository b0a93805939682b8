import * as z from 'zod/mini';
import { orderFormFields, orderFormHoneypot, orderFormName } from '#domain/checkout/order-form.ts';
import { callFunction } from '#core/platform/database.ts';
import { endpoint, json } from '#core/platform/http/http.ts';
import { callerAddress, networkOf } from '#core/platform/costs.ts';
import { readJson } from '#core/platform/http/request-body.ts';

/** Characters of one field, and of all fields of a form. */
const maxLengths = { field: 2_000, form: 8_000 } as const;
const submissionSchema = z.object({
  payload: z.object({
    form_name: z.literal(orderFormName),
    data: z.record(z.string().check(z.maxLength(60)), z.unknown()),
  }),
});

/** Truncates a text that is too long, so that a long cart does not lose its form. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1)).toWellFormed()}…`;

/** The order form's own fields, each cut to its length and all to that of a form. */
function readFields(data: Readonly<Record<string, unknown>>): Record<string, string> {
  const fields: Record<string, string> = {};
  let left: number = maxLengths.form;
  for (const name of orderFormFields) {
    const value = data[name];
    if (typeof value !== 'string' || left <= 1) continue;
    const text = cut(value, Math.min(maxLengths.field, left));
    fields[name] = text;
    left -= text.length;
  }
  return fields;
}

/**
 * Netlify's event for a collected form: stores the order form's own fields in `form_entries` for the admin. Whether the
 * platform shields this address from strangers is not documented, so what they could do here is bounded: one form, its
 * fields, their length and their number, see `save_form_entry`. A filled honeypot is dropped.
 */
export default endpoint({
  route: 'submission-created',
  method: 'POST',
  async handler({ request, context }) {
    const { form_name: form, data } = (await readJson(request, submissionSchema)).payload;
    if ((data[orderFormHoneypot] ?? '') !== '') return json({ stored: false });
    const args = {
      p_form: form,
      p_fields: readFields(data),
      p_caller: networkOf(callerAddress(context)),
    };
    return json({ stored: await callFunction('save_form_entry', args, z.boolean()) });
  },
});
