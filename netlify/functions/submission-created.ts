import * as z from 'zod/mini';
import { database, readRows } from '../server/platform/database.ts';
import { endpoint, json } from '../server/platform/http.ts';
import { addressBucket, withinLimit } from '../server/platform/rate-limit.ts';
import { readJson } from '../server/platform/request-body.ts';

const fieldSchema = z.union([z.string().check(z.maxLength(20_000)), z.number(), z.boolean(), z.null()]);

const submissionSchema = z.object({
  payload: z.object({
    form_name: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,39}$/u)),
    data: z.record(z.string().check(z.maxLength(60)), z.unknown()),
  }),
});

/** Added by the platform or only for robots: not the visitor's words, and the address is personal data. */
const leftOut: ReadonlySet<string> = new Set(['ip', 'user_agent', 'referrer', 'form-name', 'bot-field']);

/**
 * Netlify's event for a collected form (checkout copy, cart): keeps it in `form_entries` for the admin. Anyone
 * who finds the address could post here too, so size, names and number are limited and a filled honeypot is dropped.
 */
export default endpoint({
  route: 'submission-created',
  method: 'POST',
  async handler({ request, addLogFields }) {
    const { form_name: form, data } = (await readJson(request, submissionSchema)).payload;
    addLogFields({ form });
    const honeypot = data['bot-field'];
    const address = typeof data['ip'] === 'string' ? data['ip'] : undefined;
    const allowed =
      (await withinLimit(addressBucket(`form-${form}`, address), { hits: 30, seconds: 600 })) &&
      (await withinLimit(`form-${form}`, { hits: 300, seconds: 3_600 }));
    if (!allowed || (typeof honeypot === 'string' && honeypot !== '')) return json({ stored: false });
    const fields = Object.entries(data)
      .filter(([name, value]) => !leftOut.has(name) && fieldSchema.safeParse(value).success)
      .slice(0, 40);
    const row = { form, fields: Object.fromEntries(fields) };
    await readRows('form entry', database().from('form_entries').insert(row), z.unknown());
    return json({ stored: true });
  },
});
